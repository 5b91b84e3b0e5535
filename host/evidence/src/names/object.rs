//! Names of mutexes, conditions and the like, from the calls that use them.

use super::Names;
use super::expression::{arguments, written};
use super::position::Position;
use super::variable::Memory;
use crate::event::{Call, Event};
use crate::log::Log;

impl Names {
    /// The name of a synchronization object that was used at a call site: a global's path; else what the call
    /// says (`&queue->lock` gives `queue->lock`); else what [`variable`](Self::variable) says.
    pub fn of_object(&self, log: &Log, address: u32, site: u32) -> String {
        let variable = self.variable(log, address, 0);
        if variable.kind == Memory::Global {
            return variable.name;
        }
        let place = argument_at(log, address, site);
        let positions = self.positions(site);
        let named = positions.first().zip(place).and_then(|(position, place)| {
            let text = self.argument(position, place)?;
            match text.strip_prefix('&') {
                Some(object) => Some(without_parentheses(object).to_owned()),
                None if variable.is_named => None,
                None => Some(text),
            }
        });
        named.unwrap_or(variable.name)
    }

    /// The text of an argument of the call at a position.
    fn argument(&self, position: &Position, place: usize) -> Option<String> {
        let source = self.source(position)?;
        let call = source.token(position.line, position.column)?;
        let argument = arguments(&source.tokens, call + 1).into_iter().nth(place)?;
        Some(written(&source.tokens, argument))
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
