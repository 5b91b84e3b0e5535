//! What is at an address.

use super::Names;
use super::typed::{CType, Typing};
use crate::event::{Site, Thread};
use crate::log::Log;
use crate::state::Block;
use debuginfo::TypeId;

/// What kind of memory a variable is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// At a fixed address.
    Global,
    /// At a fixed address, and the library's own.
    Library,
    /// In a block of the heap.
    Heap {
        /// Where the block was allocated.
        allocated: Site,
    },
    /// On a thread's stack.
    Stack {
        /// Whose.
        thread: Thread,
    },
    /// Anywhere else.
    Unknown,
}

/// A variable, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name, as the program would write it if that is known: `pool.free[3].next`.
    pub name: String,
    /// Where it is.
    pub kind: Memory,
    /// The first byte of the whole object.
    pub base: u32,
    /// The name of the whole object.
    pub object: String,
    /// Whether `name` is one that the program has: not an address, nor a number of bytes from somewhere.
    pub is_named: bool,
}

impl Names {
    /// What an address is, for a person. Blocks are those of the end of the run.
    pub fn variable(&self, log: &Log, address: u32, size: u8) -> Variable {
        if let Some(global) = self.global(address, size, None) {
            return global;
        }
        if let Some(block) = log.state.heap.block(address) {
            return self.in_block(log, block, address, size);
        }
        if let Some(thread) = stack_of(log, address) {
            if let Some(passed) = self.passed(log, thread, address) {
                return passed;
            }
            let object = format!("the stack of {}", log.name(thread));
            return Variable {
                name: format!("{address:#010x} on {object}"),
                kind: Memory::Stack { thread },
                base: log.threads[thread.0 as usize].stack.start,
                object,
                is_named: false,
            };
        }
        let name = format!("{address:#010x}");
        Variable {
            object: name.clone(),
            name,
            kind: Memory::Unknown,
            base: address,
            is_named: false,
        }
    }

    /// The variable at a fixed address, or the part of it that has the type `whole`.
    pub(super) fn global(&self, address: u32, size: u8, whole: Option<TypeId>) -> Option<Variable> {
        let types = &self.variables.types;
        let global = self.variables.at(address)?;
        let offset = (address - global.address).saturating_add(global.offset);
        let (name, is_named) = match global.of {
            Some(of) => {
                let is_whole = |id| whole.is_some_and(|whole| types.are_same(id, whole));
                let path = types.path_to(of, offset, size.into(), is_whole);
                (format!("{}{path}", global.name), true)
            }
            None if offset == 0 => (global.name.clone(), true),
            None => (format!("{}+{offset}", global.name), false),
        };
        let (base, object) = (global.address, global.name.clone());
        let kind = match self.library.contains(&*global.unit) {
            true => Memory::Library,
            false => Memory::Global,
        };
        Some(Variable { name, kind, base, object, is_named })
    }

    fn in_block(&self, log: &Log, block: &Block, address: u32, size: u8) -> Variable {
        let allocation = self.allocation(log, block);
        let line = self.line(block.allocated.pc);
        let place =
            line.map_or_else(|| format!("{:#010x}", block.allocated.pc), |at| at.to_string());
        let unnamed = || format!("the block allocated at {place}");
        let object = allocation.name.clone().unwrap_or_else(unnamed);
        let offset = address - block.address;
        let typing = self.typing();
        let part = allocation.of.and_then(|of| part(&typing, of, block.bytes, offset, size));
        let (name, is_named) = match (allocation.name, part) {
            (Some(name), Some(part)) => (behind(&name, &part), true),
            (None, Some(part)) => {
                let of =
                    allocation.of.and_then(|of| self.variables.types.get(of.of?)?.name.clone());
                (format!("{}{part}", of.unwrap_or_else(unnamed)), part.contains('.'))
            }
            (Some(name), None) if offset == 0 => (behind(&name, ""), false),
            (_, None) => (format!("{object}+{offset}"), false),
        };
        let kind = Memory::Heap { allocated: block.allocated };
        Variable { name, kind, base: block.address, object, is_named }
    }

    /// Types outside any function.
    fn typing(&self) -> Typing<'_> {
        Typing { tokens: &[], variables: &self.variables, function: "", file: "" }
    }
}

/// The way to a part of a block that is one or several of a type: `[3].next`, `.next`, or nothing.
fn part(typing: &Typing<'_>, of: CType, block: u32, offset: u32, size: u8) -> Option<String> {
    let bytes = typing.bytes(of);
    if bytes == 0 {
        return None;
    }
    let path = |offset: u32| match of.of.filter(|_| of.stars == 0) {
        Some(id) => typing.variables.types.path(id, offset, size.into()),
        None => String::new(),
    };
    if block >= bytes.saturating_mul(2) && block.is_multiple_of(bytes) {
        return Some(format!("[{}]{}", offset / bytes, path(offset % bytes)));
    }
    Some(path(offset))
}

/// A part of what a pointer points to, as C writes it.
pub(super) fn behind(pointer: &str, part: &str) -> String {
    let is_one = pointer.starts_with('(') && pointer.find(')') == Some(pointer.len() - 1);
    let is_simple = !pointer.starts_with(['*', '(', '&']) && !pointer.contains(' ');
    let pointer = if is_simple || is_one { pointer.to_owned() } else { format!("({pointer})") };
    match part.strip_prefix('.') {
        Some(member) => format!("{pointer}->{member}"),
        None if part.is_empty() => format!("*{pointer}"),
        None => format!("{pointer}{part}"),
    }
}

/// The thread on whose stack an address is: the last that used it.
fn stack_of(log: &Log, address: u32) -> Option<Thread> {
    let on_stack = |thread: &crate::log::ThreadInfo| thread.stack.contains(&address);
    Some(Thread(log.threads.iter().rposition(on_stack)? as u32))
}
