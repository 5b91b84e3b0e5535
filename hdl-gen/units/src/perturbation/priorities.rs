//! Priorities of harts: who must wait for whom before an access is ordered.
//!
//! Every hart has a rank. While a hart is active, those that rank below it are held before their
//! ordering points, so harts run one after the other, as the seed says, with a few switches in between
//! (PCT: Burckhardt et al., ASPLOS 2010). The contract is docs/machine.md §11.

use hdl::{
    Bundle, Module, Sig, array, assert, bits, cover, hardware, index_width, input, lit, output,
    ports, reg, set_when, when,
};

use crate::one_hot;

/// Bits of a number of cycles for which somebody is held.
pub const HOLD_BITS: usize = 16;
/// Bits of a number of change points.
pub const CHANGES_BITS: usize = 3;
/// Bits of a number of accesses.
pub const CHANGE_RANGE_BITS: usize = 16;
/// The most change points of a run.
pub const MOST_CHANGES: usize = 4;
/// Bits of the random number from which a hart is drawn.
const PICK_BITS: usize = 8;
/// Bits of the random number of a cycle.
pub const NUMBER_BITS: usize = CHANGE_RANGE_BITS + PICK_BITS;

/// The priorities of a machine's harts.
#[derive(Clone, Debug, PartialEq)]
pub struct Priorities {
    /// How many harts.
    pub harts: usize,
    /// How long it waits for what.
    pub limits: Limits,
}

/// Numbers that are the same in every machine; proofs use smaller ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Cycles without an access under way after which a hart is not present.
    pub absent_after: usize,
    /// Reads in a row after which the next one shows that a hart spins.
    pub spins_after: usize,
    /// Cycles from reset in which the order of ranks is drawn, more than [`MOST_CHANGES`].
    pub shuffles: usize,
}

impl Limits {
    /// Those of docs/machine.md.
    pub const USUAL: Limits = Limits { absent_after: 128, spins_after: 128, shuffles: 127 };
}

/// How priorities are used. Constant from reset on.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct PrioritySettings {
    /// For how many cycles in a row some hart may be held by its rank before the leader gives way;
    /// 0 switches priorities off.
    pub max_hold: Sig,
    /// The number of change points, 0 to 4.
    pub changes: Sig,
    /// The last access at which a change point may come, counting the accesses of leading harts.
    pub change_range: Sig,
}

impl PrioritySettings {
    /// Their shape.
    pub(crate) fn shape() -> PrioritySettings {
        PrioritySettings {
            max_hold: bits(HOLD_BITS),
            changes: bits(CHANGES_BITS),
            change_range: bits(CHANGE_RANGE_BITS),
        }
    }
}

/// What a hart does on its data port in a cycle.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Conduct {
    /// The data cache takes an access of the hart in this cycle. No other one is under way, unless
    /// `ended` is 1.
    pub taken: Sig,
    /// The access taken is a load or an LR; valid with `taken`.
    pub read: Sig,
    /// The access under way completes or is withdrawn in this cycle.
    pub ended: Sig,
}

impl Conduct {
    /// Its shape.
    pub(crate) fn shape() -> Conduct {
        Conduct { taken: bits(1), read: bits(1), ended: bits(1) }
    }
}

/// Ports of [`Priorities`].
#[derive(Clone, Debug, Bundle)]
pub struct PrioritiesIo {
    /// Settings of the priorities; constant from reset on.
    pub settings: PrioritySettings,
    /// A random number; it changes in every cycle, from the second after reset on.
    pub number: Sig,
    /// Accesses on the data port of each hart.
    pub conduct: Vec<Conduct>,
    /// The hart is resting, so no other hart waits for it. Comes from a register.
    pub resting: Vec<Sig>,
    /// The hart has an access under way or had one a short while ago, and does not rest.
    pub active: Vec<Sig>,
    /// The hart's access under way must not be ordered in this cycle. Depends only on registers,
    /// the settings and which harts are resting.
    pub hold: Vec<Sig>,
}

/// What is known of one hart.
#[derive(Clone, Copy)]
struct Hart {
    rank: Sig,
    busy: Sig,
    let_go: Sig,
    /// Reads in a row.
    reads: Sig,
    /// It is not present.
    absent: Sig,
    active: Sig,
}

