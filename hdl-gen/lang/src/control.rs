//! `when` and `switch`: statements under conditions.

use std::collections::HashMap;

use crate::bits::Bits;
use crate::builder::{Frame, with_builder, with_frame};
use crate::diag::{Code, Diagnostic, Loc, bits};
use crate::enums::{Enum, HwEnum};
use crate::ir::{Arm, Block, EnumDef, NodeId, Op, Stmt};
use crate::sig::Sig;

/// Runs `body` with its statements gathered apart.
fn block(body: impl FnOnce()) -> Block {
    with_frame(Frame::open_block);
    body();
    with_frame(Frame::close_block)
}

fn condition(cond: Sig, loc: Loc) -> NodeId {
    with_builder(|b| {
        let id = b.own(cond, loc);
        if b.one_bit("the condition of `when`", id, loc) { id } else { b.poison(1, loc) }
    })
}

/// Statements in `body` apply where the one-bit `cond` is 1.
#[track_caller]
pub fn when(cond: Sig, body: impl FnOnce()) -> When {
    let loc = Loc::caller();
    let cond = condition(cond, loc);
    let then = block(body);
    with_frame(|f| {
        f.stmt(Stmt::When { cond, then, otherwise: Block::default(), loc });
        let depth = f.blocks.len();
        When { depth, index: f.blocks[depth - 1].len() - 1, links: 0, serial: f.serial }
    })
}

/// What may follow a [`when`]. Dropping it is fine: there is no `otherwise` then.
pub struct When {
    serial: u32,
    /// Where the statement stands: in the block at this depth, at this index …
    depth: usize,
    index: usize,
    /// … and this many `elsewhen`s down its `otherwise`.
    links: usize,
}

impl When {
    /// Statements in `body` apply where no condition so far is 1 but this one is.
    #[track_caller]
    pub fn elsewhen(self, cond: Sig, body: impl FnOnce()) -> When {
        let loc = Loc::caller();
        let cond = condition(cond, loc);
        let then = block(body);
        self.attach(Box::new([Stmt::When { cond, then, otherwise: Block::default(), loc }]));
        When { links: self.links + 1, ..self }
    }

    /// Statements in `body` apply where no condition so far is 1.
    pub fn otherwise(self, body: impl FnOnce()) {
        let body = block(body);
        self.attach(body);
    }

    fn attach(&self, body: Block) {
        with_frame(|f| {
            let in_place = f.serial == self.serial
                && f.blocks.len() == self.depth
                && f.blocks[self.depth - 1].len() == self.index + 1;
            assert!(in_place, "hdl: `elsewhen` and `otherwise` must directly follow their `when`");
            let mut stmt = &mut f.blocks[self.depth - 1][self.index];
            for _ in 0..self.links {
                let Stmt::When { otherwise, .. } = stmt else { unreachable!("a chain of `when`s") };
                stmt = &mut otherwise[0];
            }
            let Stmt::When { otherwise, .. } = stmt else { unreachable!("a chain of `when`s") };
            *otherwise = body;
        });
    }
}

/// What can be switched on.
pub trait Subject: Copy {
    /// What a label is written as.
    type Label: Copy;
    #[doc(hidden)]
    fn signal(self) -> Sig;
    #[doc(hidden)]
    fn label(self, label: Self::Label) -> Option<Bits>;
    #[doc(hidden)]
    fn enum_def(self) -> Option<&'static EnumDef>;
}

impl Subject for Sig {
    type Label = u64;
    fn signal(self) -> Sig {
        self
    }
    fn label(self, label: u64) -> Option<Bits> {
        Bits::new(self.width, label.into())
    }
    fn enum_def(self) -> Option<&'static EnumDef> {
        None
    }
}

impl<E: HwEnum> Subject for Enum<E> {
    type Label = E;
    fn signal(self) -> Sig {
        self.sig()
    }
    fn label(self, label: E) -> Option<Bits> {
        Bits::new(E::DEF.width(), label.code().into())
    }
    fn enum_def(self) -> Option<&'static EnumDef> {
        Some(const { &E::DEF })
    }
}

/// One label or several.
pub trait Labels<L> {
    /// All of them.
    fn list(self) -> Vec<L>;
}

