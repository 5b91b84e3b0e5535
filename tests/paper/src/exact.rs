//! What BB-SW sees of a run: exact communication of the whole memory, from the machine's own order.
//!
//! Threads are harts, and code is watched as the monitors watch it (DESIGN §4.1): edges and events come
//! from the program's own text in U mode; stores of the library stay visible as sources; stores of the
//! firmware leave nobody.

use crosstalk::hunt::DataAccess;
use golden::{BbSw, BbSwOptions, Edge, HartId, Pc};
use record::{Collected, Header, Run, Total, Totals};
use std::ops::Range;

/// The edges that BB-SW finds in these accesses; `text` is the code it watches.
pub fn edges(accesses: &[DataAccess], text: &Range<u32>, options: BbSwOptions) -> Vec<Edge> {
    let mut memory = BbSw::new(options);
    let text = u64::from(text.start)..u64::from(text.end);
    let mut found = Vec::new();
    for &DataAccess { hart, pc, user, address, write } in accesses {
        let (hart, pc) = (HartId(hart.0.into()), Pc(pc.0));
        match (user, text.contains(&pc.0), write) {
            (true, true, false) => found.extend(memory.read(hart, pc, address)),
            (true, true, true) => found.extend(memory.write(hart, pc, address)),
            (true, false, true) => memory.write_unwatched(hart, pc, address),
            (false, _, true) => memory.forget_writer(address),
            (_, _, false) => {}
        }
    }
    found
}

/// The same run as a model saw it: `run` is how the machine recorded it.
pub fn recorded(run: &Run, edges: &[Edge]) -> Run {
    let totals: Totals =
        edges.iter().map(|edge| Total::from(crosstalk::hunt::recorded(edge))).collect();
    Run {
        header: Header { collected: Collected::Model, ..run.header.clone() },
        edges: totals.into_sorted(),
        lost: Default::default(),
        ending: run.ending.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Hart, Pc};

    const TEXT: Range<u32> = 0x100..0x200;
    const USER: bool = true;

    fn accessed(hart: u8, pc: u64, user: bool, address: u64, write: bool) -> DataAccess {
        DataAccess { hart: Hart(hart), pc: Pc(pc), user, address, write }
    }

    fn pcs(accesses: &[DataAccess], options: BbSwOptions) -> Vec<(u64, u64)> {
        let edges = edges(accesses, &TEXT, options);
        edges.iter().map(|edge| (edge.source.pc.0, edge.sink.pc.0)).collect()
    }

    #[test]
    fn only_the_programs_own_text_communicates_and_the_library_is_a_source() {
        let order = [
            accessed(0, 0x100, USER, 0x20, true),
            accessed(1, 0x104, USER, 0x20, false),
            accessed(1, 0x300, USER, 0x20, false),
            accessed(0, 0x304, USER, 0x20, true),
            accessed(1, 0x108, USER, 0x20, false),
            accessed(0, 0x10c, !USER, 0x20, true),
            accessed(1, 0x110, USER, 0x20, false),
        ];
        let expected = [(0x100, 0x104), (0x304, 0x108)];
        assert_eq!(pcs(&order, BbSwOptions::words(2)), expected);
    }

    #[test]
    fn lines_see_neighbors() {
        let order = [accessed(0, 0x100, USER, 0x20, true), accessed(1, 0x104, USER, 0x24, false)];
        assert_eq!(pcs(&order, BbSwOptions::words(2)), []);
        assert_eq!(pcs(&order, BbSwOptions::lines(2, 32)), [(0x100, 0x104)]);
    }
}
