//! Interrupt priority.

use border::interrupt::Interrupt;

/// The interrupt of highest priority in a mask with bits as in `mip`.
pub fn interrupt_of_highest_priority(ready: u32) -> Option<Interrupt> {
    let in_order = [Interrupt::Table, Interrupt::Software, Interrupt::Timer];
    in_order.into_iter().find(|interrupt| ready & interrupt.bit() != 0)
}
