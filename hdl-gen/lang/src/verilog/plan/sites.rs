//! Statements by what they drive: who assigns a node, and which conditions are around that.

use crate::fold::Constants;
use crate::ir::{MemId, Module, NodeId, Stmt};
use crate::ranks::Ranks;

/// Statements found by what they drive.
pub(crate) struct Sites {
    /// Enclosing conditions: (next outer, condition).
    pub(super) contexts: Vec<(u32, NodeId)>,
    assigns: Vec<Site>,
    driven: Ranks,
    /// For each driven node its last one.
    last_assign: Vec<u32>,
    pub(super) writes: Vec<Write>,
    pub(super) properties: Vec<(u32, NodeId)>,
}

/// A write to a memory.
pub(super) struct Write {
    pub mem: MemId,
    pub context: u32,
    pub addr: NodeId,
    pub data: NodeId,
    pub mask: Option<NodeId>,
    /// Place in the module's body of the statement it is in.
    top: u32,
}

/// An assignment.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub context: u32,
    lo: u32,
    pub value: NodeId,
    /// Place in the module's body of the statement it is in.
    top: u32,
    /// The previous assignment to the same target.
    previous: u32,
}

/// The context of what is unconditional, and the end of a chain.
pub(super) const END: u32 = u32::MAX;

impl Sites {
    pub fn of(module: &Module, constants: &Constants) -> Sites {
        let driven = Ranks::of(module.nodes.iter().map(|node| node.op.is_driven()));
        let mut sites = Sites {
            contexts: Vec::with_capacity(module.body.len()),
            assigns: Vec::with_capacity(2 * module.body.len()),
            last_assign: vec![END; driven.count()],
            driven,
            writes: Vec::new(),
            properties: Vec::new(),
        };
        for (top, stmt) in module.body.iter().enumerate() {
            sites.walk(std::slice::from_ref(stmt), END, top as u32, constants);
        }
        sites
    }

    fn walk(&mut self, stmts: &[Stmt], context: u32, top: u32, constants: &Constants) {
        for stmt in stmts {
            match stmt {
                &Stmt::Assign { target, lo, value, .. } => {
                    let place = self.driven.get(target.index()).expect("a driven node");
                    let number = self.assigns.len() as u32;
                    let previous = std::mem::replace(&mut self.last_assign[place], number);
                    self.assigns.push(Site { context, lo, value, top, previous });
                }
                Stmt::When { .. } | Stmt::Switch { .. }
                    if statically_taken(stmt, constants).is_some() =>
                {
                    self.walk(
                        statically_taken(stmt, constants).unwrap_or(&[]),
                        context,
                        top,
                        constants,
                    );
                }
                Stmt::When { cond, then, otherwise, .. } => {
                    let inner = self.open(context, *cond);
                    self.walk(then, inner, top, constants);
                    self.walk(otherwise, inner, top, constants);
                }
                Stmt::Switch { subject, arms, default, .. } => {
                    let inner = self.open(context, *subject);
                    for arm in arms {
                        self.walk(&arm.body, inner, top, constants);
                    }
                    self.walk(default.as_deref().unwrap_or(&[]), inner, top, constants);
                }
                &Stmt::MemWrite { mem, addr, data, mask, .. } => {
                    self.writes.push(Write { mem, context, addr, data, mask, top });
                }
                Stmt::Property { cond, .. } => self.properties.push((context, *cond)),
            }
        }
    }

    fn open(&mut self, outer: u32, cond: NodeId) -> u32 {
        self.contexts.push((outer, cond));
        self.contexts.len() as u32 - 1
    }

    /// Every assignment to `target`, last first.
    pub(super) fn of_target(&self, target: NodeId) -> impl Iterator<Item = Site> + '_ {
        let place = self.driven.get(target.index());
        let mut next = place.map_or(END, |place| self.last_assign[place]);
        std::iter::from_fn(move || {
            let site = *self.assigns.get(next as usize)?;
            next = site.previous;
            Some(site)
        })
    }

    /// Low bit and value of every assignment to `target`.
    pub fn assigned_ranges(&self, target: NodeId) -> impl Iterator<Item = (u32, NodeId)> + '_ {
        self.of_target(target).map(|site| (site.lo, site.value))
    }

    /// The statements of the module's body that drive `target`, by place, last first; one that
    /// does so several times comes as often.
    pub fn tops(&self, target: NodeId) -> impl Iterator<Item = u32> + '_ {
        self.of_target(target).map(|site| site.top)
    }

    /// The memories written, each with the statement of the module's body that does so, by place.
    pub fn writing_tops(&self) -> impl Iterator<Item = (MemId, u32)> + '_ {
        self.writes.iter().map(|write| (write.mem, write.top))
    }

    /// The value, if one unconditional statement drives all of `target`.
    pub fn sole_value(&self, target: NodeId) -> Option<NodeId> {
        let mut sites = self.of_target(target);
        let site = sites.next()?;
        (site.context == END && site.lo == 0 && sites.next().is_none()).then_some(site.value)
    }
}

/// The statements that a condition known beforehand chooses.
pub(crate) fn statically_taken<'s>(stmt: &'s Stmt, constants: &Constants) -> Option<&'s [Stmt]> {
    match stmt {
        Stmt::When { cond, then, otherwise, .. } => constants
            .get(*cond)
            .map(|value| if value.is_zero() { &otherwise[..] } else { &then[..] }),
        Stmt::Switch { subject, arms, default, full, .. } => constants.get(*subject).map(|value| {
            let matching = arms.iter().find(|arm| arm.labels.contains(value));
            let last = if *full { arms.last() } else { None };
            matching.or(last).map_or(default.as_deref().unwrap_or(&[]), |arm| &arm.body)
        }),
        _ => None,
    }
}
