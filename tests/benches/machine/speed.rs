//! Simulated cycles per second, with nothing extra on and in lockstep, beside the bare loop.

use std::io;

use border::Program;
use border::map::RAM;
use config::Config;
use cosim::Library;
use cosim::machine::{Machines, Options, Ram, Run};
use firmware::{Compiler, suites};
use measure::report::{Limit, Report, Row};
use measure::timing::{median, seconds};

use crate::against::Other;
use crate::bare;

/// Cycles of a run.
const CYCLES: u64 = 50_000;
/// Turns in which all sides are measured.
const TURNS: usize = 5;

/// How many harts the machines have.
const HARTS: [u32; 5] = [1, 2, 4, 8, 16];

/// Machines of 1 to 16 harts.
pub fn measure(report: &mut Report) {
    report.section("Simulated cycles per second, beside a bare C++ loop on the same machine");
    for harts in HARTS {
        eprintln!("machine-speed: {harts} harts");
        if let Err(why) = one(report, harts) {
            report.missing(&format!("{harts} harts"), &why, Some(Limit::AtLeast(0.9)));
        }
    }
    if let Some(other) = Other::asked_for() {
        report
            .section(format!("Simulated cycles per second, beside the Verilog of {}", other.name));
        for harts in HARTS {
            eprintln!("machine-speed: {harts} harts, beside {}", other.name);
            // No slower for any, faster for four.
            let limit = Some(Limit::AtLeast(1.0));
            match versus(&other, harts) {
                Ok((ours, theirs)) => report.row(Row {
                    what: format!("{harts} harts"),
                    ours: per_second(ours),
                    peer: per_second(theirs),
                    ratio: Some(ours / theirs),
                    limit,
                }),
                Err(why) => report.missing(&format!("{harts} harts"), &why, limit),
            }
        }
    }
}

/// Cycles per second of this machine and of another version of it, each in the bare loop: what is compared is the
/// Verilog.
fn versus(other: &Other, harts: u32) -> Result<(f64, f64), String> {
    let config = Config { harts, ..Config::default() };
    let source = Machines::for_workspace().source(&config).map_err(|error| error.to_string())?;
    let theirs = other.source(&source, harts)?;
    let program = program(&config)?;
    let (image, _) = image(&program, &config)?;
    let mut sides = Vec::new();
    for source in [&source, &theirs] {
        sides.push((bare::start(source, &config, CYCLES, image.path())?, Vec::new()));
    }
    for _ in 0..TURNS {
        for (peer, speeds) in &mut sides {
            let (time, _) = peer.run(1)?;
            speeds.push(CYCLES as f64 / time);
        }
    }
    let mut speeds = sides.into_iter().map(|(_, speeds)| median(speeds));
    let (ours, theirs) = (speeds.next(), speeds.next());
    ours.zip(theirs).ok_or_else(|| "there are two sides".to_owned())
}

fn one(report: &mut Report, harts: u32) -> Result<(), String> {
    let config = Config { harts, ..Config::default() };
    let machines = Machines::for_workspace();
    let source = machines.source(&config).map_err(|error| error.to_string())?;
    let library = machines.library(&config, false).map_err(|error| error.to_string())?;
    let program = program(&config)?;
    let (image, memory) = image(&program, &config)?;
    let mut peer = bare::start(&source, &config, CYCLES, image.path())?;

    let (mut plain, mut lockstep, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let (time, hash) = run(&library, &config, &program, memory, false)?;
        plain.push(CYCLES as f64 / time);
        let (their_time, their_hash) = peer.run(1)?;
        theirs.push(CYCLES as f64 / their_time);
        if hash != their_hash {
            return Err(
                "the two sides ended other instructions, or left other memory behind".into()
            );
        }
        let (time, _) = run(&library, &config, &program, memory, true)?;
        lockstep.push(CYCLES as f64 / time);
    }
    let (plain, lockstep, theirs) = (median(plain), median(lockstep), median(theirs));
    for (what, ours, bound) in [("", plain, 0.9), (", lockstep", lockstep, 0.3)] {
        report.row(Row {
            what: format!("{harts} harts{what}"),
            ours: per_second(ours),
            peer: per_second(theirs),
            ratio: Some(ours / theirs),
            limit: Some(Limit::AtLeast(bound)),
        });
    }
    Ok(())
}

/// The program that both sides run.
fn program(config: &Config) -> Result<Program, String> {
    let compiler = Compiler::for_workspace().map_err(|error| error.to_string())?;
    let path = suites::ENDLESS.program(&compiler).map_err(|error| error.to_string())?;
    Program::read(&path, config.simulation.ram_bytes).map_err(|error| error.to_string())
}

/// Memory as it is at the start, up to the end of the program, and how much that is.
fn image(program: &Program, config: &Config) -> Result<(tempfile::NamedTempFile, u32), String> {
    let end = program.segments.iter().map(|s| s.address - RAM.base + s.size).max().unwrap_or(0);
    let mut ram = Ram::new(config.simulation.ram_bytes);
    ram.load(program);
    let bytes: Vec<u8> = (0..end).map(|offset| ram.byte(RAM.base + offset)).collect();
    let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    std::fs::write(file.path(), bytes).map_err(|error| error.to_string())?;
    Ok((file, end))
}

/// Seconds of a run, and a hash of the memory it leaves behind and of how many instructions ended. Memory alone
/// would be the same if no hart had moved.
fn run(
    library: &Library,
    config: &Config,
    program: &Program,
    memory: u32,
    lockstep: bool,
) -> Result<(f64, u64), String> {
    let options = Options { limit: Some(CYCLES), lockstep, ..Options::default() };
    let mut console = io::sink();
    let run = Run::new(library, config, program, options, &mut console);
    let run = run.map_err(|error| error.to_string())?;
    let mut outcome = None;
    let time = seconds(|| outcome = Some(run.finish()));
    let outcome = outcome.expect("it ran").map_err(|error| error.to_string())?;
    let ram = outcome.soc.ram();
    let ended = outcome.soc.ended();
    if ended == 0 {
        return Err("no hart ended an instruction".into());
    }
    let hash = (0..memory).fold(0xcbf2_9ce4_8422_2325_u64 ^ ended, |hash, offset| {
        (hash ^ u64::from(ram.byte(RAM.base + offset))).wrapping_mul(0x100_0000_01b3)
    });
    Ok((time, hash))
}

fn per_second(cycles: f64) -> String {
    format!("{:.1} k/s", cycles / 1e3)
}
