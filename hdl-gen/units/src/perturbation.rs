//! The seeded perturbation: other schedules of the same program, each reproducible for ever.
//!
//! It holds accesses of harts back before they are ordered, and lets requesters of the bus be passed
//! over. All is decided by one generator of random numbers that starts from the seed and moves in
//! every cycle, so the seed and what the machine does determine the whole run. Seed 0 does nothing.

use hdl::{
    Bundle, Module, Sig, array, assert, cat, cover, hardware, input, lit, output, ports, reg,
    set_when, when,
};

use crate::bus::{Disturbance, PASSES_BITS};

/// Bits of a chance out of 256.
const CHANCE_BITS: usize = 9;
/// Bits of a delay: up to 1024.
const STALL_BITS: usize = 11;
/// Bits of the generator.
const STATE_BITS: usize = 64;
/// What a seed is mixed with, so that small seeds do not start alike.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
/// Steps of the generator before its first number.
const FIRST_STEPS: usize = 6;

/// The perturbation.
#[derive(Clone, Debug, PartialEq)]
pub struct Perturbation {
    /// How many harts.
    pub harts: usize,
}

/// How much is perturbed, and from which seed. Constant from reset on.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct PerturbationSettings {
    /// The schedule; 0 perturbs nothing.
    pub seed: Sig,
    /// Chance, out of 256, that an access is held back, and that a grant is out of turn.
    pub chance: Sig,
    /// Chance, out of 256, that the access after one that was held back is held back too.
    pub burst: Sig,
    /// The longest delay of one access, in cycles.
    pub max_stall: Sig,
    /// How many grants out of turn a requester that waits may see.
    pub max_passes: Sig,
}

impl PerturbationSettings {
    /// Input ports.
    #[track_caller]
    pub(crate) fn inputs() -> PerturbationSettings {
        PerturbationSettings {
            seed: input(STATE_BITS),
            chance: input(CHANCE_BITS),
            burst: input(CHANCE_BITS),
            max_stall: input(STALL_BITS),
            max_passes: input(PASSES_BITS),
        }
    }
}

/// Ports of [`Perturbation`].
#[derive(Clone, Debug, Bundle)]
pub struct PerturbationIo {
    /// How much, and from which seed.
    pub settings: PerturbationSettings,
    /// A hart's access is taken in this cycle.
    pub taken: Vec<Sig>,
    /// A hart's access is not to be ordered in this cycle.
    pub hold: Vec<Sig>,
    /// What disturbs the turn on the bus.
    pub disturbance: Disturbance,
}

/// Holds accesses back and has requesters passed over, as the numbers of a xorshift generator say.
#[hardware]
impl Module for Perturbation {
    type Io = PerturbationIo;

    fn name(&self) -> String {
        format!("perturbation_{}", self.harts)
    }

    fn build(&self) -> PerturbationIo {
        let requesters = 2 * self.harts + 1;
        let io = ports(PerturbationIo {
            settings: PerturbationSettings::inputs(),
            taken: array(self.harts, |_| input(1)),
            hold: array(self.harts, |_| output(1)),
            disturbance: Disturbance {
                pass_over: output(requesters),
                max_passes: output(PASSES_BITS),
            },
        });
        let PerturbationSettings { seed, chance, burst, max_stall, max_passes } = io.settings;
        let active = seed.ne(0);

        /// The generator has its seed.
        let started = reg(1).reset(0);
        let generator = reg(STATE_BITS).reset(0);
        let mixed = seed ^ lit(STATE_BITS, MIX);
        let first = mixed.any().mux(mixed, lit(STATE_BITS, MIX));
        started.set(1);
        generator.set(next(generator));
        set_when(!started, generator, (0..FIRST_STEPS).fold(first, |state, _| next(state)));
        // A sum breaks the linearity of the shifts.
        let number = generator + cat([generator.trunc(32), generator.bits(32..)]);
        let turned = |by: usize| match by % STATE_BITS {
            0 => number,
            by => cat([number.trunc(STATE_BITS - by), number.bits(STATE_BITS - by..)]),
        };
        let below = |draw: Sig, chance: Sig| draw.zext(CHANCE_BITS).lt(chance);

        for (hart, (&taken, &hold)) in io.taken.iter().zip(&io.hold).enumerate() {
            let draw = turned(1 + 23 * hart);
            /// Cycles for which this hart's access is still held back.
            let remaining = reg(STALL_BITS).reset(0);
            /// This hart's last access was held back.
            let held_back = reg(1).reset(0);
            let strikes = below(draw.bits(0..8), held_back.mux(burst, chance));
            let scaled = draw.bits(8..18) * max_stall;
            let delay = scaled.bits(10..).trunc(STALL_BITS) + 1;
            let delays = active & strikes & max_stall.any();
            set_when(remaining.any(), remaining, remaining - 1);
            when(taken, || {
                held_back.set(delays);
                remaining.set(delays.mux(delay, 0));
            });
            hold.set(remaining.any());
            assert(
                &format!("delay_within_bounds_{hart}"),
                remaining.le(max_stall),
                "no access is held back for too long",
            );
            cover(&format!("holds_{hart}"), hold, "an access is held back");
        }
        let shuffles = active & below(number.bits(50..58), chance);
        let passed = turned(41).trunc(requesters);
        io.disturbance.pass_over.set(passed & shuffles.repeat(requesters));
        io.disturbance.max_passes.set(max_passes);
        io
    }
}

/// One step of xorshift (Marsaglia, 13, 7, 17).
#[track_caller]
fn next(state: Sig) -> Sig {
    let state = state ^ state << 13;
    let state = state ^ state >> 7;
    state ^ state << 17
}
