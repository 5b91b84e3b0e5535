//! The registers of the border as rows of a register window.
//!
//! Which registers there are, with their words, access and reset values, is data of the border crate.
//! A unit takes its rows from here and says what each does in hardware.

use border::register::{Access, Register, Reset};
use hdl::window;

/// A register of the border as a row of the hardware language.
///
/// `word` is its number on the unit's address port. `table_depth` is the reset value of a register that
/// resets to the depth of the communication table.
pub(crate) fn row(register: &Register, word: u32, table_depth: usize) -> window::Row {
    window::Row {
        name: register.name,
        word,
        access: match register.access {
            Access::ReadOnly => window::Access::ReadOnly,
            Access::WriteOnly => window::Access::WriteOnly,
            Access::ReadWrite => window::Access::ReadWrite,
        },
        reset: match register.reset {
            Reset::Value(value) => value.into(),
            Reset::TableDepth => table_depth as u64,
        },
        doc: register.doc,
    }
}

/// The rows of a hart's monitor window that `unit` has.
pub(crate) fn monitor_rows(unit: &'static str, table_depth: usize) -> Vec<window::Row> {
    let registers = border::monitor::WINDOW.of_unit(unit);
    registers.map(|register| row(register, register.word, table_depth)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{comm_monitor, communication_table, monitors};

    #[test]
    fn every_register_of_the_monitor_window_belongs_to_a_unit_that_builds_it() {
        let units = [communication_table::UNIT, monitors::UNIT, comm_monitor::UNIT];
        let built: usize = units.iter().map(|unit| monitor_rows(unit, 1).len()).sum();
        assert_eq!(built, border::monitor::WINDOW.registers.len());
    }

    #[test]
    fn a_row_is_the_register_of_the_border() {
        let watermark = border::monitor::Word::TableWatermark.number();
        let rows = monitor_rows(communication_table::UNIT, 48);
        let row = rows.iter().find(|row| row.word == watermark).expect("a row");
        assert_eq!((row.name, row.reset), ("table_watermark", 48));
        assert_eq!(row.access, window::Access::ReadWrite);
    }
}
