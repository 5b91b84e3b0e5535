//! Arguments and steps that several commands share.

use super::failure::Failure;
use super::out::{Color, Out, Paint, grouped, plural};
use super::progress::Progress;
use crate::analysis::{Analysis, Request};
use crate::bugaboo::{Formula, Mode};
use crate::code::{CodeMap, CodeOptions};
use crate::graph::{ContextView, Graph, Node};
use crate::recon;
use crate::runs::{self, Family, RunFile};
use crate::view::RunsView;
use clap::ValueEnum;
use kit::argument::{number, within};
use record::{Header, Label, Limits};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

/// The runs that a command reads.
#[derive(clap::Args)]
pub struct RunArgs {
    /// Run files, or folders with run files and exported runs below them
    #[arg(value_name = "RUNS")]
    runs: Vec<PathBuf>,
    /// More runs, counted as failing whatever their files say: all names up to the next option
    #[arg(long, value_name = "RUNS", num_args = 1..)]
    failing: Vec<PathBuf>,
    /// More runs, counted as passing whatever their files say: all names up to the next option
    #[arg(long, value_name = "RUNS", num_args = 1..)]
    passing: Vec<PathBuf>,
    /// Use only this many events of each context, 0 to 16 [default: all]
    #[arg(long, value_name = "EVENTS", value_parser = within(0..=16u8))]
    context: Option<u8>,
}

impl RunArgs {
    /// The files, each once: a label given here wins over what a folder brought in.
    pub fn files(&self) -> Result<Vec<RunFile>, Failure> {
        let failing = runs::find(&self.failing, Some(Label::Failing))?;
        let passing = runs::find(&self.passing, Some(Label::Passing))?;
        let named: HashSet<PathBuf> = failing.iter().map(RunFile::identity).collect();
        if let Some(both) = passing.iter().find(|run| named.contains(&run.identity())) {
            let path = both.path.display();
            return Err(Failure::BadInput(format!("{path} is given as both failing and passing")));
        }
        let all = runs::find(&self.runs, None)?.into_iter().chain(failing).chain(passing);
        let files: BTreeMap<PathBuf, RunFile> = all.map(|file| (file.identity(), file)).collect();
        if files.is_empty() {
            return Err(Failure::BadInput("no runs were given: name run files or folders".into()));
        }
        Ok(files.into_values().collect())
    }

    /// How much of the contexts counts.
    pub fn view(&self) -> ContextView {
        match self.context {
            None => ContextView::Full,
            Some(0) => ContextView::None,
            Some(events) => ContextView::Events(events),
        }
    }
}

/// The program that ran, and its sources.
#[derive(clap::Args)]
pub struct CodeArgs {
    /// The program that ran; its debug information turns addresses into source lines
    #[arg(long, value_name = "FILE")]
    elf: Option<PathBuf>,
    /// A folder with the program's sources; repeatable
    #[arg(long, value_name = "DIR")]
    source: Vec<PathBuf>,
    /// Treat sources whose paths begin with this as a library; repeatable
    #[arg(long, value_name = "PATH")]
    library_path: Vec<String>,
    /// Include code points of the thread library
    #[arg(long)]
    pub library: bool,
}

impl CodeArgs {
    fn options(&self) -> Result<CodeOptions, Failure> {
        if let Some(folder) = self.source.iter().find(|folder| !folder.is_dir()) {
            return Err(Failure::BadInput(format!("{}: not a folder", folder.display())));
        }
        Ok(CodeOptions {
            elf: self.elf.clone(),
            sources: self.source.clone(),
            library: self.library_path.clone(),
            interest: Vec::new(),
        })
    }

    /// The program's code points, for runs like this one.
    pub fn map(&self, header: &Header) -> Result<CodeMap, Failure> {
        let map = CodeMap::load(&self.options()?)?.with_pc_bits(header.pc_bits);
        map.check(&header.elf, self.elf.as_deref())?;
        Ok(map)
    }
}

/// How results are shown.
#[derive(clap::Args)]
pub struct OutArgs {
    /// Print JSON, as described in docs/host.md
    #[arg(long)]
    pub json: bool,
    /// When to use color
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub color: Color,
}

/// How code points are ranked.
#[derive(clap::Args)]
struct RankArgs {
    /// The ranking formula; docs/host.md compares the two
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    formula: FormulaName,
    /// Ignore labels when ranking
    #[arg(long)]
    unlabeled: bool,
    /// Reconstruct this many edges: those with the highest score B
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = within(1..=1_000_000u32))]
    candidates: u32,
    /// Nodes to show before and after an edge [default: as many as a context has events]
    #[arg(long, value_name = "N", value_parser = number::<usize>)]
    window: Option<usize>,
}

