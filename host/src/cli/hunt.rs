//! `crosstalk hunt`: from a flaky program to its bug.

mod answer;
mod args;
mod interrupt;
mod progress;
mod story;

pub use args::Args;

use super::failure::{Failure, say};
use super::machine::builder;
use super::out::{Out, print_json};
use super::progress::Progress;
use crate::hunt::sources::Opening;
use crate::hunt::{Beside, Campaign, Event, HuntError, On, Outcome, Setup};
use crate::verdict::none_failed;
use progress::HuntProgress;
use std::env;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

/// What is shown of the hunt at present.
enum Shown {
    Nothing,
    Collecting(HuntProgress),
    Analyzing(Progress),
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let program = args.program()?;
    let config = args.machine(&program)?;
    let subject = program.subject(&args.flags())?;
    let folder = args.folder(&subject);
    let shown = Mutex::new(Shown::Nothing);
    let watch = |event: Event<'_>| {
        let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
        show(&mut shown, &event);
    };
    let open = |on: On, setup: &Setup| {
        // A machine that was never built takes a minute or two.
        on.open(&Opening { subject: &subject, setup, builder: &builder() })
    };
    let (first, second) = (args.on.first(), args.on.beside());
    let (goal, beside_goal) = args.goals();
    let open_beside = |setup: &Setup| open(second.unwrap_or(first), setup);
    let campaign = Campaign {
        subject: &subject,
        setup: args.setup(&config),
        more_harts: args.more_harts(),
        monitor: args.monitor.into(),
        on: args.on.name(),
        open: &|setup| open(first, setup),
        beside: second.map(|_| Beside { open: &open_beside, goal: beside_goal }),
        fail_if: &args.fail_if,
        goal,
        confirm: true,
        folder: &folder,
        resume: args.resume,
        watch: &watch,
    };
    let outcome = campaign.run()?;
    *shown.lock().unwrap_or_else(PoisonError::into_inner) = Shown::Nothing;
    let answer = match outcome {
        Outcome::Failed(answer) => answer,
        Outcome::NoneFailed { collection, others, has_levels } => {
            let all = [&collection].into_iter().chain(&others);
            let schedules = all.map(|collection| collection.entries.len() as u64).sum();
            let folder = folder.display().to_string();
            let said = none_failed(&subject.name, schedules, has_levels, &folder);
            return Err(Failure::Failed(said.to_string()));
        }
    };
    if args.out.json {
        print_json(&answer::document(&subject.name, &answer))?;
    } else {
        let mut out = Out::new(args.out.color);
        answer::write(&mut out, &answer);
        out.print()?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show(shown: &mut Shown, event: &Event<'_>) {
    match event {
        Event::Begun => {
            let command = interrupt::resuming(&command(), env::args_os().skip(1));
            if let Err(error) = interrupt::say_how_to_resume(command) {
                say(format_args!("cannot watch for interrupts such as Ctrl-C: {error}\n"));
            }
        }
        Event::MoreHarts { from, to } => {
            *shown = Shown::Nothing;
            say(format_args!(
                "the program has more threads than {from} harts can run; the machine gets {to}\n"
            ));
        }
        Event::Damaged(damage) => {
            say(format_args!("{damage}; the schedules from there on are run again\n"));
        }
        Event::Collecting(goal) => *shown = Shown::Collecting(HuntProgress::new(*goal)),
        Event::Ran(standing) => {
            if let Shown::Collecting(progress) = shown {
                progress.show(*standing);
            }
        }
        Event::Examining => {
            *shown = Shown::Analyzing(Progress::starting("examining failing schedules"));
        }
        Event::Confirming => {
            *shown = Shown::Analyzing(Progress::starting("forcing the order that was found"));
        }
        Event::Analyzing => *shown = Shown::Analyzing(Progress::new("runs read")),
        Event::Read => {
            if let Shown::Analyzing(progress) = shown {
                progress.step();
            }
        }
        Event::SecondStage(because) => {
            *shown = Shown::Nothing;
            let why = because.words();
            say(format_args!("{why}: starting over with the library monitored\n"));
        }
    }
}

/// The command that a person types; a wrapper, such as `cargo crosstalk`, names its own in the environment.
fn command() -> String {
    env::var("CROSSTALK_COMMAND").unwrap_or_else(|_| "crosstalk".into())
}

impl From<HuntError> for Failure {
    fn from(error: HuntError) -> Self {
        match error {
            HuntError::Host(error) => error.into(),
            error => Self::BadInput(error.to_string()),
        }
    }
}
