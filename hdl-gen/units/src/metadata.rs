//! What the monitor remembers of a write and records of communication.
//!
//! The bundles that its units hand to each other, and the widths that shape them: every unit of one
//! monitor has the same [`Fields`].

use config::Config;
use hdl::{Bundle, Enum, HwEnum, Leaf, Path, Sig, bits, hardware, index_width, lit};

use crate::context_register::EVENT_BITS;

/// The widths of what is kept of an access. A field of 0 bits is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Bits kept of a pc, 8 to 64; fewer than the core's: a hash, see [`pc_hash`].
    pub pc_bits: usize,
    /// Events in a context, 1 to 16.
    pub events: usize,
    /// Bits of a hart number, 0 to 8.
    pub hart_bits: usize,
    /// Bits of a time, 0 to 64.
    pub time_bits: usize,
}

/// An access, as it is remembered: of a line its last writer, of an edge either end.
#[derive(Clone, Copy, Debug)]
pub struct Metadata {
    /// The pc of the access, or a hash of it.
    pub pc: Sig,
    /// The context that the access was made in.
    pub ctx: Sig,
    /// Number of the hart that made it.
    pub hart: Option<Sig>,
    /// The number of its transaction.
    pub time: Option<Sig>,
}

const PC: &str = "The pc of the described access, or a hash of it.";
const CTX: &str = "The context (last communication events) of the hart at the described access.";
const HART: &str = "The number of the hart that made the described access.";
const TIME: &str = "The transaction number of the described access.";

// By hand: which access a port describes is said by the comment on the field that is one.
impl Bundle for Metadata {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Self {
        Metadata {
            pc: path.field_about("pc", PC, |path| self.pc.map(path, f)),
            ctx: path.field_about("ctx", CTX, |path| self.ctx.map(path, f)),
            hart: path.field_about("hart", HART, |path| Bundle::map(&self.hart, path, f)),
            time: path.field_about("time", TIME, |path| Bundle::map(&self.time, path, f)),
        }
    }
}

/// Kind of communication, in hardware: the codes are those of the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum EdgeKind {
    /// A read of a line that another cache held.
    Raw,
    /// A write to a line that another cache held.
    Waw,
    /// A read that memory served.
    Memory,
}

const _: () = {
    use border::monitor::EdgeKind as Border;
    assert!(EdgeKind::Raw as u32 == Border::Raw.number());
    assert!(EdgeKind::Waw as u32 == Border::Waw.number());
    assert!(EdgeKind::Memory as u32 == Border::Memory.number());
};

/// A communication from one code point to another.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Edge {
    /// The access that last wrote the line.
    pub source: Metadata,
    /// The access that received the line.
    pub sink: Metadata,
    /// The kind of the edge: RAW (0), WAW (1) or memory (2).
    pub kind: Enum<EdgeKind>,
}

impl Fields {
    /// The widths of a configuration. `Err` names the key that switches the monitor off.
    pub fn from_config(config: &Config) -> Result<Fields, &'static str> {
        if config.context.events == 0 {
            return Err("context.events is 0");
        }
        Ok(Fields {
            pc_bits: config.pc_bits as usize,
            events: config.context.events as usize,
            // The number of an only hart says nothing.
            hart_bits: if config.harts == 1 { 0 } else { index_width(config.harts as usize) },
            time_bits: config.timestamp_bits as usize,
        })
    }

    /// Bits of a context.
    pub fn ctx_bits(self) -> usize {
        EVENT_BITS * self.events
    }

    /// The shape of a line's metadata.
    pub fn metadata(self) -> Metadata {
        Metadata {
            pc: bits(self.pc_bits),
            ctx: bits(self.ctx_bits()),
            hart: optional(self.hart_bits),
            time: optional(self.time_bits),
        }
    }

    /// The shape of an edge.
    pub fn edge(self) -> Edge {
        Edge { source: self.metadata(), sink: self.metadata(), kind: EdgeKind::shape() }
    }

    /// The metadata that names no writer: all zeros.
    #[track_caller]
    pub fn null(self) -> Metadata {
        self.metadata().map(&mut Path::default(), &mut |_, leaf| lit(leaf.sig.width(), 0))
    }

    /// The part of a module's name that says all widths: `p32e5h2t32`.
    pub fn tag(self) -> String {
        let optional = [("h", self.hart_bits), ("t", self.time_bits)];
        let shown = optional.iter().filter(|(_, bits)| *bits > 0);
        let shown: String = shown.map(|(letter, bits)| format!("{letter}{bits}")).collect();
        format!("p{}e{}{shown}", self.pc_bits, self.events)
    }
}