/// Holds accesses of harts that rank below an active hart. Now and then the leading hart gives way.
#[hardware]
impl Module for Priorities {
    type Io = PrioritiesIo;

    fn name(&self) -> String {
        let Priorities { harts, limits: Limits { absent_after, spins_after, shuffles } } = *self;
        match self.limits == Limits::USUAL {
            true => format!("priorities_{harts}"),
            false => format!("priorities_{harts}_a{absent_after}s{spins_after}d{shuffles}"),
        }
    }

    fn build(&self) -> PrioritiesIo {
        let io = ports(PrioritiesIo {
            settings: input(PrioritySettings::shape()),
            number: input(NUMBER_BITS),
            conduct: array(self.harts, |_| input(Conduct::shape())),
            resting: array(self.harts, |_| input(1)),
            active: array(self.harts, |_| output(1)),
            hold: array(self.harts, |_| output(1)),
        });
        let harts = self.harts(&io);
        /// Cycles since reset; stops when the order of ranks has been drawn.
        let age = reg(index_width(self.limits.shuffles + 1)).reset(0);
        let shuffles = age.ne(self.limits.shuffles);
        set_when(shuffles, age, age + 1);
        let enabled = io.settings.max_hold.any() & !shuffles;

        // Who goes before whom.
        let mut leads = Vec::new();
        for (place, hart) in harts.iter().enumerate() {
            let above = harts.iter().enumerate().filter(|(other, _)| *other != place);
            let above = above.map(|(_, other)| other.active & other.rank.gt(hart.rank));
            let outranked = one_hot::any(&above.collect::<Vec<_>>());
            let holds = enabled & hart.busy & !hart.let_go & outranked;
            set_when(hart.busy & !holds & !io.resting[place], hart.let_go, 1);
            set_when(io.conduct[place].taken, hart.let_go, 0);
            io.hold[place].set(holds);
            io.active[place].set(hart.active);
            leads.push(hart.active & !outranked);
            cover(&format!("outranked_{place}"), holds, "a hart waits for one that ranks higher");
        }
        let active: Vec<Sig> = harts.iter().map(|hart| hart.active).collect();
        let contended = !one_hot::at_most_one(&active);

        // Why the leader gives way.
        let may_give_way = enabled & contended;
        let taken: Vec<Sig> = io.conduct.iter().map(|conduct| conduct.taken).collect();
        let leader_takes = one_hot::together(&leads) & one_hot::together(&taken);
        let changes = self.change_points(&io, age, may_give_way & leader_takes.any());
        let spins = self.spins(&io, &harts, &leads);
        let held = one_hot::together(&io.hold) & one_hot::together(&active);
        /// For how many cycles in a row some active hart was held, since the leader last gave way.
        let waited = reg(HOLD_BITS).reset(0);
        let expires = held.any() & (waited + 1).eq(io.settings.max_hold);
        let gives_way = may_give_way & (changes | spins | expires);
        waited.set((held.any() & !gives_way).mux(waited + 1, 0));

        // Who takes rank 0.
        let scaled =
            io.number.bits(CHANGE_RANGE_BITS..) * lit(index_width(self.harts + 1), self.harts);
        let pick = scaled.bits(PICK_BITS..);
        let demoted: Vec<Sig> = leads
            .iter()
            .enumerate()
            .map(|(place, &leads)| shuffles.mux(pick.eq(place), gives_way & leads))
            .collect();
        let ranks: Vec<Sig> = harts.iter().map(|hart| hart.rank).collect();
        let from = one_hot::choose(&demoted, &ranks);
        for (hart, &demoted) in harts.iter().zip(&demoted) {
            set_when(hart.rank.lt(from), hart.rank, hart.rank + 1);
            set_when(demoted, hart.rank, 0);
            set_when(demoted & !shuffles, hart.reads, 0);
        }
        self.check(&io, &harts, &leads, waited);
        cover("gives_way", gives_way, "the leader gives way");
        io
    }
}