/// The name of a formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum FormulaName {
    /// How exceptional a context is for its code point
    #[default]
    Exception,
    /// As printed in Bugaboo §5
    Printed,
}

impl From<FormulaName> for Formula {
    fn from(name: FormulaName) -> Self {
        match name {
            FormulaName::Exception => Self::Exception,
            FormulaName::Printed => Self::Printed,
        }
    }
}

/// Everything that an analysis depends on.
#[derive(clap::Args)]
pub struct AnalysisArgs {
    #[command(flatten)]
    pub runs: RunArgs,
    #[command(flatten)]
    pub code: CodeArgs,
    #[command(flatten)]
    ranking: RankArgs,
}

/// Reads the runs and analyzes them.
pub fn analyze(args: &AnalysisArgs) -> Result<Analysis, Failure> {
    let AnalysisArgs { runs, code, ranking } = args;
    let request = Request {
        files: runs.files()?,
        code: code.options()?,
        view: runs.view(),
        formula: ranking.formula.into(),
        mode: ranking.unlabeled.then_some(Mode::Unlabeled),
        recon: recon::Options {
            candidates: ranking.candidates as usize,
            window: ranking.window,
            ..recon::Options::default()
        },
        library: code.library,
    };
    let progress = Progress::new("runs read");
    Ok(Analysis::of(&request, &|| progress.step())?)
}

/// The union of runs, which must belong to the family; times survive if there is only one. The header is the
/// first run's, with as many runs as all of them are of and with the events that are looked at.
pub fn union(
    files: &[RunFile],
    view: ContextView,
    family: &mut Family,
) -> Result<(Graph, Header), Failure> {
    let progress = Progress::new("runs read");
    let mut all = Graph::default();
    let mut header: Option<Header> = None;
    for file in files {
        let mut graph = Graph::default();
        let about = file.read(|records| records.iter().for_each(|total| graph.add(total, view)))?;
        family.admit(&file.path.display().to_string(), &about.header)?;
        all.unite(&graph);
        match &mut header {
            None => header = Some(about.header),
            Some(header) => join(header, &about.header),
        }
        progress.step();
    }
    let mut header = header.ok_or_else(|| Failure::BadInput("no runs were given".into()))?;
    header.events = view.events_of(header.events);
    // A run that does not know its bits may have more of them than the others.
    let limits = Limits::from(&header);
    if !all.nodes().iter().all(|node| limits.fits_pc(node.pc)) {
        header.pc_bits = 0;
    }
    Ok((all, header))
}

/// What a union's header says once these runs are in it too: where the first does not know, a later one may.
fn join(all: &mut Header, more: &Header) {
    all.runs = all.runs.saturating_add(more.runs);
    if all.elf == [0; 32] {
        all.elf = more.elf;
    }
    all.harts = if all.harts.min(more.harts) == 0 { 0 } else { all.harts.max(more.harts) };
    if all.pc_bits == 0 {
        all.pc_bits = more.pc_bits;
    }
}

/// The name of a node's code point, with the function around it.
pub fn node_name(code: &CodeMap, node: Node) -> String {
    let point = code.describe(code.key(node.pc), &[node.pc]);
    match point.function_beside() {
        Some(function) => format!("{} {function}", point.name),
        None => point.name,
    }
}

/// The name of a node's code point by itself.
pub fn point_name(code: &CodeMap, node: Node) -> String {
    code.describe(code.key(node.pc), &[node.pc]).name
}

/// The line above everything: which runs there were.
pub fn headline(out: &mut Out, runs: &RunsView) {
    let program = if runs.program.is_empty() { "runs" } else { &runs.program };
    let failing = out.paint(Paint::Red, &format!("{} failing", grouped(runs.failing.into())));
    let passing = out.paint(Paint::Green, &format!("{} passing", grouped(runs.passing.into())));
    let mut line = format!(
        "{}: {}, {failing}, {passing}",
        out.paint(Paint::Bold, &super::out::cut(program, 30)),
        plural(runs.total.into(), "run"),
    );
    if runs.unlabeled > 0 {
        line += &format!(", {} unlabeled", grouped(runs.unlabeled.into()));
    }
    line += &format!("; {}", plural(runs.distinct_edges as u64, "distinct edge"));
    if runs.lost_edges > 0 {
        let lost = format!("{} lost", grouped(runs.lost_edges));
        line += &format!(", {}", out.paint(Paint::Yellow, &lost));
    }
    out.line(&line);
}
