//! A run: what ran, which edges it had, how it ended.

use crate::{Access, Edge, Hart, ReadError, RunReader, RunWriter, Time, Total};
pub use border::record::{Collected, Label};
use hashbrown::HashMap;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};

/// A SHA-256 digest. All zeros: not known.
pub type Hash = [u8; 32];

/// What ran, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The label that was given. A machine that reports a run while it goes on gives none.
    pub label: Label,
    /// How the edges were collected.
    pub collected: Collected,
    /// Events of a context.
    pub events: u8,
    /// Harts of the machine; 0: not known.
    pub harts: u8,
    /// Bits of a pc that are kept; 0: not known.
    pub pc_bits: u8,
    /// Bits of a timestamp; 0: there are none.
    pub time_bits: u8,
    /// The seed of the schedule.
    pub seed: u64,
    /// How many runs these edges are of: 1, more for a union.
    pub runs: u32,
    /// SHA-256 of the configuration's canonical text.
    pub config: Hash,
    /// SHA-256 of the program's ELF file.
    pub elf: Hash,
    /// The program's name, for people; at most [`MAX_TEXT`](crate::MAX_TEXT) bytes are kept.
    pub program: String,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// Nobody knows.
    #[default]
    Unknown,
    /// The program ended by itself.
    Exit {
        /// Its exit code.
        code: i32,
    },
    /// An assertion failed.
    Assertion {
        /// The file it stands in, as the compiler was told.
        file: String,
        /// Its line.
        line: u32,
    },
    /// The hardware refused an access or an instruction.
    Fault {
        /// The instruction.
        pc: u64,
        /// The address, or whatever `mtval` held.
        address: u64,
        /// `mcause`.
        cause: u32,
    },
    /// All harts wait for each other.
    Deadlock,
    /// The run was stopped because it took too long.
    CycleLimit,
}

impl Outcome {
    /// What it says about a run that nobody labeled. A run that took too long says nothing.
    pub fn label(&self) -> Label {
        match self {
            Self::Unknown | Self::CycleLimit => Label::Unknown,
            Self::Exit { code: 0 } => Label::Passing,
            Self::Exit { .. } | Self::Assertion { .. } | Self::Fault { .. } | Self::Deadlock => {
                Label::Failing
            }
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown => write!(f, "ended in a way nobody recorded"),
            Self::Exit { code } => write!(f, "exited with {code}"),
            Self::Assertion { file, line } => write!(f, "failed an assertion at {file}:{line}"),
            Self::Fault { pc, address, cause } => {
                write!(f, "fault {cause} at pc {pc:#x}, address {address:#x}")
            }
            Self::Deadlock => write!(f, "deadlocked"),
            Self::CycleLimit => write!(f, "reached the cycle limit"),
        }
    }
}

/// The end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// How it ended.
    pub outcome: Outcome,
    /// Timestamps wrapped around: they order nothing.
    pub wrapped: bool,
    /// How many cycles it took; 0: not known.
    pub cycles: u64,
}

/// A run held in memory, each distinct edge once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// What ran.
    pub header: Header,
    /// Its edges, in the order of [`Totals::into_sorted`].
    pub edges: Vec<Total>,
    /// How many edges each hart lost.
    pub lost: BTreeMap<Hart, u32>,
    /// How it ended.
    pub ending: Ending,
}

impl Run {
    /// The label that was given, or else what the outcome says.
    pub fn label(&self) -> Label {
        label_of(&self.header, &self.ending)
    }

    /// How many edges all harts lost.
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

/// What is known about the bug in a run with this header and ending.
pub(crate) fn label_of(header: &Header, ending: &Ending) -> Label {
    match header.label {
        Label::Unknown => ending.outcome.label(),
        given => given,
    }
}

/// Counts edges that are alike but for harts and times, and keeps the most recent of each.
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

    /// All of them, sorted by source, sink and kind, times and harts left aside.
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

/// What makes two edges the same edge: instructions, contexts and kind.
fn identity(edge: &Edge) -> Edge {
    let bare = |access: Access| Access { time: Time(0), hart: Hart(0), ..access };
    let Edge { source, sink, kind } = *edge;
    Edge { source: bare(source), sink: bare(sink), kind }
}
