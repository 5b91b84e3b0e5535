//! The calls that a thread is in, followed from its jumps.

use super::stacks::{Frame, Stacks};
use crate::event::StackId;

/// A call that has not returned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub frame: Frame,
    /// Where it will return to.
    back: u32,
    /// The stack pointer at its first instruction.
    sp: u32,
    /// It was a jump at the end of the call below, which returns with it.
    tail: bool,
    /// The calls up to this one.
    pub stack: StackId,
    /// The number of the event before which it began.
    pub since: u64,
}

/// The open calls of a thread, outermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    open: Vec<Open>,
}

impl Frames {
    /// The innermost call.
    pub fn top(&self) -> Option<&Open> {
        self.open.last()
    }

    /// How many calls are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The innermost call that satisfies a condition, and the stack below it: that of its call site.
    pub fn innermost(&self, wanted: impl Fn(&Frame) -> bool) -> Option<(u32, StackId)> {
        let index = self.open.iter().rposition(|open| wanted(&open.frame))?;
        Some((self.open[index].frame.site, self.stack_of(index)))
    }

    /// The calls below the innermost.
    pub fn below(&self) -> StackId {
        self.stack_of(self.open.len().saturating_sub(1))
    }

    /// The calls below number `index`.
    fn stack_of(&self, index: usize) -> StackId {
        let below = index.checked_sub(1).map(|below| self.open[below].stack);
        below.unwrap_or_default()
    }

    /// The calls up to the innermost.
    pub fn stack(&self) -> StackId {
        self.top().map_or(StackId(0), |open| open.stack)
    }

    /// A call instruction: it will return after itself.
    pub fn call(&mut self, stacks: &mut Stacks, frame: Frame, sp: u32, since: u64) {
        let back = frame.site.wrapping_add(4);
        let stack = stacks.push(self.stack(), frame);
        self.open.push(Open { frame, back, sp, tail: false, stack, since });
    }

    /// A jump to another function, which returns where this one would have. A second in a row takes the
    /// place of the first, so that functions that jump to each other for ever need no room.
    pub fn tail_call(&mut self, stacks: &mut Stacks, frame: Frame, sp: u32, since: u64) {
        if self.top().is_some_and(|top| top.tail) {
            self.open.pop();
        }
        let back = self.top().map_or(0, |top| top.back);
        let stack = stacks.push(self.stack(), frame);
        self.open.push(Open { frame, back, sp, tail: true, stack, since });
    }

    /// A jump that may be a return. Calls that it ends are dropped: those above and including the one that
    /// returns there with the stack as it was, or else (after `longjmp`) those whose stack is gone.
    pub fn return_to(&mut self, target: u32, sp: u32) {
        let matches = |open: &Open| !open.tail && open.back == target && open.sp == sp;
        match self.open.iter().rposition(matches) {
            Some(index) => self.open.truncate(index),
            None => {
                while self.top().is_some_and(|top| top.sp < sp) {
                    self.open.pop();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sites(frames: &Frames) -> Vec<u32> {
        frames.open.iter().map(|open| open.frame.site).collect()
    }

    fn called(calls: &[(u32, u32)]) -> (Stacks, Frames) {
        let (mut stacks, mut frames) = <(Stacks, Frames)>::default();
        for (site, sp) in calls {
            frames.call(&mut stacks, Frame { site: *site, entry: 0 }, *sp, 0);
        }
        (stacks, frames)
    }

    #[test]
    fn a_return_ends_the_innermost_call_from_there() {
        let (_, mut frames) = called(&[(100, 64), (200, 48), (200, 32)]);
        frames.return_to(204, 32);
        assert_eq!(sites(&frames), [100, 200]);
        frames.return_to(204, 48);
        assert_eq!(sites(&frames), [100]);
    }

    #[test]
    fn a_tail_call_returns_with_its_caller() {
        let (mut stacks, mut frames) = called(&[(100, 64), (200, 48)]);
        for site in [300, 400] {
            frames.tail_call(&mut stacks, Frame { site, entry: 0 }, 48, 0);
        }
        assert_eq!(sites(&frames), [100, 200, 400]);
        frames.return_to(204, 48);
        assert_eq!(sites(&frames), [100]);
    }

    #[test]
    fn a_long_jump_drops_the_calls_whose_stack_is_gone() {
        let (_, mut frames) = called(&[(100, 64), (200, 48), (300, 32)]);
        frames.return_to(0x500, 48);
        assert_eq!(sites(&frames), [100, 200]);
    }
}
