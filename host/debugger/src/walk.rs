//! Walking along a recorded run, forward and backward, up to the next stop.

use crate::moment::{Moment, Registers};
use crate::stops::{Stops, WatchKind};
use crate::tape::{Commit, Mark, Tape};
use crate::timeline::Timeline;
use std::ops::Range;
use std::sync::Arc;

/// What of a hart is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The program, as an operating system's debugger does: while the firmware works for a thread, the thread is at
    /// the instruction that called it.
    #[default]
    Program,
    /// Every instruction, in M mode too.
    Machine,
}

/// How to go forward. The other harts always go on as they did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forward {
    /// Up to a breakpoint or watchpoint.
    Continue,
    /// At most one instruction of a hart.
    Step(usize),
    /// At most until a hart leaves these addresses.
    Within(usize, Range<u32>),
}

/// Why a walk stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The hart has made its step.
    Stepped,
    /// The hart is about to execute an instruction with a breakpoint.
    Break,
    /// The hart is about to access what is watched; backward, it has just done so. Both are as gdb expects of RISC-V,
    /// whose triggers fire before the access: it makes the step by itself, and then compares.
    Watch {
        /// What the watchpoint stops at.
        kind: WatchKind,
        /// The first of its bytes that were accessed.
        address: u32,
    },
    /// There is nothing before.
    Begin,
    /// There is nothing after.
    End,
}

/// A stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The hart that it is about.
    pub hart: usize,
    /// Why the walk stopped.
    pub why: Why,
}

/// A walk along a run.
pub struct Walk {
    timeline: Timeline,
    view: View,
    /// Where it stops.
    pub stops: Stops,
}

impl Walk {
    /// At the first place.
    pub fn new(tape: Arc<Tape>, view: View) -> Self {
        Self { timeline: Timeline::new(tape), view, stops: Stops::default() }
    }

    /// The moment where it is.
    pub fn now(&self) -> &Moment {
        self.timeline.now()
    }

    /// Where it is.
    pub fn mark(&self) -> Mark {
        self.timeline.mark()
    }

    /// The tape.
    pub fn tape(&self) -> &Arc<Tape> {
        self.timeline.tape()
    }

    /// Goes anywhere.
    pub fn seek(&mut self, mark: Mark) {
        self.timeline.seek(mark);
    }

    /// The registers that are shown of a hart.
    pub fn registers(&self, hart: usize) -> Option<&Registers> {
        let state = self.now().harts().get(hart)?;
        Some(match self.view {
            View::Program => state.of_program(),
            View::Machine => &state.registers,
        })
    }

    /// Goes forward. Breakpoints and watchpoints stop before their instruction, in the order of all harts: those of
    /// `only` one hart, or of all. `current` is the hart that the end of the recording is told of.
    pub fn forward(&mut self, how: &Forward, only: Option<usize>, current: usize) -> Stopped {
        let (to, stopped) = self.ahead(how, only, current);
        self.seek(to);
        stopped
    }

    /// Goes backward: up to a breakpoint or watchpoint of any hart, or before the last instruction of one, up to a stop
    /// of its own.
    pub fn backward(&mut self, step: Option<usize>, current: usize) -> Stopped {
        let (to, stopped) = self.behind(step, current);
        self.seek(to);
        stopped
    }

    fn ahead(&self, how: &Forward, only: Option<usize>, current: usize) -> (Mark, Stopped) {
        let tape = self.tape();
        let stepped = match how {
            Forward::Continue => None,
            Forward::Step(hart) | Forward::Within(hart, _) => Some(*hart),
        };
        let mut has_stepped = false;
        for (mark, commit) in tape.between(self.mark(), tape.last()) {
            let hart = usize::from(commit.hart);
            if only.is_some_and(|only| only != hart) {
                continue;
            }
            let after = Mark(mark.0 + 1);
            if self.counts(mark, commit) && self.stops.breaks_at(commit) {
                return (mark, Stopped { hart, why: Why::Break });
            }
            if let Some((kind, address)) = self.stops.touched(commit) {
                return (mark, Stopped { hart, why: Why::Watch { kind, address } });
            }
            if stepped != Some(hart) || commit.is_by_host() {
                continue;
            }
            has_stepped |= self.counts(mark, commit);
            // What the firmware does for the thread belongs to its instruction.
            let is_shown = self.view == View::Machine
                || commit.leads_to_user()
                || tape.before_user(hart, after);
            let stays = |range: &Range<u32>| range.contains(&commit.next);
            let goes_on = matches!(how, Forward::Within(_, range) if stays(range));
            if has_stepped && is_shown && !goes_on {
                return (after, Stopped { hart, why: Why::Stepped });
            }
        }
        (tape.last(), Stopped { hart: current, why: Why::End })
    }

    fn behind(&self, step: Option<usize>, current: usize) -> (Mark, Stopped) {
        let tape = self.tape();
        for (mark, commit) in tape.between(tape.first(), self.mark()).rev() {
            let hart = usize::from(commit.hart);
            if step.is_some_and(|step| step != hart) {
                continue;
            }
            let counts = self.counts(mark, commit);
            if let Some((kind, address)) = self.stops.touched(commit) {
                let after = Mark(mark.0 + 1);
                return (after, Stopped { hart, why: Why::Watch { kind, address } });
            }
            let why = if counts && self.stops.breaks_at(commit) {
                Why::Break
            } else if counts && step.is_some() {
                Why::Stepped
            } else {
                continue;
            };
            return (mark, Stopped { hart, why });
        }
        (tape.first(), Stopped { hart: current, why: Why::Begin })
    }

    /// Whether a commit is an instruction that is shown.
    #[inline]
    fn counts(&self, mark: Mark, commit: &Commit) -> bool {
        !commit.is_by_host()
            && (self.view == View::Machine
                || commit.is_user()
                || self.tape().before_user(commit.hart.into(), mark))
    }
}
