//! Runs as large as one likes, the same for ever.

use border::map::RAM;
use record::{
    Access, Collected, Ctx, Edge, EdgeKind, Ending, Hart, Header, Outcome, Pc, RunWriter, Time,
    Total, Totals,
};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// A set of runs: the first half fails.
pub struct Size {
    /// How many runs.
    pub runs: u64,
    /// Distinct edges of each.
    pub edges: u64,
}

impl Size {
    /// Bytes of all files, nearly.
    pub fn bytes(&self) -> u64 {
        self.runs * self.edges * 32
    }
}

/// A small generator of numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }
}

/// Instructions and contexts of the `n`th edge that there can be.
fn identity(n: u64) -> (Access, Access) {
    let mut dice = Dice(n);
    let mut end = |base: u64| Access {
        // A few thousand instructions, each in some dozens of contexts.
        pc: Pc(base + 4 * dice.roll(4_000)),
        ctx: Ctx(dice.roll(48) as u32 * 21),
        hart: Hart(dice.roll(4) as u8),
        time: Time(0),
    };
    (end(RAM.base.into()), end((RAM.base + 0x1_0000).into()))
}

/// Writes the runs. Most edges are in all of them; one in twenty is of a pool ten times as large; a few
/// are in failing runs only.
pub fn write(folder: &Path, size: &Size) -> std::io::Result<()> {
    let (common, rare) = (size.edges - size.edges / 20, size.edges / 20);
    for run in 0..size.runs {
        let failing = run < size.runs / 2;
        let mut dice = Dice(run << 32);
        let mut chosen: Vec<u64> = (0..common).collect();
        // Every tenth of the pool, beginning somewhere: distinct, and different in every run.
        let start = dice.roll(10);
        chosen.extend((0..rare).map(|n| common + 10 * n + (start + n * (run + 1)) % 10));
        if failing {
            chosen.extend((0..20).map(|n| 100_000_000 + n));
        }
        let header = Header {
            collected: Collected::Model,
            events: 5,
            harts: 4,
            pc_bits: 32,
            time_bits: 32,
            seed: run + 1,
            runs: 1,
            ..Header::default()
        };
        let file = File::create(folder.join(format!("{run:05}.run")))?;
        let mut writer = RunWriter::new(BufWriter::new(file), &header)?;
        // When an edge happened last is different in every run; most take a few transactions.
        let mut totals = Totals::default();
        for n in chosen {
            let (mut source, mut sink) = identity(n);
            let near = dice.roll(10) > 0;
            sink.time = Time(1_000 + dice.roll(4 * size.edges));
            let back = 1 + dice.roll(if near { 12 } else { 900 });
            source.time = Time(sink.time.0 - back);
            let kind = if n % 5 == 0 { EdgeKind::Waw } else { EdgeKind::Raw };
            totals.add(&Total { edge: Edge { source, sink, kind }, count: 1 + (n % 7) as u32 });
        }
        for total in totals.into_sorted() {
            writer.total(&total)?;
        }
        let outcome = Outcome::Exit { code: i32::from(failing) };
        writer.finish(&Ending { outcome, wrapped: false, cycles: 0 })?;
    }
    Ok(())
}
