//! Register windows: registers that software reads and writes by word number.
//!
//! A [`Row`] describes a register: name, word, access, reset value. A [`Window`] takes the rows of a
//! unit and, row by row, what each does in hardware; it builds the address decoder, the read
//! multiplexer and the write enables. A row that is readable and has no value, or writable and does
//! nothing when written, is an error that names the row, and so is a word that has no row.
//!
//! ```
//! use hdl::*;
//! use hdl::window::{Access, Bus, Row, Window};
//!
//! const ROWS: [Row; 2] = [
//!     Row { name: "limit", word: 0, access: Access::ReadWrite, reset: 9, doc: "Highest count." },
//!     Row { name: "count", word: 1, access: Access::ReadOnly, reset: 0, doc: "Count so far." },
//! ];
//!
//! #[derive(Clone, Copy, Bundle)]
//! struct Io { read_valid: Sig, write_valid: Sig, address: Sig, write_data: Sig, read_data: Sig }
//!
//! #[derive(Debug, PartialEq)]
//! struct Counter;
//!
//! #[hardware]
//! impl Module for Counter {
//!     type Io = Io;
//!     fn name(&self) -> String { "counter".into() }
//!     fn build(&self) -> Io {
//!         let io = ports(Io {
//!             read_valid: input(1), write_valid: input(1), address: input(4),
//!             write_data: input(32), read_data: output(32),
//!         });
//!         let bus = Bus {
//!             read_valid: io.read_valid, write_valid: io.write_valid,
//!             address: io.address, write_data: io.write_data,
//!         };
//!         let mut registers = Window::new(ROWS, |word: u32| word, bus);
//!         let limit = reg(8).reset(registers.reset(0));
//!         registers.keep(0, limit);
//!         let count = reg(8).reset(0);
//!         when(count.ne(limit), || count.set(count + 1));
//!         registers.read(1, count);
//!         /// What the last read found.
//!         let found = reg(32).reset(0);
//!         when(io.read_valid, || registers.show(found));
//!         io.read_data.set(found);
//!         io
//!     }
//! }
//!
//! let (mut sim, io) = Simulator::of(Counter).unwrap();
//! sim.reset();
//! sim.steps(20);
//! sim.set(io.read_valid, 1);
//! sim.set(io.address, 1);
//! sim.step();
//! assert_eq!(sim.get(io.read_data), 9);
//! ```

mod check;

use std::fmt;

use crate::bundle::set_when;
use crate::control::switch;
use crate::diag::Loc;
use crate::sig::{Sig, lit};
use check::Given;

/// How software may use a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Writes are ignored.
    ReadOnly,
    /// Reads 0.
    WriteOnly,
    /// Can be read and written.
    ReadWrite,
}

impl Access {
    fn is_readable(self) -> bool {
        self != Access::WriteOnly
    }

    fn is_writable(self) -> bool {
        self != Access::ReadOnly
    }
}

/// One register of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name, for errors.
    pub name: &'static str,
    /// The number by which software addresses it.
    pub word: u32,
    /// How software may use it.
    pub access: Access,
    /// What it reads after reset.
    pub reset: u64,
    /// What it means.
    pub doc: &'static str,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "register `{}` (word {})", self.name, self.word)
    }
}

/// An access to the window, at most one in a cycle.
#[derive(Clone, Copy, Debug)]
pub struct Bus {
    /// The register at `address` is read in this cycle.
    pub read_valid: Sig,
    /// `write_data` is written to the register at `address` in this cycle.
    pub write_valid: Sig,
    /// The word number.
    pub address: Sig,
    /// What is written; valid with `write_valid`.
    pub write_data: Sig,
}

/// What reading a register gives.
struct Read {
    word: u32,
    value: Sig,
    /// The decoded address, where it exists already.
    selected: Option<Sig>,
}

/// What writing a register does.
struct Write {
    word: u32,
    action: Box<dyn FnOnce(Sig)>,
}

/// The registers of a unit while it is built. `W` names a word: an enum of the window's registers, so
/// that no bare number is taken for one. What is missing is reported when the window is dropped.
pub struct Window<W> {
    given: Given,
    number: fn(W) -> u32,
    bus: Bus,
    reads: Vec<Read>,
    later: Vec<Read>,
    writes: Vec<Write>,
}

impl<W> Window<W> {
    /// A window of these registers. `number` gives the number of a word.
    #[track_caller]
    pub fn new(rows: impl IntoIterator<Item = Row>, number: fn(W) -> u32, bus: Bus) -> Window<W> {
        let given = Given::new(rows, bus.address.width(), Loc::caller());
        Window { given, number, bus, reads: Vec::new(), later: Vec::new(), writes: Vec::new() }
    }

    /// The reset value of a register, as its row has it; 0 for a word without a row.
    pub fn reset(&self, word: W) -> u64 {
        self.given.row((self.number)(word)).map_or(0, |row| row.reset)
    }

    /// Reading the register gives `value`, which is as wide as the window or less.
    #[track_caller]
    pub fn read(&mut self, word: W, value: Sig) {
        let word = (self.number)(word);
        if self.given.read(word, Loc::caller()) {
            self.reads.push(Read { word, value, selected: None });
        }
    }

