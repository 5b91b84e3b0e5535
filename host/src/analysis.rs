//! Everything at once: runs in, ranking and reconstructions out.
//!
//! This is what commands and reports start from. [`Analysis::of`] reads all runs once and the failing
//! ones twice; the result names code points by [`PointKey`] and nodes by number, and
//! [`Analysis::describe`] says what they are. [`crate::view`] has the same as plain data with names.

use crate::bugaboo::{self, Formula, Mode, RankedPoint};
use crate::census::{self, Census, NodeId};
use crate::code::{CodeMap, CodeOptions, CodePoint, PointKey};
use crate::graph::ContextView;
use crate::recon::{self, Findings};
use crate::runs::RunFile;
use crate::verdict::{Finding, Spot};
use crate::{Error, code};
use ::evidence::account::Account;
use hashbrown::HashMap;
use record::Pc;

/// What to analyze, and how.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The runs.
    pub files: Vec<RunFile>,
    /// Where code points come from.
    pub code: CodeOptions,
    /// How much of the contexts counts.
    pub view: ContextView,
    /// How code points are ranked.
    pub formula: Formula,
    /// Which runs the ranking counts; `None`: labeled if there are both labels.
    pub mode: Option<Mode>,
    /// The numbers of Recon.
    pub recon: recon::Options,
    /// Show code points of the thread library too.
    pub library: bool,
}

/// What a set of runs shows.
pub struct Analysis {
    /// All runs, counted.
    pub census: Census,
    /// Reconstructions, and the bug-only graphs; empty without failing runs.
    pub findings: Findings,
    /// Which runs the ranking counts.
    pub mode: Mode,
    /// How code points are ranked.
    pub formula: Formula,
    /// Code points, the one to inspect first first.
    pub ranking: Vec<RankedPoint>,
    /// What was found by trying out orders of accesses, the commonest failure first.
    pub accounts: Vec<Account>,
    /// What stands in place of what the first rows show.
    overruled: Option<Finding>,
    code: CodeMap,
    /// The instructions of each code point.
    instructions: HashMap<PointKey, Vec<Pc>>,
}

impl Analysis {
    /// Reads the runs and analyzes them. `progress` is called with each run that was read, once in the
    /// first pass and, if it fails, once in the second.
    pub fn of(request: &Request, progress: &(dyn Fn() + Sync)) -> Result<Self, Error> {
        let code = code_map(request)?;
        let how = census::Options { view: request.view, without_memory: false };
        let census = census::take(&request.files, &code, how, progress)?;
        let known = census.runs.iter().map(|run| &run.about.header.elf);
        if let Some(elf) = known.clone().find(|elf| **elf != [0; 32]) {
            code.check(elf, request.code.elf.as_deref())?;
        }
        let hidden = |node: NodeId| {
            let pc = census.nodes[node as usize].node.pc;
            !request.library && code.is_library_point(census.point(node), pc)
        };
        let mode = request.mode.unwrap_or(match census.labels {
            labels if labels.failing > 0 && labels.passing > 0 => Mode::Labeled,
            _ => Mode::Unlabeled,
        });
        let options = recon::Options { formula: request.formula, ..request.recon };
        let findings = match (mode, options.candidates) {
            // Without candidates the second pass has nothing to do.
            (Mode::Unlabeled, 0) => Findings::default(),
            _ => recon::find(&census, how, options, &hidden, progress)?,
        };
        let mut ranking = match mode {
            Mode::Unlabeled => bugaboo::unlabeled(&census, request.formula),
            Mode::Labeled | Mode::Deployed => {
                if census.labels.failing == 0 {
                    let why = "the labeled ranking needs failing runs, and no run failed";
                    return Err(Error::Labels(why.into()));
                }
                bugaboo::labeled(&census, &findings.bug_only, &findings.pairs, request.formula)
            }
        };
        let pcs = census.instructions();
        let instructions: HashMap<PointKey, Vec<Pc>> =
            census.points.iter().copied().zip(pcs).collect();
        if !request.library {
            let first = |point: &PointKey| instructions[point].first().copied().unwrap_or_default();
            ranking.retain(|row| !code.is_library_point(row.point, first(&row.point)));
        }
        let formula = request.formula;
        let (accounts, overruled) = Default::default();
        Ok(Self {
            census,
            findings,
            mode,
            formula,
            ranking,
            accounts,
            overruled,
            code,
            instructions,
        })
    }

    /// Puts another finding in the place of what the rankings show. No reconstruction is left: each would name a cause.
    pub fn overrule(&mut self, finding: Finding) {
        self.findings.reconstructions.clear();
        self.overruled = Some(finding);
    }

    /// What stands in place of what the first rows show, if anything does.
    pub fn overruled(&self) -> Option<&Finding> {
        self.overruled.as_ref()
    }

    /// The line of an instruction.
    pub fn spot_at(&self, pc: u64) -> Spot {
        let point = self.code.describe(self.code.key(Pc(pc)), &[Pc(pc)]);
        let function = point.function_beside().map(str::to_owned);
        Spot { name: point.name, function }
    }

    /// All that is known of a code point.
    pub fn describe(&self, point: PointKey) -> CodePoint {
        let pcs = self.instructions.get(&point).map_or(&[][..], Vec::as_slice);
        self.code.describe(point, pcs)
    }

    /// How many code points a person inspects, in the order of the ranking, until one is of the bug:
    /// the measure of Bugaboo's Table 2. `None`: none of them is.
    pub fn inspections(&self, bug: &[String]) -> Option<usize> {
        let is_bug = |row: &RankedPoint| self.is_any(row.point, bug);
        self.ranking.iter().position(is_bug).map(|place| place + 1)
    }

    /// The rank of the first reconstruction whose edge touches the bug: the measure of Recon's Table 3.
    pub fn reconstruction_rank(&self, bug: &[String]) -> Option<usize> {
        let shows = |found: &recon::Reconstruction| self.shows(found, bug);
        self.findings.reconstructions.iter().position(shows).map(|place| place + 1)
    }

    /// ReliefF of B, C and R, when it is known which reconstructions show the bug.
    pub fn relief(&self, bug: &[String]) -> Option<[f64; 3]> {
        let sample = |found: &recon::Reconstruction| recon::Sample {
            features: [found.features.b, found.features.c, found.features.r],
            buggy: self.shows(found, bug),
        };
        let samples: Vec<_> = self.findings.reconstructions.iter().map(sample).collect();
        recon::relief_f(&samples, 10)
    }

    fn shows(&self, found: &recon::Reconstruction, bug: &[String]) -> bool {
        let edge = &self.census.edges[found.edge as usize];
        [edge.source, edge.sink].into_iter().any(|node| self.is_any(self.census.point(node), bug))
    }

    fn is_any(&self, point: PointKey, wanted: &[String]) -> bool {
        let point = self.describe(point);
        wanted.iter().any(|wanted| code::is_meant(&point, wanted))
    }
}

/// The code map of a request. What the monitor kept of pcs stands in the runs.
fn code_map(request: &Request) -> Result<CodeMap, Error> {
    let map = CodeMap::load(&request.code)?;
    match (&request.code.elf, request.files.first()) {
        (Some(_), Some(first)) => Ok(map.with_pc_bits(first.header()?.pc_bits)),
        _ => Ok(map),
    }
}
