//! Physical memory protection: four entries, grain 4 bytes.

use crate::Mode;

const ENTRIES: usize = 4;
const R: u8 = 1;
const W: u8 = 2;
const X: u8 = 4;
const A: u8 = 0b11 << 3;
const TOR: u8 = 1 << 3;
const NA4: u8 = 2 << 3;
const NAPOT: u8 = 3 << 3;
const LOCK: u8 = 1 << 7;

/// Permission that an access needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Load.
    Read,
    /// Store, SC or AMO.
    Write,
    /// Execute.
    Execute,
}

/// The entries, and whether any is active.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pmp {
    configs: [u8; ENTRIES],
    addresses: [u32; ENTRIES],
    /// Some entry is not off: only then must M mode be checked.
    active: bool,
}

impl Pmp {
    /// `pmpcfg0`.
    pub fn config(&self) -> u32 {
        u32::from_le_bytes(self.configs)
    }

    /// `pmpaddr0` to `pmpaddr3`; 0 for those that do not exist.
    pub fn address(&self, entry: usize) -> u32 {
        self.addresses.get(entry).copied().unwrap_or(0)
    }

    /// Writes `pmpcfg0`.
    pub fn write_config(&mut self, value: u32) {
        for (config, new) in self.configs.iter_mut().zip(value.to_le_bytes()) {
            if *config & LOCK == 0 {
                let reserved = new & (R | W) == W;
                let rights = if reserved { *config } else { new } & (R | W | X);
                *config = new & (LOCK | A) | rights;
            }
        }
        self.active = self.configs.iter().any(|config| config & A != 0);
    }

    /// Writes an address register.
    pub fn write_address(&mut self, entry: usize, value: u32) {
        let locked = |entry: usize| self.configs.get(entry).is_some_and(|c| c & LOCK != 0);
        let is_base_of_locked = locked(entry + 1) && self.configs[entry + 1] & A == TOR;
        if entry < ENTRIES && !locked(entry) && !is_base_of_locked {
            self.addresses[entry] = value;
        }
    }

    /// Whether an access to (part of) the aligned word at `address` is allowed.
    #[inline]
    pub fn allows(&self, address: u32, permission: Permission, mode: Mode) -> bool {
        if !self.active {
            return mode == Mode::Machine;
        }
        let found = (0..ENTRIES).find(|entry| self.matches(*entry, address >> 2));
        let Some(entry) = found else { return mode == Mode::Machine };
        let config = self.configs[entry];
        let wanted = match permission {
            Permission::Read => R,
            Permission::Write => W,
            Permission::Execute => X,
        };
        config & wanted != 0 || mode == Mode::Machine && config & LOCK == 0
    }

    /// Whether an entry covers a word. Address registers hold word addresses, like `word`.
    fn matches(&self, entry: usize, word: u32) -> bool {
        let top = self.addresses[entry];
        match self.configs[entry] & A {
            TOR => {
                let base = if entry == 0 { 0 } else { self.addresses[entry - 1] };
                (base..top).contains(&word)
            }
            NA4 => word == top,
            NAPOT => {
                // The lowest zero and the ones below it encode the size.
                let ignored = top ^ top.wrapping_add(1);
                (word ^ top) & !ignored == 0
            }
            _ => false,
        }
    }
}
