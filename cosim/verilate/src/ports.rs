//! The port table: where each port lives in the flat input and output buffers.

use crate::source::{Direction, PortSpec};

/// Words of 64 bits that a port of this width fills.
fn words_for(width: u32) -> u32 {
    width.div_ceil(64)
}

/// A port and its position in the buffers that `cosim::Model::run` reads and fills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// Its name in the Verilog.
    pub name: String,
    /// Its width in bits.
    pub width: u32,
    /// Whether the design reads or drives it.
    pub dir: Direction,
    /// The first 64-bit word of a row of inputs or outputs that belongs to it. Bit 0 of the
    /// port is bit 0 of this word.
    pub word: u32,
    /// Number of words of the port: 0 for the clock, which is in no row.
    pub words: u32,
}

impl Port {
    /// Mask of the valid bits in the port's last word.
    #[inline]
    pub fn last_mask(&self) -> u64 {
        match self.width % 64 {
            0 => u64::MAX,
            bits => (1 << bits) - 1,
        }
    }
}

/// All ports of a library, and the size of one row of inputs and of outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortTable {
    /// The ports, in their order.
    pub ports: Vec<Port>,
    /// Words in a row of inputs.
    pub input_words: u32,
    /// Words in a row of outputs.
    pub output_words: u32,
}

impl PortTable {
    /// Lays out the ports in order, one after the other.
    pub fn lay_out(specs: &[PortSpec]) -> Self {
        let mut table = Self { ports: Vec::new(), input_words: 0, output_words: 0 };
        for spec in specs {
            let next = match spec.dir {
                Direction::In => &mut table.input_words,
                Direction::Out => &mut table.output_words,
            };
            let words = if spec.is_clock() { 0 } else { words_for(spec.width) };
            table.ports.push(Port {
                name: spec.name.clone(),
                width: spec.width,
                dir: spec.dir,
                word: *next,
                words,
            });
            *next += words;
        }
        table
    }

    /// For each word of a row of inputs, the bits that may be set.
    pub fn input_masks(&self) -> Vec<u64> {
        let mut masks = vec![u64::MAX; self.input_words as usize];
        for port in self.ports.iter().filter(|p| p.dir == Direction::In && p.words > 0) {
            masks[(port.word + port.words - 1) as usize] = port.last_mask();
        }
        masks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_laid_out_in_order_and_the_clock_takes_no_space() {
        let table = PortTable::lay_out(&[
            PortSpec::input("a", 64),
            PortSpec::input("clk", 1),
            PortSpec::output("x", 65),
            PortSpec::input("b", 148),
            PortSpec::output("y", 1),
            PortSpec::input("c", 5),
        ]);
        let places: Vec<_> = table.ports.iter().map(|p| (p.word, p.words)).collect();
        assert_eq!(places, [(0, 1), (1, 0), (0, 2), (1, 3), (2, 1), (4, 1)]);
        assert_eq!((table.input_words, table.output_words), (5, 3));
        assert_eq!(table.input_masks(), [u64::MAX, u64::MAX, u64::MAX, (1 << 20) - 1, 31]);
    }
}
