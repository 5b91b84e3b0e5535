//! Accesses of a machine with colors: transactions begin, conflict, abort and commit here (docs/machine.md §14).

use super::bus::{Memory, bits};
use super::cache::State;
use super::export::{BusGrant, BusKind};
use super::map::Region;
use super::ordered::Ordered;
use crate::coloring::Coloring;
use crate::isa::{DataAccess, DataKind};
use crate::{ColorId, Step};
use border::color::Commit;

/// What an access is to the colors of its hart.
#[derive(Clone, Copy)]
struct Tracked {
    color: ColorId,
    /// It begins a transaction.
    begins: bool,
}

impl Memory {
    /// The colors, if the machine has any.
    #[inline]
    pub fn coloring(&self) -> Option<&Coloring> {
        self.coloring.as_ref()
    }

    /// The same, to change them.
    #[inline]
    pub fn coloring_mut(&mut self) -> Option<&mut Coloring> {
        self.coloring.as_mut()
    }

    /// Whether a hart has a transaction that is open.
    #[inline]
    pub fn in_transaction(&self, hart: usize) -> bool {
        self.coloring.as_ref().is_some_and(|coloring| coloring.open(hart).is_some())
    }

    /// Commits the open transaction of a hart, if it has one.
    pub fn commit(&mut self, hart: usize, cause: Commit) {
        if let Some(colors) = self.coloring.as_mut().and_then(|coloring| coloring.hart_mut(hart)) {
            colors.commit(cause);
        }
    }

    /// Whether a line has bytes in a hart's cache that nobody else may see.
    #[inline]
    pub(super) fn is_speculative(&self, hart: usize, line: u32) -> bool {
        self.coloring.as_ref().is_some_and(|coloring| coloring.is_speculative(hart, line))
    }

    /// An access in RAM of a machine with colors.
    pub(super) fn order_colored(&mut self, hart: usize, access: &DataAccess) -> Ordered {
        let &DataAccess { kind, address, .. } = access;
        let line = self.caches[hart].line_of(address);
        if self.fails(hart, access) {
            return self.order_in_ram(hart, access);
        }
        let writes = kind.is_store();
        let is_watched = writes && self.is_watched(address);
        if let Some(cause) = self.commits_before(hart, access) {
            self.commit(hart, cause);
        }
        let tracked = self.track(hart, access, !is_watched);
        let is_member = self.in_transaction(hart) || tracked.is_some_and(|tracked| tracked.begins);
        let before = is_member.then(|| self.before(hart, line, writes)).flatten();
        let ordered = self.order_in_ram(hart, access);
        if ordered == Ordered::Stalled {
            return ordered;
        }
        let Some(coloring) = &mut self.coloring else { return ordered };
        if let Some(Tracked { color, .. }) = tracked
            && color.is_colored()
            && matches!(ordered, Ordered::Granted { .. })
        {
            coloring.tell_others(hart, color, writes);
        }
        let Some(colors) = coloring.hart_mut(hart) else { return ordered };
        if let Some(Tracked { color, begins }) = tracked {
            colors.attempts_mut().passed();
            if begins {
                colors.begin(access.pc);
            }
            colors.accesses(access.pc, color, writes);
        }
        if let Some(open) = colors.attempts_mut().open_mut() {
            match before {
                Some(before) => open.writes(line, || before),
                None if !writes => open.reads(line),
                None => {}
            }
        }
        ordered
    }

    /// Whether an access is an SC without a reservation.
    fn fails(&self, hart: usize, access: &DataAccess) -> bool {
        let cache = &self.caches[hart];
        access.kind == DataKind::StoreConditional
            && cache.reservation() != Some(cache.line_of(access.address))
    }

    /// Why the open transaction of a hart commits before an access of it; `None` if there is none, or it need not.
    pub fn commits_before(&self, hart: usize, access: &DataAccess) -> Option<Commit> {
        let in_ram = self.map().region(access.address) == Region::Ram;
        if !in_ram || !self.in_transaction(hart) || self.fails(hart, access) {
            return None;
        }
        let is_watched = access.kind.is_store() && self.is_watched(access.address);
        let evicts = || self.evicts_member(hart, access.address).then_some(Commit::Eviction);
        if is_watched { Some(Commit::Watched) } else { evicts() }
    }

