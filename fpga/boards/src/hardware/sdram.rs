//! A controller for one SDR SDRAM chip of 16 bits: a line at a time, each in a row of its own.
//!
//! The chip's clock is this clock inverted, so that register outputs are stable when the chip samples them, and
//! the chip's outputs are stable half a cycle before a register samples them. That requires a slow clock; the
//! boards have one.

use hdl::{
    Bundle, HwEnum, Module, Sig, Stream, cat, hardware, index_width, input, lit, output, ports,
    reg, set_when, switch, when,
};
use units::bus::MemoryRequest;
use units::geometry::Geometry;

/// Bits of the chip's data.
const DATA_BITS: usize = 16;
/// Bits of a column, a bank and a row: 4 banks of 8,192 rows of 512 columns, 32 MiB.
const COLUMN_BITS: usize = 9;
const BANK_BITS: usize = 2;
const ROW_BITS: usize = 13;
/// The bit of a column's address that closes the row after the access, and of a precharge that closes all.
const CLOSE_BIT: u64 = 1 << 10;
/// Mode: one column an access, sequential, answered two cycles later.
const MODE: u64 = 2 << 4;

/// Commands, as `{ras, cas, we}`, active low.
const NOTHING: u64 = 0b111;
const ACTIVATE: u64 = 0b011;
const READ: u64 = 0b101;
const WRITE: u64 = 0b100;
const PRECHARGE: u64 = 0b010;
const REFRESH: u64 = 0b001;
const LOAD_MODE: u64 = 0b000;

/// Timing requirements in nanoseconds: the slowest of the chips on the boards (-7 and -75).
const WAKE_NS: u64 = 200_000;
const OPEN_NS: u64 = 20;
const PRECHARGE_NS: u64 = 20;
const REFRESH_NS: u64 = 70;
const WRITE_NS: u64 = 15;
/// 8,192 rows in 64 ms, and a line's transfer may come before.
const REFRESH_EVERY_NS: u64 = 7_000;
/// Refreshes before the first use.
const FIRST_REFRESHES: u64 = 8;

/// A controller.
#[derive(Clone, Debug, PartialEq)]
pub struct Sdram {
    /// Cache geometry: the memory port is one line wide.
    pub geometry: Geometry,
    /// Clock frequency.
    pub clock_hz: u64,
}

/// Pins of the chip. Chip select and clock enable are always active.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct SdramPins {
    /// `{ras, cas, we}`, active low.
    pub command: Sig,
    /// Bank address.
    pub bank: Sig,
    /// Address pins: the row, the column or the mode.
    pub address: Sig,
    /// The data that is written to the chip.
    pub data_out: Sig,
    /// The data pins are driven (1), for a write, or released (0).
    pub data_drive: Sig,
    /// The data that is read from the chip.
    pub data_in: Sig,
}

impl SdramPins {
    /// The pins of the controller, or of what it is part of.
    #[track_caller]
    pub(super) fn of_controller() -> SdramPins {
        SdramPins {
            command: output(3),
            bank: output(BANK_BITS),
            address: output(ROW_BITS),
            data_out: output(DATA_BITS),
            data_drive: output(1),
            data_in: input(DATA_BITS),
        }
    }
}

/// Ports of [`Sdram`].
#[derive(Clone, Debug, Bundle)]
pub struct SdramIo {
    /// A line to read or write.
    pub request: Stream<MemoryRequest>,
    /// The line that was read.
    pub response: Stream<Sig>,
    /// The pins of the chip.
    pub pins: SdramPins,
    /// The chip is initialized.
    pub ready: Sig,
}

/// State of the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
enum Phase {
    /// Waits for the power-up delay.
    Wake,
    /// Refreshes; the first time several times over.
    Refresh,
    /// Sets the chip's mode register.
    Mode,
    /// Takes a request, or begins a refresh.
    Idle,
    /// A row is being opened.
    Transfer,
    /// All commands are given; the last columns arrive and the row closes.
    Close,
}

impl Sdram {
    /// Number of cycles that take at least this long.
    fn cycles(&self, nanoseconds: u64) -> u64 {
        (nanoseconds * self.clock_hz).div_ceil(1_000_000_000)
    }

    /// Columns of a line.
    fn columns(&self) -> usize {
        self.geometry.line_bits() / DATA_BITS
    }

    fn ports(&self) -> SdramIo {
        ports(SdramIo {
            request: Stream::input(MemoryRequest::shape(self.geometry)),
            response: Stream::output(self.geometry.line_bits()),
            pins: SdramPins::of_controller(),
            ready: output(1),
        })
    }
}

/// Opens a row, moves a line column by column, closes the row. Everything the chip sees comes from
/// registers.
#[hardware]
impl Module for Sdram {
    type Io = SdramIo;

    fn name(&self) -> String {
        format!("sdram_l{}_{}k", self.geometry.line, self.clock_hz / 1000)
    }

