//! Recon: short fragments of failing runs, rebuilt around one edge and ranked.
//!
//! From all edges of failing runs, those with the highest [`Features::b`] are candidates (§5.3: 2000).
//! Around each, every failing run gives a reconstruction: what came before the source, between source
//! and sink, after the sink (§3.2). Put together they say how sure each of it is (§3.3), and three
//! features say how likely it shows the bug (§4.1).

mod aggregate;
mod counts;
mod features;
mod fragments;
mod relief;

pub use features::{Features, buggy_frequency_ratio, consistency, context_variation_ratio};
pub use relief::{Sample, relief_f};

use crate::Error;
use crate::bugaboo::{self, Formula, PairCount, PlaceCount};
use crate::census::{self, Census, EdgeId, NodeId};
use crate::code::PointKey;
use crate::evidence::{Evidence, Strength};
use aggregate::Aggregated;
use counts::Quota;
use fragments::{Around, Fragments, Pairs};
use record::{Hart, Label, Time};

/// The numbers of Recon §5.3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How features become a score.
    pub formula: Formula,
    /// How many edges are candidates.
    pub candidates: usize,
    /// How many nodes a prefix or suffix has in one run; `None`: as many as a context has events.
    pub window: Option<usize>,
    /// How many nodes of a body are looked at in one run: the half of them nearest to the source and
    /// the half nearest to the sink.
    pub body: usize,
    /// Nodes below this share of their region's highest confidence are left out.
    pub cut: f64,
    /// How many counts of nodes around candidates are held at a time, by all threads together. More are
    /// counted in several passes over the failing runs.
    pub counts: usize,
}

impl Default for Options {
    fn default() -> Self {
        let formula = Formula::default();
        Self { formula, candidates: 2000, window: None, body: 1000, cut: 0.5, counts: 1 << 22 }
    }
}

/// Which part of a reconstruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// Before the source.
    Prefix,
    /// The source of the edge.
    Source,
    /// Between source and sink.
    Body,
    /// The sink of the edge.
    Sink,
    /// After the sink.
    Suffix,
}

impl Part {
    /// The parts that hold nodes of other edges.
    pub const REGIONS: [Self; 3] = [Self::Prefix, Self::Body, Self::Suffix];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prefix => "prefix",
            Self::Source => "source",
            Self::Body => "body",
            Self::Sink => "sink",
            Self::Suffix => "suffix",
        }
    }
}

/// Something in a region, and in which share of the runs it is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member<T> {
    /// The node or code point.
    pub what: T,
    /// In which share of all failing runs, from 0 to 1, those without the edge included.
    pub confidence: f64,
}

/// A region of an aggregate reconstruction. Its members are in no order: times of different runs cannot
/// be compared (§3.3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// Instructions in their contexts, the surest first.
    pub nodes: Vec<Member<NodeId>>,
    /// Code points, whatever their contexts, the surest first.
    pub points: Vec<Member<PointKey>>,
}

/// An access in an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The number of its transaction.
    pub time: Time,
    /// The hart that made it.
    pub hart: Hart,
    /// The instruction in its context.
    pub node: NodeId,
    /// The part of the reconstruction that it belongs to.
    pub part: Part,
}

/// The fragment of one failing run, in time order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// The run's place in [`Census::runs`].
    pub run: usize,
    /// What happened.
    pub events: Vec<Event>,
}

/// What failing runs have in common around an edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Reconstruction {
    /// The edge it is built around.
    pub edge: EdgeId,
    /// How likely it shows the bug, in three numbers.
    pub features: Features,
    /// The same in one number: see [`Features::score`].
    pub score: f64,
    /// How surely it is not chance that failing runs have the edge; none unless there are passing runs too.
    pub strength: Option<Strength>,
    /// The two code points communicate in passing runs too, only not in these contexts: then it is not who but
    /// when that is wrong.
    pub out_of_turn: bool,
    /// How many failing runs it is made from.
    pub runs: u32,
    /// Before the source.
    pub prefix: Region,
    /// Between source and sink.
    pub body: Region,
    /// After the sink.
    pub suffix: Region,
    /// The first failing run, by seed, that has the edge.
    pub example: Example,
}

impl Reconstruction {
    /// A region.
    pub fn region(&self, part: Part) -> Option<&Region> {
        match part {
            Part::Prefix => Some(&self.prefix),
            Part::Body => Some(&self.body),
            Part::Suffix => Some(&self.suffix),
            Part::Source | Part::Sink => None,
        }
    }
}

/// What the failing runs say on a second look.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Reconstructions, the likeliest first.
    pub reconstructions: Vec<Reconstruction>,
    /// Bugaboo's bug-only graphs, counted: code points in contexts, over failing runs.
    pub bug_only: Vec<PlaceCount>,
    /// The same without contexts: pairs of code points.
    pub pairs: Vec<PairCount>,
    /// How many edges were considered before the preselection.
    pub considered: usize,
}

/// Reads the failing runs again. `hidden` says which nodes are of no interest.
pub fn find(
    census: &Census,
    how: census::Options,
    options: Options,
    hidden: &(dyn Fn(NodeId) -> bool + Sync),
    progress: &(dyn Fn() + Sync),
) -> Result<Findings, Error> {
    let hidden: Vec<bool> = (0..census.nodes.len() as u32).map(hidden).collect();
    let (candidates, considered) = features::candidates(census, options.candidates, &hidden);
    let events = census.runs.first().map_or(0, |run| run.about.header.events);
    let window = options.window.unwrap_or(if events == 0 { 5 } else { events.into() });
    let pairs = Pairs::of(census);
    let around = Around { hidden: &hidden, pairs: &pairs, window, body: options.body };
    let failing = |run: &census::RunSummary| run.about.label == Label::Failing;
    let counts = (options.counts / rayon::current_num_threads()).max(1);
    let look = |candidates: &[EdgeId], most: usize, progress: &(dyn Fn() + Sync)| {
        let quota = Quota::new(most.min(candidates.len()), counts);
        let make = || Fragments::new(census, candidates, &quota, around);
        let fragments = census::revisit(census, how, failing, make, progress)?;
        Ok::<_, Error>(aggregate::aggregate(census, fragments, options.cut))
    };
    let Aggregated { mut reconstructions, places, pairs } =
        look(&candidates, candidates.len(), progress)?;
    // What one pass had no room for; the next ones begin with as many as fitted into the last.
    let mut fitted = reconstructions.len();
    while let rest @ [_, ..] = &candidates[reconstructions.len()..] {
        let more = look(rest, fitted, &|| {})?.reconstructions;
        fitted = more.len();
        reconstructions.extend(more);
    }
    let ranking = bugaboo::labeled(census, &places, &pairs, Formula::Exception);
    features::complete(census, &ranking, &mut reconstructions);
    let mut evidence = Evidence::new(census.labels);
    for found in &mut reconstructions {
        found.score = found.features.score(options.formula);
        found.strength = evidence.strength(census.edges[found.edge as usize].runs, considered);
    }
    // Where no end is suspicious, the other features still tell.
    let rest = |found: &Reconstruction| match options.formula {
        Formula::Printed => found.score,
        Formula::Exception => found.features.unsuspecting(),
    };
    reconstructions.sort_by(|a, b| {
        let order = b.score.total_cmp(&a.score).then_with(|| rest(b).total_cmp(&rest(a)));
        order.then_with(|| a.edge.cmp(&b.edge))
    });
    Ok(Findings { reconstructions, bug_only: places, pairs, considered })
}
