//! The contract of `serializability_checker`: every history of up to three items, and many long ones.

use hdl::Simulator;
use proptest::prelude::*;
use units::history_buffer::ItemVectors;
use units::serializability_checker::{SerializabilityChecker, SerializabilityCheckerIo};

/// LocR, LocW, RemR, RemW.
type Vectors = [u64; 4];

struct Bench {
    sim: Simulator,
    io: SerializabilityCheckerIo,
    items: usize,
}

impl Bench {
    fn new(items: usize) -> Bench {
        let (sim, io) = Simulator::of(SerializabilityChecker { items }).expect("a legal circuit");
        Bench { sim, io, items }
    }

    fn set(&mut self, ports: ItemVectors, vectors: Vectors) {
        for (port, vector) in
            [ports.loc_r, ports.loc_w, ports.rem_r, ports.rem_w].into_iter().zip(vectors)
        {
            self.sim.set(port, vector);
        }
    }

    /// RWR, WWR, RWW, WRW, WWW.
    fn cases(&mut self, write: bool, history: Vectors) -> [bool; 5] {
        self.sim.set(self.io.write, write.into());
        self.set(self.io.history, history);
        let case = self.io.case;
        [case.rwr, case.wwr, case.rww, case.wrw, case.www].map(|flag| self.sim.get(flag) == 1)
    }

    fn hazard(&mut self, row: Vectors) -> bool {
        self.set(self.io.row, row);
        self.sim.get(self.io.hazard) == 1
    }

    fn agrees(&mut self, vectors: Vectors) {
        for write in [false, true] {
            let expected = naive_cases(self.items, write, vectors);
            assert_eq!(self.cases(write, vectors), expected, "write {write}, {vectors:x?}");
        }
        assert_eq!(self.hazard(vectors), naive_hazard(self.items, vectors), "{vectors:x?}");
        self.sim.step();
    }
}

fn items_of(vector: u64, items: usize) -> impl Iterator<Item = usize> {
    (0..items).filter(move |item| vector >> item & 1 == 1)
}

/// Table 1, word by word.
fn naive_cases(items: usize, write: bool, [loc_r, loc_w, rem_r, rem_w]: Vectors) -> [bool; 5] {
    let between =
        |local, remote| items_of(local, items).any(|i| items_of(remote, items).any(|k| i <= k));
    [
        !write && between(loc_r, rem_w),
        !write && between(loc_w, rem_w),
        write && between(loc_r, rem_w),
        write && between(loc_w, rem_r),
        write && between(loc_w, rem_w),
    ]
}

/// All pairs of different local items, and all remote ones.
fn naive_hazard(items: usize, [loc_r, loc_w, rem_r, rem_w]: Vectors) -> bool {
    let pair =
        |first, second| items_of(first, items).any(|i| items_of(second, items).any(|j| i != j));
    let disturbed_by_writes = pair(loc_r, loc_r) || pair(loc_w, loc_r);
    let disturbed_by_all = pair(loc_w, loc_w);
    disturbed_by_writes && rem_w != 0 || disturbed_by_all && (rem_r != 0 || rem_w != 0)
}

#[test]
fn every_short_history_is_judged_as_table_1_says() {
    for items in 1..=3 {
        let mut bench = Bench::new(items);
        let mask = (1u64 << items) - 1;
        for all in 0..1u64 << (4 * items) {
            bench.agrees([0, 1, 2, 3].map(|file| all >> (file * items) & mask));
        }
    }
}

#[test]
fn a_remote_write_between_two_reads_is_case_1() {
    let mut bench = Bench::new(30);
    assert_eq!(bench.cases(false, [1 << 4, 0, 0, 1 << 9]), [true, false, false, false, false]);
    assert_eq!(bench.cases(false, [1 << 9, 0, 0, 1 << 4]), [false; 5], "the write came first");
    assert_eq!(bench.cases(false, [1 << 9, 0, 0, 1 << 9]), [true, false, false, false, false]);
}

#[test]
fn one_local_item_is_no_hazard() {
    let mut bench = Bench::new(30);
    assert!(!bench.hazard([1 << 29, 1 << 29, 1, 1]));
    assert!(bench.hazard([1 << 29, 1 << 28, 0, 1]));
    assert!(!bench.hazard([1 << 29, 1 << 28, 1, 0]), "reads do not disturb a read and a write");
    assert!(bench.hazard([0, 3 << 28, 1, 0]));
}

/// Vectors of long histories: with few items and with many.
fn vectors(items: usize) -> impl Strategy<Value = Vectors> {
    let mask = u64::MAX >> (64 - items);
    let sparse = prop::collection::vec(0..items, 0..3)
        .prop_map(|places| places.into_iter().fold(0, |vector, place| vector | 1u64 << place));
    let dense = any::<u64>().prop_map(move |bits| bits & mask);
    prop::array::uniform4(prop_oneof![3 => sparse, 1 => dense])
}

proptest! {
    #[test]
    fn long_histories_are_judged_as_table_1_says(
        (items, rows) in prop::sample::select(vec![29usize, 30, 63, 64])
            .prop_flat_map(|items| (Just(items), prop::collection::vec(vectors(items), 20))),
    ) {
        let mut bench = Bench::new(items);
        for vectors in rows {
            bench.agrees(vectors);
        }
    }
}
