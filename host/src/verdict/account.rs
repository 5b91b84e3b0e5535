//! Accounts of failures in words.

use super::Phrase;
use super::telling::{access, awaited, deed};
use ::evidence::account::{
    Account, Cause, Failure, Link, Pointer, Spot, Step, Tested, Waiting, Want, callers_told,
};
use ::evidence::cause::flips::Deed;
use ::evidence::cause::story::Tried;

/// Values up to this are shown as they are; larger ones, which may be pointers, in base 16.
const SMALL: u32 = 0xffff;

/// The verdict, for a stranger: how it fails, the one thing that has to happen for it, and what was tried. The story has the rest.
pub(crate) fn sentence(account: &Account) -> Phrase {
    match &account.cause {
        Cause::Order { steps, decisive, .. } => failed(&account.failure)
            .words(": ")
            .then(main_point(steps, decisive))
            .words(".")
            .then(turned(steps, decisive)),
        Cause::Deadlock { wants, cycle } => deadlock(wants, *cycle),
        Cause::Missed { waits, steps, decisive, .. } => {
            let waits = waits.iter().map(waiting).reduce(|all, one| all.words(" ").then(one));
            let said = waits.unwrap_or_default();
            if decisive.is_empty() {
                return said;
            }
            let said = said.words(" It comes to that if ").then(main_point(steps, decisive));
            said.words(".").then(turned(steps, decisive))
        }
        Cause::AnyOrder { schedules, stands_still } => {
            let said = Phrase::new("The schedule does not matter: in all ")
                .counted(*schedules, "schedule")
                .words(" ")
                .then(led_to(&account.failure));
            match stands_still.as_deref() {
                Some(Cause::Deadlock { wants, cycle }) => {
                    said.words(" ").then(deadlock(wants, *cycle))
                }
                Some(Cause::Missed { waits, .. }) => {
                    waits.iter().fold(said, |said, wait| said.words(" ").then(waiting(wait)))
                }
                _ => said,
            }
        }
        Cause::Unknown => capital(&account.failure)
            .words(" No order of accesses was found that decides whether it does."),
    }
}

/// The heaviest pair: who came before whom, or between which two accesses of whom.
fn main_point(steps: &[Step], decisive: &[Link]) -> Phrase {
    let Some(main) = decisive.first() else { return Phrase::default() };
    let Some(other) = completing(steps, decisive) else {
        let (first, second) = (&steps[main.first], &steps[main.second]);
        return act(first).words(" before ").then(act(second));
    };
    let (before, after) = (main.first.min(other.first), main.second.max(other.second));
    let middle = &steps[if before == main.first { main.second } else { main.first }];
    let (before, after) = (&steps[before], &steps[after]);
    let noun = |step: &Step| {
        let of = match step.variable == middle.variable {
            true => Phrase::default(),
            false => Phrase::new(" of ").code(&step.variable),
        };
        Phrase::new(access(step)).then(of).words(" at ").code(&step.at.line)
    };
    act(middle)
        .words(format!(", between {}'s ", before.thread))
        .then(noun(before))
        .words(" and its ")
        .then(noun(after))
}

/// The link that makes a sequence of one thread, which another interrupts, of the main one.
fn completing<'a>(steps: &[Step], decisive: &'a [Link]) -> Option<&'a Link> {
    let (main, others) = decisive.split_first()?;
    let thread = |place: usize| &steps[place].thread;
    others.iter().find(|link| {
        let (earlier, later) =
            if link.first == main.second { (main, *link) } else { (*link, main) };
        earlier.second == later.first
            && !steps[later.second].too_late
            && thread(earlier.first) == thread(later.second)
    })
}

/// What a thread did to what.
fn act(step: &Step) -> Phrase {
    let said = Phrase::new(format!("{} {} ", step.thread, deed(step))).code(&step.variable);
    let said = match values(step) {
        Some(values) => said.words(format!(" ({values})")),
        None => said,
    };
    said.words(" at ").then(spot(&step.at))
}

/// The values of an access: what was read, or what became of what.
pub(crate) fn values(step: &Step) -> Option<String> {
    if step.call || step.did == Deed::Free {
        return None;
    }
    let after = number(step.after?);
    Some(match step.before {
        Some(before) if step.did != Deed::Read => format!("{} → {after}", number(before)),
        _ => after,
    })
}

fn number(value: u32) -> String {
    match value as i32 {
        negative @ -65536..=-1 => negative.to_string(),
        _ if value <= SMALL => value.to_string(),
        _ => format!("{value:#x}"),
    }
}

fn spot(spot: &Spot) -> Phrase {
    let line = Phrase::default().code(&spot.line);
    match &spot.function {
        Some(function) => line.words(" in ").code(function),
        None => line,
    }
}

