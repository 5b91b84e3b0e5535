//! Bundles: signals that belong together, under one name each.
//!
//! A bundle is a struct of signals and other bundles; `#[derive(Bundle)]` teaches the language its
//! field names and doc comments. A *shape* says how wide a bundle's leaves are without being
//! hardware yet: a plain width is the shape of one signal, and any bundle is a shape of its like.

use crate::builder::with_builder;
use crate::diag::{Code, Diagnostic, Loc};
use crate::ir::{EnumDef, Op};
use crate::sig::{Operand, Sig};
use std::borrow::Cow;

/// A signal of a bundle, as [`Bundle::map`] meets it.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The signal, or a shape.
    pub sig: Sig,
    /// The enum it holds.
    pub enum_def: Option<&'static EnumDef>,
}

/// The way from a bundle to one of its leaves, as a Verilog name.
#[derive(Clone, Default)]
pub struct Path {
    name: String,
    /// Doc comments of the fields entered since the last leaf, outermost first.
    docs: Vec<&'static str>,
    /// What is said of a leaf without a doc comment of its own.
    about: &'static str,
    /// Of each field entered, the length of the name before it, outermost first.
    starts: Vec<usize>,
}

impl Path {
    /// A path that starts with `name`.
    pub fn new(name: &str, doc: &'static str) -> Path {
        let docs = if doc.is_empty() { Vec::new() } else { vec![doc] };
        Path { name: name.to_owned(), docs, ..Path::default() }
    }

    /// The segments so far, joined by `_`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the source says of this leaf: the doc comments of its field and of the fields around it
    /// of which it is the first leaf.
    pub fn doc(&self) -> Cow<'static, str> {
        match self.docs[..] {
            [] => Cow::Borrowed(""),
            [doc] => Cow::Borrowed(doc),
            _ => Cow::Owned(self.docs.join("\n")),
        }
    }

    /// What a list of ports says of this leaf: [`doc`](Path::doc), and for a leaf without a doc comment of its own what
    /// is known of it all the same, such as the doc comment of the array that it is an element of.
    pub fn port_doc(&self) -> Cow<'static, str> {
        match self.docs[..] {
            _ if self.about.is_empty() => self.doc(),
            [] => Cow::Borrowed(self.about),
            [.., last] if last == self.about => self.doc(),
            _ => Cow::Owned(format!("{}\n{}", self.doc(), self.about)),
        }
    }

    /// What the names of this leaf's neighbors begin with: those in its own bundle, then in the bundles around that.
    pub(crate) fn around(&self) -> impl Iterator<Item = &str> {
        self.starts.iter().rev().map(|&start| &self.name[..start])
    }

    /// The same leaf under a name that ends with `suffix`, a segment of its own.
    pub fn with_suffix(&self, suffix: &str) -> Path {
        Path { name: format!("{}_{suffix}", self.name), ..self.clone() }
    }

    /// Runs `f` one field deeper.
    pub fn field<R>(&mut self, name: &str, doc: &'static str, f: impl FnOnce(&mut Path) -> R) -> R {
        let len = self.name.len();
        self.starts.push(len);
        let about = std::mem::replace(&mut self.about, doc);
        if !self.name.is_empty() && !name.is_empty() {
            self.name.push('_');
        }
        self.name.push_str(name);
        if !doc.is_empty() {
            self.docs.push(doc);
        }
        let result = f(self);
        self.name.truncate(len);
        self.starts.pop();
        self.docs.clear();
        self.about = about;
        result
    }

    /// Runs `f` one field deeper; of a leaf there a list of ports says `about` if there is nothing else to say.
    pub fn field_about<R>(
        &mut self,
        name: &str,
        about: &'static str,
        f: impl FnOnce(&mut Path) -> R,
    ) -> R {
        self.field(name, "", |path| {
            path.about = about;
            f(path)
        })
    }

    /// Runs `f` one element deeper.
    pub fn index<R>(&mut self, index: usize, f: impl FnOnce(&mut Path) -> R) -> R {
        self.field_about(&index.to_string(), self.about, f)
    }
}

