//! The UART: the registers of a 16550 that exist here, one byte each.

use crate::map::UART;
use crate::register::Reset;

registers! {
    /// A register of the UART.
    pub enum Word in uart, 1 bytes each {
        uart {
            /// RBR (read): takes the received byte. THR (write): sends a byte; dropped without room.
            Data = 0, ReadWrite, Reset::Value(0);
            /// LCR: keeps what is written.
            LineControl = 3, ReadWrite, Reset::Value(0), {
                /// while set, registers 0 and 1 read 0 and ignore writes
                DIVISOR_ACCESS: 7 - 7,
            };
            /// LSR.
            LineStatus = 5, ReadOnly, Reset::Value(0x60), {
                /// a received byte is ready
                RECEIVED: 0 - 0,
                /// the transmitter has room
                ROOM: 5 - 5,
                /// the same: the transmitter has room
                IDLE: 6 - 6,
            };
            /// SCR: keeps what is written.
            Scratch = 7, ReadWrite, Reset::Value(0);
        }
    }
}

impl Word {
    /// The address of this register.
    #[inline]
    pub const fn address(self) -> u32 {
        UART.base + self.number()
    }
}
