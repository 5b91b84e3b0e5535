//! Valid files to damage, or to name on command lines: runs, exports, a program, a configuration.

use border::interrupt::Cause;
use crosstalk::formats::{self, Format};
use firmware::{Build, Runtime};
use kit::Dice;
use record::{
    Access, Collected, Ctx, Edge, EdgeKind, End, Ending, Hart, Header, Label, Limits, Pc, Run,
    Time, Total, Totals,
};
use std::fs;
use std::path::{Path, PathBuf};

/// Runs in a corpus.
const RUNS: u64 = 6;

/// A short threaded program that sometimes fails.
const SOURCE: &str = include_str!("../../../host/tests/hunt/programs/lost_update.c");

/// A configuration that sets most keys.
pub const CONFIGURATION: &str = "\
harts = 4
pc_bits = 32
timestamp_bits = 32
[l1]
line = 32
data = { bytes = 4096, ways = 2 }
instruction = { bytes = 4096, ways = 2 }
[context]
events = 5
[metadata]
update = 'miss'
[ct]
depth = 64
overflow = \"discard\"
[simulation]
ram_bytes = 16777216
memory_latency = 10
[simulation.perturbation]
chance = 32
max_stall = 16
";

/// A folder of valid files.
pub struct Corpus {
    folder: PathBuf,
}

impl Corpus {
    /// Fills a folder.
    ///
    /// # Errors
    /// If something cannot be made or written.
    pub fn new(folder: &Path, dice: &mut Dice) -> Result<Self, String> {
        let corpus = Self { folder: folder.join("good") };
        let runs = corpus.folder.join("runs");
        fs::create_dir_all(&runs).map_err(|error| format!("{}: {error}", runs.display()))?;
        let shape = Shape::any(dice);
        for seed in 0..RUNS {
            corpus.write(&format!("runs/{seed}.run"), &run(dice, seed, shape))?;
        }
        corpus.write("testing.run", &run(dice, RUNS, shape))?;
        for format in [Format::Json, Format::GraphMl, Format::Dot] {
            corpus.write(&format!("one.{}", format.name()), &exported(dice, format, shape)?)?;
        }
        corpus.write("machine.toml", CONFIGURATION.as_bytes())?;
        corpus.write("prog.c", SOURCE.as_bytes())?;
        let runtime = Runtime::for_workspace(|_| ()).map_err(|error| error.to_string())?;
        let build = Build { files: vec![corpus.path("prog.c")], flags: Vec::new() };
        let built = runtime.build(&build, &corpus.path("prog.elf"));
        built.map_err(|error| error.to_string())?;
        Ok(corpus)
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Its bytes.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, String> {
        let path = self.path(name);
        fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.path(name);
        fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// A run exported in a format.
///
/// # Errors
/// If what was written cannot be read back, even undamaged.
pub fn exported(dice: &mut Dice, format: Format, shape: Shape) -> Result<Vec<u8>, String> {
    let file = run(dice, 1, shape);
    let run = Run::read(&file[..]).map_err(|error| format!("a run that was written: {error}"))?;
    let bytes = formats::write(&run, format, &|_| Some("<a \"name\" & more>".into()));
    match formats::read(&bytes) {
        Ok(again) if again == run => Ok(bytes),
        Ok(_) => Err(format!("a run changed when written as {} and read back", format.name())),
        Err(error) => {
            Err(format!("a run written as {} cannot be read back: {error}", format.name()))
        }
    }
}

/// What runs of one program have in common.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Now and then the largest numbers that fit.
    strange: bool,
    /// Events, harts, bits of a pc, bits of a timestamp.
    bytes: [u8; 4],
}

impl Shape {
    /// Usual values, or arbitrary ones.
    pub fn any(dice: &mut Dice) -> Self {
        let strange = dice.one_in(3);
        let bytes = if strange { dice.word().to_le_bytes() } else { [5, 4, 32, 32] };
        Self { strange, bytes }
    }
}

/// A random valid run, as a file.
pub fn run(dice: &mut Dice, seed: u64, shape: Shape) -> Vec<u8> {
    let Shape { strange, bytes: [events, harts, pc_bits, time_bits] } = shape;
    let shape = Header { events, harts, pc_bits, ..Header::default() };
    let limits = Limits::from(&shape);
    let mut totals = Totals::default();
    for _ in 0..dice.below(80u32) {
        let edge = Edge {
            source: access(dice, strange),
            sink: access(dice, strange),
            kind: dice.one_of(&EdgeKind::ALL),
        };
        let count = if strange && dice.one_in(8) { u32::MAX } else { 1 + dice.below(9u32) };
        totals.add(&Total { edge: limits.cut(edge), count });
    }
    let header = Header {
        label: dice.one_of(&Label::ALL),
        collected: dice.one_of(&Collected::ALL),
        events,
        harts,
        pc_bits,
        time_bits,
        seed,
        runs: 1,
        program: if strange { "\u{1f}ä\"<&>\n/..".into() } else { "prog".into() },
        ..Header::default()
    };
    let ending = Ending { outcome: outcome(dice), wrapped: dice.one_in(8), cycles: dice.roll() };
    let lost = if dice.one_in(3) && limits.check_lost(Hart(1)).is_ok() {
        [(Hart(1), dice.word())].into()
    } else {
        Default::default()
    };
    let run = Run { header, edges: totals.into_sorted(), lost, ending };
    run.write(Vec::new()).expect("memory does not refuse to be written")
}

fn access(dice: &mut Dice, strange: bool) -> Access {
    let pc = u64::from(border::map::RAM.base) + 4 * dice.below(40u64);
    let large = |dice: &mut Dice, usual: u64| match dice.below(12u32) {
        0 if strange => u64::MAX,
        1 if strange => dice.roll(),
        2 => 0,
        _ => usual,
    };
    let time = dice.below(500u64);
    Access {
        pc: Pc(large(dice, pc)),
        ctx: Ctx(if strange { dice.word() } else { dice.below(1024u32) }),
        time: Time(large(dice, time)),
        hart: Hart(if strange { dice.word() as u8 } else { dice.below(4u8) }),
    }
}

fn outcome(dice: &mut Dice) -> End {
    match dice.below(7u32) {
        0 => End::Unknown,
        1 | 2 => End::Exit { code: 0 },
        3 => End::Exit { code: dice.word() as i32 },
        4 => End::Assertion { file: "prog.c".into(), line: dice.word() },
        5 => End::Fault {
            pc: dice.roll(),
            address: dice.roll(),
            cause: Cause::of_mcause(dice.word()),
        },
        _ => End::Deadlock,
    }
}
