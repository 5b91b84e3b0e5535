//! Rust's own operators on signals.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, Shl, Shr, Sub};

use super::{Operand, ShiftAmount, Sig};
use crate::builder::with_builder;
use crate::diag::Loc;
use crate::ir::Op;

macro_rules! binary_operators {
    ($($trait:ident $method:ident $symbol:literal $op:expr;)*) => {$(
        impl<T: Operand> $trait<T> for Sig {
            type Output = Sig;
            #[track_caller]
            fn $method(self, rhs: T) -> Sig {
                self.binary($symbol, $op, rhs, None, Loc::caller())
            }
        }
    )*};
}
binary_operators! {
    Add add "+" Op::Add;
    Sub sub "-" Op::Sub;
    BitAnd bitand "&" Op::And;
    BitOr bitor "|" Op::Or;
    BitXor bitxor "^" Op::Xor;
}

impl Mul for Sig {
    type Output = Sig;
    #[track_caller]
    fn mul(self, rhs: Sig) -> Sig {
        let loc = Loc::caller();
        with_builder(|b| {
            let (left, right) = (b.own(self, loc), b.own(rhs, loc));
            let id = match b.checked_width(u64::from(self.width) + u64::from(rhs.width), loc) {
                Some(width) => b.push(Op::Mul(left, right), width, loc),
                None => b.poison(1, loc),
            };
            b.frame().handle(id)
        })
    }
}

impl<T: ShiftAmount> Shl<T> for Sig {
    type Output = Sig;
    #[track_caller]
    fn shl(self, by: T) -> Sig {
        self.shift(Op::Shl, by, Loc::caller())
    }
}

impl<T: ShiftAmount> Shr<T> for Sig {
    type Output = Sig;
    #[track_caller]
    fn shr(self, by: T) -> Sig {
        self.shift(Op::Shr, by, Loc::caller())
    }
}

impl Not for Sig {
    type Output = Sig;
    #[track_caller]
    fn not(self) -> Sig {
        self.unary(Op::Not, self.width, Loc::caller())
    }
}

impl Neg for Sig {
    type Output = Sig;
    #[track_caller]
    fn neg(self) -> Sig {
        self.unary(Op::Neg, self.width, Loc::caller())
    }
}
