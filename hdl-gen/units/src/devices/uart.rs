//! The UART: the registers of a 16550 that programs use, in front of two byte streams.

use border::map;
use border::uart::Word;
use hdl::{
    Bundle, Module, Sig, Stream, cat, hardware, input, lit, output, ports, reg, reg_next, set_when,
    switch, when, wire,
};

use crate::bus::DeviceRequest;
use crate::geometry::WORD_BITS;

/// Its first address.
pub const BASE: u64 = map::UART.base as u64;
/// Bits of an offset in the window.
const OFFSET_BITS: usize = map::UART.offset_bits() as usize;

/// Received byte (read), byte to transmit (write).
const DATA: u64 = Word::Data.number() as u64;
/// Line control: bit 7 hides the registers 0 and 1 behind the divisor, which is not there.
const LINE_CONTROL: u64 = Word::LineControl.number() as u64;
/// Line status.
const LINE_STATUS: u64 = Word::LineStatus.number() as u64;
/// A byte for software.
const SCRATCH: u64 = Word::Scratch.number() as u64;

/// The UART.
#[derive(Clone, Debug, PartialEq)]
pub struct Uart;

/// Ports of [`Uart`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct UartIo {
    /// An access to a device, not necessarily to this one.
    pub device: DeviceRequest,
    /// What it answers to the cycle before; 0 if that was not for it.
    pub device_data: Sig,
    /// Bytes to transmit.
    pub tx: Stream<Sig>,
    /// Bytes received; each is taken by the read of it.
    pub rx: Stream<Sig>,
}

/// Registers of one byte: 0 data, 3 line control, 5 line status (bit 0: a byte is there; bits 5 and 6:
/// there is room to transmit), 7 scratch. A register's byte is in the lane of its address.
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

        let line_control = reg(8).reset(0);
        let scratch = reg(8).reset(0);
        let divisor_shows = line_control.bit(7);
        set_when(writes & register.eq(LINE_CONTROL), line_control, written);
        set_when(writes & register.eq(SCRATCH), scratch, written);

        /// A byte waits to be transmitted.
        let tx_full = reg(1).reset(0);
        let tx_byte = reg(8);
        let uses_data = register.eq(DATA) & !divisor_shows;
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
        switch(register, |s| {
            s.case(DATA, || set_when(!divisor_shows & io.rx.valid, found, io.rx.payload));
            s.case(LINE_CONTROL, || found.set(line_control));
            s.case(LINE_STATUS, || found.set(status));
            s.case(SCRATCH, || found.set(scratch));
        });
        let in_lane = found.zext(WORD_BITS) << lane;
        let answer = reg_next(&(in_lane & reads.repeat(WORD_BITS)));
        io.device_data.set(answer);
        io
    }
}
