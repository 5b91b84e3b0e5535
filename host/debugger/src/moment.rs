//! The machine at one place of a run: what a debugger shows.

use crate::pages::Pages;
use crate::tape::{Commit, Mark, Start};
use sha2::{Digest, Sha256};

/// Registers and pc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// `x0` to `x31`.
    pub x: [u32; 32],
    /// The next instruction.
    pub pc: u32,
}

/// A hart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HartState {
    /// As they are.
    pub registers: Registers,
    /// Whether it is in U mode, else in M mode.
    pub user: bool,
    /// Its registers when it last left U mode, if it did and has not come back: the program's, while the firmware
    /// works.
    pub left: Option<Registers>,
}

impl HartState {
    /// The program's registers; before it is in U mode for the first time, the firmware's.
    pub fn of_program(&self) -> &Registers {
        self.left.as_ref().unwrap_or(&self.registers)
    }
}

/// Harts and memory at a place. A copy shares its memory until one of the two goes on.
#[derive(Clone, Debug)]
pub struct Moment {
    mark: Mark,
    harts: Vec<HartState>,
    memory: Pages,
}

impl Moment {
    /// Before the first instruction.
    pub fn new(start: Start) -> Self {
        let Start { harts, pc, memory } = start;
        let registers = Registers { pc, ..Registers::default() };
        let hart = HartState { registers, ..HartState::default() };
        Self { mark: Mark(0), harts: vec![hart; harts], memory }
    }

    /// Where it is.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// The harts.
    pub fn harts(&self) -> &[HartState] {
        &self.harts
    }

    /// Memory as all harts see it, through the caches.
    pub fn memory(&self) -> &Pages {
        &self.memory
    }

    /// Goes on by the commit that comes next.
    #[inline]
    pub fn apply(&mut self, commit: &Commit) {
        self.mark.0 += 1;
        if commit.written() != 0 {
            self.memory.write_lanes(commit.address, commit.written(), commit.data);
        }
        if commit.is_by_host() {
            return;
        }
        let hart = &mut self.harts[usize::from(commit.hart)];
        // An interrupt comes before its handler's first instruction, a trap with the instruction.
        if hart.user && !commit.is_user() {
            hart.left = Some(hart.registers);
        } else if commit.is_user() && commit.trapped() {
            hart.left = Some(Registers { pc: commit.pc, ..hart.registers });
        }
        if commit.rd != 0 {
            hart.registers.x[usize::from(commit.rd & 31)] = commit.value;
        }
        hart.registers.pc = commit.next;
        hart.user = commit.leads_to_user();
        if hart.user {
            hart.left = None;
        }
    }

    /// SHA-256 of all of it.
    pub fn hash(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.mark.0.to_le_bytes());
        for hart in &self.harts {
            for registers in [Some(&hart.registers), hart.left.as_ref()] {
                hash.update([registers.is_some().into(), hart.user.into()]);
                let Registers { x, pc } = registers.copied().unwrap_or_default();
                x.iter().chain([&pc]).for_each(|word| hash.update(word.to_le_bytes()));
            }
        }
        for (address, page) in self.memory.used() {
            hash.update(address.to_le_bytes());
            hash.update(page);
        }
        hash.finalize().into()
    }
}
