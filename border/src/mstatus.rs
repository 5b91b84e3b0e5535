//! The fields of `mstatus` that exist.

use crate::register::Field;

const fn field(name: &'static str, low: u32, width: u32, doc: &'static str) -> Field {
    Field { name, low, width, doc }
}

/// Interrupts are enabled in M mode.
pub const MIE: Field = field("mie", 3, 1, "interrupts enabled in M mode");
/// MIE before the last trap.
pub const MPIE: Field = field("mpie", 7, 1, "`MIE` before the last trap");
/// The mode before the last trap.
pub const MPP: Field = field("mpp", 11, 2, "mode before the last trap: 0 U, 3 M");
/// Loads and stores have the rights of the mode in MPP.
pub const MPRV: Field =
    field("mprv", 17, 1, "loads and stores have the rights of the mode in `MPP`");

/// All fields.
pub const FIELDS: [Field; 4] = [MIE, MPIE, MPP, MPRV];
