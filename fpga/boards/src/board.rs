//! The supported boards. docs/fpga.md explains how to add one.

use crate::hardware::{Computer, Duo};
use area::target::Target;
use config::Config;
use hdl::ir::Design;

/// A board.
pub struct Board {
    /// Its name, on the command line and as the top module of its Verilog.
    pub name: &'static str,
    /// The device on it, for people.
    pub device: &'static str,
    /// The clock that the design runs at.
    pub clock_hz: u64,
    /// Device family.
    pub target: Target,
    /// nextpnr's arguments for the device.
    pub place_args: &'static [&'static str],
    /// Verilog around the design: pins and cells of the device.
    pub pads: &'static str,
    /// Where the pins are.
    pub pins: &'static str,
    /// The design.
    pub design: fn(&Board) -> Design,
}

/// How fast the serial lines of all boards are.
pub const BAUD: u64 = 1_000_000;

/// Every board.
pub const BOARDS: &[Board] = &[
    Board {
        name: "ulx3s",
        device: "LFE5U-85F",
        clock_hz: 25_000_000,
        target: Target::Ecp5,
        place_args: &["--85k", "--package", "CABGA381", "--speed", "6"],
        pads: include_str!("../ulx3s/pads.v"),
        pins: include_str!("../ulx3s/pins.lpf"),
        design: |board| elaborated(ulx3s(board.clock_hz, board.cycles_per_bit())),
    },
    Board {
        name: "hx8k",
        device: "iCE40-HX8K",
        clock_hz: 12_000_000,
        target: Target::Ice40,
        place_args: &["--hx8k", "--package", "ct256"],
        pads: include_str!("../hx8k/pads.v"),
        pins: include_str!("../hx8k/pins.pcf"),
        design: |board| elaborated(hx8k(board.clock_hz)),
    },
];

impl Board {
    /// The board of that name.
    ///
    /// # Errors
    /// One sentence with the names there are.
    pub fn named(name: &str) -> Result<&'static Board, String> {
        let known = || BOARDS.iter().map(|board| board.name).collect::<Vec<_>>().join(", ");
        let found = BOARDS.iter().find(|board| board.name == name);
        found.ok_or_else(|| format!("unknown board `{name}`; expected one of {}", known()))
    }

    /// The clock in MHz.
    pub fn mhz(&self) -> f64 {
        self.clock_hz as f64 / 1e6
    }

    /// Cycles that a bit takes on the serial line.
    pub fn cycles_per_bit(&self) -> usize {
        (self.clock_hz / BAUD) as usize
    }
}

/// The machine of a ULX3S.
pub fn ulx3s(clock_hz: u64, cycles_per_bit: usize) -> Computer {
    let config: Config = include_str!("../ulx3s/machine.toml").parse().expect("checked by a test");
    Computer { board: "ulx3s".into(), config, clock_hz, cycles_per_bit }
}

/// The requesters of an iCE40-HX8K breakout board.
pub fn hx8k(clock_hz: u64) -> Duo {
    let config: Config = include_str!("../hx8k/machine.toml").parse().expect("checked by a test");
    let cycles_per_bit = (clock_hz / BAUD) as usize;
    Duo { board: "hx8k".into(), config, rounds: 64, cycles_per_bit, pause_bits: 24 }
}

fn elaborated<M: hdl::Module>(module: M) -> Design {
    hdl::elaborate(module)
        .unwrap_or_else(|findings| panic!("a board is not a legal circuit:\n{findings}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_is_a_circuit_without_warnings() {
        for board in BOARDS {
            assert_eq!((board.design)(board).warnings, [], "{}", board.name);
        }
    }

    #[test]
    fn every_pin_of_the_pads_has_a_place() {
        for board in BOARDS {
            let head =
                board.pads.split_once(&format!("module {} (", board.name)).expect("its module").1;
            let head = head.split_once(");").expect("the ports end").0;
            for port in head.split(',') {
                let words: Vec<&str> = port.split_whitespace().collect();
                let name = words.last().expect("a port has a name");
                let found = [
                    format!("\"{name}\""),
                    format!("\"{name}[0]\""),
                    format!(" {name} "),
                    format!(" {name}[0] "),
                ];
                assert!(
                    found.iter().any(|text| board.pins.contains(text)),
                    "{}: {name}",
                    board.name
                );
            }
        }
    }

    #[test]
    fn a_bit_of_the_serial_line_is_a_whole_number_of_cycles() {
        for board in BOARDS {
            assert_eq!(board.clock_hz % BAUD, 0, "{}", board.name);
        }
    }

    #[test]
    fn an_unknown_board_is_refused_with_the_names_there_are() {
        let error = Board::named("ulx4").err().unwrap();
        assert!(error.starts_with("unknown board `ulx4`; expected one of ulx3s"), "{error}");
    }
}