/// Who failed, how and where.
fn failed(failure: &Failure) -> Phrase {
    let who = failure.thread.as_deref().unwrap_or("the program");
    let said = Phrase::new(who).words(" ").words(&failure.how);
    match &failure.at {
        Some(at) => said.words(" at ").then(spot(at)),
        None => said,
    }
}

fn led_to(failure: &Failure) -> Phrase {
    let said = failed(failure).words(".");
    match &failure.pointer {
        Some(pointer) => said.words(" ").then(came_from(pointer)),
        None => said,
    }
}

/// Where a bad pointer, or a value of a freed block, came from.
pub(crate) fn came_from(pointer: &Pointer) -> Phrase {
    let said = Phrase::new("It had read ").code(&pointer.variable).words(" at ");
    let said = said.then(spot(&pointer.read));
    let freed = |said: Phrase, what: &str| match &pointer.freed {
        Some((who, at)) => said.words(format!("{what} {who} had freed at ")).then(spot(at)),
        None => said,
    };
    if pointer.inside {
        return freed(said, ", in a block that").words(".");
    }
    let said = match &pointer.written {
        Some((who, at)) => said.words(format!(", last written by {who} at ")).then(spot(at)),
        None => said.words(", which was never written"),
    };
    freed(said, "; the block that it pointed to").words(".")
}

fn capital(failure: &Failure) -> Phrase {
    match failure.thread {
        Some(_) => Phrase::new("In failing runs ").then(led_to(failure)),
        None => Phrase::new("In failing runs the program ").words(&failure.how).words("."),
    }
}

/// What was tried the other way round, of the main point.
fn turned(steps: &[Step], decisive: &[Link]) -> Phrase {
    let main = decisive.first().into_iter().chain(completing(steps, decisive));
    let main: Vec<&Link> = main.collect();
    let tried = |how: Tried| main.iter().find(|link| link.tried == how);
    let Some(Link { first, second, tried }) = tried(Tried::Swapped).or_else(|| tried(Tried::Whole))
    else {
        return Phrase::default();
    };
    let (first, second) = (&steps[*first], &steps[*second]);
    if second.too_late {
        return Phrase::new(" In that order it fails; with the write first it does not.");
    }
    if *tried == Tried::Whole {
        return Phrase::new(" In that order it fails; with nobody in between it does not.");
    }
    Phrase::new(" In that order it fails; with ")
        .code(&second.at.line)
        .words(format!(" of {} before ", second.thread))
        .code(&first.at.line)
        .words(format!(" of {} it does not.", first.thread))
}

fn deadlock(wants: &[Want], cycle: bool) -> Phrase {
    let mut said = Phrase::new("Deadlock: ");
    for (place, (want, told)) in wants.iter().zip(callers_told(wants)).enumerate() {
        let before = if place == 0 { "" } else { "; " };
        said = said.words(before).words(&want.thread);
        said = said.words(" wants ").code(&want.object).words(" at ").then(spot(&want.at));
        said = said.then(called(&want.stack[..told.at]));
        said = said.words(format!(", which {} has", want.holder));
        if let Some(taken) = &want.taken {
            said = said.words(" since ").then(spot(taken));
            said = said.then(called(&want.taken_stack[..told.taken]));
        }
    }
    if cycle { said.words(".") } else { said.words(" and never gave back.") }
}

/// From where, innermost first.
fn called(calls: &[Spot]) -> Phrase {
    calls.iter().fold(Phrase::default(), |said, call| said.words(", called at ").then(spot(call)))
}

fn waiting(wait: &Waiting) -> Phrase {
    let what = match awaited(wait.function) {
        "" => String::new(),
        what => format!("{what} "),
    };
    let mut said = Phrase::new(format!("{} waits for {what}", wait.thread)).code(&wait.object);
    said = said.words(" at ");
    said = said.then(spot(&wait.at)).words(", and nothing will end the wait");
    for want in &wait.holds {
        said = said.words("; meanwhile it has ").code(&want.object);
        if let Some(taken) = &want.taken {
            said = said.words(" since ").then(spot(taken));
        }
        said = said.words(format!(", which {} wants at ", want.thread)).then(spot(&want.at));
    }
    if let Some((who, at)) = &wait.signal {
        said = said.words(format!("; the last one, by {who} at ")).then(spot(at));
        said = said.words(", came before it");
    }
    let unlocked =
        |tested: &&Tested| tested.written.is_some() && !(tested.locked && tested.written_locked);
    for tested in wait.tested.iter().filter(unlocked) {
        let how = if tested.locked { "" } else { " without the lock" };
        said = said.words("; before, it read ").code(&tested.variable).words(format!("{how} at "));
        said = said.then(spot(&tested.read));
        if let Some((who, at)) = &tested.written {
            let how = if tested.written_locked { "" } else { " without the lock" };
            said = said.words(format!(", which {who} wrote{how} at ")).then(spot(at));
        }
    }
    said.words(".")
}
