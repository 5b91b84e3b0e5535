//! Named enums as signals: the states of a state machine.

use std::marker::PhantomData;

use crate::bits::Bits;
use crate::builder::{with_builder, with_frame};
use crate::bundle::{Bundle, Leaf, Path, bits};
use crate::diag::{Code, Diagnostic, Loc};
use crate::ir::{EnumDef, Op};
use crate::sig::Sig;

/// A Rust enum without fields that hardware can hold. Implemented by `#[derive(HwEnum)]`.
pub trait HwEnum: Copy + PartialEq + 'static {
    /// Names and codes.
    const DEF: EnumDef;

    /// The code of this variant: its place in the declaration.
    fn code(self) -> u64;

    /// The shape of a signal that holds a variant.
    fn shape() -> Enum<Self> {
        Enum { sig: bits(Self::DEF.width() as usize), variant: PhantomData }
    }
}

/// A signal that holds a variant of `E`.
#[derive(Debug)]
pub struct Enum<E> {
    sig: Sig,
    variant: PhantomData<E>,
}

impl<E> Clone for Enum<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Enum<E> {}

impl<E: HwEnum> Enum<E> {
    /// 1 where the signal holds `variant`.
    #[track_caller]
    pub fn is(self, variant: E) -> Sig {
        self.sig.eq(constant_of(variant))
    }

    /// Drives the signal with a variant.
    #[track_caller]
    pub fn set(self, variant: E) {
        self.sig.set(constant_of(variant));
    }

    /// Drives the signal with another.
    #[track_caller]
    pub fn set_from(self, other: Enum<E>) {
        self.sig.set(other.sig);
    }

    /// The variant this register takes at reset.
    #[track_caller]
    pub fn reset(self, variant: E) -> Self {
        self.sig.reset(constant_of(variant));
        self
    }

    /// The plain bits.
    pub fn sig(self) -> Sig {
        self.sig
    }

    /// Takes plain bits for a variant. The width must be the enum's.
    #[track_caller]
    pub fn from_sig(sig: Sig) -> Self {
        let loc = Loc::caller();
        with_builder(|b| {
            let id = b.own(sig, loc);
            let node = *b.frame().module.node(id);
            let sig = if node.width == E::DEF.width() || node.op == Op::Poison {
                b.frame().module.enums.push((id, const { &E::DEF }));
                b.frame().handle(id)
            } else {
                let (name, width) = (E::DEF.name, E::DEF.width());
                b.diagnostics.push(
                    Diagnostic::new(
                        Code::WidthMismatch,
                        format!("`{name}::from_sig` of a signal of {} bits", node.width),
                        format!("a variant of `{name}` has {width} bits"),
                    )
                    .at(loc, "taken for a variant here")
                    .at(node.loc, format!("{} bits", node.width)),
                );
                b.stand_in(width, loc)
            };
            Enum { sig, variant: PhantomData }
        })
    }
}

/// A constant that holds a variant.
#[track_caller]
pub fn variant<E: HwEnum>(variant: E) -> Enum<E> {
    Enum { sig: constant_of(variant), variant: PhantomData }
}

#[track_caller]
fn constant_of<E: HwEnum>(variant: E) -> Sig {
    let loc = Loc::caller();
    with_frame(|f| {
        let value = Bits::truncated(E::DEF.width(), variant.code().into());
        let id = f.constant(value, loc);
        f.module.enums.push((id, const { &E::DEF }));
        f.handle(id)
    })
}

impl<E: HwEnum> Bundle for Enum<E> {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Self {
        let mut sig = self.sig;
        self.sig.map(path, &mut |path, leaf| {
            sig = f(path, Leaf { enum_def: Some(const { &E::DEF }), ..leaf });
            sig
        });
        Enum { sig, variant: PhantomData }
    }
}
