//! The CRC-32 of IEEE 802.3, a byte at a time: the same as that of records.

use hdl::{Sig, lit};

/// Bits of a checksum.
pub(super) const CRC_BITS: usize = 32;
/// Initial value of the register.
pub(super) const CRC_START: u64 = 0xffff_ffff;
/// Value of the register after bytes that end with their own checksum.
pub(super) const CRC_RIGHT: u64 = 0xdebb_20e3;

const POLYNOMIAL: u64 = 0xedb8_8320;

/// The register after one more byte.
#[track_caller]
pub(super) fn crc_of_byte(crc: Sig, byte: Sig) -> Sig {
    let mut next = crc ^ byte.zext(CRC_BITS);
    for _ in 0..8 {
        let shifted = next >> 1;
        next = next.bit(0).mux(shifted ^ lit(CRC_BITS, POLYNOMIAL), shifted);
    }
    next
}
