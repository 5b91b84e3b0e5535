//! `crosstalk avoid`: how often a program fails when ephemeral transactions guard its colored data.

use super::cc;
use super::common::OutArgs;
use super::failure::{Failure, say};
use super::machine::MachineArgs;
use super::out::{Out, Paint, plural, print_json};
use super::program::{CompileArgs, check_linked, is_linked};
use super::progress::Progress;
use crate::avoid::{Arm, Hazards, Measure};
use crate::hunt::{Collect, FailIf, Golden, Setup, Subject};
use border::color::{Commit, LEAST_LENGTH};
use config::Config;
use firmware::Build;
use kit::argument::{positive, within};
use kit::file::write_atomic;
use serde::Serialize;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Schedules that learn, unless a file has the colors.
const LEARNED: u64 = 100;
/// History items of a machine whose configuration has none: as many as the paper's.
const ITEMS: u32 = 30;

/// Run a program with and without ColorSafe's transactions, and say how many failures they avoid.
///
/// Data with a color (crosstalk/color.h, or --color-malloc) is watched: colors whose accesses could interleave badly
/// become hazardous, and an access to one begins a short transaction. Some schedules learn the colors; then fresh ones are
/// run without, and with these colors from the start. All on the golden machine: no other has colors yet.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk avoid prog.c                         a program that gives colors to its data
  crosstalk avoid prog.c --color-malloc          one that does not: each block of malloc has its color
  crosstalk avoid prog.c --hazards colors.json   keep what was learned
  crosstalk avoid prog.c --from colors.json      start with it, as a deployed program does

Exit codes: 0 fewer schedules fail with transactions, or none without; 1 as many or more; 2 wrong use or bad input.")]
pub struct Args {
    /// The program: C and assembly files, or an ELF file
    #[arg(value_name = "PROGRAM", required = true)]
    files: Vec<PathBuf>,
    /// The program's arguments
    #[arg(value_name = "ARGUMENTS", last = true)]
    arguments: Vec<OsString>,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    compile: CompileArgs,
    /// Number of fresh schedules to run without transactions, and as many with them
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = positive::<u64>)]
    schedules: u64,
    /// Length of a transaction, in instructions [default: 3000]
    #[arg(long, value_name = "N", value_parser = within(LEAST_LENGTH..=65535))]
    length: Option<u32>,
    /// Learn nothing, and start with the hazardous colors of this file
    #[arg(long, value_name = "FILE", conflicts_with = "hazards")]
    from: Option<PathBuf>,
    /// Write the hazardous colors that were learned to this file
    #[arg(long, value_name = "FILE")]
    hazards: Option<PathBuf>,
    /// Stop a run after this many instructions; it counts as failing
    #[arg(long, value_name = "N", default_value_t = Setup::MAX_CYCLES, value_parser = positive::<u64>)]
    max_cycles: u64,
    /// What counts as failing: any end other than exit code 0, or output that matches
    #[arg(long, value_name = "exit|output=REGEX", default_value = "exit")]
    fail_if: FailIf,
    #[command(flatten)]
    out: OutArgs,
}

