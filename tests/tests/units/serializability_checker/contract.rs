//! The serializability checker, sentence by sentence of its contract in `docs/units.md`. Every short history and
//! many long ones are compared with the model.

use units::serializability_checker::SerializabilityChecker;

use crate::simulators::{Dut, Subject};

/// LocR, LocW, RemR, RemW.
type Vectors = [u64; 4];

struct Bench<'a> {
    dut: &'a mut Dut,
}

impl Bench<'_> {
    /// On both simulators.
    fn each(items: usize, contract: impl Fn(&mut Bench<'_>)) {
        Subject::of(SerializabilityChecker { items }).each(|dut| contract(&mut Bench { dut }));
    }

    fn vectors(&mut self, name: &str, vectors: Vectors) {
        for (file, vector) in ["loc_r", "loc_w", "rem_r", "rem_w"].into_iter().zip(vectors) {
            self.dut.set(&format!("{name}_{file}"), vector);
        }
    }

    /// RWR, WWR, RWW, WRW, WWW.
    fn cases(&mut self, write: bool, history: Vectors) -> [bool; 5] {
        self.dut.set("write", write.into());
        self.vectors("history", history);
        ["rwr", "wwr", "rww", "wrw", "www"].map(|case| self.dut.is(&format!("case_{case}")))
    }

    fn hazard(&mut self, row: Vectors) -> bool {
        self.vectors("row", row);
        self.dut.get("hazard") == 1
    }
}

#[test]
fn a_remote_write_between_two_reads_is_case_1() {
    Bench::each(30, |bench| {
        assert_eq!(bench.cases(false, [1 << 4, 0, 0, 1 << 9]), [true, false, false, false, false]);
        assert_eq!(bench.cases(false, [1 << 9, 0, 0, 1 << 4]), [false; 5], "the write came first");
        assert_eq!(bench.cases(false, [1 << 9, 0, 0, 1 << 9]), [true, false, false, false, false]);
    });
}

#[test]
fn one_local_item_is_no_hazard() {
    Bench::each(30, |bench| {
        assert!(!bench.hazard([1 << 29, 1 << 29, 1, 1]));
        assert!(bench.hazard([1 << 29, 1 << 28, 0, 1]));
        assert!(!bench.hazard([1 << 29, 1 << 28, 1, 0]), "reads do not disturb a read and a write");
        assert!(bench.hazard([0, 3 << 28, 1, 0]));
    });
}