/// A struct of signals. Implemented by `#[derive(Bundle)]`.
pub trait Bundle: Clone + 'static {
    /// The same bundle with each leaf replaced by what `f` makes of it, in declaration order.
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Self;

    /// The leaves in declaration order.
    fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.map(&mut Path::default(), &mut |_, leaf| {
            leaves.push(leaf);
            leaf.sig
        });
        leaves
    }

    /// The sum of the widths of all leaves.
    fn total_width(&self) -> usize {
        self.leaves().iter().map(|leaf| leaf.sig.width()).sum()
    }

    /// All leaves side by side, the first field on top. Panics never; an empty bundle is reported.
    #[track_caller]
    fn pack(&self) -> Sig {
        crate::sig::cat(self.leaves().into_iter().map(|leaf| leaf.sig))
    }

    /// A bundle of this shape whose leaves are cut from `bits`, the first field from the top.
    #[track_caller]
    fn unpack(&self, bits: Sig) -> Self {
        let loc = Loc::caller();
        let total = self.total_width();
        if total != bits.width() {
            with_builder(|b| {
                if b.is_poison(bits) {
                    return;
                }
                let diagnostic = Diagnostic::new(
                    Code::WidthMismatch,
                    format!("a bundle of {total} bits is unpacked from {} bits", bits.width()),
                    "give exactly as many bits as the bundle has",
                );
                b.diagnostics.push(diagnostic.at(loc, "unpacked here"));
            });
            return with_builder(|b| {
                self.map(&mut Path::default(), &mut |_, leaf| b.stand_in(leaf.sig.width, loc))
            });
        }
        let mut high = total;
        self.map(&mut Path::default(), &mut |_, leaf| {
            high -= leaf.sig.width();
            bits.cut(high, high + leaf.sig.width(), loc)
        })
    }

    /// Drives every leaf from the like leaf of `value`.
    #[track_caller]
    fn drive(&self, value: &Self) {
        let loc = Loc::caller();
        for (to, from) in paired(self, value, loc) {
            with_builder(|b| b.assign(to.sig, from.sig, loc));
        }
    }

    /// The other side of a port: the same description with every direction reversed. What one side
    /// describes with [`input`](crate::input) is an output of the other.
    fn flip(&self) -> Self {
        crate::port::flip(self)
    }

    /// Makes zero the reset value of every leaf, which must be registers.
    #[track_caller]
    fn reset_to_zero(self) -> Self {
        for leaf in self.leaves() {
            leaf.sig.reset(0);
        }
        self
    }
}

/// The leaves of two bundles side by side; reports if there are not equally many.
fn paired<B: Bundle>(left: &B, right: &B, loc: Loc) -> Vec<(Leaf, Leaf)> {
    let (left, mut right) = (left.leaves(), right.leaves());
    if left.len() != right.len() {
        with_builder(|b| {
            let diagnostic = Diagnostic::new(
                Code::ShapeMismatch,
                format!("bundles of {} and {} signals are combined", left.len(), right.len()),
                "give both bundles the same optional fields and array lengths",
            );
            b.diagnostics.push(diagnostic.at(loc, "combined here"));
            for leaf in left.iter().skip(right.len()) {
                right.push(Leaf { sig: b.stand_in(leaf.sig.width, loc), ..*leaf });
            }
        });
    }
    left.into_iter().zip(right).collect()
}

impl Bundle for Sig {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Sig {
        f(path, Leaf { sig: *self, enum_def: None })
    }
}

impl<B: Bundle> Bundle for Vec<B> {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Self {
        self.iter()
            .enumerate()
            .map(|(index, item)| path.index(index, |path| item.map(path, f)))
            .collect()
    }
}

impl<B: Bundle> Bundle for Option<B> {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Self {
        self.as_ref().map(|item| item.map(path, f))
    }
}

