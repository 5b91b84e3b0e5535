//! Physical memory protection: the registers, and the check of one address.

use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, array, bits, cat, hardware, input, lit, output, ports, reg,
    switch, when, wire,
};

/// How many entries there are.
pub const ENTRIES: usize = 4;

/// How an entry tells its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum PmpMode {
    /// It has none.
    Off,
    /// From the address of the entry before it up to its own.
    Tor,
    /// The four bytes at its address.
    Na4,
    /// A power of two bytes, told by the ones at the low end of its address.
    Napot,
}

/// One entry.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct PmpEntry {
    /// The entry binds M mode too, and cannot be written until reset.
    pub locked: Sig,
    /// How the entry gives its range: off (0), TOR (1), NA4 (2), NAPOT (3).
    pub mode: Enum<PmpMode>,
    /// Instructions may be fetched from the range.
    pub execute: Sig,
    /// The range may be written.
    pub write: Sig,
    /// The range may be read.
    pub read: Sig,
    /// `pmpaddr` of the entry: bits 33-2 of an address.
    pub address: Sig,
}

impl PmpEntry {
    /// Its shape.
    pub fn shape() -> PmpEntry {
        PmpEntry {
            locked: bits(1),
            mode: PmpMode::shape(),
            execute: bits(1),
            write: bits(1),
            read: bits(1),
            address: bits(32),
        }
    }

    /// Its byte of `pmpcfg`.
    #[track_caller]
    fn cfg(&self) -> Sig {
        cat([self.locked, lit(2, 0), self.mode.sig(), self.execute, self.write, self.read])
    }
}

/// The entries, as a check of an address wants them.
#[derive(Clone, Debug, Bundle)]
pub struct Pmp {
    /// The entries of physical memory protection.
    pub entries: Vec<PmpEntry>,
    /// The bits of each entry's address that are not compared, because the entry is NAPOT: the ones
    /// at the low end, and the zero above them. 0 in other modes.
    pub ignored: Vec<Sig>,
}

impl Pmp {
    /// Its shape.
    pub fn shape() -> Pmp {
        let entries = array(ENTRIES, |_| PmpEntry::shape());
        Pmp { entries, ignored: array(ENTRIES, |_| bits(32)) }
    }
}

/// The registers of the entries.
#[derive(Clone, Debug, PartialEq)]
pub struct PmpRegisters;

/// Ports of [`PmpRegisters`].
#[derive(Clone, Debug, Bundle)]
pub struct PmpRegistersIo {
    /// `pmpcfg0` is written.
    pub write_cfg: Sig,
    /// `pmpaddr` is written: a bit for each entry.
    pub write_address: Sig,
    /// The value to write to `pmpcfg0` or `pmpaddr`; valid with `write_cfg` or any bit of
    /// `write_address`.
    pub write_data: Sig,
    /// The value of `pmpcfg0`.
    pub cfg: Sig,
    /// The settings of physical memory protection.
    pub pmp: Pmp,
}

/// Four entries, all off after reset. A locked entry ignores writes, and so does the address before a
/// locked TOR entry.
#[hardware]
impl Module for PmpRegisters {
    type Io = PmpRegistersIo;

    fn name(&self) -> String {
        "pmp_registers".into()
    }

    fn build(&self) -> PmpRegistersIo {
        let io = ports(PmpRegistersIo {
            write_cfg: input(1),
            write_address: input(ENTRIES),
            write_data: input(32),
            cfg: output(32),
            pmp: output(Pmp::shape()),
        });
        let entry = array(ENTRIES, |_| reg(PmpEntry::shape()).reset_to_zero());
        io.cfg.set(cat(entry.iter().rev().map(PmpEntry::cfg)));
        let written_span = io.write_data ^ (io.write_data + 1);
        for (place, entry_here) in entry.iter().enumerate() {
            io.pmp.entries[place].drive(entry_here);
            /// The bits that a NAPOT address ignores: the ones at its low end, and the zero above
            /// them.
            let span = reg(32).reset(1).named(&format!("span_{place}"));
            io.pmp.ignored[place].set(span & entry_here.mode.is(PmpMode::Napot).repeat(32));

            let byte = io.write_data.bits(8 * place..8 * place + 8);
            let (read, write) = (byte.bit(0), byte.bit(1));
            when(io.write_cfg & !entry_here.locked, || {
                entry_here.locked.set(byte.bit(7));
                entry_here.mode.sig().set(byte.bits(3..5));
                // Writable but not readable is reserved: such a write leaves the permissions alone.
                when(read | !write, || {
                    entry_here.execute.set(byte.bit(2));
                    entry_here.write.set(write);
                    entry_here.read.set(read);
                });
            });

            let bounds_locked = entry
                .get(place + 1)
                .map_or(lit(1, 0), |next| next.locked & next.mode.is(PmpMode::Tor));
            let address_free = !entry_here.locked & !bounds_locked;
            when(io.write_address.bit(place) & address_free, || {
                entry_here.address.set(io.write_data);
                span.set(written_span);
            });
        }
        io
    }
}

/// The check of one access.
#[derive(Clone, Debug, PartialEq)]
pub struct PmpCheck;

/// Ports of [`PmpCheck`].
#[derive(Clone, Debug, Bundle)]
pub struct PmpCheckIo {
    /// The settings of physical memory protection.
    pub pmp: Pmp,
    /// The address of the access, which lies within one aligned word.
    pub address: Sig,
    /// The access is made with the rights of M mode (1) or U mode (0).
    pub machine_mode: Sig,
    /// The access reads.
    pub reads: Sig,
    /// The access writes.
    pub writes: Sig,
    /// The access fetches an instruction.
    pub executes: Sig,
    /// The access is allowed. Combinational.
    pub allowed: Sig,
}

/// The first entry whose range contains the address decides. M mode is bound by locked entries only
/// and is allowed where no entry matches; U mode is not. Combinational.
#[hardware]
impl Module for PmpCheck {
    type Io = PmpCheckIo;

    fn name(&self) -> String {
        "pmp_check".into()
    }

    fn build(&self) -> PmpCheckIo {
        let io = ports(PmpCheckIo {
            pmp: input(Pmp::shape()),
            address: input(32),
            machine_mode: input(1),
            reads: input(1),
            writes: input(1),
            executes: input(1),
            allowed: output(1),
        });
        let word = cat([lit(2, 0), io.address.bits(2..)]);
        let below: Vec<Sig> = io
            .pmp
            .entries
            .iter()
            .enumerate()
            .map(|(place, entry)| word.lt(entry.address).named(&format!("below_{place}")))
            .collect();

        // From the last entry to the first: the first that matches has the last word.
        let mut allowed = io.machine_mode;
        for (place, entry) in io.pmp.entries.iter().enumerate().rev() {
            let reaches = if place == 0 { lit(1, 1) } else { !below[place - 1] };
            let differs = (word ^ entry.address) & !io.pmp.ignored[place];
            let matches = wire(1);
            let matches = matches.named(&format!("matches_{place}"));
            switch(entry.mode, |mode_is| {
                mode_is.case(PmpMode::Tor, || matches.set(reaches & below[place]));
                mode_is.case([PmpMode::Na4, PmpMode::Napot], || matches.set(differs.none()));
                mode_is.case(PmpMode::Off, || matches.set(0));
            });
            let lacks = (io.reads & !entry.read)
                | (io.writes & !entry.write)
                | (io.executes & !entry.execute);
            let permits = (io.machine_mode & !entry.locked) | !lacks;
            allowed = matches.mux(permits, allowed).named(&format!("allowed_from_{place}"));
        }
        io.allowed.set(allowed);
        io
    }
}