    /// Reading the register gives `value` as it is one cycle after the read: see
    /// [`show_later`](Window::show_later).
    #[track_caller]
    pub fn read_later(&mut self, word: W, value: Sig) {
        let word = (self.number)(word);
        if self.given.read(word, Loc::caller()) {
            self.later.push(Read { word, value, selected: None });
        }
    }

    /// Writing the register does `action`, which is given the data written; see
    /// [`apply`](Window::apply).
    #[track_caller]
    pub fn on_write(&mut self, word: W, action: impl FnOnce(Sig) + 'static) {
        let word = (self.number)(word);
        if self.given.write(word, Loc::caller()) {
            self.writes.push(Write { word, action: Box::new(action) });
        }
    }

    /// The write enable of the register: 1 in the cycles in which it is written. The unit describes
    /// with it what a write does.
    #[track_caller]
    pub fn written(&mut self, word: W) -> Sig {
        let word = (self.number)(word);
        self.given.write(word, Loc::caller());
        self.bus.write_valid & self.bus.address.eq(word)
    }

    /// 1 where the address is that of the register. The unit describes with it what a write does, where
    /// the write enable alone does not say it.
    #[track_caller]
    pub fn selected(&mut self, word: W) -> Sig {
        let word = (self.number)(word);
        self.given.write(word, Loc::caller());
        self.bus.address.eq(word)
    }

    /// 1 in the cycles in which the register is read, for a register where a read does something.
    #[track_caller]
    pub fn is_read(&self, word: W) -> Sig {
        self.bus.read_valid & self.bus.address.eq((self.number)(word))
    }

    /// `target` keeps what is written to the register, in as many bits as it has, and reading the
    /// register gives it back. Returns the decoded address.
    #[track_caller]
    pub fn keep(&mut self, word: W, target: Sig) -> Sig {
        let (word, loc) = ((self.number)(word), Loc::caller());
        let selected = self.bus.address.eq(word);
        let data = self.bus.write_data.trunc(target.width());
        set_when(self.bus.write_valid & selected, target, data);
        self.given.write(word, loc);
        if self.given.read(word, loc) {
            self.reads.push(Read { word, value: target, selected: Some(selected) });
        }
        selected
    }

    /// The register is not there with these parameters of the unit: it reads 0 and ignores writes.
    #[track_caller]
    pub fn omit(&mut self, word: W) {
        self.given.omit((self.number)(word), Loc::caller());
    }

    /// The write side of registers given with [`on_write`](Window::on_write). Call it under
    /// `when(write_valid, …)`.
    #[track_caller]
    pub fn apply(&mut self) {
        let data = self.bus.write_data;
        let mut writes = std::mem::take(&mut self.writes);
        writes.sort_by_key(|write| write.word);
        switch(self.bus.address, |s| {
            for Write { word, action } in writes {
                s.case(u64::from(word), || action(data));
            }
        });
    }

    /// The read side with registered data: sets `target`, a register as wide as the window, to the
    /// value of the addressed register, 0 where there is none. Call it under `when(read_valid, …)`.
    #[track_caller]
    pub fn show(&mut self, target: Sig) {
        let mut reads = std::mem::take(&mut self.reads);
        reads.sort_by_key(|read| read.word);
        switch(self.bus.address, |s| {
            for Read { word, value, .. } in reads {
                s.case(u64::from(word), || target.set(value.zext(target.width())));
            }
            s.default(|| target.set(0));
        });
    }

    /// The read side within the cycle: sets `target`, a wire as wide as the window, to the value of the
    /// addressed register, whatever `read_valid` is. Give the wire a default first, for words that are
    /// no register.
    #[track_caller]
    pub fn show_now(&mut self, target: Sig) {
        for Read { word, value, selected } in std::mem::take(&mut self.reads) {
            let selected = selected.unwrap_or_else(|| self.bus.address.eq(word));
            set_when(selected, target, value.zext(target.width()));
        }
    }

    /// The read side as gates alone, for windows of few narrow registers: the value of the addressed
    /// register in `width` bits, 0 where there is none. It does not depend on `read_valid`.
    #[track_caller]
    pub fn gated(&mut self, width: usize) -> Sig {
        let mut shown = None;
        for Read { word, value, selected } in std::mem::take(&mut self.reads) {
            let selected = selected.unwrap_or_else(|| self.bus.address.eq(word));
            let value = value.zext(width) & selected.repeat(width);
            shown = Some(shown.map_or(value, |others| others | value));
        }
        shown.unwrap_or_else(|| lit(width, 0))
    }

    /// The read side of registers given with [`read_later`](Window::read_later): `word` is the low
    /// bits of the address of the read, one cycle later. Sets `target`, a wire as wide as the window;
    /// give it a default first.
    #[track_caller]
    pub fn show_later(&mut self, word: Sig, target: Sig) {
        let mut later = std::mem::take(&mut self.later);
        later.sort_by_key(|read| read.word);
        switch(word, |s| {
            for Read { word, value, .. } in later {
                s.case(u64::from(word), || target.set(value.zext(target.width())));
            }
        });
    }
}

impl<W> Drop for Window<W> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let unread = self.reads.iter().chain(&self.later).map(|read| read.word).collect();
            let unwritten = self.writes.iter().map(|write| write.word).collect();
            self.given.finish(unread, unwritten);
        }
    }
}
