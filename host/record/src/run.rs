//! A run: its header, edges and ending.

use crate::{Access, Edge, End, Hart, ReadError, RunReader, RunWriter, Time, Total};
pub use border::record::{Collected, Label};
use hashbrown::HashMap;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};

/// A SHA-256 digest; all zeros if unknown.
pub type Hash = [u8; 32];

/// What ran, and with which parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The label, if one was assigned. A machine that reports a run in progress assigns none.
    pub label: Label,
    /// How the edges were collected.
    pub collected: Collected,
    /// Events in a context.
    pub events: u8,
    /// Harts of the machine; 0: unknown.
    pub harts: u8,
    /// Bits stored of a pc; 0: unknown.
    pub pc_bits: u8,
    /// Bits of a timestamp; 0: no timestamps.
    pub time_bits: u8,
    /// The seed of the schedule.
    pub seed: u64,
    /// Number of runs that contributed edges: 1, or more for a union.
    pub runs: u32,
    /// SHA-256 of the configuration's canonical text.
    pub config: Hash,
    /// SHA-256 of the program's ELF file.
    pub elf: Hash,
    /// The program's name, for display; truncated to [`MAX_TEXT`](crate::MAX_TEXT) bytes.
    pub program: String,
}

/// The end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// How it ended.
    pub outcome: End,
    /// Timestamps wrapped around and cannot be compared.
    pub wrapped: bool,
    /// Cycles run; 0: unknown.
    pub cycles: u64,
}

/// A run held in memory, each distinct edge once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The run's header.
    pub header: Header,
    /// Its edges, in the order of [`Totals::into_sorted`].
    pub edges: Vec<Total>,
    /// Edges lost by each hart.
    pub lost: BTreeMap<Hart, u32>,
    /// How it ended.
    pub ending: Ending,
}

impl Run {
    /// The assigned label, or else the one that the outcome implies.
    pub fn label(&self) -> Label {
        label_of(&self.header, &self.ending)
    }

    /// Edges lost by all harts.
    pub fn lost_edges(&self) -> u64 {
        self.lost.values().map(|lost| u64::from(*lost)).sum()
    }

    /// Reads a whole run file.
    pub fn read(bytes: impl Read) -> Result<Self, ReadError> {
        let mut reader = RunReader::new(bytes)?;
        let mut totals = Totals::default();
        while let Some(records) = reader.next_records()? {
            records.iter().for_each(|total| totals.add(total));
        }
        let (header, lost, ending) = reader.into_parts();
        Ok(Self { header, edges: totals.into_sorted(), lost, ending })
    }

    /// Writes the run as a file.
    pub fn write<W: Write>(&self, out: W) -> io::Result<W> {
        let mut writer = RunWriter::new(out, &self.header)?;
        for total in &self.edges {
            writer.total(total)?;
        }
        for (hart, lost) in &self.lost {
            writer.lost(*hart, *lost)?;
        }
        writer.finish(&self.ending)
    }
}

/// The label of a run with this header and ending.
pub(crate) fn label_of(header: &Header, ending: &Ending) -> Label {
    match header.label {
        Label::Unknown => Label::of(&ending.outcome),
        given => given,
    }
}

/// Counts edges that differ only in harts and times, and stores the most recent of each.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    totals: HashMap<Edge, Total>,
}

impl Totals {
    /// Adds an edge or a count of edges.
    pub fn add(&mut self, total: &Total) {
        let kept = self.totals.entry(identity(&total.edge)).or_insert(Total { count: 0, ..*total });
        kept.count = kept.count.saturating_add(total.count);
        if kept.edge.is_older_than(&total.edge) {
            kept.edge = total.edge;
        }
    }

    /// All totals, sorted by source, sink and kind, ignoring times and harts.
    pub fn into_sorted(self) -> Vec<Total> {
        let mut totals: Vec<Total> = self.totals.into_values().collect();
        totals.sort_unstable_by_key(|total| identity(&total.edge));
        totals
    }
}

impl FromIterator<Total> for Totals {
    fn from_iter<I: IntoIterator<Item = Total>>(edges: I) -> Self {
        let mut totals = Self::default();
        edges.into_iter().for_each(|total| totals.add(&total));
        totals
    }
}

/// The identity of an edge: instructions, contexts and kind.
fn identity(edge: &Edge) -> Edge {
    let bare = |access: Access| Access { time: Time(0), hart: Hart(0), ..access };
    let Edge { source, sink, kind } = *edge;
    Edge { source: bare(source), sink: bare(sink), kind }
}
