//! The metadata array of a cache: for every line, who wrote it last.
//!
//! Bugaboo §4.2.2 extends every cache line by the pc and the context of its last writer. The array
//! stands beside the cache's data array and is addressed like it: the cache looks up what it
//! supplies to others, and tells what happened to a line.

use config::{Config, Update};
use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, cover, hardware, index_width, input, memory, output, ports,
    when,
};

use crate::metadata::{Fields, Metadata};
pub use crate::observer::UpdateCause;

/// The metadata of all lines of one cache.
#[derive(Clone, Debug, PartialEq)]
pub struct LineMetadata {
    /// How many lines there are, at least 1.
    pub lines: usize,
    /// What is kept of a writer.
    pub fields: Fields,
    /// Which stores replace it.
    pub update: Update,
    /// A line is never looked up in the cycle of its update, or the answer is not used: what it would
    /// be need not be defined on a device. It takes logic around a block RAM to define it.
    pub apart: bool,
}

/// Ports of [`LineMetadata`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct LineMetadataIo {
    /// Looks a line up in this cycle.
    pub lookup_valid: Sig,
    /// Which.
    pub lookup_line: Sig,
    /// What the line held before the cycle of the lookup; one cycle later, until the next lookup.
    pub lookup_meta: Metadata,
    /// Something happened to a line in this cycle.
    pub update_valid: Sig,
    /// Which line.
    pub update_line: Sig,
    /// Fill (0), Miss (1), FirstWrite (2) or WriteHit (3); the policy says which of them store.
    pub update_cause: Enum<UpdateCause>,
    /// What to store.
    pub update_meta: Metadata,
}

/// One row a line, read and written in the same cycle. Not reset: a row means something only after
/// the fill of its line.
#[hardware]
impl Module for LineMetadata {
    type Io = LineMetadataIo;

    fn name(&self) -> String {
        let policy = match self.update {
            Update::Miss => "miss",
            Update::FirstWrite => "first_write",
            Update::EveryWrite => "every_write",
        };
        let apart = if self.apart { "_apart" } else { "" };
        format!("line_metadata_{}_{}_{policy}{apart}", self.lines, self.fields.tag())
    }

    fn build(&self) -> LineMetadataIo {
        let meta = self.fields.metadata();
        let line_bits = index_width(self.lines);
        let io = ports(LineMetadataIo {
            lookup_valid: input(1),
            lookup_line: input(line_bits),
            lookup_meta: output(meta),
            update_valid: input(1),
            update_line: input(line_bits),
            update_cause: input(UpdateCause::shape()),
            update_meta: input(meta),
        });

        /// The last writer of each line.
        let writers = memory(self.lines, meta.total_width());
        let writers = if self.apart { writers.ignore_collisions() } else { writers };
        let looked_up = writers.read_sync(io.lookup_line, io.lookup_valid);
        io.lookup_meta.drive(&meta.unpack(looked_up));

        let cause = io.update_cause;
        let store = match self.update {
            Update::Miss => {
                io.update_valid & (cause.is(UpdateCause::Fill) | cause.is(UpdateCause::Miss))
            }
            Update::FirstWrite => io.update_valid & !cause.is(UpdateCause::WriteHit),
            Update::EveryWrite => io.update_valid,
        };
        when(store, || writers.write(io.update_line, io.update_meta.pack()));

        cover(
            "lookup_during_update",
            io.lookup_valid & store & io.lookup_line.eq(io.update_line),
            "a line is looked up and updated in one cycle",
        );
        io
    }
}

impl LineMetadata {
    /// The array beside the data cache of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        Ok(LineMetadata {
            lines: (config.l1.data.bytes / config.l1.line) as usize,
            fields: Fields::from_config(config)?,
            update: config.metadata.update,
            apart: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::Simulator;

    const FIELDS: Fields = Fields { pc_bits: 16, events: 2, hart_bits: 3, time_bits: 8 };

    struct Bench {
        sim: Simulator,
        io: LineMetadataIo,
    }

    /// (pc, ctx, hart, time)
    type Meta = (u64, u64, u64, u64);

    impl Bench {
        fn new(lines: usize, update: Update) -> Bench {
            let (mut sim, io) =
                Simulator::of(LineMetadata { lines, fields: FIELDS, update, apart: false })
                    .expect("a legal circuit");
            sim.reset();
            Bench { sim, io }
        }

