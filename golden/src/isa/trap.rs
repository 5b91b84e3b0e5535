//! Which interrupt is taken first.

use border::interrupt::Interrupt;

/// Which of several interrupts (bits as in `mip`) is taken first.
pub fn interrupt_of_highest_priority(ready: u32) -> Option<Interrupt> {
    let in_order = [Interrupt::Table, Interrupt::Software, Interrupt::Timer];
    in_order.into_iter().find(|interrupt| ready & interrupt.bit() != 0)
}
