//! The best name for what an access touched, from the source at the access.

use super::Names;
use super::expression::{Candidate, Role, arguments, candidates, statement, written};
use super::position::{Position, Source};
use super::typed::{CType, Place, Typed, Typing};
use super::variable::behind;
use crate::event::{Access, AccessKind};
use crate::log::Log;
use debuginfo::TypeId;
use std::ops::Range;

/// A place that the source names, and how well it agrees with an access.
struct Scored {
    score: i32,
    name: String,
}

/// Some bytes, and all that is known of them without the source.
pub(super) struct Target {
    kind: AccessKind,
    /// How many; 0 if that is not known.
    size: u32,
    /// The library accessed them for the program.
    in_call: bool,
    /// Bytes from the beginning of their heap block, and the block's size.
    block: Option<(u32, u32)>,
    /// Whether they are on the stack of the thread that accessed them.
    own_stack: bool,
}

impl Target {
    /// An object that the library was given, at this address.
    pub(super) fn object(log: &Log, address: u32) -> Self {
        let kind = AccessKind::Update;
        Self { kind, size: 0, in_call: true, block: block(log, address), own_stack: false }
    }
}

fn block(log: &Log, address: u32) -> Option<(u32, u32)> {
    let block = log.state.heap.block(address)?;
    Some((address - block.address, block.bytes))
}

impl Names {
    /// The best name of what an access touched: a global's path; else what the source calls it there (`node->refs`);
    /// else what [`variable`](Self::variable) says.
    pub fn of_access(&self, log: &Log, access: &Access) -> String {
        let positions = self.positions(access.site);
        let copied = positions.first().and_then(|position| self.copied(access, position));
        if let Some(global) = self.global(access.address, access.size, copied) {
            return global.name;
        }
        let variable = self.variable(log, access.address, access.size);
        let target = Target {
            kind: access.kind,
            size: access.size.into(),
            in_call: access.in_library_call(),
            block: block(log, access.address),
            own_stack: log
                .threads
                .get(access.thread.0 as usize)
                .is_some_and(|thread| thread.stack.contains(&access.address)),
        };
        let named = positions.first().and_then(|position| self.at_position(&target, position));
        let named = named.map(|name| self.for_caller(log, access.place(), name));
        named.filter(|name| !is_vague(name) || !variable.is_named).unwrap_or(variable.name)
    }

    /// The `struct` that the statement at an access copies as a whole, if it does.
    fn copied(&self, access: &Access, position: &Position) -> Option<TypeId> {
        let source = self.source(position)?;
        let token = source.token(position.line, position.column)?;
        if access.in_library_call() {
            return None;
        }
        let typing = self.typing_at(source, position);
        let all = candidates(&source.tokens, statement(&source.tokens, token));
        let here =
            |one: &Candidate| !one.goes_on && (one.at == token || one.operator == Some(token));
        let mut typed = all.into_iter().filter(here).filter_map(|one| typing.of(one.text));
        typed.find(|typed| typing.is_record(typed.of))?.of.of
    }

    fn at_position(&self, target: &Target, position: &Position) -> Option<String> {
        let source = self.source(position)?;
        let typing = self.typing_at(source, position);
        let token = source.token(position.line, position.column);
        let calls =
            token.filter(|at| source.tokens.get(at + 1).is_some_and(|next| next.text == "("));
        let mut found = Vec::new();
        if let Some(call) = calls.filter(|call| self.takes_part(target, &source.tokens[*call].text))
        {
            self.of_arguments(target, &typing, call, &mut found);
        }
        if !target.in_call {
            let range = region(source, position, token);
            for one in candidates(&source.tokens, range) {
                found.extend(score(target, &typing, &one, token));
            }
        }
        // Of equals the first in the source.
        let best = found.into_iter().rev().max_by_key(|one| one.score)?;
        (best.score > 0).then_some(best.name)
    }

    /// Whether the access of a call can be to what an argument points to. The program's own accesses at a call of a
    /// function are its saved registers; those of a macro can be anything.
    fn takes_part(&self, target: &Target, callee: &str) -> bool {
        const THE_HEAPS_OWN: [&str; 2] = ["free", "realloc"];
        match target.in_call {
            true => target.block.is_some() || !THE_HEAPS_OWN.contains(&callee),
            false => !self.variables.is_function(callee),
        }
    }

    /// What the arguments of a call point to.
    fn of_arguments(
        &self,
        target: &Target,
        typing: &Typing<'_>,
        call: usize,
        found: &mut Vec<Scored>,
    ) {
        for (place, argument) in arguments(typing.tokens, call + 1).into_iter().enumerate() {
            let Some((text, typed)) = pointed_to(typing, argument) else { continue };
            let Some((name, fit)) = part_of(target, typing, &text, &typed) else { continue };
            // The first argument of most functions is what they write.
            let expected = (place == 0) == target.kind.writes();
            let atomic = is_atomic(&typing.tokens[call].text) && place == 0;
            found.push(Scored {
                score: 4 + fit + 2 * i32::from(expected) + 4 * i32::from(atomic),
                name,
            });
        }
    }
}

