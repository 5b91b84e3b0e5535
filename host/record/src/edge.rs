//! An edge: two accesses, and the kind of communication between them.
//!
//! The same fields as an entry of the communication table, so that firmware only copies words.

pub use border::monitor::EdgeKind;

/// The address of an instruction, or the bits of it that the monitor stores. Zero is no instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pc(pub u64);

impl Pc {
    /// No instruction: the other end is unknown.
    pub const NULL: Self = Self(0);

    /// Whether this is no instruction.
    pub fn is_null(self) -> bool {
        self == Self::NULL
    }
}

/// The most recent communication events of a hart: two bits per event, the newest in the lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ctx(pub u32);

/// A hart number. 255 is none: a tool that saw an access need not know who made it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hart(pub u8);

impl Hart {
    /// Nobody knows which.
    pub const UNKNOWN: Self = Self(border::record::UNKNOWN_HART);

    /// Its number, if it is known.
    pub fn known(self) -> Option<u8> {
        (self != Self::UNKNOWN).then_some(self.0)
    }
}

impl From<Option<u8>> for Hart {
    fn from(known: Option<u8>) -> Self {
        known.map_or(Self::UNKNOWN, Self)
    }
}

/// A transaction number. Zero: timestamps are off, or the access is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Time(pub u64);

/// One end of an edge: instruction, context, transaction and hart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Access {
    /// Address of its instruction.
    pub pc: Pc,
    /// The context in which the instruction executed.
    pub ctx: Ctx,
    /// Its transaction number.
    pub time: Time,
    /// The hart that made it; may be unknown.
    pub hart: Hart,
}

impl Access {
    /// An unknown access.
    pub const NULL: Self = Self { pc: Pc::NULL, ctx: Ctx(0), time: Time(0), hart: Hart(0) };
}

/// One communication between two instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The access that wrote.
    pub source: Access,
    /// The access that read or overwrote.
    pub sink: Access,
    /// Kind of communication.
    pub kind: EdgeKind,
}

impl Edge {
    /// Whether `other` happened later. Edges of one run arrive in no particular order, each hart's
    /// table being drained by itself, so the times decide, then the harts.
    pub fn is_older_than(&self, other: &Self) -> bool {
        let when =
            |edge: &Self| (edge.sink.time, edge.source.time, edge.sink.hart, edge.source.hart);
        when(self) < when(other)
    }
}

/// An edge that happened some number of times; the times and harts are those of the most recent one
/// (Recon §3.1: lossy timestamps).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Total {
    /// The most recent of them.
    pub edge: Edge,
    /// Number of occurrences; saturates.
    pub count: u32,
}

impl From<Edge> for Total {
    fn from(edge: Edge) -> Self {
        Self { edge, count: 1 }
    }
}
