//! `crosstalk record`: a run from a board, over its serial line.

use super::failure::{Failure, say};
use super::out::plural;
use super::program::{Launch, prepare};
use super::progress::Progress;
use crate::cable::{
    Board, BoardError, CableError, Description, LineEnd, Listening, Received, Serial, receive,
};
use crate::run_record;
use border::{Out, Records};
use kit::argument::{number, positive};
use kit::file::check_output;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Receive a run from a board over its serial line; with --load, load a program onto the board first.
///
/// The run is written when it ends, when another one begins, or when the line falls silent or is closed. It holds
/// every record that arrived intact; without any, nothing is written. The program's output goes to stdout.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk record --serial /dev/ttyUSB0 --load prog.elf --out one.run
  crosstalk record --serial /dev/ttyUSB0 --load prog.c -- 12       compiled first; with an argument
  crosstalk record --serial /dev/ttyUSB0 --out next.run            whatever the board sends

Exit codes: 0 the run is complete; 1 it is not, or the board does not answer; 2 wrong use or bad input.")]
pub struct Args {
    /// The serial device of the board
    #[arg(long, value_name = "DEVICE")]
    serial: PathBuf,
    /// The program to load: an ELF file, or C and assembly files
    #[arg(long, value_name = "PROGRAM", num_args = 1..)]
    load: Vec<PathBuf>,
    /// The program's arguments
    #[arg(value_name = "ARGUMENTS", last = true, requires = "load")]
    arguments: Vec<OsString>,
    /// Where to write the run [default: a new file named after the program, or board.run without --load]
    #[arg(long, value_name = "FILE.run")]
    out: Option<PathBuf>,
    /// The speed of the line, in bits per second
    #[arg(long, value_name = "BAUD", default_value_t = 1_000_000, value_parser = positive::<u32>)]
    baud: u32,
    /// Give up if the board does not answer for this long
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = number::<u64>)]
    answer: u64,
    /// Consider the run finished when the line is silent for this long
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = number::<u64>)]
    silence: u64,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let path = args.out()?;
    check_output(&path, &args.load)?;
    let mut line = Serial::open(&args.serial, args.baud).map_err(Failure::BadInput)?;
    let silence = Duration::from_secs(args.silence);
    let mut board;
    let mut listening = match &args.load[..] {
        [] => Listening::to_line(&mut line, silence),
        _ => {
            board = args.start(&mut line)?;
            Listening::to_board(&mut board, silence)
        }
    };
    let mut received = receive(&mut listening, &mut io::stdout().lock());
    let end = listening.end.as_ref();
    if let Some(name) = args.load.first().and_then(|file| file.file_stem()) {
        received.run.header.program = name.to_string_lossy().into_owned();
    }
    if !received.arrived {
        warn(&received.damage);
        let why = missing(&received, end).unwrap_or_default();
        return Err(Failure::Failed(format!("{why}; nothing was written")));
    }
    run_record::write(&path, &received.run).map_err(Failure::Failed)?;
    let edges = received.run.edges.iter().map(|total| u64::from(total.count)).sum();
    let outcome = &received.run.ending.outcome;
    say(format_args!("`{}`: {}, {outcome}\n", path.display(), plural(edges, "edge")));
    warn(&received.damage);
    match missing(&received, end) {
        None => Ok(ExitCode::SUCCESS),
        Some(why) => {
            let path = path.display();
            Err(Failure::Failed(format!("{why}; every intact record is in `{path}`")))
        }
    }
}

/// Warns of every place where the line was disturbed.
fn warn(damage: &[record::Damage]) {
    for damage in damage {
        say(format_args!("warning: {}\n", described(damage)));
    }
}

/// One place where the line was disturbed.
fn described(damage: &record::Damage) -> String {
    let record::Damage { offset, bytes, reason } = damage;
    match bytes {
        0 => format!("at byte {offset} from the serial line: {reason}"),
        _ => format!(
            "the serial line brought {} that are not records, from byte {offset} on: {reason}",
            plural(*bytes, "byte")
        ),
    }
}

/// Why the run is not whole.
fn missing(received: &Received, end: Option<&LineEnd>) -> Option<String> {
    if received.ended {
        let disturbed = received.damage.first();
        return (!received.whole).then(|| match disturbed {
            Some(damage) => format!("the run is incomplete: {}", described(damage)),
            None => "the run is incomplete: its beginning did not arrive".to_owned(),
        });
    }
    let before = if received.arrived { "the run ended" } else { "any record arrived" };
    Some(match end {
        Some(LineEnd::Silent) => format!("the serial line fell silent before {before}"),
        Some(LineEnd::Failed(BoardError::Closed)) => {
            format!("the serial line was closed before {before}")
        }
        Some(LineEnd::Failed(error)) => format!("{error} (before {before})"),
        None => "another run began before this one ended".to_owned(),
    })
}

impl Args {
    /// The file for the run. Only a file that was named is replaced.
    fn out(&self) -> Result<PathBuf, Failure> {
        if let Some(named) = &self.out {
            return Ok(named.clone());
        }
        let program = self.load.first().and_then(|file| file.file_stem());
        let usual = PathBuf::from(program.unwrap_or("board".as_ref())).with_extension("run");
        match usual.symlink_metadata() {
            Ok(_) => Err(Failure::BadInput(format!(
                "`{}` already exists; name the file for the run with --out",
                usual.display()
            ))),
            Err(_) => Ok(usual),
        }
    }

    /// Loads the program and starts it.
    fn start<'a>(&self, line: &'a mut Serial) -> Result<Board<'a, Serial>, Failure> {
        // Files are checked before the board is touched.
        if let Some(missing) = self.load.iter().find(|file| !file.is_file()) {
            return Err(Failure::BadInput(format!("`{}` is not a file", missing.display())));
        }
        let progress = Progress::new("frames loaded");
        let prepared = |board: &Description| {
            let Description { board: name, clock_hz, machine } = board;
            let (harts, clock) = (plural(machine.harts.into(), "hart"), clock_hz / 1_000_000);
            say(format_args!("{name}: {harts}, {clock} MHz\n"));
            let launch =
                Launch { config: machine, arguments: &self.arguments, records: Records::Framed };
            let program = prepare(&self.load, Vec::new(), &launch, 2, |settings| {
                settings.out = Out::Uart;
                settings.ticks_per_second = *clock_hz;
            });
            program.map_err(|failure| failure.to_string())
        };
        let answer = Duration::from_secs(self.answer);
        Board::start(line, answer, prepared, || progress.step()).map_err(|error| match error {
            CableError::Program(why) => Failure::BadInput(why),
            error => Failure::Failed(error.to_string()),
        })
    }
}