    /// Cleans the line of an access that is to come, as hardware does before a transaction writes it: the line is in
    /// memory from then on. `None` if the access does not hit a line in M that no transaction has written.
    pub fn clean(&mut self, hart: usize, access: &DataAccess) -> Option<BusGrant> {
        let line = self.caches[hart].line_of(access.address);
        let writes = access.kind.is_store() && !self.fails(hart, access);
        if !writes || self.is_speculative(hart, line) {
            return None;
        }
        let way = self.write_back(hart, line)?;
        Some(BusGrant { way: way as u8, ..BusGrant::plain(BusKind::Clean, hart as u8, line) })
    }

    /// Writes a line that a hart has in M to memory; its way.
    fn write_back(&mut self, hart: usize, line: u32) -> Option<u32> {
        let cache = &self.caches[hart];
        let way = cache.find(line).filter(|way| cache.state_at(line, *way) == State::Modified)?;
        self.ram.piece_mut(line, self.line).copy_from_slice(cache.bytes(line, way));
        Some(way)
    }

    /// What an access is to the colors of its hart; `None` if it is not tracked.
    fn track(&mut self, hart: usize, access: &DataAccess, may_begin: bool) -> Option<Tracked> {
        let &DataAccess { mode, pc, address, .. } = access;
        if !self.coloring.as_ref()?.hart(hart).registers().covers(mode, pc) {
            return None;
        }
        let color = self.color_of(hart, address)?;
        let coloring = self.coloring.as_mut()?;
        let colors = coloring.hart(hart);
        let mut begins = may_begin && colors.attempts().may_begin();
        if begins {
            let wanted = colors.registers().avoids() && colors.is_hazard(color);
            begins = colors.attempts().resumes(pc) || wanted || coloring.starts_at_random(hart);
        }
        Some(Tracked { color, begins })
    }

    /// The color of an address, for a hart.
    fn color_of(&mut self, hart: usize, address: u32) -> Option<ColorId> {
        let mut step = self.coloring.as_mut()?.hart_mut(hart)?.look_up(address);
        loop {
            match step {
                Step::Answer(color) => return Some(color),
                Step::NoTable => step = self.coloring.as_mut()?.hart_mut(hart)?.no_table(),
                Step::Read(word) => {
                    let word = self.current_word(word).unwrap_or(0);
                    step = self.coloring.as_mut()?.hart_mut(hart)?.walk(word);
                }
            }
        }
    }

    /// Before a write of a transaction to a line that it has not written yet: the line's bytes, which are in memory from
    /// then on. `None` for reads and for lines that it has written.
    fn before(&mut self, hart: usize, line: u32, writes: bool) -> Option<Box<[u8]>> {
        if !writes || self.is_speculative(hart, line) {
            return None;
        }
        self.write_back(hart, line);
        Some(self.current_line(line).into())
    }

    /// Whether the next access of a hart would evict a line that its transaction has read or written.
    fn evicts_member(&self, hart: usize, address: u32) -> bool {
        let cache = &self.caches[hart];
        let Some(open) = self.coloring.as_ref().and_then(|coloring| coloring.open(hart)) else {
            return false;
        };
        if cache.find(address).is_some() {
            return false;
        }
        let (leaving, state) = cache.occupant(address, cache.victim(address));
        state != State::Invalid && open.has(leaving)
    }

    /// An access to a line is granted to a hart, or to the host: transactions of others that conflict abort first.
    pub(super) fn abort_others(&mut self, requester: Option<usize>, line: u32, writes: bool) {
        let Some(coloring) = &self.coloring else { return };
        let conflicts = |other: &usize| {
            let open = coloring.open(*other);
            Some(*other) != requester && open.is_some_and(|open| open.conflicts(line, writes))
        };
        let aborting: u32 = (0..self.caches.len()).filter(conflicts).map(|other| 1 << other).sum();
        bits(aborting).for_each(|other| self.abort(other));
    }

    /// Aborts the open transaction of a hart: what it wrote is gone.
    fn abort(&mut self, hart: usize) {
        let Some(coloring) = &mut self.coloring else { return };
        let written: Vec<(u32, Box<[u8]>)> = coloring
            .open(hart)
            .into_iter()
            .flat_map(|open| open.written())
            .map(|(line, bytes)| (line, bytes.into()))
            .collect();
        coloring.abort(hart);
        let cache = &mut self.caches[hart];
        cache.end_reservation();
        for (line, before) in written {
            let way = cache.find(line).expect("a transaction commits before a line of it leaves");
            cache.invalidate(line, way);
            let now = self.ram.piece(line, self.line);
            assert_eq!(now, &before[..], "hart {hart}, line {line:#x}: memory is not as before");
        }
    }
}
