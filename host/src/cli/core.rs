//! `crosstalk core`: the end of a run as a core file.

use super::common::OutArgs;
use super::failure::Failure;
use super::gdb::teller::Names;
use super::out::{Out, Paint, plural, print_json};
use super::progress::Progress;
use super::recorded::{RecordedArgs, SourceArgs};
use crate::hunt::Recorded;
use ::evidence::log::Ending;
use debugger::core_file::{self, CoreHart, Note, SCHEMA, Write, WrittenBytes};
use debugger::{Moment, Recording, Timeline};
use kit::file::{check_output, write_atomic};
use kit::numbers::hex;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const ABORT: u16 = 6;
const BUS_ERROR: u16 = 7;
const SEGMENT_FAULT: u16 = 11;
const ILLEGAL: u16 = 4;

/// Write the end of a run as a core file, which stock gdb opens.
///
/// The run is made again from its seed. The file has the registers of every hart, the failing one first, memory as
/// the harts see it, and a note of the run: seed, hashes, and the last writer of every byte.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk core crosstalk-hunt/prog                    prog-7.core, of the first run that failed
  crosstalk core crosstalk-hunt/prog --seed 12 --out core
  gdb-multiarch crosstalk-hunt/prog/program.elf prog-7.core
  crosstalk core --read prog-7.core                     what the note says; --json: all of it

Exit codes: 0 written or read, 1 it could not be written, 2 wrong use or bad input.")]
pub struct Args {
    #[command(flatten)]
    recorded: Option<RecordedArgs>,
    /// Show what the note of a core file says, and whether the file is whole
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "out_file", "firmware"])]
    read: Option<PathBuf>,
    /// The file to write [default: PROGRAM-SEED.core]
    #[arg(long = "out", short, value_name = "FILE", id = "out_file")]
    out_file: Option<PathBuf>,
    /// Write the M-mode registers of a hart that is in M mode; else those with which it left the program
    #[arg(long)]
    firmware: bool,
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    out: OutArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let note = match (&args.read, &args.recorded) {
        (Some(path), _) => read(path)?,
        (None, Some(recorded)) => write(args, recorded)?,
        (None, None) => {
            return Err(Failure::BadInput("expected a run of a hunt, or --read FILE".into()));
        }
    };
    if args.out.json {
        print_json(&note)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::new(args.out.color);
    show(&mut out, &note);
    out.print()?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Note, Failure> {
    let wrong = |what: String| Failure::BadInput(format!("{}: {what}", path.display()));
    let file = fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let (note, _) = core_file::read(&file).map_err(|error| wrong(error.to_string()))?;
    Ok(note)
}

fn write(args: &Args, which: &RecordedArgs) -> Result<Note, Failure> {
    args.sources.check()?;
    if let Some(path) = &args.out_file {
        check_output(path, [&which.run])?;
    }
    let progress = Progress::waiting("repeating the run");
    let recorded = which.open()?;
    let name = || PathBuf::from(format!("{}-{}.core", recorded.subject.name, recorded.entry.seed));
    let path = args.out_file.clone().unwrap_or_else(name);
    check_output(&path, [&which.run])?;
    let names = Names::new(args.sources.names(&recorded)?, &recorded);
    let recording = recorded.recording()?;
    let mut timeline = Timeline::new(recording.tape.clone());
    let (end, first) = recording.end();
    timeline.seek(end);
    let now = timeline.now();
    let others = (0..now.harts().len()).filter(|hart| *hart != first);
    let order: Vec<usize> = std::iter::once(first).chain(others).collect();
    let signal = signal(&recording);
    let harts: Vec<CoreHart> = order
        .iter()
        .map(|hart| CoreHart {
            hart: *hart as u32,
            signal,
            registers: match (args.firmware, &now.harts()[*hart]) {
                (true, state) => state.registers,
                (false, state) => *state.of_program(),
            },
        })
        .collect();
    let mut note = note(&recorded, &recording, &names, now);
    note.harts = order.iter().map(|hart| names.hart_at(&recording, now, *hart)).collect();
    let file = recorded.path.file_name().unwrap_or_default().to_string_lossy();
    let file = core_file::write(&file, &harts, now.memory(), note);
    let file = file.map_err(|error| Failure::Failed(error.to_string()))?;
    write_atomic(&path, &file)?;
    drop(progress);
    read(&path)
}

/// What Linux would send to a thread that ends so.
fn signal(recording: &Recording) -> u16 {
    match recording.log.ending() {
        Ending::Assertion { .. } => ABORT,
        Ending::Fault { cause, .. } => match cause {
            2 => ILLEGAL,
            0 | 4 | 6 => BUS_ERROR,
            _ => SEGMENT_FAULT,
        },
        Ending::Exit { code } if *code > 128 => ABORT,
        _ => 0,
    }
}

fn note(recorded: &Recorded, recording: &Recording, names: &Names, now: &Moment) -> Note {
    let ram = now.memory().range();
    let range = ram.start as u32..u32::try_from(ram.end).unwrap_or(u32::MAX);
    let writers = recording.writers(&range, now.mark());
    let (mut writes, mut known) = (Vec::new(), BTreeMap::new());
    let mut last_writers: Vec<WrittenBytes> = Vec::new();
    for (address, writer) in writers {
        let write = *known.entry(writer.at).or_insert_with(|| {
            writes.push(Write {
                thread: recording.log.name(writer.place.thread).to_owned(),
                line: names.line(writer.place.pc),
                event: writer.at,
            });
            writes.len() as u32 - 1
        });
        let goes_on =
            |last: &&mut WrittenBytes| (last.address + last.bytes, last.write) == (address, write);
        match last_writers.last_mut().filter(goes_on) {
            Some(last) => last.bytes += 1,
            None => last_writers.push(WrittenBytes { address, bytes: 1, write }),
        }
    }
    Note {
        schema: SCHEMA.to_owned(),
        program: recorded.subject.name.clone(),
        elf: hex(&recorded.subject.hash()),
        on: recorded.on.name().to_owned(),
        seed: recorded.entry.seed,
        outcome: recorded.entry.outcome.clone(),
        steps: now.mark().0,
        state: hex(&now.hash()),
        contents: String::new(),
        harts: Vec::new(),
        writes,
        last_writers,
    }
}

fn show(out: &mut Out, note: &Note) {
    let program = out.paint(Paint::Bold, &note.program);
    out.line(&format!("{program}, schedule {} on {}: {}", note.seed, note.on, note.outcome));
    for hart in &note.harts {
        out.painted(Paint::Yellow, &format!("  {hart}"));
    }
    let bytes: u64 = note.last_writers.iter().map(|written| u64::from(written.bytes)).sum();
    out.line(&format!(
        "after {}; the last writers of {}, by {}",
        plural(note.steps, "step"),
        plural(bytes, "byte"),
        plural(note.writes.len() as u64, "write"),
    ));
    out.painted(Paint::Dim, &format!("program {}", note.elf));
    out.painted(Paint::Dim, &format!("state   {}", note.state));
}
