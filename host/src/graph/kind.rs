//! What an edge is, as people see it.

use super::EdgeKey;
use record::EdgeKind;
use serde::Serialize;

/// What the sink of an edge did with whose value. A record says [`EdgeKind`]; what it means also depends on
/// whether anybody is known to have written the line before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Kind {
    /// The sink read what the source wrote.
    #[serde(rename = "RAW")]
    Raw,
    /// The sink overwrote what the source wrote.
    #[serde(rename = "WAW")]
    Waw,
    /// The sink read what memory held; no writer is known.
    #[serde(rename = "memory")]
    Memory,
    /// The sink wrote a line that nobody is known to have written before.
    #[serde(rename = "first write")]
    FirstWrite,
}

impl Kind {
    /// The kind of a recorded edge, given whether its source is known.
    pub fn of(kind: EdgeKind, has_source: bool) -> Self {
        match (kind, has_source) {
            (EdgeKind::Raw, true) => Self::Raw,
            (EdgeKind::Waw, true) => Self::Waw,
            (EdgeKind::Memory, _) | (EdgeKind::Raw, false) => Self::Memory,
            (EdgeKind::Waw, false) => Self::FirstWrite,
        }
    }

    /// Its name in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => EdgeKind::Raw.short_name(),
            Self::Waw => EdgeKind::Waw.short_name(),
            Self::Memory => EdgeKind::Memory.short_name(),
            Self::FirstWrite => "first write",
        }
    }

    /// Whether the sink wrote rather than read.
    pub fn writes(self) -> bool {
        matches!(self, Self::Waw | Self::FirstWrite)
    }
}

impl EdgeKey {
    /// What this edge is, as people see it.
    pub fn shown_kind(&self) -> Kind {
        Kind::of(self.kind, !self.source.pc.is_null())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_without_a_writer_is_not_a_read_after_a_write() {
        assert_eq!(Kind::of(EdgeKind::Raw, false).name(), "memory");
        assert_eq!(Kind::of(EdgeKind::Memory, false).name(), "memory");
        assert_eq!(Kind::of(EdgeKind::Waw, false).name(), "first write");
        assert_eq!(Kind::of(EdgeKind::Raw, true).name(), "RAW");
        assert_eq!(Kind::of(EdgeKind::Waw, true).name(), "WAW");
    }

    #[test]
    fn names_are_the_same_in_json() {
        for kind in [Kind::Raw, Kind::Waw, Kind::Memory, Kind::FirstWrite] {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
    }
}
