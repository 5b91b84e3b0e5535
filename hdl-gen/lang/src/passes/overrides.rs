//! MULTIPLE DRIVERS: statements that a later one always overrides, so that they never apply.
//!
//! One walk through the statements from last to first keeps, for each driven node, the bits that
//! something further down in the same or an enclosing block sets in any case. What a whole choice
//! overrides is left alone: a default before a `when` with an `otherwise` is good style.

use crate::diag::{Code, Diagnostic, Loc};
use crate::ir::{Design, Module, NodeId, Stmt};

use super::cover::{Places, Scopes};
use super::fork::Fork;
use super::words;

/// Reports every assignment that can never take effect.
pub(crate) fn check(
    design: &Design,
    module: &Module,
    places: &Places,
    findings: &mut Vec<Diagnostic>,
) {
    let mut walk = Walk {
        module,
        places,
        later: Scopes::new(places.nodes.len()),
        last: vec![NONE; places.nodes.len()],
        setters: Vec::new(),
        trail: Vec::new(),
        dead: Vec::new(),
    };
    walk.block(&module.body);
    // Found from the back; told from the front.
    findings.extend(walk.dead.iter().rev().map(|dead| dead.finding(design, module)));
}

const NONE: u32 = u32::MAX;

/// A statement that overrides earlier ones.
struct Setter {
    lo: u32,
    hi: u32,
    loc: Loc,
    /// The next one down for the same node.
    below: u32,
}

struct Dead {
    target: NodeId,
    lo: u32,
    hi: u32,
    loc: Loc,
    by: Vec<Loc>,
}

struct Walk<'a> {
    module: &'a Module,
    places: &'a Places,
    /// Bits set further down in any case.
    later: Scopes,
    /// For each node the nearest setter in `setters`.
    last: Vec<u32>,
    /// Those of the block and the ones around it.
    setters: Vec<Setter>,
    /// Changes of `last`, to be undone at the end of a block.
    trail: Vec<(u32, u32)>,
    dead: Vec<Dead>,
}

impl Walk<'_> {
    fn block(&mut self, block: &[Stmt]) {
        for stmt in block.iter().rev() {
            if let Stmt::Assign { target, lo, value, loc } = stmt {
                let value = self.module.node(*value);
                if !value.op.is_poison() {
                    self.assign(*target, *lo, *lo + value.width, *loc);
                }
            } else if let Some(fork) = Fork::of(stmt) {
                for branch in fork.branches.iter().rev() {
                    let (mark, setters) = (self.trail.len(), self.setters.len());
                    self.later.enter();
                    self.block(branch.body);
                    self.later.leave();
                    for (place, before) in self.trail.drain(mark..).rev() {
                        self.last[place as usize] = before;
                    }
                    self.setters.truncate(setters);
                }
            }
        }
    }

    fn assign(&mut self, target: NodeId, lo: u32, hi: u32, loc: Loc) {
        let place = self.places.of_node(target);
        if self.later.get(place).contains(lo, hi) {
            let by = self.overriding(place, lo, hi);
            self.dead.push(Dead { target, lo, hi, loc, by });
            return;
        }
        self.later.change(place).insert(lo, hi, self.module.node(target).width);
        self.trail.push((place as u32, self.last[place]));
        self.setters.push(Setter { lo, hi, loc, below: self.last[place] });
        self.last[place] = self.setters.len() as u32 - 1;
    }

    /// The statement that covers the bits, or the several that do so together.
    fn overriding(&self, place: usize, lo: u32, hi: u32) -> Vec<Loc> {
        let mut by = Vec::new();
        let mut at = self.last[place];
        while at != NONE {
            let setter = &self.setters[at as usize];
            if setter.lo <= lo && hi <= setter.hi {
                return vec![setter.loc];
            }
            if setter.lo < hi && lo < setter.hi && by.last() != Some(&setter.loc) {
                by.push(setter.loc);
            }
            at = setter.below;
        }
        by
    }
}

impl Dead {
    fn finding(&self, design: &Design, module: &Module) -> Diagnostic {
        let name = words::node(design, module, self.target);
        let width = module.node(self.target).width;
        let what = words::bits_are(name, &[(self.lo, self.hi)], width);
        let diagnostic = Diagnostic::new(
            Code::MultipleDrivers,
            format!("{what} set in vain: the value is always overridden"),
            "remove one of the two; a default stands before the `when` that overrides it",
        )
        .at(self.loc, "never takes effect");
        self.by
            .iter()
            .take(4)
            .fold(diagnostic, |diagnostic, &loc| diagnostic.at(loc, "always overrides it"))
    }
}
