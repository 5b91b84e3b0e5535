//! Constraints between keys, and values not implemented yet.

use crate::{Cache, Config, Grain, Home, Placement, Problem, Update};

impl Config {
    /// Problems that concern more than one key.
    pub(crate) fn conflicts(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        let mut require = |holds: bool, key: &'static str, value: String, allowed: String| {
            if !holds {
                found.push(Problem::Conflict { key, value, allowed });
            }
        };

        // A table entry of the machine has 32-bit words.
        for (key, bits) in [("pc_bits", self.pc_bits), ("timestamp_bits", self.timestamp_bits)] {
            let allowed = "at most 32, unless standalone = true".to_owned();
            require(bits <= 32 || self.standalone, key, bits.to_string(), allowed);
        }
        require(
            self.reset_vector.is_multiple_of(4),
            "reset_vector",
            self.reset_vector.to_string(),
            "a multiple of 4".into(),
        );
        for (key, Cache { bytes, ways }) in
            [("l1.data.bytes", self.l1.data), ("l1.instruction.bytes", self.l1.instruction)]
        {
            let set = ways * self.l1.line;
            let allowed =
                format!("at least {set}, one set of {ways} ways × {} bytes", self.l1.line);
            require(bytes >= set, key, bytes.to_string(), allowed);
        }
        // A line is one bus word or several.
        let line_bits = 8 * self.l1.line;
        for (key, bits) in [
            ("bridge.wishbone_bits", self.bridge.wishbone_bits),
            ("bridge.axi4_bits", self.bridge.axi4_bits),
        ] {
            let allowed = format!("at most {line_bits}, the number of bits of a line (l1.line)");
            require(bits <= line_bits, key, bits.to_string(), allowed);
        }
        // Metadata in memory is useful only if the first store marks the writer.
        require(
            !(self.metadata.home == Home::Memory && self.metadata.update == Update::Miss),
            "metadata.update",
            "\"miss\"".into(),
            "\"first-write\", \"every-write\", because metadata.home = \"memory\"".into(),
        );
        require(
            self.breakpoints.is_off() || !self.standalone,
            "breakpoints.entries",
            self.breakpoints.entries.to_string(),
            "0, because standalone = true: a monitor alone has no harts to stop".into(),
        );
        found
    }

    /// Values whose hardware is not implemented yet. Remove a line when it is.
    pub(crate) fn not_built(&self) -> Vec<Problem> {
        let refused = [
            (
                self.metadata.home == Home::Memory,
                "metadata.home",
                "\"memory\"".to_owned(),
                "\"l1\"",
            ),
            (
                self.metadata.grain == Grain::Word,
                "metadata.grain",
                "\"word\"".to_owned(),
                "\"line\"",
            ),
            (
                self.ct.placement == Placement::Central,
                "ct.placement",
                "\"central\"".to_owned(),
                "\"per-hart\"",
            ),
        ];
        let found = refused.into_iter().filter(|(wanted, ..)| *wanted);
        found.map(|(_, key, value, built)| Problem::NotBuilt { key, value, built }).collect()
    }
}
