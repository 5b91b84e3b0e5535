//! The second pass: reads runs again, with the census of all of them at hand.

use super::{Census, EdgeId, Guess, Options, RunSummary};
use crate::Error;
use crate::graph::Last;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An edge of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The edge, by its number in the census.
    pub edge: EdgeId,
    /// How often it happened in this run.
    pub count: u64,
    /// When it happened last (Recon §3.1).
    pub last: Last,
}

/// Work on each run, done by several threads and then merged.
pub trait Revisit: Send {
    /// Looks at a run: its number in [`Census::runs`], and its distinct edges in no particular order.
    fn visit(&mut self, run: usize, summary: &RunSummary, edges: &[Occurrence]);
    /// Adds what another thread found.
    fn merge(&mut self, other: Self);
}

/// Reads the runs again that `wanted` selects. What comes out may not depend on their order.
pub fn revisit<V: Revisit>(
    census: &Census,
    options: Options,
    wanted: impl Fn(&RunSummary) -> bool,
    make: impl Fn() -> V + Sync,
    progress: &(dyn Fn() + Sync),
) -> Result<V, Error> {
    let chosen: Vec<usize> = (0..census.runs.len()).filter(|n| wanted(&census.runs[*n])).collect();
    let next = AtomicUsize::new(0);
    let visited = rayon::broadcast(|_| -> Result<V, (usize, Error)> {
        let mut visitor = make();
        let mut slots = vec![Slot::default(); census.edges.len()];
        let mut occurrences = Vec::new();
        let mut guess = Guess::default();
        loop {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            let Some(&run) = chosen.get(turn) else { return Ok(visitor) };
            let summary = &census.runs[run];
            occurrences.clear();
            let slots = Slots { turn: turn as u32 + 1, slots: &mut slots, guess: &mut guess };
            gather(census, options, summary, slots, &mut occurrences)
                .map_err(|error| (turn, error))?;
            visitor.visit(run, summary, &occurrences);
            progress();
        }
    });
    let mut all = make();
    let mut first: Option<(usize, Error)> = None;
    for visited in visited {
        match visited {
            Ok(visitor) => all.merge(visitor),
            Err(error) if first.as_ref().is_none_or(|first| error.0 < first.0) => {
                first = Some(error);
            }
            Err(_) => {}
        }
    }
    match first {
        Some((_, error)) => Err(error),
        None => Ok(all),
    }
}

/// Index of an edge among the occurrences of a run.
#[derive(Clone, Copy, Default)]
struct Slot {
    turn: u32,
    index: u32,
}

/// Buffers that a thread reuses from run to run.
struct Slots<'a> {
    turn: u32,
    slots: &'a mut [Slot],
    guess: &'a mut Guess,
}

fn gather(
    census: &Census,
    options: Options,
    summary: &RunSummary,
    reused: Slots<'_>,
    occurrences: &mut Vec<Occurrence>,
) -> Result<(), Error> {
    let mut foreign = false;
    let Slots { turn, slots, guess } = reused;
    summary.file.read(|records| {
        for total in records {
            let key = options.view.key(&total.edge);
            let found = guess.find(&key, &census.edges).or_else(|| census.find(&key));
            let Some(edge) = found else {
                foreign |= !(options.without_memory && key.kind == record::EdgeKind::Memory);
                continue;
            };
            guess.learn(edge);
            let last = Last::from(&total.edge);
            let count = u64::from(total.count);
            let slot = &mut slots[edge as usize];
            if slot.turn == turn {
                let seen = &mut occurrences[slot.index as usize];
                seen.count += count;
                seen.last = seen.last.max(last);
            } else {
                *slot = Slot { turn, index: occurrences.len() as u32 };
                occurrences.push(Occurrence { edge, count, last });
            }
        }
    })?;
    if foreign {
        let reason = "the file changed while it was analyzed".to_owned();
        return Err(Error::File { path: summary.file.path.clone(), reason });
    }
    Ok(())
}
