//! Threads: what is known of each, and what is followed while one runs.

use super::ending::{Condition, Failure};
use super::frames::Frames;
use super::sources::{Sources, Values};
use crate::event::{Call, Site, StackId, Thread};
use std::collections::VecDeque;
use std::ops::Range;

/// Conditions that a running thread remembers.
const CONDITIONS: usize = 32;

/// A thread of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadInfo {
    /// `main`, the start function's name and a number (`worker 2`), or what the program called it.
    pub name: String,
    /// The first instruction of its start function.
    pub start: u32,
    /// The argument of its start function.
    pub argument: u32,
    /// Its `pthread_t`; 0 for the first.
    pub handle: u32,
    /// Where it was created; none for the first.
    pub created: Option<Site>,
    /// The part of memory that it used as its stack; empty if it never ran.
    pub stack: Range<u32>,
}

/// A call of the library that has not returned.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenCall {
    pub call: Call,
    /// The number of open calls with it.
    pub depth: usize,
}

/// The last of the program's own instructions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Last {
    pub pc: u32,
    pub stack: StackId,
    pub since: u64,
}

/// A thread on a hart.
#[derive(Clone, Debug)]
pub(super) struct Running {
    pub thread: Thread,
    pub frames: Frames,
    pub values: Values,
    /// Calls of the library, outermost first: `pthread_once` calls the program, which may call again.
    pub calls: Vec<OpenCall>,
    /// The stack pointer at the first instruction.
    stack_top: u32,
    conditions: VecDeque<Condition>,
    pub last: Last,
    /// The last indirect jump, and the loads that its target was computed from.
    pub jump: (u32, Sources),
    /// The program called what ends a run.
    pub failing: Option<Failure>,
}

impl Running {
    pub fn new(thread: Thread, sp: u32) -> Self {
        Self {
            thread,
            frames: Frames::default(),
            values: Values::default(),
            calls: Vec::new(),
            stack_top: sp,
            conditions: VecDeque::new(),
            last: Last::default(),
            jump: (0, Sources::default()),
            failing: None,
        }
    }

    /// Whether an address is on the used part of the thread's own stack.
    pub fn owns(&self, address: u32, sp: u32) -> bool {
        (sp..self.stack_top).contains(&address)
    }

    /// The program tested a condition.
    pub fn tested(&mut self, condition: Condition) {
        if self.conditions.len() == CONDITIONS {
            self.conditions.pop_front();
        }
        self.conditions.push_back(condition);
    }

    /// A place of this thread.
    pub fn at(&self, pc: u32, stack: StackId) -> Site {
        Site { thread: self.thread, pc, stack }
    }

    /// The failure of the statement at a place.
    pub fn failure(&self, place: Site, at: u64, since: u64) -> Failure {
        let conditions = self.conditions();
        Failure { place, at, since, conditions, code: Sources::default() }
    }

    /// The last conditions, newest first.
    pub fn conditions(&self) -> Vec<Condition> {
        self.conditions.iter().rev().copied().collect()
    }
}
