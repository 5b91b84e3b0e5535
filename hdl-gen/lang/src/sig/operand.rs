//! What may stand beside a signal: integers and constants, which take the width of the signal they meet.

use super::Sig;
use crate::bits::Bits;
use crate::builder::Builder;
use crate::diag::{Code, Diagnostic, Loc, bits};
use crate::ir::NodeId;

/// What may stand on the right of an operator: a signal, an integer or a [`Bits`].
pub trait Operand {
    /// The signal. `width` is what the place asks of an integer.
    #[doc(hidden)]
    fn node(self, builder: &mut Builder, width: u32, loc: Loc) -> NodeId;
}

impl Operand for Sig {
    fn node(self, builder: &mut Builder, _width: u32, loc: Loc) -> NodeId {
        builder.own(self, loc)
    }
}

impl Operand for &Bits {
    fn node(self, builder: &mut Builder, _width: u32, loc: Loc) -> NodeId {
        builder.frame().constant(self.clone(), loc)
    }
}

fn integer(builder: &mut Builder, width: u32, value: i128, loc: Loc) -> NodeId {
    match Bits::new_signed(width, value) {
        Some(bits) => builder.frame().constant(bits, loc),
        None => {
            // An integer has 64 bits at most, so a width that it does not fit has fewer.
            let (min, max) = (-(1i128 << (width - 1)), (1i128 << width) - 1);
            let range = match value < 0 {
                true => format!("{min} to {max}"),
                false => format!("0 to {max}"),
            };
            builder.diagnostics.push(
                Diagnostic::new(
                    Code::ValueOutOfRange,
                    format!("{value} does not fit {}", bits(width)),
                    format!(
                        "constants of {} are {range}: widen the signal or change this one",
                        bits(width)
                    ),
                )
                .at(loc, "this constant"),
            );
            builder.poison(width, loc)
        }
    }
}

macro_rules! integer_operands {
    ($($ty:ty)*) => {$(
        impl Operand for $ty {
            fn node(self, builder: &mut Builder, width: u32, loc: Loc) -> NodeId {
                integer(builder, width, self as i128, loc)
            }
        }
    )*};
}
integer_operands!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize bool);

/// How a shift amount may be given.
pub trait ShiftAmount {
    #[doc(hidden)]
    fn amount(self, builder: &mut Builder, loc: Loc) -> NodeId;
}

impl ShiftAmount for Sig {
    fn amount(self, builder: &mut Builder, loc: Loc) -> NodeId {
        builder.own(self, loc)
    }
}

macro_rules! shift_amounts {
    ($($ty:ty)*) => {$(
        impl ShiftAmount for $ty {
            fn amount(self, builder: &mut Builder, loc: Loc) -> NodeId {
                let value = self as i128;
                if value < 0 {
                    builder.diagnostics.push(
                        Diagnostic::new(
                            Code::ValueOutOfRange,
                            format!("a shift by {value}"),
                            "an amount is 0 or more: shift the other way",
                        )
                        .at(loc, "shifted here"),
                    );
                    return builder.poison(1, loc);
                }
                let width = (128 - value.max(1).leading_zeros()).min(64);
                integer(builder, width, value, loc)
            }
        }
    )*};
}
shift_amounts!(u32 usize i32);