/// An answer.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    program: String,
    on: &'static str,
    /// Schedules from which colors were learned, and those that failed.
    learned: Option<[u64; 2]>,
    hazards: Vec<u32>,
    without: Arm,
    with: Arm,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let config = args.config()?;
    let subject = args.subject()?;
    let mut setup = Setup::new(config);
    setup.arguments = args.arguments.clone();
    setup.max_cycles = args.max_cycles;
    // Interrupts of the tables would end transactions.
    setup.collect = Collect::Tap;
    let bits = setup.config.color.bits;
    let golden = Golden::new(subject.load(&setup)?)?;
    if !golden.gives_colors() {
        let what = "gives no color to its data: use crosstalk/color.h, or --color-malloc";
        return Err(Failure::BadInput(format!("`{}` {what}", subject.name)));
    }
    let given = args.from.as_ref().map(|path| read(path, bits)).transpose()?;
    let progress = Progress::new("schedules");
    let measure = Measure {
        golden: &golden,
        rule: &args.fail_if,
        schedules: args.schedules,
        length: args.length.unwrap_or(0),
        progress: &|| progress.step(),
    };
    let (learned, hazards) = match given {
        Some(given) => (None, given.colors),
        None => {
            let arm = measure.learn(LEARNED)?;
            (Some([arm.runs, arm.failed]), arm.hazards)
        }
    };
    let without = measure.without(LEARNED)?;
    let with = measure.with(LEARNED, &hazards)?;
    drop(progress);
    if let Some(path) = &args.hazards {
        let file = Hazards::new(&subject.name, hazards.clone());
        let text = serde_json::to_string(&file).unwrap_or_default() + "\n";
        write_atomic(path, text.as_bytes()).map_err(Failure::bad_input)?;
    }
    let document = Document {
        schema: "crosstalk.avoid/1",
        program: subject.name,
        on: "golden",
        learned,
        hazards: hazards.into_iter().collect(),
        without,
        with,
    };
    if args.out.json {
        print_json(&document)?;
    } else {
        let mut out = Out::new(args.out.color);
        document.write(&mut out);
        out.print()?;
    }
    let Document { without, with, .. } = &document;
    let is_fine = with.failed < without.failed || without.failed == 0 && with.failed == 0;
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read(path: &PathBuf, bits: u32) -> Result<Hazards, Failure> {
    let wrong = |what: String| Failure::BadInput(format!("{}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    Hazards::parse(&text, bits).map_err(wrong)
}

impl Args {
    /// The machine, with a history.
    fn config(&self) -> Result<Config, Failure> {
        let mut config = self.machine.config().map_err(Failure::BadInput)?;
        if config.color.items == 0 {
            config.color.items = ITEMS;
        }
        config.check().map_err(Failure::bad_input)?;
        Ok(config)
    }

    fn subject(&self) -> Result<Subject, Failure> {
        let flags = self.compile.flags();
        if is_linked(&self.files).map_err(Failure::bad_input)? {
            check_linked(&flags).map_err(Failure::BadInput)?;
            return Ok(Subject::linked(&self.files[0])?);
        }
        cc::runtime()?;
        let stem = self.files[0].file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let build = Build { files: self.files.clone(), flags };
        let (subject, warnings) = Subject::compile(&stem, &build)?;
        if !warnings.is_empty() {
            say(format_args!("{warnings}\n"));
        }
        Ok(subject)
    }
}

impl Document {
    fn write(&self, out: &mut Out) {
        let Self { program, without, with, .. } = self;
        let verdict = match (without.failed, with.failed) {
            (0, 0) => "no schedule fails, with transactions or without".to_owned(),
            (some, fewer) if fewer < some => {
                let avoided = 100.0 * (1.0 - fewer as f64 / some as f64);
                format!("transactions avoid {avoided:.1} % of the failures")
            }
            _ => "transactions avoid no failures".to_owned(),
        };
        out.painted(Paint::Bold, &format!("{program}: {verdict}, on the golden machine"));
        out.line("");
        let failed = |arm: &Arm| format!("fails in {} of {} fresh schedules", arm.failed, arm.runs);
        out.line(&format!("  without        {}", failed(without)));
        out.line(&format!("  with           {}", failed(with)));
        let colors = plural(self.hazards.len() as u64, "hazardous color");
        out.line(&match self.learned {
            Some([runs, _]) => format!("  learned        {colors} from {runs} other schedules"),
            None => format!("  given          {colors}"),
        });
        let all = &with.transactions;
        out.line(&format!(
            "  transactions   {:.1} a schedule, {} of 100 aborted; harts gave up {}",
            all.starts as f64 / with.runs as f64,
            (100 * all.aborts).checked_div(all.starts).unwrap_or(0),
            plural(all.give_ups, "time"),
        ));
        let committed: u64 = all.commits.iter().sum();
        let causes = Commit::ALL.into_iter().zip(all.commits).filter(|(_, count)| *count > 0);
        let causes = causes.map(|(cause, count)| {
            format!("{} {}", cause.name().replace('_', " "), 100 * count / committed)
        });
        let causes: Vec<String> = causes.collect();
        if !causes.is_empty() {
            out.line(&format!("  committed      of 100: {}", causes.join(", ")));
        }
        let cost = 100.0 * (with.instructions as f64 / without.instructions as f64 - 1.0);
        out.line(&format!("  cost           {cost:+.1} % instructions, void ones included"));
    }
}
