//! Names of mutexes, conditions and the like, from the calls that use them.

use super::Names;
use super::access::{Target, is_vague, part_of, pointed_to};
use super::expression::{arguments, written};
use super::position::Position;
use super::variable::Memory;
use crate::event::{Call, Event, Site};
use crate::log::Log;

impl Names {
    /// The name of a synchronization object that was used at a call site: a global's path; else what the call
    /// says (`&queue->lock` gives `queue->lock`); else what [`variable`](Self::variable) says.
    pub fn of_object(&self, log: &Log, address: u32, site: u32) -> String {
        let variable = self.variable(log, address, 0);
        if matches!(variable.kind, Memory::Global | Memory::Library) {
            return variable.name;
        }
        let place = argument_at(log, address, site);
        let positions = self.positions(site);
        let named = positions.first().zip(place).and_then(|(position, place)| {
            let name = self.of_argument(log, address, position, place)?;
            let caller = Site { pc: site, ..Site::default() };
            Some(self.for_caller(log, caller, name))
        });
        match named {
            Some(name) if !is_vague(&name) => name,
            Some(name) if !variable.is_named => name.trim_start_matches('*').to_owned(),
            _ => variable.name,
        }
    }

    /// What the call that freed a block says: `free(node->next)` gives `node->next`; else the block's name.
    pub fn of_freed(&self, log: &Log, address: u32, site: u32) -> String {
        let positions = self.positions(site);
        let named = positions.first().and_then(|position| {
            let source = self.source(position)?;
            let call = source.token(position.line, position.column)?;
            let argument = arguments(&source.tokens, call + 1).into_iter().next()?;
            Some(written(&source.tokens, argument))
        });
        let named = named.filter(|name| !name.is_empty());
        named.unwrap_or_else(|| self.variable(log, address, 0).name)
    }

    /// What an argument of the call at a position points to, at an address.
    fn of_argument(
        &self,
        log: &Log,
        address: u32,
        position: &Position,
        place: usize,
    ) -> Option<String> {
        let source = self.source(position)?;
        let call = source.token(position.line, position.column)?;
        let argument = arguments(&source.tokens, call + 1).into_iter().nth(place)?;
        let first = &source.tokens.get(argument.start)?.text;
        if first == "&" {
            let object = written(&source.tokens, argument.start + 1..argument.end);
            return Some(without_parentheses(&object).to_owned());
        }
        let typing = self.typing_at(source, position);
        let Some((text, typed)) = pointed_to(&typing, argument.clone()) else {
            return Some(written(&source.tokens, argument));
        };
        let (name, _) = part_of(&Target::object(log, address), &typing, &text, &typed)?;
        Some(name)
    }
}

/// Which argument of the calls made at a site was this address.
fn argument_at(log: &Log, address: u32, site: u32) -> Option<usize> {
    let argument = |call: &Call| call.values.iter().position(|value| *value == address);
    log.events().rev().find_map(|(_, event)| match event {
        Event::Call(call) if call.site == site => argument(call),
        _ => None,
    })
}

/// `(x)` without its parentheses, if they are one pair.
fn without_parentheses(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(text)
}