/// Names of operations that are atomic.
fn is_atomic(name: &str) -> bool {
    name.starts_with("atomic_") || name.starts_with("__atomic_") || name.starts_with("__sync_")
}

/// Only a pointer is named, not what it points to.
pub(super) fn is_vague(name: &str) -> bool {
    name.starts_with('*') || name.ends_with(']') && !name.contains(['.', '>'])
}

/// The tokens among which an access is looked for.
fn region(source: &Source, position: &Position, token: Option<usize>) -> Range<usize> {
    match token {
        Some(at) => statement(&source.tokens, at),
        None => source.on_line(position.line),
    }
}

/// What an argument points to: its text as a place, and its type.
pub(super) fn pointed_to(typing: &Typing<'_>, argument: Range<usize>) -> Option<(String, Typed)> {
    let tokens = typing.tokens;
    if tokens.get(argument.start)?.text == "&" {
        let inner = argument.start + 1..argument.end;
        return Some((written(tokens, inner.clone()), typing.of(inner)?));
    }
    let typed = typing.of(argument.clone())?;
    let text = written(tokens, argument);
    if typing.is_array(typed.of) {
        return Some((text, typed));
    }
    let of = typing.target(typed.of)?;
    let base = super::typed::Behind { base: of, offset: 0, strides: Vec::new() };
    Some((behind(&text, ""), Typed { of, place: Place::Behind(base) }))
}

/// How well a place agrees with an access by its column, what is done there, its type and its offset. None if
/// it cannot be the place.
fn score(
    target: &Target,
    typing: &Typing<'_>,
    one: &Candidate,
    token: Option<usize>,
) -> Option<Scored> {
    let mut score = 0;
    let at_operator = one.operator.is_some() && one.operator == token;
    if token.is_some() && (Some(one.at) == token || at_operator) {
        score += 8;
    } else if target.own_stack {
        // Most accesses there are to saved registers.
        return None;
    }
    score += match (target.kind, one.role) {
        (AccessKind::Write | AccessKind::Update, Role::Written | Role::Updated) => 3,
        (AccessKind::Read, Role::Read | Role::Updated) => 2,
        (AccessKind::Write, Role::Read) if one.address_taken => 0,
        _ => -4,
    };
    let text = written(typing.tokens, one.text.clone());
    let Some(typed) = typing.of(one.text.clone()) else {
        // A macro or a name that debug information does not have: better than nothing.
        let is_place = text.contains(['>', '*', '[', '.']);
        return is_place.then_some(Scored { score: score - 3, name: text });
    };
    if one.goes_on && typing.is_record(typed.of) {
        return None;
    }
    let (name, fit) = part_of(target, typing, &text, &typed)?;
    Some(Scored { score: score + fit, name })
}

/// The name of the accessed part of a place, and how well the place fits the address. None if it cannot be there.
pub(super) fn part_of(
    target: &Target,
    typing: &Typing<'_>,
    text: &str,
    typed: &Typed,
) -> Option<(String, i32)> {
    let size = target.size;
    let bytes = typing.bytes(typed.of);
    let mut fit = match bytes {
        0 => 0,
        _ if bytes == size => 2,
        _ if bytes > size => 0,
        _ => -3,
    };
    let Place::Behind(place) = &typed.place else {
        // A variable itself: globals have their address, so this is on a stack.
        return (target.own_stack && typed.place == Place::Variable)
            .then(|| (text.to_owned(), fit));
    };
    let mut rest = None;
    if let Some((from_block, of_block)) = target.block {
        match place.fits(typing, from_block, bytes) {
            Some(true) => {
                fit += 3;
                let whole = typing.bytes(place.base);
                let mut inside = (from_block % whole).saturating_sub(place.offset);
                for stride in place.strides.iter().filter(|stride| **stride > 0) {
                    inside %= stride;
                }
                // Of many elements behind a pointer, this is not to say that it was the first.
                let is_one = !(target.in_call
                    && text.starts_with('*')
                    && of_block >= whole.saturating_mul(2));
                rest = is_one.then_some(inside);
            }
            Some(false) => fit -= 6,
            None => {}
        }
    }
    // What is copied as a whole is called by its own name, if it has one.
    let is_named = !text.starts_with('*') && typing.is_record(typed.of);
    let rest = rest.filter(|_| !is_named || target.in_call);
    let path = rest.and_then(|rest| inner(typing, typed.of, rest, size)).unwrap_or_default();
    let name = match text.strip_prefix('*') {
        Some(pointer) if !path.is_empty() => behind(pointer, &path),
        _ => format!("{text}{path}"),
    };
    Some((name, fit))
}

/// The way into a `struct` or an array that was accessed in part.
fn inner(typing: &Typing<'_>, of: CType, offset: u32, size: u32) -> Option<String> {
    let is_whole = typing.is_record(of) || typing.is_array(of);
    let path = typing.variables.types.path(of.of?, offset, size);
    is_whole.then_some(path)
}
