//! The statements of a module as plain lists, for checks that do not need their nesting.

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
    /// Every `when` and `switch`.
    pub choices: Vec<&'a Stmt>,
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
    /// The node that decides.
    pub subject: NodeId,
    pub test: Test<'a>,
}

/// What a context asks of its subject. Small: a module may have a million of them.
pub(crate) enum Test<'a> {
    /// The bit is 1, says the `when` here.
    One(Loc),
    /// The bit is 0.
    Zero(Loc),
    /// The value is one of the labels.
    Case(&'a Arm),
    /// The value is in none of the arms of this `switch`.
    Default(&'a Stmt),
}

impl Test<'_> {
    /// Where it stands.
    pub fn loc(&self) -> Loc {
        match self {
            Test::One(loc) | Test::Zero(loc) => *loc,
            Test::Case(arm) => arm.loc,
            Test::Default(switch) => switch.loc(),
        }
    }

    /// Whether it comes from a `switch`.
    pub fn is_switch(&self) -> bool {
        matches!(self, Test::Case(..) | Test::Default(..))
    }
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
                    flat.choices.push(stmt);
                    for (body, test) in [(otherwise, Test::Zero(*loc)), (then, Test::One(*loc))] {
                        if !body.is_empty() {
                            pending.push((body.iter(), flat.enter(context, *cond, test)));
                        }
                    }
                }
                Stmt::Switch { subject, arms, default, .. } => {
                    flat.choices.push(stmt);
                    if let Some(default) = default {
                        let none = flat.enter(context, *subject, Test::Default(stmt));
                        pending.push((default.iter(), none));
                    }
                    for arm in arms.iter().rev() {
                        let case = flat.enter(context, *subject, Test::Case(arm));
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

    fn enter(&mut self, outer: u32, subject: NodeId, test: Test<'a>) -> u32 {
        self.contexts.push(Context { outer, subject, test });
        self.contexts.len() as u32 - 1
    }
}
