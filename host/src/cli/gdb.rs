//! `crosstalk gdb`: a run of a hunt, for gdb.

pub mod teller;

use super::failure::{Failure, say};
use super::out::{grouped, send};
use super::progress::Progress;
use super::recorded::{RecordedArgs, SourceArgs};
use crate::hunt::Recorded;
use debugger::server::{Ended, ServerError, Session, serve};
use debugger::{Recording, View};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;
use teller::Names;

/// Walk through a run with gdb, forward and backward.
///
/// The run is made again from its seed and recorded; then one gdb can connect. It begins where the run failed, or at
/// its end. Each hart is a thread. All harts go on in the recorded order, whichever gdb steps, and nothing can be
/// changed: it is a recording.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk gdb crosstalk-hunt/prog                     says how to connect, and waits for gdb
  crosstalk gdb crosstalk-hunt/prog --listen 127.0.0.1:3333
  gdb-multiarch crosstalk-hunt/prog/program.elf \\
    -ex 'target remote | crosstalk gdb crosstalk-hunt/prog --stdio'

In gdb, beside its own commands (reverse-step, reverse-continue, watch, info threads …):
  set scheduler-locking step      reverse-step means the selected thread
  monitor last-writer EXPR        who wrote what is there now, byte by byte
  monitor why [EXPR]              the same with all writes before; or what the failing statement read
  monitor where                   how far into the run this is

Exit codes: 0 the debugger is done, 1 the connection broke, 2 wrong use or bad input.")]
pub struct Args {
    #[command(flatten)]
    recorded: RecordedArgs,
    /// Wait for gdb here [default: any free port of this machine]
    #[arg(long, value_name = "ADDRESS", conflicts_with = "stdio")]
    listen: Option<SocketAddr>,
    /// Speak the protocol on standard input and output
    #[arg(long)]
    stdio: bool,
    /// Show every M-mode instruction too; else the firmware's work counts as part of the instruction that called it
    #[arg(long)]
    firmware: bool,
    #[command(flatten)]
    sources: SourceArgs,
}

impl Args {
    fn view(&self) -> View {
        if self.firmware { View::Machine } else { View::Program }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.sources.check()?;
    let address = args.listen.unwrap_or(SocketAddr::from(([127, 0, 0, 1], 0)));
    // Before the work, which can take seconds.
    let listener = if args.stdio { None } else { Some(listening(address)?) };
    let progress = Progress::waiting("repeating the run");
    let recorded = args.recorded.open()?;
    let names = Names::new(args.sources.names(&recorded)?, &recorded);
    let recording = recorded.recording()?;
    drop(progress);
    let mut session = Session::new(&recording, args.view(), &names);
    let ended = match listener {
        None => serve(io::stdin(), io::stdout(), &mut session),
        Some(listener) => {
            let at = listener.local_addr().map_err(|error| unusable(address, &error))?;
            send(welcome(&recorded, &recording, at).as_bytes())?;
            let (stream, _) = listener.accept().map_err(|error| unusable(at, &error))?;
            let _ = stream.set_nodelay(true);
            let from = stream.try_clone().map_err(|error| unusable(at, &error))?;
            serve(from, stream, &mut session)
        }
    };
    match ended {
        Ok(Ended::Detached | Ended::Closed) => Ok(ExitCode::SUCCESS),
        Err(error @ ServerError::Connection(_)) => Err(Failure::Failed(error.to_string())),
        Err(error @ ServerError::Protocol(_)) => Err(Failure::BadInput(error.to_string())),
    }
}

fn listening(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).map_err(|error| unusable(address, &error))
}

fn unusable(address: SocketAddr, error: &io::Error) -> Failure {
    Failure::BadInput(format!("cannot wait for a debugger at {address}: {error}"))
}

/// What a person needs to know to connect.
fn welcome(recorded: &Recorded, recording: &Recording, at: SocketAddr) -> String {
    let tape = &recording.tape;
    if tape.first().0 > 0 {
        let dropped = grouped(tape.first().0);
        say(format_args!("the run is long: its first {dropped} steps are not kept\n"));
    }
    let steps = grouped(tape.last().0 - tape.first().0);
    format!(
        "{}, schedule {} on {}: {}\n{steps} steps of {} harts; waiting for gdb:\n  \
         gdb-multiarch {} -ex 'target remote {at}' -ex 'set scheduler-locking step'\n",
        recorded.subject.name,
        recorded.entry.seed,
        recorded.on.called(),
        recorded.entry.outcome,
        tape.start().harts().len(),
        recorded.path.display(),
    )
}
