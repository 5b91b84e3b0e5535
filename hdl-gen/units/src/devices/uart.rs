//! The UART: the registers of a 16550 that programs use, in front of two byte streams.

use border::map;
use border::uart::{WINDOW, Word};
use hdl::window::{Bus, Window};
use hdl::{
    Bundle, Module, Sig, Stream, cat, hardware, input, lit, output, ports, reg, reg_next, set_when,
    when, wire,
};

use crate::bus::DeviceRequest;
use crate::geometry::WORD_BITS;
use crate::windows;

/// Its first address.
pub const BASE: u64 = map::UART.base as u64;
/// Bits of an offset in the window.
const OFFSET_BITS: usize = map::UART.offset_bits() as usize;

/// The UART.
#[derive(Clone, Debug, PartialEq)]
pub struct Uart;

/// Ports of [`Uart`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct UartIo {
    /// The device access of this cycle, to any device.
    pub device: DeviceRequest,
    /// The byte read in the cycle before, in its lane of the word; 0 if that cycle had no read of this device. Devices
    /// are joined by OR.
    pub device_data: Sig,
    /// A byte to transmit; stays valid until it is taken. A byte that software writes meanwhile is
    /// dropped.
    pub tx: Stream<Sig>,
    /// A byte that was received; taken in the cycle in which software reads the data register.
    pub rx: Stream<Sig>,
}

/// Registers of one byte, listed in docs/machine.md. A register's byte is in the lane of its address.
#[hardware]
impl Module for Uart {
    type Io = UartIo;

    fn name(&self) -> String {
        "uart".into()
    }

    fn build(&self) -> UartIo {
        let io = ports(UartIo {
            device: input(DeviceRequest::shape()),
            device_data: output(WORD_BITS),
            tx: Stream::output(8),
            rx: Stream::input(8),
        });
        let device = io.device;
        let here = device.valid & device.address.bits(OFFSET_BITS..).eq(BASE >> OFFSET_BITS);
        let register = device.address.trunc(OFFSET_BITS);
        let lane = cat([device.address.trunc(2), lit(3, 0)]);
        let written = (device.word >> lane).trunc(8);
        let writes = here & device.write;
        let reads = here & !device.write;
        let bus =
            Bus { read_valid: reads, write_valid: writes, address: register, write_data: written };
        let rows = WINDOW.registers.iter().map(|register| windows::row(register, register.word, 0));
        let mut registers = Window::new(rows, Word::number, bus);

        let line_control = reg(8).reset(0);
        let scratch = reg(8).reset(0);
        let divisor_shows = line_control.bit(Word::DIVISOR_ACCESS.low as usize);
        set_when(registers.written(Word::LineControl), line_control, written);
        set_when(registers.written(Word::Scratch), scratch, written);

        /// A byte waits to be transmitted.
        let tx_full = reg(1).reset(0);
        let tx_byte = reg(8);
        let uses_data = registers.selected(Word::Data) & !divisor_shows;
        io.tx.valid.set(tx_full);
        io.tx.payload.set(tx_byte);
        set_when(io.tx.fires(), tx_full, 0);
        when(writes & uses_data & !tx_full, || {
            tx_full.set(1);
            tx_byte.set(written);
        });
        io.rx.ready.set(reads & uses_data);

        let status = cat([lit(1, 0), !tx_full, !tx_full, lit(4, 0), io.rx.valid]);
        let found = wire(8);
        found.set(0);
        registers.read(Word::Scratch, scratch);
        registers.read(Word::LineStatus, status);
        registers.read(Word::LineControl, line_control);
        registers.read(Word::Data, (!divisor_shows & io.rx.valid).mux(io.rx.payload, lit(8, 0)));
        registers.show_now(found);
        let in_lane = found.zext(WORD_BITS) << lane;
        let answer = reg_next(&(in_lane & reads.repeat(WORD_BITS)));
        io.device_data.set(answer);
        io
    }
}
