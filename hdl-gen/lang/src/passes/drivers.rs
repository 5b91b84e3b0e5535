//! NO DRIVER: wires, outputs and inputs of instances that some path leaves without a value, and
//! registers that nothing ever sets.
//!
//! One walk through the statements keeps, for each driven node, the bits that every path so far
//! has driven. After a choice these are the bits that all its branches drive.

use crate::diag::{Code, Diagnostic, Loc};
use crate::ir::{Design, Module, NodeId, Op, Stmt};

use super::cover::{Cover, Places, Scopes};
use super::fork::Fork;
use super::words;

/// So many paths without a value are shown at most.
const SITES: usize = 4;

/// Reports every driven node that is not driven in every bit on every path.
pub(crate) fn check(
    design: &Design,
    module: &Module,
    places: &Places,
    findings: &mut Vec<Diagnostic>,
) {
    let count = places.nodes.len();
    let mut walk = Walk {
        module,
        places,
        driven: Scopes::new(count),
        ever: vec![Cover::Empty; count],
        slot: vec![u32::MAX; count],
        losses: Vec::new(),
    };
    walk.block(&module.body);
    walk.losses.sort_by_key(|loss| loss.place);
    for (place, &id) in places.nodes.iter().enumerate() {
        let (node, ever) = (module.node(id), &walk.ever[place]);
        let driven = if node.op.is_state() { ever } else { walk.driven.get(place) };
        if *driven != Cover::All {
            let losses = &walk.losses[walk.losses.partition_point(|loss| loss.place < place)..];
            let end = losses.partition_point(|loss| loss.place == place);
            let missing = driven.complement(node.width);
            // Bits that nothing drives and bits that something drives are two mistakes.
            let (mut never, mut sometimes) = (ever.complement(node.width), ever.clone());
            never.intersect(&missing);
            sometimes.intersect(&missing);
            for (bits, losses) in [(never, &[][..]), (sometimes, &losses[..end])] {
                if bits != Cover::Empty {
                    findings.push(finding(design, module, id, &bits, losses));
                }
            }
        }
    }
}

/// Bits that some branch of a choice drives and another does not.
struct Loss {
    place: usize,
    bits: Cover,
    sites: Vec<(Loc, &'static str)>,
}

struct Walk<'a> {
    module: &'a Module,
    places: &'a Places,
    /// Bits driven on every path so far.
    driven: Scopes,
    /// Bits driven anywhere.
    ever: Vec<Cover>,
    /// For merging branches: where a place is in the list of those touched.
    slot: Vec<u32>,
    losses: Vec<Loss>,
}

/// What the branches of a choice do to one node.
struct Touched {
    place: usize,
    branches: usize,
    /// Bits that all those branches drive.
    all: Cover,
    /// Bits that at least one drives.
    any: Cover,
}

impl Walk<'_> {
    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            if let Stmt::Assign { target, lo, value, .. } = stmt {
                self.assign(*target, *lo, *lo + self.module.node(*value).width);
            } else if let Some(fork) = Fork::of(stmt) {
                self.fork(&fork);
            }
        }
    }

    fn assign(&mut self, target: NodeId, lo: u32, hi: u32) {
        let place = self.places.of_node(target);
        let node = self.module.node(target);
        if self.ever[place] != Cover::All {
            self.ever[place].insert(lo, hi, node.width);
        }
        if !node.op.is_state() && !self.driven.get(place).contains(lo, hi) {
            self.driven.change(place).insert(lo, hi, node.width);
        }
    }

    fn fork(&mut self, fork: &Fork) {
        let mut results = Vec::with_capacity(fork.branches.len());
        for branch in &fork.branches {
            self.driven.enter();
            self.block(branch.body);
            results.push(self.driven.leave());
        }
        for mut touched in self.merge(&results) {
            let place = touched.place;
            let everywhere = fork.complete && touched.branches == results.len();
            let after = if everywhere { touched.all } else { self.driven.get(place).clone() };
            if touched.any != after {
                let width = self.module.node(self.places.nodes[place]).width;
                touched.any.intersect(&after.complement(width));
                let sites = if self.losses.len() < 64 {
                    gaps(fork, &results, place, &touched.any, width)
                } else {
                    Vec::new()
                };
                self.losses.push(Loss { place, bits: touched.any, sites });
            }
            if after != *self.driven.get(place) {
                *self.driven.change(place) = after;
            }
        }
    }

    /// Puts together what the branches did, node by node.
    fn merge(&mut self, results: &[Vec<(usize, Cover)>]) -> Vec<Touched> {
        let mut touched: Vec<Touched> = Vec::new();
        for (place, cover) in results.iter().flatten() {
            let slot = self.slot[*place];
            if slot == u32::MAX {
                self.slot[*place] = touched.len() as u32;
                let (all, any) = (cover.clone(), cover.clone());
                touched.push(Touched { place: *place, branches: 1, all, any });
            } else {
                let width = self.module.node(self.places.nodes[*place]).width;
                let entry = &mut touched[slot as usize];
                entry.branches += 1;
                entry.all.intersect(cover);
                entry.any.unite(cover, width);
            }
        }
        for entry in &touched {
            self.slot[entry.place] = u32::MAX;
        }
        touched
    }
}

/// The branches that do not drive all of `bits`.
fn gaps(
    fork: &Fork,
    results: &[Vec<(usize, Cover)>],
    place: usize,
    bits: &Cover,
    width: u32,
) -> Vec<(Loc, &'static str)> {
    let lacking = fork.branches.iter().zip(results).filter(|(_, result)| {
        let cover = result.iter().find(|(at, _)| *at == place).map(|(_, cover)| cover);
        let mut left = cover.map_or(Cover::All, |cover| cover.complement(width));
        left.intersect(bits);
        left != Cover::Empty
    });
    let mut sites: Vec<(Loc, &'static str)> =
        lacking.map(|(branch, _)| (branch.loc, branch.when)).take(SITES).collect();
    if !fork.complete {
        sites.push(fork.gap);
    }
    sites
}

/// The finding for bits that nothing drives or, with `losses`, that not every path drives.
fn finding(
    design: &Design,
    module: &Module,
    id: NodeId,
    missing: &Cover,
    losses: &[Loss],
) -> Diagnostic {
    let node = module.node(id);
    let name = words::node(design, module, id);
    let what = words::bits_are(name, &missing.ranges(node.width), node.width);
    let mut sites = Vec::new();
    for loss in losses {
        let mut bits = loss.bits.clone();
        bits.intersect(missing);
        if bits != Cover::Empty {
            sites.extend(&loss.sites);
        }
    }
    sites.truncate(SITES);
    let (message, help) = if node.op.is_state() {
        (
            format!("{what} never set, so it never changes"),
            "set it where it should change, or use a constant in its place",
        )
    } else if losses.is_empty() {
        (format!("{what} never driven"), "drive every bit with `set`")
    } else {
        (
            format!("{what} not driven on every path"),
            "set a default before the `when` or `switch`, or set it in every branch",
        )
    };
    let made = if matches!(node.op, Op::InstIn(..)) { "the instance" } else { "made here" };
    let diagnostic = Diagnostic::new(Code::NoDriver, message, help).at(node.loc, made);
    sites.into_iter().fold(diagnostic, |diagnostic, (loc, when)| {
        diagnostic.at(loc, format!("not driven {when}"))
    })
}