    fn build(&self) -> SdramIo {
        let io = self.ports();
        let columns = self.columns();
        let line_bits = self.geometry.line_bits();

        let phase = reg(Phase::shape()).reset(Phase::Wake);
        /// Cycles before the next command.
        let pause_bits = index_width(self.cycles(WAKE_NS) as usize + 1);
        let pause = reg(pause_bits).reset(self.cycles(WAKE_NS));
        let rested = pause.eq(0);
        set_when(!rested, pause, pause - 1);
        /// Waits this many nanoseconds before the next command.
        let rest = |nanoseconds: u64| pause.set(self.cycles(nanoseconds).max(1) - 1);
        let awake = reg(1).reset(0);
        io.ready.set(awake);

        // Refreshes.
        let interval = self.cycles(REFRESH_EVERY_NS);
        let since_refresh = reg(index_width(interval as usize)).reset(0);
        let refresh_due = reg(1).reset(0);
        let interval_over = since_refresh.eq(interval - 1);
        since_refresh.set(interval_over.mux(lit(since_refresh.width(), 0), since_refresh + 1));
        set_when(interval_over, refresh_due, 1);
        let first_left = reg(index_width(FIRST_REFRESHES as usize + 1)).reset(FIRST_REFRESHES);

        // The line that moves.
        let write = reg(1);
        let line = reg(line_bits);
        let bank = reg(BANK_BITS);
        /// The next column.
        let column = reg(COLUMN_BITS);
        let columns_left = reg(index_width(columns + 1)).reset(0);
        /// A read of a column is requested in this cycle; its data arrives in the next.
        let asks = reg(1).reset(0);
        let arrives = reg(1).reset(0);
        let arrived = reg(1).reset(0);
        asks.set(0);
        arrives.set(asks);
        arrived.set(arrives);
        when(arrives, || line.set(cat([io.pins.data_in, line.bits(DATA_BITS..)])));
        /// A line is being read, or has been read and not been accepted yet.
        let owed = reg(1).reset(0);
        let answer = reg(1).reset(0);
        io.response.valid.set(answer);
        io.response.payload.set(line);
        when(io.response.fires(), || {
            answer.set(0);
            owed.set(0);
        });

        // Pins.
        let command = reg(3).reset(NOTHING);
        let pin_bank = reg(BANK_BITS).reset(0);
        let pin_address = reg(ROW_BITS).reset(0);
        let data_out = reg(DATA_BITS);
        let data_drive = reg(1).reset(0);
        command.set(NOTHING);
        data_drive.set(0);
        io.pins.command.set(command);
        io.pins.bank.set(pin_bank);
        io.pins.address.set(pin_address);
        io.pins.data_out.set(data_out);
        io.pins.data_drive.set(data_drive);

        let idle = phase.is(Phase::Idle) & rested & !refresh_due;
        io.request.ready.set(idle);
        let request = io.request.payload;
        let halves = request.address.bits(1..);
        when(rested, || {
            switch(phase, |phase_is| {
                phase_is.case(Phase::Wake, || {
                    command.set(PRECHARGE);
                    pin_address.set(CLOSE_BIT);
                    rest(PRECHARGE_NS);
                    phase.set(Phase::Refresh);
                });
                phase_is.case(Phase::Refresh, || {
                    command.set(REFRESH);
                    refresh_due.set(0);
                    rest(REFRESH_NS);
                    when(awake, || phase.set(Phase::Idle)).otherwise(|| {
                        first_left.set(first_left - 1);
                        when(first_left.eq(1), || phase.set(Phase::Mode));
                    });
                });
                phase_is.case(Phase::Mode, || {
                    command.set(LOAD_MODE);
                    pin_bank.set(0);
                    pin_address.set(MODE);
                    // Two cycles, whatever the clock.
                    pause.set(1);
                    awake.set(1);
                    phase.set(Phase::Idle);
                });
                phase_is.case(Phase::Idle, || {
                    when(refresh_due, || phase.set(Phase::Refresh)).elsewhen(
                        io.request.valid,
                        || {
                            command.set(ACTIVATE);
                            let row_start = COLUMN_BITS + BANK_BITS;
                            pin_bank.set(halves.bits(COLUMN_BITS..row_start));
                            pin_address.set(halves.bits(row_start..row_start + ROW_BITS));
                            bank.set(halves.bits(COLUMN_BITS..row_start));
                            column.set(halves.trunc(COLUMN_BITS));
                            columns_left.set(columns);
                            write.set(request.write);
                            owed.set(!request.write);
                            line.set(request.data);
                            rest(OPEN_NS);
                            phase.set(Phase::Transfer);
                        },
                    );
                });
                phase_is.case(Phase::Transfer, || {
                    let is_last = columns_left.eq(1);
                    command.set(write.mux(lit(3, WRITE), READ));
                    pin_bank.set(bank);
                    // Bit 10 closes the row after the last column.
                    let close = is_last.zext(ROW_BITS) << CLOSE_BIT.ilog2();
                    pin_address.set(column.zext(ROW_BITS) | close);
                    column.set(column + 1);
                    columns_left.set(columns_left - 1);
                    asks.set(!write);
                    data_drive.set(write);
                    data_out.set(line.trunc(DATA_BITS));
                    when(write, || line.set(line >> DATA_BITS));
                    when(is_last, || {
                        pause.set(self.cycles(WRITE_NS + PRECHARGE_NS) + 1);
                        phase.set(Phase::Close);
                        columns_left.set(0);
                    });
                });
                phase_is.case(Phase::Close, || {
                    when(!owed, || phase.set(Phase::Idle));
                });
            });
        });
        let all_read = phase.is(Phase::Close) & arrived & !arrives;
        set_when(all_read, answer, 1);
        io
    }
}

#[cfg(test)]
pub(super) mod tests;
