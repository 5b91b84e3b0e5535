//! Variables on a stack that a thread was given when it was created.

use super::Names;
use super::access::pointed_to;
use super::expression::arguments;
use super::variable::{Memory, Variable, behind};
use crate::event::Thread;
use crate::log::{Log, ThreadInfo};

/// The argument of `pthread_create` that the new thread is given.
const GIVEN: usize = 3;

impl Names {
    /// What is at an address of a thread's stack, if the address of the object there was given to a new thread.
    pub(super) fn passed(&self, log: &Log, owner: Thread, address: u32) -> Option<Variable> {
        let stack = &log.threads.get(owner.0 as usize)?.stack;
        let below =
            |thread: &&ThreadInfo| stack.contains(&thread.argument) && thread.argument <= address;
        let thread = log.threads.iter().filter(below).max_by_key(|thread| thread.argument)?;
        let positions = self.positions(thread.created?.pc);
        let position = positions.first()?;
        let source = self.source(position)?;
        let call = source.token(position.line, position.column)?;
        let typing = self.typing_at(source, position);
        let argument = arguments(&source.tokens, call + 1).into_iter().nth(GIVEN)?;
        let (object, typed) = pointed_to(&typing, argument)?;
        let offset = address - thread.argument;
        if offset >= typing.bytes(typed.of) {
            return None;
        }
        let whole = typed.of.of.filter(|_| typed.of.stars == 0);
        let path = whole.map(|of| self.variables.types.path(of, offset, 0)).unwrap_or_default();
        let name = match object.strip_prefix('*') {
            Some(pointer) => behind(pointer, &path),
            None => format!("{object}{path}"),
        };
        let kind = Memory::Stack { thread: owner };
        Some(Variable { name, kind, base: thread.argument, object, is_named: true })
    }
}