fn optional(width: usize) -> Option<Sig> {
    (width > 0).then(|| bits(width))
}

/// A pc in `width` bits: itself if it fits. Otherwise the pc without its lowest bit, which is always
/// zero, folded by XOR; a result of zero becomes 1, so that no hash looks like NULL.
#[hardware]
pub fn pc_hash(pc: Sig, width: usize) -> Sig {
    if width >= pc.width() {
        return pc.zext(width);
    }
    let group = |low: usize| pc.bits(low..pc.width().min(low + width)).zext(width);
    let folded = (1..pc.width()).step_by(width).map(group).reduce(|left, right| left ^ right);
    let folded = folded.expect("a pc that is too wide has more than one bit");
    let hashed_pc = folded | folded.none().zext(width);
    hashed_pc
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::{Module, Simulator, input, output, ports};

    #[derive(Clone, Debug, PartialEq)]
    struct Hash {
        from: usize,
        to: usize,
    }

    #[derive(Clone, Debug, Bundle)]
    struct HashIo {
        pc: Sig,
        hash: Sig,
    }

    #[hardware]
    impl Module for Hash {
        type Io = HashIo;
        fn name(&self) -> String {
            format!("hash_{}_{}", self.from, self.to)
        }
        fn build(&self) -> HashIo {
            let io = ports(HashIo { pc: input(self.from), hash: output(self.to) });
            io.hash.set(pc_hash(io.pc, self.to));
            io
        }
    }

    #[track_caller]
    fn hashes_to(from: usize, to: usize, pc: u64, expected: u64) {
        let (mut sim, io) = Simulator::of(Hash { from, to }).expect("a legal circuit");
        sim.set(io.pc, pc);
        assert_eq!(sim.get(io.hash), expected, "{pc:#x} of {from} bits in {to}");
    }

    #[test]
    fn a_pc_that_fits_is_kept_as_it_is() {
        hashes_to(32, 32, 0x8000_0004, 0x8000_0004);
        hashes_to(32, 64, 0x8000_0004, 0x8000_0004);
        hashes_to(64, 64, 0, 0);
    }

    #[test]
    fn a_wider_pc_is_folded_without_its_lowest_bit() {
        // 0x8000_2468 >> 1 is 0x4000_1234.
        hashes_to(32, 16, 0x8000_2468, 0x4000 ^ 0x1234);
        hashes_to(32, 16, 0x8000_2469, 0x4000 ^ 0x1234);
        hashes_to(32, 8, 0x8000_2468, 0x40 ^ 0x12 ^ 0x34);
        // 31 bits left: one group.
        hashes_to(32, 31, 0x8000_2468, 0x4000_1234);
        // Groups of 12 bits, the last of 7.
        hashes_to(32, 12, 0x8000_2468, 0x40 ^ 0x1 ^ 0x234);
        hashes_to(64, 33, 1 << 34, 1);
        hashes_to(64, 33, 1 << 33, 1 << 32);
    }

    #[test]
    fn no_folded_pc_looks_like_null() {
        hashes_to(32, 16, 0, 1);
        hashes_to(32, 16, 0x2468_2468, 1);
        hashes_to(33, 32, 1, 1);
    }

    #[test]
    fn the_codes_are_those_of_the_record_format() {
        assert_eq!([EdgeKind::Raw, EdgeKind::Waw, EdgeKind::Memory].map(HwEnum::code), [0, 1, 2]);
    }

    #[test]
    fn different_widths_have_different_tags() {
        let fields = Fields { pc_bits: 64, events: 5, hart_bits: 0, time_bits: 0 };
        assert_eq!(fields.tag(), "p64e5");
        assert_eq!(Fields { hart_bits: 2, time_bits: 32, ..fields }.tag(), "p64e5h2t32");
    }
}
