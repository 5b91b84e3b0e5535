//! Any moment of a run, from checkpoints and the commits between them.

use crate::moment::Moment;
use crate::tape::{Mark, Tape};
use std::sync::Arc;

/// Commits between checkpoints: replaying so many takes less than a millisecond.
const DISTANCE: u64 = 1 << 15;

/// A tape, and a moment of it that can be moved.
pub struct Timeline {
    tape: Arc<Tape>,
    now: Moment,
    /// One at the tape's first place, and one after every so many commits, as far as anybody has gone.
    checkpoints: Vec<Moment>,
    distance: u64,
}

impl Timeline {
    /// At the first place.
    pub fn new(tape: Arc<Tape>) -> Self {
        Self::with_distance(tape, DISTANCE)
    }

    /// The same with so many commits between checkpoints.
    pub fn with_distance(tape: Arc<Tape>, distance: u64) -> Self {
        let now = tape.start().clone();
        Self { tape, checkpoints: vec![now.clone()], now, distance: distance.max(1) }
    }

    /// The tape.
    pub fn tape(&self) -> &Arc<Tape> {
        &self.tape
    }

    /// The moment.
    pub fn now(&self) -> &Moment {
        &self.now
    }

    /// Where it is.
    pub fn mark(&self) -> Mark {
        self.now.mark()
    }

    /// Moves to a place, or to the nearest that the tape has. The moment there is the same from wherever it comes.
    pub fn seek(&mut self, to: Mark) {
        let to = self.tape.nearest(to);
        let wanted = ((to.0 - self.tape.first().0) / self.distance) as usize;
        let nearest = &self.checkpoints[wanted.min(self.checkpoints.len() - 1)];
        if to < self.now.mark() || nearest.mark() > self.now.mark() {
            self.now = nearest.clone();
        }
        for (mark, commit) in self.tape.between(self.now.mark(), to) {
            let next = self.tape.first().0 + self.checkpoints.len() as u64 * self.distance;
            if mark.0 == next {
                self.checkpoints.push(self.now.clone());
            }
            self.now.apply(commit);
        }
    }
}
