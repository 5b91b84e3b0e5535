//! How the memories of a design were mapped: to block RAM, as intended, or to something else.
//!
//! Yosys says which memories the flattened design has just before it maps them, and its log says what each was
//! mapped to. A memory that is read a cycle later is meant to be block RAM.

use area::target::Target;
use serde::Serialize;

/// A memory of fewer bits may be anything: a block RAM would be nearly empty.
const SMALL_BITS: u64 = 1024;

/// Resource of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Made {
    /// Block RAM.
    Block,
    /// Lookup tables used as memory.
    Lookup,
    /// A register for each bit.
    FlipFlops,
    /// Not in Yosys's log.
    Unknown,
}

impl Made {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Made::Block => "block RAM",
            Made::Lookup => "lookup tables",
            Made::FlipFlops => "flip-flops",
            Made::Unknown => "not reported by Yosys",
        }
    }
}

/// A memory of the flattened design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// Its hierarchical name.
    pub name: String,
    /// Number of rows.
    pub rows: u64,
    /// Bits a row.
    pub width: u64,
    /// Every read comes a cycle later.
    pub is_synchronous: bool,
    /// Resource it was mapped to.
    pub made: Made,
}

impl Memory {
    /// Bits stored.
    pub fn bits(&self) -> u64 {
        self.rows * self.width
    }

    /// It is not what it was meant to be.
    pub fn is_accident(&self) -> bool {
        self.bits() >= SMALL_BITS
            && match self.made {
                Made::Block => false,
                Made::Lookup => self.is_synchronous,
                Made::FlipFlops | Made::Unknown => true,
            }
    }
}

/// The memories in a `dump` of the cells `$mem_v2`, and what the log says of each; largest first.
pub fn memories(dump: &str, log: &str, target: Target) -> Vec<Memory> {
    let mut found: Vec<Memory> = Vec::new();
    for line in dump.lines() {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("cell"), Some("$mem_v2"), Some(name)) => {
                let name = name.trim_start_matches('\\').to_owned();
                let made = Made::Unknown;
                found.push(Memory { name, rows: 0, width: 0, is_synchronous: false, made });
            }
            (Some("parameter"), Some(key), Some(value)) => {
                let Some(memory) = found.last_mut() else { continue };
                match key {
                    "\\SIZE" => memory.rows = value.parse().unwrap_or(0),
                    "\\WIDTH" => memory.width = value.parse().unwrap_or(0),
                    "\\RD_CLK_ENABLE" => {
                        let ports = value.split_once('\'').map_or(value, |(_, ports)| ports);
                        memory.is_synchronous = !ports.contains('0');
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    for (name, into) in area::synthesis::memories(log) {
        // The log puts the top module before the name.
        let place = name.split_once('.').map_or(&*name, |(_, place)| place);
        for memory in found.iter_mut().filter(|memory| memory.name == place) {
            memory.made = made_of(&into, target);
        }
    }
    found.sort_by(|a, b| b.bits().cmp(&a.bits()).then_with(|| a.name.cmp(&b.name)));
    found
}

/// Resource of a cell of Yosys's mapping.
fn made_of(cell: &str, target: Target) -> Made {
    let block = match target {
        Target::Ecp5 => "PW16KD DP16KD",
        Target::Ice40 => "ICE40_RAM4K",
        Target::Generic => "",
    };
    match cell {
        "flip-flops" => Made::FlipFlops,
        "TRELLIS_DPR16X4" => Made::Lookup,
        _ if block.split(' ').any(|block| cell.contains(block)) => Made::Block,
        _ => Made::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "
  attribute \\src \"t.v:2.13-2.17\"
  cell $mem_v2 \\inner.rows
    parameter \\WIDTH 32
    parameter \\SIZE 256
    parameter \\RD_CLK_ENABLE 2'11
    connect \\RD_CLK \\clk
  end
  cell $mem_v2 \\inner.table
    parameter \\WIDTH 16
    parameter \\SIZE 64
    parameter \\RD_CLK_ENABLE 1'0
  end
  cell $mem_v2 \\inner.small
    parameter \\WIDTH 8
    parameter \\SIZE 4
    parameter \\RD_CLK_ENABLE 1'0
  end
";

    fn accidents(log: &str) -> Vec<String> {
        let all = memories(DUMP, log, Target::Ecp5);
        all.into_iter().filter(Memory::is_accident).map(|memory| memory.name).collect()
    }

    #[test]
    fn what_is_as_it_was_meant_is_no_accident() {
        let log = "mapping memory top.inner.rows via $__PDPW16KD_\n\
                   mapping memory top.inner.table via $__TRELLIS_DPR16X4_\n\
                   using FF mapping for memory top.inner.small\n";
        let found = memories(DUMP, log, Target::Ecp5);
        assert_eq!(found[0].name, "inner.rows");
        assert_eq!((found[0].rows, found[0].width, found[0].made), (256, 32, Made::Block));
        assert_eq!(found[2].made, Made::FlipFlops);
        assert_eq!(accidents(log), [""; 0]);
    }

    #[test]
    fn a_cache_or_table_outside_block_ram_is_an_accident() {
        let log = "mapping memory top.inner.rows via $__TRELLIS_DPR16X4_\n\
                   using FF mapping for memory top.inner.table\n";
        assert_eq!(accidents(log), ["inner.rows", "inner.table"]);
        assert_eq!(accidents(""), ["inner.rows", "inner.table"], "what nobody says counts too");
    }
}