impl<L> Labels<L> for L {
    fn list(self) -> Vec<L> {
        vec![self]
    }
}

impl<L, const N: usize> Labels<L> for [L; N] {
    fn list(self) -> Vec<L> {
        self.into()
    }
}

impl<L: Copy> Labels<L> for &[L] {
    fn list(self) -> Vec<L> {
        self.to_vec()
    }
}

/// The arms of a [`switch`] as they are being written.
pub struct Switch<S: Subject> {
    subject: S,
    arms: Vec<Arm>,
    default: Option<Block>,
    /// The labels so far and where they are.
    taken: HashMap<Bits, Loc>,
    /// Labels that were reported and left out.
    refused: usize,
    /// What is wrong with the subject has been reported: nothing can be said about labels.
    poisoned: bool,
}

impl<S: Subject> Switch<S> {
    /// Statements that apply where the subject equals one of `labels`.
    #[track_caller]
    pub fn case(&mut self, labels: impl Labels<S::Label>, body: impl FnOnce()) -> &mut Self {
        let loc = Loc::caller();
        let mut values = Vec::new();
        for label in labels.list() {
            match self.subject.label(label) {
                Some(value) => values.push(value),
                None if self.poisoned => {}
                None => with_builder(|b| {
                    self.refused += 1;
                    let width = self.subject.signal().width;
                    b.diagnostics.push(
                        Diagnostic::new(
                            Code::ValueOutOfRange,
                            format!("a case label that does not fit {}", bits(width)),
                            "a label is a value that the subject can have",
                        )
                        .at(loc, "this case"),
                    );
                }),
            }
        }
        for value in &values {
            let Some(first) = self.taken.insert(value.clone(), loc) else { continue };
            let code = value.to_u64();
            let variant = self
                .subject
                .enum_def()
                .zip(code)
                .and_then(|(def, code)| Some(format!("{}::{}", def.name, def.variant(code)?)));
            let label = variant.or(code.map(|code| code.to_string()));
            let diagnostic = Diagnostic::new(
                Code::DuplicateCase,
                format!("the label `{}` is in two places", label.unwrap_or(value.to_string())),
                "each value belongs to one case, and is listed there once",
            );
            let diagnostic = diagnostic.at(loc, "this case").at(first, "has it already");
            with_builder(|b| b.diagnostics.push(diagnostic));
        }
        self.arms.push(Arm { labels: values, body: block(body), loc });
        self
    }

    /// Statements that apply where no label matches.
    #[track_caller]
    pub fn default(&mut self, body: impl FnOnce()) {
        let loc = Loc::caller();
        if self.default.is_some() {
            with_builder(|b| {
                let diagnostic = Diagnostic::new(
                    Code::DuplicateCase,
                    "a second default arm",
                    "a switch has one default",
                );
                b.diagnostics.push(diagnostic.at(loc, "this default"));
            });
        }
        self.default = Some(block(body));
    }
}

/// Chooses statements by the value of `subject`. If the labels name every variant of an enum there
/// is nothing left for a default, and a code that is no variant takes the last arm.
#[track_caller]
pub fn switch<S: Subject>(subject: S, arms: impl FnOnce(&mut Switch<S>)) {
    let loc = Loc::caller();
    let (id, poisoned) = with_builder(|b| {
        let id = b.own(subject.signal(), loc);
        (id, b.frame().module.node(id).op == Op::Poison)
    });
    let mut switch = Switch {
        subject,
        arms: Vec::new(),
        default: None,
        taken: HashMap::new(),
        refused: 0,
        poisoned,
    };
    arms(&mut switch);
    let labels: usize = switch.arms.iter().map(|arm| arm.labels.len()).sum();
    let all = match subject.enum_def() {
        Some(def) => def.variants.len(),
        None => 1usize.checked_shl(subject.signal().width).unwrap_or(usize::MAX),
    };
    let full = switch.default.is_none() && (poisoned || labels + switch.refused == all);
    if !switch.arms.is_empty() || switch.default.is_some() {
        with_frame(|f| {
            f.stmt(Stmt::Switch {
                subject: id,
                arms: switch.arms.into(),
                default: switch.default,
                full,
                loc,
            })
        });
    }
}
