//! The divider: one bit per cycle.

use hdl::{
    Bundle, HwEnum, Module, Sig, cat, hardware, input, lit, output, ports, reg, switch, when,
};

/// The divider.
#[derive(Clone, Debug, PartialEq)]
pub struct Divider;

/// Ports of [`Divider`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct DividerIo {
    /// Starts a division; held with the operands until `leave`.
    pub start: Sig,
    /// The operands are signed (1) or unsigned (0).
    pub is_signed: Sig,
    /// The result is the remainder (1) or the quotient (0).
    pub remainder: Sig,
    /// The number that is divided.
    pub dividend: Sig,
    /// The number that it is divided by.
    pub divisor: Sig,
    /// The division ends, done or not: its result is no longer needed.
    pub leave: Sig,
    /// `result` is valid, until `leave`.
    pub done: Sig,
    /// The quotient or remainder as RISC-V defines it, also for division by 0 and overflow; valid
    /// with `done`.
    pub result: Sig,
}

/// What the divider does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
enum Phase {
    /// Waits for a division; takes the operands' magnitudes.
    Idle,
    /// Finds a bit of the quotient a cycle.
    Step,
    /// Shows the result.
    Done,
}

/// Divides 32-bit words by restoring division of their magnitudes, in 34 cycles. Division by zero
/// needs no special case: every trial subtraction succeeds.
#[hardware]
impl Module for Divider {
    type Io = DividerIo;

    fn name(&self) -> String {
        "divider".into()
    }

    fn build(&self) -> DividerIo {
        let io = ports(DividerIo {
            start: input(1),
            is_signed: input(1),
            remainder: input(1),
            dividend: input(32),
            divisor: input(32),
            leave: input(1),
            done: output(1),
            result: output(32),
        });
        let phase = reg(Phase::shape()).reset(Phase::Idle);
        let steps_left = reg(5);
        /// The partial remainder: the dividend's bits brought down so far, less the multiples of
        /// the divisor.
        let remainder = reg(32);
        /// The remaining bits of the dividend, replaced from the low end by the quotient.
        let quotient = reg(32);
        let divisor = reg(32);

        let dividend_negative = io.is_signed & io.dividend.bit(31);
        let divisor_negative = io.is_signed & io.divisor.bit(31);
        let brought_down = cat([remainder, quotient.bit(31)]);
        let trial = brought_down - divisor.zext(33);
        let fits = !trial.bit(32);

        switch(phase, |phase_is| {
            phase_is.case(Phase::Idle, || {
                remainder.set(0);
                quotient.set(negated_if(dividend_negative, io.dividend));
                divisor.set(negated_if(divisor_negative, io.divisor));
                steps_left.set(31);
                when(io.start, || phase.set(Phase::Step));
            });
            phase_is.case(Phase::Step, || {
                remainder.set(fits.mux(trial.trunc(32), brought_down.trunc(32)));
                quotient.set(cat([quotient.trunc(31), fits]));
                steps_left.set(steps_left - 1);
                when(steps_left.eq(0), || phase.set(Phase::Done));
            });
            phase_is.case(Phase::Done, || {});
        });
        when(io.leave, || phase.set(Phase::Idle));

        let quotient_negative = (dividend_negative ^ divisor_negative) & divisor.any();
        let magnitude = io.remainder.mux(remainder, quotient);
        let negative = io.remainder.mux(dividend_negative, quotient_negative);
        io.done.set(phase.is(Phase::Done));
        io.result.set(negated_if(negative, magnitude));
        io
    }
}

/// The number, or its negative.
#[track_caller]
fn negated_if(negative: Sig, word: Sig) -> Sig {
    (word ^ negative.repeat(32)) + cat([lit(31, 0), negative])
}
