//! `crosstalk watch`: runs in the field beside what testing showed.

use super::common::{CodeArgs, OutArgs};
use super::failure::{Failure, say};
use super::out::{Out, Paint, cut, plural, send};
use crate::bugaboo::Formula;
use crate::code::CodeMap;
use crate::deployed::{Finding, Watch};
use crate::runs::{self, RunFile};
use record::{Damage, Item, Reason, StreamReader, Totals};
use serde::Serialize;
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare runs in the field with the testing graph, and report code points that behave as they never did in
/// testing.
///
/// Each run is compared as it comes; what testing did not show is ranked over all field runs so far.
/// `-` reads a stream from standard input, as a board sends it. Exits with 1 if anything was reported.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk testing-graph tests/ --out testing.run
  crosstalk watch testing.run field/ --elf prog.elf
  crosstalk watch testing.run - < /dev/ttyUSB0")]
pub struct Args {
    /// The testing graph, as written by `crosstalk testing-graph`
    #[arg(value_name = "TESTING_GRAPH")]
    testing: PathBuf,
    /// Runs from the field: files, folders, or - for a stream on standard input
    #[arg(value_name = "RUNS", required = true)]
    runs: Vec<PathBuf>,
    /// Report code points with at least this score: the share of field runs that have the same new
    /// context
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = parse_share)]
    threshold: f64,
    #[command(flatten)]
    code: CodeArgs,
    #[command(flatten)]
    out: OutArgs,
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// One line of `--json`: a run.
#[derive(Serialize)]
struct Line {
    schema: &'static str,
    run: String,
    new_edges: usize,
    damaged: u64,
    suspicious: Vec<Suspicious>,
}

#[derive(Serialize)]
struct Suspicious {
    name: String,
    function: Option<String>,
    score: f64,
    runs: u32,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let testing =
        RunFile { path: args.testing.clone(), name: String::new(), label: None }.load()?;
    let code = args.code.map(&testing.header)?;
    let mut watch = Watch::new(&args.testing.display().to_string(), &testing, Formula::Exception);
    let mut reported = false;
    for path in &args.runs {
        if path.as_os_str() == "-" {
            let watch = &mut watch;
            reported |= Stream::new(watch, &code, args).read(std::io::stdin().lock())?;
            continue;
        }
        for file in runs::find(std::slice::from_ref(path), None)? {
            let run = file.load()?;
            watch.check(&file.path.display().to_string(), &run.header)?;
            let found = watch.observe(&run.edges, &code, args.threshold);
            reported |= !found.suspicious.is_empty();
            report(&file.name, 0, &found, &code, args)?;
        }
    }
    Ok(if reported { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// A stream of runs, as far as it was read.
struct Stream<'a> {
    watch: &'a mut Watch,
    code: &'a CodeMap,
    args: &'a Args,
    /// Runs that are over.
    runs: u64,
    /// Whether another one has begun, and what it had so far.
    open: bool,
    totals: Totals,
    damaged: u64,
    reported: bool,
}

impl<'a> Stream<'a> {
    fn new(watch: &'a mut Watch, code: &'a CodeMap, args: &'a Args) -> Self {
        let totals = Totals::default();
        Self { watch, code, args, runs: 0, open: false, totals, damaged: 0, reported: false }
    }

    /// Reads every run; whether anything was reported.
    fn read(mut self, bytes: impl Read) -> Result<bool, Failure> {
        let bad = |why: &str| Failure::BadInput(format!("standard input: {why}"));
        let mut broken = None;
        for item in StreamReader::new(bytes) {
            match item {
                Item::Header(header) => {
                    if self.open {
                        self.finish()?;
                    }
                    self.watch.check(&self.name(), &header)?;
                    self.open = true;
                }
                Item::Records(records) => {
                    self.open = true;
                    records.iter().for_each(|total| self.totals.add(total));
                }
                Item::Lost(..) => {}
                Item::End { .. } => self.finish()?,
                Item::Damage(Damage { reason: reason @ Reason::Io(_), .. }) => {
                    broken = Some(reason.to_string());
                }
                Item::Damage(Damage { offset, bytes, reason }) => {
                    say(format_args!(
                        "warning: skipped {bytes} bytes at offset {offset}: {reason}\n"
                    ));
                    self.damaged += bytes;
                }
            }
        }
        if self.open {
            self.finish()?;
        }
        match broken {
            Some(why) => Err(bad(&why)),
            None if self.runs == 0 => Err(bad("expected at least one run")),
            None => Ok(self.reported),
        }
    }

    /// The run that is read now.
    fn name(&self) -> String {
        format!("stream, run {}", self.runs + 1)
    }

    /// It is over.
    fn finish(&mut self) -> Result<(), Failure> {
        let edges = std::mem::take(&mut self.totals).into_sorted();
        let found = self.watch.observe(&edges, self.code, self.args.threshold);
        self.reported |= !found.suspicious.is_empty();
        let damaged = std::mem::take(&mut self.damaged);
        report(&self.name(), damaged, &found, self.code, self.args)?;
        self.runs += 1;
        self.open = false;
        Ok(())
    }
}

fn report(
    name: &str,
    damaged: u64,
    found: &Finding,
    code: &CodeMap,
    args: &Args,
) -> Result<(), Failure> {
    let point = |point| code.describe(point, &watch_pcs(found, point));
    if args.out.json {
        let suspicious = found.suspicious.iter().map(|row| {
            let described = point(row.point);
            Suspicious {
                name: described.name,
                function: described.function,
                score: row.score,
                runs: row.contexts.first().map_or(0, |context| context.runs),
            }
        });
        let line = Line {
            schema: "crosstalk.watch/1",
            run: name.to_owned(),
            new_edges: found.new_edges,
            damaged,
            suspicious: suspicious.collect(),
        };
        let line = serde_json::to_string(&line).unwrap_or_default();
        return send(format!("{line}\n").as_bytes());
    }
    let mut out = Out::new(args.out.color);
    let title =
        format!("{name}: {} that testing never showed", plural(found.new_edges as u64, "edge"));
    out.painted(if found.suspicious.is_empty() { Paint::Plain } else { Paint::Bold }, &title);
    for row in &found.suspicious {
        let described = point(row.point);
        let function = described.function.clone().unwrap_or_default();
        let text = format!("{} {function}", described.name);
        let line = format!(
            "  {}  {}",
            out.paint(Paint::Yellow, &format!("{:.2}", row.score)),
            cut(&text, 88)
        );
        out.line(&line);
    }
    out.print()
}

/// The instructions of a code point among the new edges.
fn watch_pcs(found: &Finding, point: crate::code::PointKey) -> Vec<record::Pc> {
    found.instructions.get(&point).cloned().unwrap_or_default()
}
