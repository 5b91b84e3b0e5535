//! The seeded perturbation: other schedules of the same program, each reproducible for ever.
//!
//! It holds accesses of harts before they are ordered, by short delays, long rests or ranks, and has
//! requesters of the bus passed over. One generator of random numbers decides everything; it starts
//! from the seed and moves in every cycle, so the seed and what the machine does determine the whole
//! run. Seed 0 does nothing. The contract is docs/machine.md §11.

mod priorities;

use hdl::{
    Bundle, Module, Sig, array, assert, bits, cat, cover, hardware, input, lit, output, ports, reg,
    set_when, when,
};

use priorities::NUMBER_BITS;
pub use priorities::{
    Conduct, HOLD_BITS, Limits, MOST_CHANGES, Priorities, PrioritiesIo, PrioritySettings,
};

use crate::bus::{Disturbance, PASSES_BITS};
use crate::one_hot;

/// Bits of a chance out of 256.
const CHANCE_BITS: usize = 9;
/// Bits of a delay: up to 1024.
const STALL_BITS: usize = 11;
/// Bits of a rest: up to 65535.
const REST_BITS: usize = HOLD_BITS;
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

/// How much is perturbed, and from which seed. Constant from the cycle of reset on.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct PerturbationSettings {
    /// The seed of the schedule; 0 perturbs nothing.
    pub seed: Sig,
    /// Chance, out of 256, that an access is held back, and that a grant is out of turn.
    pub chance: Sig,
    /// Chance, out of 256, that the access after one that was held back is held back too.
    pub burst: Sig,
    /// The longest delay of one access, in cycles.
    pub max_stall: Sig,
    /// How many out-of-turn grants a waiting requester may see.
    pub max_passes: Sig,
    /// Chance, out of 65536, that a hart rests before an access while other harts are active.
    pub rest_chance: Sig,
    /// The longest rest, in cycles.
    pub max_rest: Sig,
    /// How priorities are used.
    #[bundle(flat)]
    pub priorities: PrioritySettings,
}

impl PerturbationSettings {
    /// Their shape.
    pub(crate) fn shape() -> PerturbationSettings {
        PerturbationSettings {
            seed: bits(STATE_BITS),
            chance: bits(CHANCE_BITS),
            burst: bits(CHANCE_BITS),
            max_stall: bits(STALL_BITS),
            max_passes: bits(PASSES_BITS),
            rest_chance: bits(REST_BITS),
            max_rest: bits(REST_BITS),
            priorities: PrioritySettings::shape(),
        }
    }
}

/// Ports of [`Perturbation`].
#[derive(Clone, Debug, Bundle)]
pub struct PerturbationIo {
    /// Seed and bounds of the perturbation; constant from reset on.
    pub settings: PerturbationSettings,
    /// Accesses on the data port of each hart.
    pub conduct: Vec<Conduct>,
    /// The hart's access under way must not be ordered in this cycle. Comes from registers; without
    /// an access under way it has no meaning.
    pub hold: Vec<Sig>,
    /// Requesters to pass over on the bus.
    pub disturbance: Disturbance,
}

/// Holds accesses back and passes requesters of the bus over, as the random numbers of a xorshift
/// generator decide.
#[hardware]
impl Module for Perturbation {
    type Io = PerturbationIo;

    fn name(&self) -> String {
        format!("perturbation_{}", self.harts)
    }

    fn build(&self) -> PerturbationIo {
        let requesters = 2 * self.harts + 1;
        let io = ports(PerturbationIo {
            settings: input(PerturbationSettings::shape()),
            conduct: array(self.harts, |_| input(Conduct::shape())),
            hold: array(self.harts, |_| output(1)),
            disturbance: Disturbance {
                pass_over: output(requesters),
                max_passes: output(PASSES_BITS),
            },
        });
        let PerturbationSettings { seed, chance, burst, max_stall, max_passes, .. } = io.settings;
        let PerturbationSettings { rest_chance, max_rest, .. } = io.settings;
        let active = seed.ne(0);

        /// The generator holds a value derived from the seed.
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

        let priorities = Priorities { harts: self.harts, limits: Limits::USUAL }.instance();
        priorities.settings.drive(&io.settings.priorities);
        set_when(!active, priorities.settings.max_hold, 0);
        priorities.number.set(turned(11).trunc(NUMBER_BITS));
        for (hart, (conduct, &hold)) in io.conduct.iter().zip(&io.hold).enumerate() {
            let taken = conduct.taken;
            let draw = turned(1 + 23 * hart);
            /// Cycles for which this hart's access is still held back.
            let remaining = reg(STALL_BITS).reset(0).named(&format!("remaining_{hart}"));
            /// This hart's last access was held back.
            let held_back = reg(1).reset(0).named(&format!("held_back_{hart}"));
            let strikes = below(draw.bits(0..8), held_back.mux(burst, chance));
            let scaled = draw.bits(8..18) * max_stall;
            let delay = scaled.bits(10..).trunc(STALL_BITS) + 1;
            let delays = active & strikes & max_stall.any();
            set_when(remaining.any(), remaining, remaining - 1);
            when(taken, || {
                held_back.set(delays);
                remaining.set(delays.mux(delay, 0));
            });

            /// Cycles for which this hart still rests.
            let resting = reg(REST_BITS).reset(0).named(&format!("resting_{hart}"));
            let others = priorities.active.iter().enumerate().filter(|(other, _)| *other != hart);
            let others: Vec<Sig> = others.map(|(_, &active)| active).collect();
            let tires = draw.bits(18..34).lt(rest_chance) & max_rest.any();
            let rests = active & tires & one_hot::any(&others);
            let rest = (draw.bits(34..50) * max_rest).bits(REST_BITS..) + 1;
            set_when(resting.any(), resting, resting - 1);
            set_when(taken, resting, rests.mux(rest, 0));

            priorities.conduct[hart].drive(conduct);
            priorities.resting[hart].set(resting.any());
            hold.set(remaining.any() | resting.any() | priorities.hold[hart]);
            assert(
                &format!("delay_within_bounds_{hart}"),
                remaining.le(max_stall),
                "no access is held back for too long",
            );
            assert(
                &format!("rest_within_bounds_{hart}"),
                resting.le(max_rest),
                "no hart rests for too long",
            );
            cover(&format!("holds_{hart}"), remaining.any(), "an access is held back");
            cover(&format!("rests_{hart}"), resting.any(), "a hart rests");
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