#[hardware]
impl Priorities {
    /// What is known of each hart.
    fn harts(&self, io: &PrioritiesIo) -> Vec<Hart> {
        let Limits { absent_after, spins_after, .. } = self.limits;
        let conducts = io.conduct.iter().zip(&io.resting).enumerate();
        let harts = conducts.map(|(place, (conduct, &resting))| {
            let named = |name: &str| format!("{name}_{place}");
            /// The rank of the hart: higher goes first; no two harts have the same rank.
            let rank = reg(index_width(self.harts)).reset(place).named(&named("rank"));
            /// An access is under way.
            let busy = reg(1).reset(0).named(&named("busy"));
            /// The access under way was not held in some cycle, and is not held again.
            let let_go = reg(1).reset(0).named(&named("let_go"));
            /// Cycles without an access under way; stops when the hart counts as not present.
            let away = reg(index_width(absent_after + 1)).reset(absent_after);
            let away = away.named(&named("away"));
            /// Reads since the last access of another kind; stops at the number that shows that the
            /// hart spins.
            let reads = reg(index_width(spins_after + 1)).reset(0).named(&named("reads"));
            let absent = away.eq(absent_after);
            set_when(!busy & !absent, away, away + 1);
            set_when(conduct.ended, busy, 0);
            when(conduct.taken, || {
                busy.set(1);
                away.set(0);
                reads.set(reads.eq(spins_after).mux(reads, reads + 1));
                set_when(!conduct.read, reads, 0);
            });
            let active = !absent & !resting;
            Hart { rank, busy, let_go, reads, absent, active }
        });
        harts.collect()
    }

    /// Whether a change point comes in this cycle.
    fn change_points(&self, io: &PrioritiesIo, age: Sig, step: Sig) -> Sig {
        let PrioritySettings { changes, change_range, .. } = io.settings;
        let scaled = io.number.trunc(CHANGE_RANGE_BITS) * change_range;
        let drawn = scaled.bits(CHANGE_RANGE_BITS..) + 1;
        let points = array(MOST_CHANGES, |slot| {
            /// Accesses of leading harts before this change point comes; 0 if it has passed.
            let accesses_left = reg(CHANGE_RANGE_BITS).reset(0);
            let accesses_left = accesses_left.named(&format!("accesses_left_{slot}"));
            set_when(step & accesses_left.any(), accesses_left, accesses_left - 1);
            set_when(age.eq(slot + 1) & changes.gt(slot), accesses_left, drawn);
            step & accesses_left.eq(1)
        });
        one_hot::any(&points)
    }

    /// Whether the leader makes one read too many.
    fn spins(&self, io: &PrioritiesIo, harts: &[Hart], leads: &[Sig]) -> Sig {
        let spinning = harts.iter().zip(leads).zip(&io.conduct).map(|((hart, &leads), conduct)| {
            leads & conduct.taken & conduct.read & hart.reads.eq(self.limits.spins_after)
        });
        one_hot::any(&spinning.collect::<Vec<_>>())
    }

    /// What always holds.
    fn check(&self, io: &PrioritiesIo, harts: &[Hart], leads: &[Sig], waited: Sig) {
        let max_hold = io.settings.max_hold;
        for (place, hart) in harts.iter().enumerate() {
            let same = harts[..place].iter().map(|other| other.rank.eq(hart.rank));
            assert(
                &format!("rank_of_its_own_{place}"),
                !one_hot::any(&same.collect::<Vec<_>>()),
                "no two harts have the same rank",
            );
            assert(
                &format!("rank_exists_{place}"),
                hart.rank.zext(index_width(self.harts) + 1).lt(self.harts),
                "ranks are as many as harts",
            );
            assert(
                &format!("busy_is_present_{place}"),
                !hart.busy | !hart.absent,
                "who has an access under way is present",
            );
            assert(
                &format!("leader_goes_{place}"),
                !(leads[place] & io.hold[place]),
                "the leader is not held by its rank",
            );
        }
        assert("one_leader", one_hot::at_most_one(leads), "at most one hart leads");
        assert(
            "patience_within_bound",
            waited.lt(max_hold) | waited.eq(0),
            "nobody is held for too long before the leader gives way",
        );
    }
}