        fn set_update(&mut self, line: u64, cause: UpdateCause, (pc, ctx, hart, time): Meta) {
            let io = self.io;
            self.sim.set(io.update_valid, 1);
            self.sim.set(io.update_line, line);
            self.sim.set_variant(io.update_cause, cause);
            self.sim.set(io.update_meta.pc, pc);
            self.sim.set(io.update_meta.ctx, ctx);
            self.sim.set(io.update_meta.hart.expect("hart bits"), hart);
            self.sim.set(io.update_meta.time.expect("time bits"), time);
        }

        fn step(&mut self) {
            self.sim.step();
            self.sim.set(self.io.update_valid, 0);
            self.sim.set(self.io.lookup_valid, 0);
        }

        fn update(&mut self, line: u64, cause: UpdateCause, meta: Meta) {
            self.set_update(line, cause, meta);
            self.step();
        }

        fn set_lookup(&mut self, line: u64) {
            self.sim.set(self.io.lookup_valid, 1);
            self.sim.set(self.io.lookup_line, line);
        }

        fn shown(&mut self) -> Meta {
            let meta = self.io.lookup_meta;
            let (hart, time) = (meta.hart.expect("hart bits"), meta.time.expect("time bits"));
            (self.sim.get(meta.pc), self.sim.get(meta.ctx), self.sim.get(hart), self.sim.get(time))
        }

        fn lookup(&mut self, line: u64) -> Meta {
            self.set_lookup(line);
            self.step();
            self.shown()
        }
    }

    const OLD: Meta = (0x1234, 0xa, 5, 0x77);
    const NEW: Meta = (0xfedc, 0x3, 2, 0x88);

    #[test]
    fn each_policy_stores_on_its_causes_and_no_others() {
        use UpdateCause::*;
        for (update, storing) in [
            (Update::Miss, &[Fill, Miss][..]),
            (Update::FirstWrite, &[Fill, Miss, FirstWrite]),
            (Update::EveryWrite, &[Fill, Miss, FirstWrite, WriteHit]),
        ] {
            for cause in [Fill, Miss, FirstWrite, WriteHit] {
                let mut bench = Bench::new(4, update);
                bench.update(2, Fill, OLD);
                bench.update(2, cause, NEW);
                let expected = if storing.contains(&cause) { NEW } else { OLD };
                assert_eq!(bench.lookup(2), expected, "{update:?} {cause:?}");
            }
        }
    }

    #[test]
    fn without_update_valid_nothing_is_stored() {
        for update in [Update::Miss, Update::FirstWrite, Update::EveryWrite] {
            let mut bench = Bench::new(4, update);
            bench.set_update(1, UpdateCause::Fill, NEW);
            bench.sim.set(bench.io.update_valid, 0);
            bench.step();
            assert_eq!(bench.lookup(1), (0, 0, 0, 0), "zero at power-up");
        }
    }

    #[test]
    fn a_lookup_during_an_update_of_the_line_sees_what_was_before() {
        let mut bench = Bench::new(4, Update::Miss);
        bench.update(3, UpdateCause::Fill, OLD);
        bench.set_lookup(3);
        bench.update(3, UpdateCause::Miss, NEW);
        assert_eq!(bench.shown(), OLD);
        assert_eq!(bench.lookup(3), NEW);
    }

    #[test]
    fn a_lookup_is_held_until_the_next() {
        let mut bench = Bench::new(4, Update::Miss);
        bench.update(0, UpdateCause::Fill, OLD);
        assert_eq!(bench.lookup(0), OLD);
        bench.sim.set(bench.io.lookup_line, 1);
        bench.update(0, UpdateCause::Miss, NEW);
        bench.step();
        assert_eq!(bench.shown(), OLD, "neither an update nor another line without valid shows");
    }

    #[test]
    fn lines_do_not_touch_each_other_and_reset_touches_none() {
        for lines in [1, 2, 3, 5, 8, 33] {
            let mut bench = Bench::new(lines, Update::Miss);
            for line in 0..lines as u64 {
                bench.update(line, UpdateCause::Fill, (0x100 + line, 1, 2, line));
            }
            bench.sim.reset();
            for line in 0..lines as u64 {
                assert_eq!(bench.lookup(line), (0x100 + line, 1, 2, line), "of {lines} lines");
            }
        }
    }

    #[test]
    fn a_line_past_the_end_reads_null_and_ignores_updates() {
        let mut bench = Bench::new(5, Update::Miss);
        for line in 0..8 {
            bench.update(line, UpdateCause::Fill, NEW);
        }
        for line in 0..8 {
            let expected = if line < 5 { NEW } else { (0, 0, 0, 0) };
            assert_eq!(bench.lookup(line), expected, "line {line}");
        }
    }
}
