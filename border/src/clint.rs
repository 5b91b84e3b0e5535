//! The CLINT: time, timer interrupts and software interrupts, in SiFive's layout.

use crate::map::CLINT;
use crate::register::Reset;

registers! {
    /// A register of the CLINT: the first one, of hart 0, where every hart has its own.
    pub enum Word in clint, 4 bytes each {
        clint {
            /// Software interrupt of a hart.
            Msip = 0, ReadWrite, Reset::Value(0), {
                /// the interrupt is pending
                PENDING: 0 - 0,
            };
            /// Time at which a hart's timer interrupt becomes pending, low half.
            Mtimecmp = 0x1000, ReadWrite, Reset::Value(u32::MAX);
            /// Time at which a hart's timer interrupt becomes pending, high half.
            MtimecmpHigh = 0x1001, ReadWrite, Reset::Value(u32::MAX);
            /// Cycles since reset, low half.
            Mtime = 0x2ffe, ReadWrite, Reset::Value(0);
            /// Cycles since reset, high half.
            MtimeHigh = 0x2fff, ReadWrite, Reset::Value(0);
        }
    }
}

impl Word {
    /// Byte offset of this word of hart 0 from the start of the CLINT.
    #[inline]
    pub const fn offset(self) -> u32 {
        WINDOW.register_bytes * self.number()
    }

    /// Bytes between the words of consecutive harts; 0 if all harts share the word.
    #[inline]
    pub const fn stride(self) -> u32 {
        match self {
            Self::Msip => 4,
            Self::Mtimecmp | Self::MtimecmpHigh => 8,
            Self::Mtime | Self::MtimeHigh => 0,
        }
    }

    /// The address of this word of a hart.
    #[inline]
    pub const fn address(self, hart: u32) -> u32 {
        CLINT.base + self.offset() + self.stride() * hart
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_where_sifives_layout_has_them() {
        let at = |word: Word, hart| word.address(hart) - CLINT.base;
        assert_eq!([at(Word::Msip, 0), at(Word::Msip, 3)], [0, 0xc]);
        assert_eq!([at(Word::Mtimecmp, 0), at(Word::MtimecmpHigh, 2)], [0x4000, 0x4014]);
        assert_eq!([at(Word::Mtime, 0), at(Word::MtimeHigh, 1)], [0xbff8, 0xbffc]);
    }
}
