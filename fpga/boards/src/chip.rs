//! The memory chip in simulation: what it holds, and whether it is treated as its data sheet wants.
//!
//! Written from the data sheets of the chips that boards carry (MT48LC16M16A2-75, IS42S16160G-7), not from the
//! controller.

/// Pins driven by the controller in one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pins {
    /// `{ras, cas, we}`, each 0 when meant.
    pub command: u8,
    /// The bank.
    pub bank: u8,
    /// Row, column or mode.
    pub address: u16,
    /// Write data, if driven.
    pub data: Option<u16>,
}

/// Commands, as `{ras, cas, we}`, each 0 when meant.
const NOTHING: u8 = 0b111;
const ACTIVATE: u8 = 0b011;
const READ: u8 = 0b101;
const WRITE: u8 = 0b100;
const PRECHARGE: u8 = 0b010;
const REFRESH: u8 = 0b001;
const LOAD_MODE: u8 = 0b000;

/// Rows of a bank, and columns of a row.
const ROWS: usize = 1 << 13;
const COLUMNS: usize = 1 << 9;

/// Nanoseconds: from power-up to the first command; from opening a row to using it; from closing it to the next
/// command; from a refresh to the next command; from opening a row to closing it; from a write to closing; the
/// longest time between refreshes, with what the controller may be busy with.
const WAKE: f64 = 200_000.0;
const OPEN_TO_USE: f64 = 20.0;
const CLOSE: f64 = 20.0;
const REFRESH_TIME: f64 = 70.0;
const OPEN_TO_CLOSE: f64 = 45.0;
const WRITE_TO_CLOSE: f64 = 15.0;
const REFRESH_EVERY: f64 = 64e6 / 8192.0;

#[derive(Clone, Copy, Debug)]
struct Bank {
    /// The open row, and since when.
    open: Option<(usize, f64)>,
    /// When the next row may be opened.
    free: f64,
}

/// A chip of 32 MiB.
pub struct Chip {
    cells: Vec<u16>,
    banks: [Bank; 4],
    cycle_ns: f64,
    now: f64,
    /// No command before this.
    rest: f64,
    mode: Option<u16>,
    first_refreshes: u32,
    /// When enough refreshes will have become too few.
    refreshed_until: f64,
}

impl Chip {
    /// A chip that has just been switched on.
    pub fn new(clock_hz: u64) -> Self {
        Self {
            cells: vec![0xdead; 4 * ROWS * COLUMNS],
            banks: [Bank { open: None, free: 0.0 }; 4],
            cycle_ns: 1e9 / clock_hz as f64,
            now: 0.0,
            rest: WAKE,
            mode: None,
            first_refreshes: 0,
            refreshed_until: f64::INFINITY,
        }
    }

    /// One cycle: the chip samples these pins in its middle. Returns what it drives in the next cycle.
    ///
    /// # Errors
    /// The rule that the controller violated.
    pub fn cycle(&mut self, pins: Pins) -> Result<u16, String> {
        self.now += self.cycle_ns;
        let answer =
            self.obey(pins).map_err(|what| format!("{what}, {} ns after power-up", self.now))?;
        Ok(answer.unwrap_or(0xbeef))
    }

    fn obey(&mut self, pins: Pins) -> Result<Option<u16>, String> {
        let Pins { command, bank, address, data } = pins;
        if self.now > self.refreshed_until {
            return Err("too few refreshes".into());
        }
        if command == NOTHING {
            return Ok(None);
        }
        if self.now < self.rest {
            return Err(format!("command {command:03b} came too early"));
        }
        if self.mode.is_none() && [ACTIVATE, READ, WRITE].contains(&command) {
            return Err(format!("command {command:03b} came before the mode"));
        }
        let row_bank = usize::from(bank);
        match command {
            ACTIVATE => {
                if self.banks[row_bank].open.is_some() || self.now < self.banks[row_bank].free {
                    return Err(format!("bank {bank} is not closed yet"));
                }
                self.banks[row_bank].open = Some((usize::from(address), self.now));
            }
            READ | WRITE => return self.access(pins).map(Some),
            PRECHARGE => {
                for place in 0..4 {
                    if address & 1 << 10 != 0 || place == row_bank {
                        self.close(place, self.now)?;
                    }
                }
            }
            REFRESH => {
                self.all_closed()?;
                self.rest = self.now + REFRESH_TIME;
                self.first_refreshes += 1;
                if self.mode.is_some() {
                    // A few may be late if others were early: the average counts.
                    self.refreshed_until =
                        (self.refreshed_until + REFRESH_EVERY).min(self.now + 9.0 * REFRESH_EVERY);
                }
            }
            LOAD_MODE => {
                self.all_closed()?;
                if self.first_refreshes < 8 {
                    return Err("the mode came before eight refreshes".into());
                }
                // One column, sequential, two cycles: all that this model does.
                if (bank, address) != (0, 0x20) {
                    return Err(format!("unsupported mode {address:#x}"));
                }
                self.mode = Some(address);
                self.rest = self.now + 2.0 * self.cycle_ns - 0.5;
                self.refreshed_until = self.now + 9.0 * REFRESH_EVERY;
            }
            _ => return Err(format!("unsupported command {command:03b}")),
        }
        if data.is_some() {
            return Err("data is driven without a write".into());
        }
        Ok(None)
    }

    fn access(&mut self, pins: Pins) -> Result<u16, String> {
        let Pins { command, bank, address, data } = pins;
        let place = usize::from(bank);
        let Some((row, since)) = self.banks[place].open else {
            return Err(format!("no row of bank {bank} is open"));
        };
        if self.now < since + OPEN_TO_USE - 0.5 {
            return Err(format!("the row of bank {bank} is not open yet"));
        }
        let cell = (row * 4 + place) * COLUMNS + usize::from(address) % COLUMNS;
        let is_write = command == WRITE;
        match (is_write, data) {
            (true, Some(data)) => self.cells[cell] = data,
            (false, None) => {}
            (true, None) => return Err("a write drives no data".into()),
            (false, Some(_)) => return Err("a read finds the data pins driven".into()),
        }
        let answer = self.cells[cell];
        if address & 1 << 10 != 0 {
            let recovery = if is_write { WRITE_TO_CLOSE } else { 0.0 };
            self.close(place, self.now + self.cycle_ns + recovery)?;
        }
        Ok(answer)
    }

    fn close(&mut self, place: usize, when: f64) -> Result<(), String> {
        if let Some((_, since)) = self.banks[place].open.take() {
            if when < since + OPEN_TO_CLOSE {
                return Err(format!("the row of bank {place} is closed too early"));
            }
            self.banks[place].free = when + CLOSE;
        }
        Ok(())
    }

    fn all_closed(&self) -> Result<(), String> {
        match self.banks.iter().any(|bank| bank.open.is_some() || self.now < bank.free) {
            true => Err("not all rows are closed".into()),
            false => Ok(()),
        }
    }
}