impl Bundle for () {
    fn map(&self, _: &mut Path, _: &mut dyn FnMut(&Path, Leaf) -> Sig) {}
}

impl<A: Bundle, B: Bundle> Bundle for (A, B) {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Self {
        (path.index(0, |path| self.0.map(path, f)), path.index(1, |path| self.1.map(path, f)))
    }
}

/// What hardware can be made of: a width, or a bundle to make another like.
pub trait Shape {
    /// The hardware it becomes.
    type Hardware: Bundle;
    /// A bundle whose leaves have the right widths; they need not be hardware.
    fn template(&self) -> Self::Hardware;
}

impl Shape for usize {
    type Hardware = Sig;
    fn template(&self) -> Sig {
        bits(*self)
    }
}

impl<B: Bundle> Shape for B {
    type Hardware = B;
    fn template(&self) -> B {
        self.clone()
    }
}

/// The shape of one signal, for the fields of a bundle shape.
pub fn bits(width: usize) -> Sig {
    // A width too large for u32 is as wrong as any other and reported where hardware is made.
    Sig::shape(u32::try_from(width).unwrap_or(u32::MAX))
}

fn make<S: Shape>(shape: S, op: Op, loc: Loc) -> S::Hardware {
    shape.template().map(&mut Path::default(), &mut |_, leaf| {
        with_builder(|b| {
            let Some(width) = b.checked_width(u64::from(leaf.sig.width), loc) else {
                return b.stand_in(1, loc);
            };
            let id = b.frame().push(op, width, loc);
            if let Some(enum_def) = leaf.enum_def {
                b.frame().module.enums.push((id, enum_def));
            }
            b.frame().handle(id)
        })
    })
}

/// A signal to be driven with `set`, on every path.
#[track_caller]
pub fn wire<S: Shape>(shape: S) -> S::Hardware {
    make(shape, Op::Wire, Loc::caller())
}

/// A register: `set` takes effect at the clock edge; where nothing is set it keeps its value.
#[track_caller]
pub fn reg<S: Shape>(shape: S) -> S::Hardware {
    make(shape, Op::Reg, Loc::caller())
}

/// A register that always takes `next`: its value one cycle later.
#[track_caller]
pub fn reg_next<B: Bundle>(next: &B) -> B {
    let delayed = make(next.clone(), Op::Reg, Loc::caller());
    delayed.drive(next);
    delayed
}

/// `then` where `select` is 1, else `otherwise`, leaf by leaf.
#[track_caller]
pub fn mux<B: Bundle>(select: Sig, then: &B, otherwise: &B) -> B {
    mux_at(select, then, otherwise, Loc::caller())
}

pub(crate) fn mux_at<B: Bundle>(select: Sig, then: &B, otherwise: &B, loc: Loc) -> B {
    let mut others = paired(then, otherwise, loc).into_iter().map(|(_, other)| other.sig);
    then.map(&mut Path::default(), &mut |_, leaf| match others.next() {
        Some(other) => select.mux_at(leaf.sig, other, loc),
        None => unreachable!("leaves come in pairs"),
    })
}

/// Names of things that `let` binds inside `#[hardware]`.
pub trait Named {
    /// Names the hardware behind this value, unless it has a name.
    fn give_name(&self, name: &str, doc: &'static str);
}

impl<B: Bundle> Named for B {
    fn give_name(&self, name: &str, doc: &'static str) {
        self.map(&mut Path::new(name, doc), &mut |path, leaf| {
            with_builder(|b| {
                let frame = b.frame();
                if leaf.sig.serial == frame.serial {
                    frame.name(crate::ir::NodeId(leaf.sig.node), path.name(), path.doc(), false);
                }
            });
            leaf.sig
        });
    }
}

/// `set` under a condition, in one line.
#[track_caller]
pub fn set_when(condition: Sig, target: Sig, value: impl Operand) {
    let loc = Loc::caller();
    crate::control::when(condition, || with_builder(|b| b.assign(target, value, loc)));
}
