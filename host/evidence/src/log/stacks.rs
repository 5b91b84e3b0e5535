//! Call stacks, each kept once.

use crate::event::StackId;
use std::collections::HashMap;

/// One call on a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The instruction that called.
    pub site: u32,
    /// The first instruction of what it called.
    pub entry: u32,
}

/// The stacks of a run, as a tree: each is another with one call more.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    /// Of stack number n + 1: the stack without its last call, and that call.
    calls: Vec<(StackId, Frame)>,
    known: HashMap<(StackId, Frame), StackId>,
}

impl Stacks {
    /// The stack with one call more.
    pub fn push(&mut self, stack: StackId, call: Frame) -> StackId {
        let next = StackId(self.calls.len() as u32 + 1);
        let id = *self.known.entry((stack, call)).or_insert(next);
        if id == next {
            self.calls.push((stack, call));
        }
        id
    }

    /// The calls of a stack, outermost first.
    pub fn frames(&self, stack: StackId) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut next = stack;
        while let Some(index) = next.0.checked_sub(1) {
            let Some((rest, call)) = self.calls.get(index as usize) else { break };
            frames.push(*call);
            next = *rest;
        }
        frames.reverse();
        frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_calls_are_the_same_stack() {
        let mut stacks = Stacks::default();
        let [a, b] = [1, 2].map(|site| Frame { site, entry: 10 * site });
        let one = stacks.push(StackId(0), a);
        let two = stacks.push(one, b);
        assert_eq!(stacks.push(StackId(0), a), one);
        assert_eq!(stacks.push(one, b), two);
        assert_ne!(stacks.push(StackId(0), b), two);
        assert_eq!(stacks.frames(two), [a, b]);
        assert_eq!(stacks.frames(StackId(0)), []);
    }
}
