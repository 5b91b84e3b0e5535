//! The report of a board's build.

use crate::board::Board;
use crate::flow::Built;
use crate::memories::{Made, Memory};
use std::fmt::Write;

/// Failures of the build, one sentence each.
pub fn failures(board: &Board, built: &Built) -> Vec<String> {
    let mut found = accidents(&built.memories);
    let (fmax, wanted) = (built.placed.fmax_mhz, board.mhz());
    if fmax < wanted {
        found.push(format!(
            "{} reaches only {fmax:.1} MHz, but the board's clock has {wanted} MHz: the slowest path is from `{}` to `{}`",
            board.name, built.placed.slowest.from, built.placed.slowest.to
        ));
    }
    found
}

/// Memories that are not what they were meant to be, a sentence each.
pub fn accidents(memories: &[Memory]) -> Vec<String> {
    let wrong = memories.iter().filter(|memory| memory.is_accident());
    let told = wrong.map(|memory| {
        let Memory { name, rows, width, made, .. } = memory;
        format!("`{name}`, {rows} rows of {width} bits, is not in block RAM: {}", made.name())
    });
    told.collect()
}

/// The page.
pub fn markdown(board: &Board, built: &Built) -> String {
    let Built { cost, placed, memories, .. } = built;
    let mut text = format!("# {} ({})\n\n", board.name, board.device);
    let _ = writeln!(
        text,
        "{} LUTs, {} FFs, {} block RAM, {} DSPs. Clock: {:.1} MHz reached, {} MHz needed.\n",
        cost.luts,
        cost.ffs,
        cost.brams,
        cost.dsps,
        placed.fmax_mhz,
        board.mhz()
    );
    match &failures(board, built)[..] {
        [] => text.push_str("Timing is met, and every cache and table is in block RAM.\n"),
        failures => failures.iter().for_each(|failure| {
            let _ = writeln!(text, "**{failure}.**\n");
        }),
    }
    text.push_str("\n## Of the device\n| resource | used | available | |\n|---|---:|---:|---:|\n");
    for (resource, (used, available)) in
        placed.utilization.iter().filter(|(_, (used, _))| *used > 0)
    {
        let percent = 100.0 * *used as f64 / (*available).max(1) as f64;
        let _ = writeln!(text, "| {resource} | {used} | {available} | {percent:.0} % |");
    }
    text.push_str("\n## Memories\n");
    for made in [Made::Block, Made::Lookup, Made::FlipFlops, Made::Unknown] {
        let these: Vec<&Memory> = memories.iter().filter(|memory| memory.made == made).collect();
        if these.is_empty() {
            continue;
        }
        let bits: u64 = these.iter().map(|memory| memory.bits()).sum();
        let _ = writeln!(text, "\nIn {}: {}, {bits} bits.\n", made.name(), these.len());
        text.push_str("| memory | rows | bits a row | read |\n|---|---:|---:|---|\n");
        for Memory { name, rows, width, is_synchronous, .. } in these {
            let read = if *is_synchronous { "a cycle later" } else { "at once" };
            let _ = writeln!(text, "| `{name}` | {rows} | {width} | {read} |");
        }
    }
    text
}

/// A short summary.
pub fn summary(board: &Board, built: &Built) -> String {
    let Built { placed, memories, .. } = built;
    let mut text = format!("{} ({})\n", board.name, board.device);
    for (resource, (used, available)) in
        placed.utilization.iter().filter(|(_, (used, _))| *used > 0)
    {
        let percent = 100.0 * *used as f64 / (*available).max(1) as f64;
        let _ = writeln!(text, "  {resource:<20} {used:>7} of {available:>7}  {percent:>3.0} %");
    }
    let _ =
        writeln!(text, "  clock: {:.1} MHz reached, {} MHz needed", placed.fmax_mhz, board.mhz());
    for made in [Made::Block, Made::Lookup, Made::FlipFlops, Made::Unknown] {
        let these: Vec<&Memory> = memories.iter().filter(|memory| memory.made == made).collect();
        if !these.is_empty() {
            let bits: u64 = these.iter().map(|memory| memory.bits()).sum();
            let _ = writeln!(text, "  memories in {}: {}, {bits} bits", made.name(), these.len());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use area::cost::Cost;
    use area::timing::placed;

    /// A board as nextpnr's report says, with one memory.
    fn built(mhz: f64, made: Made) -> Built {
        let timing = format!(
            r#"{{
                "fmax": {{"clk": {{"achieved": {mhz}, "constraint": 12.0}}}},
                "utilization": {{"ICESTORM_LC": {{"used": 3728, "available": 7680}}}},
                "critical_paths": [{{"from": "posedge clk", "to": "posedge clk", "path": [
                    {{"delay": 90.0, "type": "routing", "from": {{"cell": "duo.tag"}}, "to": {{"cell": "duo.hit"}}}}
                ]}}]
            }}"#
        );
        let rows =
            Memory { name: "duo.rows".into(), rows: 256, width: 32, is_synchronous: true, made };
        Built {
            cost: Cost { luts: 3000, ffs: 1000, brams: 30, dsps: 0 },
            memories: vec![rows],
            placed: placed(&timing, 1, Cost::default(), 0).unwrap(),
            bitstream: "hx8k.bin".into(),
        }
    }

    fn board() -> &'static Board {
        Board::named("hx8k").unwrap()
    }

    #[test]
    fn a_board_that_reaches_its_clock_is_good() {
        let good = built(12.0, Made::Block);
        assert_eq!(failures(board(), &good), [""; 0]);
        assert!(markdown(board(), &good).contains("Timing is met"));
        assert!(summary(board(), &good).contains("clock: 12.0 MHz reached, 12 MHz needed"));
    }

    #[test]
    fn a_clock_that_is_missed_is_told_with_its_slowest_path() {
        let slow = built(11.04, Made::Block);
        let told = "hx8k reaches only 11.0 MHz, but the board's clock has 12 MHz: the slowest path is from \
                    `duo.tag` to `duo.hit`";
        assert_eq!(failures(board(), &slow), [told]);
        let page = markdown(board(), &slow);
        assert!(page.contains(told) && !page.contains("Timing is met"), "{page}");
        assert!(page.contains("| ICESTORM_LC | 3728 | 7680 | 49 % |"), "the rest is told too");
    }

    #[test]
    fn a_table_in_flip_flops_is_told_with_its_size() {
        let told = "`duo.rows`, 256 rows of 32 bits, is not in block RAM: flip-flops";
        assert_eq!(failures(board(), &built(50.0, Made::FlipFlops)), [told]);
    }
}
