//! The interrupts that exist, and their priority.

use border::interrupt::Interrupt;

/// The bits of `mie` and `mip` that every hart has.
pub const INTERRUPTS: u32 = Interrupt::Software.bit() | Interrupt::Timer.bit();
/// The bits of `mie` and `mip` of a hart with a communication table.
pub const INTERRUPTS_WITH_TABLE: u32 = INTERRUPTS | Interrupt::Table.bit();

/// The interrupt of highest priority in a mask with bits as in `mip`.
pub fn interrupt_of_highest_priority(ready: u32) -> Option<Interrupt> {
    let in_order = [Interrupt::Table, Interrupt::Software, Interrupt::Timer];
    in_order.into_iter().find(|interrupt| ready & interrupt.bit() != 0)
}
