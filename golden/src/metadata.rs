//! The metadata of each line's last writer, and the policies for updating it.
//!
//! Bugaboo §4.2.2 updates it on write and upgrade misses only; the other policies are there to
//! measure what that loses.

use crate::{Fields, LineMeta};
use config::Update;

/// Why metadata is offered for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The line arrived, with this metadata.
    Fill,
    /// A ReadX or Upgrade completed.
    Miss,
    /// A store hit a line in E.
    FirstWrite,
    /// A store hit a line in M.
    WriteHit,
}

impl Cause {
    /// All causes, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Fill, Self::Miss, Self::FirstWrite, Self::WriteHit];

    /// Whether a policy stores the metadata.
    pub fn stores_under(self, update: Update) -> bool {
        match self {
            Self::Fill | Self::Miss => true,
            Self::FirstWrite => matches!(update, Update::FirstWrite | Update::EveryWrite),
            Self::WriteHit => update == Update::EveryWrite,
        }
    }
}

/// Inputs of one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MetadataInputs {
    /// The line to look up.
    pub lookup: Option<usize>,
    /// Metadata offered for a line.
    pub update: Option<MetadataUpdate>,
}

/// Metadata offered for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetadataUpdate {
    /// The line's number.
    pub line: usize,
    /// Why it is offered; the policy stores it or not.
    pub cause: Cause,
    /// The metadata to store.
    pub meta: LineMeta,
}

/// Outputs of one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetadataOutputs {
    /// The answer to the last lookup before this cycle.
    pub lookup_meta: LineMeta,
}

/// The metadata of all lines of a cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMetadata {
    fields: Fields,
    update: Update,
    lines: Vec<LineMeta>,
    looked_up: LineMeta,
}

impl LineMetadata {
    /// State at power-up. There is no reset: a line's metadata is meaningful only after its fill.
    pub fn new(lines: usize, fields: Fields, update: Update) -> Self {
        let null = LineMeta::NULL;
        Self { fields, update, lines: vec![null; lines], looked_up: null }
    }

    /// The current metadata of a line; NULL for a line that does not exist.
    pub fn line(&self, line: usize) -> LineMeta {
        self.lines.get(line).copied().unwrap_or(LineMeta::NULL)
    }

    /// One cycle. A lookup does not see the update of its own cycle.
    pub fn step(&mut self, inputs: &MetadataInputs) -> MetadataOutputs {
        let outputs = MetadataOutputs { lookup_meta: self.looked_up };
        if let Some(line) = inputs.lookup {
            self.looked_up = self.line(line);
        }
        if let Some(MetadataUpdate { line, cause, meta }) = inputs.update
            && cause.stores_under(self.update)
            && let Some(stored) = self.lines.get_mut(line)
        {
            *stored = self.fields.keep(meta);
        }
        outputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CodePoint;

    const FIELDS: Fields = Fields { pc_bits: 32, events: 5, hart_bits: 2, time_bits: 32 };

    fn writer(pc: u64) -> LineMeta {
        LineMeta { pc: CodePoint(pc), ..LineMeta::NULL }
    }

    fn offer(line: usize, cause: Cause, pc: u64) -> MetadataInputs {
        let update = Some(MetadataUpdate { line, cause, meta: writer(pc) });
        MetadataInputs { lookup: None, update }
    }

    #[test]
    fn policies_differ_in_hits_only() {
        let stored = |update, cause| {
            let mut array = LineMetadata::new(3, FIELDS, update);
            array.step(&offer(1, cause, 7));
            array.line(1) == writer(7)
        };
        let table = [Update::Miss, Update::FirstWrite, Update::EveryWrite]
            .map(|update| Cause::ALL.map(|cause| stored(update, cause)));
        let expected =
            [[true, true, false, false], [true, true, true, false], [true, true, true, true]];
        assert_eq!(table, expected);
    }

    #[test]
    fn a_lookup_is_answered_one_cycle_later_with_what_was_there_before() {
        let mut array = LineMetadata::new(2, FIELDS, Update::Miss);
        array.step(&offer(0, Cause::Fill, 1));
        let both = MetadataInputs { lookup: Some(0), ..offer(0, Cause::Miss, 2) };
        assert_eq!(array.step(&both).lookup_meta, LineMeta::NULL);
        let idle = MetadataInputs::default();
        assert_eq!(array.step(&idle).lookup_meta, writer(1));
        assert_eq!(array.step(&idle).lookup_meta, writer(1), "held until the next lookup");
        array.step(&MetadataInputs { lookup: Some(0), update: None });
        assert_eq!(array.step(&idle).lookup_meta, writer(2));
    }

    #[test]
    fn updates_touch_their_own_line_only() {
        let mut array = LineMetadata::new(3, FIELDS, Update::Miss);
        array.step(&offer(2, Cause::Miss, 9));
        array.step(&offer(3, Cause::Miss, 8));
        assert_eq!([0, 1, 2, 3].map(|line| array.line(line).pc.0), [0, 0, 9, 0]);
    }
}
