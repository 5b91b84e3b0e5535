//! What draining the communication tables costs: a program that does little but communicate, and one that
//! communicates as often as the most demanding one of Bugaboo's Table 5.

use std::io;
use std::path::Path;

use border::{Drain, End, Program, Records};
use config::{Config, Preset};
use cosim::machine::{Machines, Options, Run};
use firmware::{Build, Runtime};
use measure::report::{Report, Row};

use crate::handler::{Seen, Watch};

/// Instructions that an entry cannot do without: seven loads, seven stores, a step and a branch.
const INSTRUCTIONS: f64 = 16.0;
/// Bugaboo's Table 5, vips: edges in 10,000 memory operations, and traps in 10 million with a table of
/// 16384 entries that is emptied when it is full. No program there has more traps.
const PAPER_EDGES: f64 = 254.81;
const PAPER_TRAPS: f64 = 15.5;
/// More than the slowest of these runs takes.
const LIMIT: u64 = 40_000_000;

/// A program: how often its threads go round, and how many words of its own a thread changes in a round.
struct Workload {
    name: &'static str,
    title: &'static str,
    rounds: u32,
    own: u32,
    ways: &'static [Way],
}

/// How a program is drained.
struct Way {
    what: &'static str,
    depth: u32,
    drain: Drain,
}

const WORKLOADS: [Workload; 2] = [
    Workload {
        name: "little else",
        title: "Draining the communication tables, of a program that does little but communicate",
        rounds: 3600,
        own: 32,
        ways: &[
            Way { what: "1024 entries", depth: 1024, drain: Drain::Watermark },
            Way { what: "16384 entries", depth: 16384, drain: Drain::Watermark },
            Way { what: "1024, spare hart", depth: 1024, drain: Drain::Spare },
        ],
    },
    // Three times a full table for each thread, and hardly a rest.
    Workload {
        name: "as vips",
        title: "Draining the communication tables, of a program that communicates as often as vips",
        rounds: 6150,
        own: 154,
        ways: &[Way { what: "16384 entries, when full", depth: 16384, drain: Drain::Full }],
    },
];

/// The handler, then the whole program, beside a machine without monitors.
pub fn measure(report: &mut Report) {
    for workload in &WORKLOADS {
        let measured = workload.measured();
        report.section(workload.title);
        match measured {
            Ok((bare, drained)) => {
                let rows = workload.ways.iter().zip(&drained);
                rows.for_each(|(way, seen)| add(report, way, seen, &bare));
            }
            Err(why) => report.missing("draining", &why, None),
        }
    }
}

impl Workload {
    /// What was seen without monitors, and in each of the ways of draining.
    fn measured(&self) -> Result<(Seen, Vec<Seen>), String> {
        let program = self.program()?;
        eprintln!("machine-drain: {}: without monitors", self.name);
        let bare = run(&program, Preset::Baseline.config(), Drain::Watermark)?;
        let mut drained = Vec::new();
        for way in self.ways {
            eprintln!("machine-drain: {}: {}", self.name, way.what);
            let mut config = Config::default();
            config.ct.depth = way.depth;
            drained.push(run(&program, config, way.drain)?);
        }
        Ok((bare, drained))
    }

    /// The linked program.
    fn program(&self) -> Result<Vec<u8>, String> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/machine/exchange.c");
        let runtime = Runtime::for_workspace(|_| ()).map_err(|error| error.to_string())?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let out = folder.path().join("exchange.elf");
        let flags = [format!("-DROUNDS={}", self.rounds), format!("-DOWN={}", self.own)];
        let build = Build { files: vec![source], flags: flags.map(Into::into).to_vec() };
        runtime.build(&build, &out).map_err(|error| error.to_string())?;
        std::fs::read(&out).map_err(|error| error.to_string())
    }
}

fn add(report: &mut Report, way: &Way, seen: &Seen, bare: &Seen) {
    let what = way.what;
    let in_operations = |count: u64, of: f64| count as f64 * of / seen.memory_operations as f64;
    let edges = in_operations(seen.edges, 1e4);
    report.row(Row {
        what: format!("{what}: edges in 10k memory operations, beside Bugaboo's vips"),
        ours: format!("{edges:.1}"),
        peer: format!("{PAPER_EDGES}"),
        ratio: Some(edges / PAPER_EDGES),
        limit: None,
    });
    if seen.entries > 0 {
        let cycles = seen.cycles as f64 / seen.entries as f64;
        report.row(Row {
            what: format!("{what}: handler, an entry"),
            ours: format!("{cycles:.1} cycles"),
            peer: format!("{INSTRUCTIONS} instructions"),
            ratio: Some(cycles / INSTRUCTIONS),
            limit: None,
        });
        let traps = in_operations(seen.traps, 1e7);
        report.row(Row {
            what: format!(
                "{what}: traps in 10M memory operations, beside Bugaboo's most with 16384"
            ),
            ours: format!("{traps:.1}"),
            peer: format!("{PAPER_TRAPS}"),
            ratio: Some(traps / PAPER_TRAPS),
            limit: None,
        });
    }
    report.row(Row {
        what: format!(
            "{what}: the program ({} of {} edges lost), beside a machine without monitors",
            seen.lost, seen.edges
        ),
        ours: format!("{} cycles", seen.program_end),
        peer: format!("{} cycles", bare.program_end),
        ratio: Some(seen.program_end as f64 / bare.program_end as f64),
        limit: None,
    });
}

fn run(file: &[u8], config: Config, drain: Drain) -> Result<Seen, String> {
    let ram_bytes = config.simulation.ram_bytes;
    let mut program = Program::parse(Path::new("exchange"), file.to_vec(), ram_bytes)?;
    let mut settings = program.settings().map_err(|error| error.to_string())?;
    settings.drain = drain;
    // Moved and forgotten: what becomes of the edges after that depends on where they go.
    settings.records = Records::None;
    // Room for a whole table, so that one interrupt takes all of it.
    settings.buffer_entries = settings.buffer_entries.max(config.ct.depth);
    program.set(&settings).map_err(|error| error.to_string())?;
    let library = Machines::for_workspace().library(&config, false);
    let library = library.map_err(|error| error.to_string())?;
    let watch = Watch::default();
    let observer = Some(watch.observer(config.harts as usize));
    let options = Options { limit: Some(LIMIT), observer, ..Options::default() };
    let mut console = io::sink();
    let outcome = Run::new(&library, &config, &program, options, &mut console)
        .and_then(Run::finish)
        .map_err(|error| error.to_string())?;
    match outcome.end {
        End::Exit { code: 0, .. } => Ok(watch.seen()),
        end => Err(format!("the program ended with {end:?}")),
    }
}
