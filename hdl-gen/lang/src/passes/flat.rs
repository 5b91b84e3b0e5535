//! The statements of a module as plain lists, for checks that do not need their nesting.

use crate::bits::Bits;
use crate::diag::Loc;
use crate::ir::{Arm, Module, NodeId, Stmt};

/// What [`Context::outer`] and [`Assign::context`] say at the outermost level.
pub(crate) const OUTERMOST: u32 = u32::MAX;

/// The statements of one module.
#[derive(Default)]
pub(crate) struct Flat<'a> {
    pub assigns: Vec<Assign>,
    /// Outer ones before inner ones.
    pub contexts: Vec<Context<'a>>,
    pub choices: Vec<Choice>,
    pub properties: Vec<Property<'a>>,
    pub writes_memory: bool,
}

/// A value driven onto bits `lo ..` of a node.
pub(crate) struct Assign {
    pub target: NodeId,
    pub lo: u32,
    pub value: NodeId,
    /// The innermost condition it stands under.
    pub context: u32,
    pub loc: Loc,
}

/// A condition that statements stand under.
pub(crate) struct Context<'a> {
    pub outer: u32,
    pub test: Test<'a>,
    pub loc: Loc,
}

/// What a context asks of its subject.
pub(crate) enum Test<'a> {
    /// The bit is 1.
    One(NodeId),
    /// The bit is 0.
    Zero(NodeId),
    /// The value is one of these.
    Case(NodeId, &'a [Bits]),
    /// The value is in none of these arms.
    Default(NodeId, &'a [Arm]),
}

impl Test<'_> {
    /// The node that decides.
    pub fn subject(&self) -> NodeId {
        match *self {
            Test::One(id) | Test::Zero(id) | Test::Case(id, _) | Test::Default(id, _) => id,
        }
    }

    /// Whether it comes from a `switch`.
    pub fn is_switch(&self) -> bool {
        matches!(self, Test::Case(..) | Test::Default(..))
    }
}

/// A `when` or `switch`.
pub(crate) struct Choice {
    pub subject: NodeId,
    pub is_switch: bool,
    pub loc: Loc,
}

/// A property.
pub(crate) struct Property<'a> {
    pub label: &'a str,
    pub loc: Loc,
}

impl<'a> Flat<'a> {
    /// Lists everything, in source order.
    pub fn of(module: &'a Module) -> Flat<'a> {
        // Room for most modules: memory that is not used costs nothing, growing does.
        let mut flat = Flat {
            assigns: Vec::with_capacity(2 * module.body.len()),
            contexts: Vec::with_capacity(module.body.len()),
            choices: Vec::with_capacity(module.body.len()),
            ..Flat::default()
        };
        // Blocks still to be listed, the next one last.
        let mut pending = vec![(module.body.iter(), OUTERMOST)];
        while let Some((block, context)) = pending.last_mut() {
            let context = *context;
            let Some(stmt) = block.next() else {
                pending.pop();
                continue;
            };
            match stmt {
                &Stmt::Assign { target, lo, value, loc } => {
                    flat.assigns.push(Assign { target, lo, value, context, loc });
                }
                Stmt::When { cond, then, otherwise, loc } => {
                    flat.choices.push(Choice { subject: *cond, is_switch: false, loc: *loc });
                    for (body, test) in [(otherwise, Test::Zero(*cond)), (then, Test::One(*cond))] {
                        if !body.is_empty() {
                            pending.push((body.iter(), flat.enter(context, test, *loc)));
                        }
                    }
                }
                Stmt::Switch { subject, arms, default, loc, .. } => {
                    flat.choices.push(Choice { subject: *subject, is_switch: true, loc: *loc });
                    if let Some(default) = default {
                        let none = flat.enter(context, Test::Default(*subject, arms), *loc);
                        pending.push((default.iter(), none));
                    }
                    for arm in arms.iter().rev() {
                        let case = Test::Case(*subject, &arm.labels);
                        let case = flat.enter(context, case, arm.loc);
                        pending.push((arm.body.iter(), case));
                    }
                }
                Stmt::MemWrite { .. } => flat.writes_memory = true,
                Stmt::Property { label, loc, .. } => {
                    flat.properties.push(Property { label, loc: *loc });
                }
            }
        }
        flat
    }

    fn enter(&mut self, outer: u32, test: Test<'a>, loc: Loc) -> u32 {
        self.contexts.push(Context { outer, test, loc });
        self.contexts.len() as u32 - 1
    }
}
