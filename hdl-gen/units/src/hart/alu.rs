//! Integer arithmetic within a cycle: what `OP`, `OP-IMM`, `LUI` and branches compute.

use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, cat, hardware, input, lit, output, ports, switch, wire,
};

/// What the ALU computes of its operands `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum AluOp {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a << b`.
    ShiftLeft,
    /// `a < b`, signed.
    Less,
    /// `a < b`, unsigned.
    LessUnsigned,
    /// `a >> b`, zeros moving in.
    ShiftRight,
    /// `a >> b`, the sign moving in.
    ShiftRightSigned,
    /// Exclusive or. From here on the low two bits tell the operations apart.
    Xor,
    /// Or.
    Or,
    /// And.
    And,
    /// `b`.
    Second,
}

/// The ALU.
#[derive(Clone, Debug, PartialEq)]
pub struct Alu;

/// Ports of [`Alu`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct AluIo {
    /// The operation: `a + b` (0), `a - b` (1), `a << b` (2), `a < b` signed (3) or unsigned (4),
    /// `a >> b` logical (5) or arithmetic (6), xor (7), or (8), and (9), `b` (10).
    pub op: Enum<AluOp>,
    /// The first operand.
    pub a: Sig,
    /// The second operand; shifts take its low five bits.
    pub b: Sig,
    /// The result of the operation.
    pub result: Sig,
    /// `a` and `b` are equal, whatever `op` is.
    pub equal: Sig,
    /// `a` is less than `b`: compared unsigned if `op` is 4, else signed. Undefined if `op` is 0.
    pub less: Sig,
}

/// Adds, shifts, compares and combines two words; combinational. One comparator serves the set-less
/// instructions and the branches.
#[hardware]
impl Module for Alu {
    type Io = AluIo;

    fn name(&self) -> String {
        "alu".into()
    }

    fn build(&self) -> AluIo {
        let io = ports(AluIo {
            op: input(AluOp::shape()),
            a: input(32),
            b: input(32),
            result: output(32),
            equal: output(1),
            less: output(1),
        });
        // One adder: a carry goes in beside the lowest bit, and the sign of a difference of 33 bits
        // tells which operand is less, signed or not.
        let signed = !io.op.is(AluOp::LessUnsigned);
        let subtract = !io.op.is(AluOp::Add);
        let extended = |word: Sig| cat([word.bit(31) & signed, word]);
        let first = cat([extended(io.a), lit(1, 1)]);
        let second = cat([extended(io.b) ^ subtract.repeat(33), subtract]);
        let total = first + second;
        let sum = total.bits(1..33);
        io.less.set(total.bit(33));
        io.equal.set(io.a.eq(io.b));

        // One right shifter: a left shift turns the word around before and after it.
        let amount = io.b.trunc(5);
        let leftwards = io.op.is(AluOp::ShiftLeft);
        let shift_in = leftwards.mux(reversed(io.a), io.a);
        let sign = io.op.is(AluOp::ShiftRightSigned) & io.a.bit(31);
        let shifted = cat([sign, shift_in]).sra(amount).trunc(32);

        let bitwise = wire(32);
        switch(io.op.sig().trunc(2), |op_is| {
            op_is.case(AluOp::Xor.code() & 3, || bitwise.set(io.a ^ io.b));
            op_is.case(AluOp::Or.code() & 3, || bitwise.set(io.a | io.b));
            op_is.case(AluOp::And.code() & 3, || bitwise.set(io.a & io.b));
            op_is.case(AluOp::Second.code() & 3, || bitwise.set(io.b));
        });

        let result = wire(32);
        io.result.set(result);
        switch(io.op, |op_is| {
            op_is.case([AluOp::Add, AluOp::Sub], || result.set(sum));
            op_is.case(AluOp::ShiftLeft, || result.set(reversed(shifted)));
            op_is.case([AluOp::ShiftRight, AluOp::ShiftRightSigned], || result.set(shifted));
            op_is.case([AluOp::Less, AluOp::LessUnsigned], || result.set(io.less.zext(32)));
            op_is.default(|| result.set(bitwise));
        });
        io
    }
}

/// The bits the other way round.
fn reversed(word: Sig) -> Sig {
    cat((0..word.width()).map(|place| word.bit(place)))
}
