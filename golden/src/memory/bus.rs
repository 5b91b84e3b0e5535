//! The bus and the agents on it. Every access completes before the next begins.

use super::cache::{DataCache, State};
use super::device::{Clint, Uart};
use super::export::{BusGrant, BusKind, Hit, HitKind, NOBODY, Tap};
use super::map::{Map, Region};
use super::ordered::Ordered;
use super::parameters::Parameters;
use super::ram::Ram;
use super::watch::Watched;
use crate::breakpoint::Breakpoints;
use crate::coloring::Coloring;
use crate::isa::{DataAccess, DataKind, Done};
use crate::pc::low_bits;
use crate::{AccessKind, Cause, HartId, LineMeta, Monitor, MonitorParameters};
use border::interrupt::Interrupt;
use config::Update;

/// Bits of a pc.
const PC_BITS: u32 = 32;

/// Caches, bus, memory, devices, monitors.
#[derive(Clone, Debug)]
pub struct Memory {
    pub(super) line: u32,
    map: Map,
    pub(super) ram: Ram,
    pub(super) caches: Vec<DataCache>,
    pub(super) monitors: Vec<Monitor>,
    pub(super) clint: Clint,
    pub(super) uart: Uart,
    /// Which stores update metadata; `None` without a monitor.
    update: Option<Update>,
    time_bits: u32,
    pub(super) time: u64,
    /// For each hart's window: the transaction number wrapped since its table was cleared.
    pub(super) wrapped: Vec<bool>,
    watch_address: Option<u32>,
    watched: Option<Watched>,
    pub(super) breakpoints: Option<Breakpoints>,
    pub(super) coloring: Option<Coloring>,
}

impl Memory {
    /// State after reset; RAM is zero.
    pub fn new(parameters: &Parameters) -> Self {
        let harts = parameters.harts;
        assert!((1..=32).contains(&harts), "{harts} harts; allowed: 1 to 32");
        let monitor = |hart| {
            let setup = parameters.monitor?;
            Some(Monitor::new(MonitorParameters {
                hart: HartId(hart as u32),
                core_pc_bits: PC_BITS,
                fields: setup.fields,
                depth: setup.depth,
                overflow: setup.overflow,
            }))
        };
        Self {
            line: parameters.line,
            map: Map { ram_last: parameters.ram_last },
            ram: Ram::new(parameters.ram_last),
            caches: vec![DataCache::new(parameters); harts],
            monitors: (0..harts).filter_map(monitor).collect(),
            clint: Clint::new(harts),
            uart: Uart::default(),
            update: parameters.monitor.map(|setup| setup.update),
            // Only the monitor needs numbers.
            time_bits: if parameters.monitor.is_some() { parameters.time_bits } else { 0 },
            time: 0,
            wrapped: vec![false; harts],
            watch_address: None,
            watched: None,
            breakpoints: (parameters.breakpoints > 0)
                .then(|| Breakpoints::new(harts, parameters.breakpoints, parameters.line)),
            coloring: parameters
                .color
                .map(|color| Coloring::new(harts, &color, parameters.ram_last)),
        }
    }

    /// The address map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The breakpoint unit, if there is one.
    pub fn breakpoints(&self) -> Option<&Breakpoints> {
        self.breakpoints.as_ref()
    }

    /// The same, to change it.
    pub fn breakpoints_mut(&mut self) -> Option<&mut Breakpoints> {
        self.breakpoints.as_mut()
    }

    /// Memory behind the caches.
    pub fn ram(&self) -> &Ram {
        &self.ram
    }

    /// Memory to load programs into, before anything runs.
    pub fn ram_mut(&mut self) -> &mut Ram {
        &mut self.ram
    }

    /// The data cache of a hart.
    pub fn cache(&self, hart: usize) -> &DataCache {
        &self.caches[hart]
    }

    /// The monitor of a hart, if there are monitors.
    pub fn monitor(&self, hart: usize) -> Option<&Monitor> {
        self.monitors.get(hart)
    }

    /// The core-local interrupts.
    pub fn clint(&self) -> &Clint {
        &self.clint
    }

    /// The serial port.
    pub fn uart(&self) -> &Uart {
        &self.uart
    }

    /// The serial port, to send bytes to.
    pub fn uart_mut(&mut self) -> &mut Uart {
        &mut self.uart
    }

    /// The number of the last transaction.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Whether transaction numbers wrapped since some table was cleared.
    pub fn times_wrapped(&self) -> bool {
        self.wrapped.contains(&true)
    }

    /// Watches the aligned word at an address.
    pub fn watch(&mut self, address: u32) {
        self.watch_address = Some(address & !3);
    }

    /// Whether an address is in the watched word.
    #[inline]
    pub(super) fn is_watched(&self, address: u32) -> bool {
        self.watch_address == Some(address & !3)
    }

    /// Takes the last write to the watched word.
    #[inline]
    pub fn take_watched(&mut self) -> Option<Watched> {
        self.watched.take()
    }

    /// `mip` of a hart.
    #[inline]
    pub fn pending(&self, hart: usize, now: u64) -> u32 {
        let bit = |is: bool, line: Interrupt| if is { line.bit() } else { 0 };
        bit(self.clint.software(hart), Interrupt::Software)
            | bit(self.clint.timer(hart, now), Interrupt::Timer)
            | bit(self.table_interrupts(hart), Interrupt::Table)
    }

    /// Whether a hart's table interrupt is pending.
    #[inline]
    pub fn table_interrupts(&self, hart: usize) -> bool {
        self.monitors.get(hart).is_some_and(|monitor| monitor.table().outputs().interrupt)
    }

    /// Performs an access to `region` (see [`Map::answering`]).
    #[inline]
    pub fn order(&mut self, hart: usize, access: &DataAccess, region: Region, now: u64) -> Ordered {
        if region != Region::Ram {
            return self.device(hart as u8, access, region, now);
        }
        match &self.coloring {
            None => self.order_in_ram(hart, access),
            Some(_) => self.order_colored(hart, access),
        }
    }

    /// Performs an access in RAM.
    #[inline]
    pub(super) fn order_in_ram(&mut self, hart: usize, access: &DataAccess) -> Ordered {
        let address = access.address;
        let cache = &mut self.caches[hart];
        if access.kind == DataKind::StoreConditional
            && cache.reservation() != Some(cache.line_of(address))
        {
            cache.end_reservation();
            let hit = Hit { kind: HitKind::FailingSc, address, way: 0 };
            return Ordered::Hit { hit, done: Done { before: 0, after: 0, wrote: false } };
        }
        match cache.find(address) {
            Some(way) if !access.kind.is_store() || cache.state_at(address, way).is_owned() => {
                self.hit(hart, access, way)
            }
            held => self.grant(hart, access, held),
        }
    }

    fn hit(&mut self, hart: usize, access: &DataAccess, way: u32) -> Ordered {
        let address = access.address;
        let kind = match access.kind {
            DataKind::Load => HitKind::Load,
            DataKind::Store => HitKind::Store,
            DataKind::LoadReserved => HitKind::LoadReserved,
            DataKind::StoreConditional => HitKind::Sc,
            DataKind::Amo(_) => HitKind::Amo,
        };
        if access.kind.is_store() {
            let cause = match self.caches[hart].state_at(address, way) {
                State::Exclusive => Cause::FirstWrite,
                _ => Cause::WriteHit,
            };
            if self.update.is_some_and(|update| cause.stores_under(update)) {
                let meta = self.ask(hart, access, AccessKind::ReadX, None, false).store_meta;
                self.caches[hart].offer_meta(address, way, cause, meta);
            }
            self.caches[hart].set_state(address, way, State::Modified);
        }
        let hit = Hit { kind, address, way: way as u8 };
        Ordered::Hit { hit, done: self.perform(hart, access, way) }
    }

    /// A transaction of a data cache, which has the line shared in way `held`, or not at all.
    fn grant(&mut self, hart: usize, access: &DataAccess, held: Option<u32>) -> Ordered {
        let address = access.address;
        let (kind, bus_kind) = match (access.kind.is_store(), held) {
            (false, _) => (AccessKind::Read, BusKind::Read),
            (true, None) => (AccessKind::ReadX, BusKind::ReadX),
            (true, Some(_)) => (AccessKind::Upgrade, BusKind::Upgrade),
        };
        let holders = self.holders(hart, address);
        let supplier = if held.is_none() { self.supplier(holders, address) } else { None };
        let meta = match (held, supplier) {
            (Some(way), _) => self.caches[hart].meta(address, way),
            (None, Some((other, way))) => self.caches[other].meta(address, way),
            (None, None) => LineMeta::NULL,
        };

        let next_time = low_bits(self.time.wrapping_add(1), self.time_bits);
        let request = Some((holders != 0, meta, next_time));
        let has_monitor = !self.monitors.is_empty();
        if has_monitor && self.ask(hart, access, kind, request, false).stall {
            return Ordered::Stalled;
        }
        self.abort_others(Some(hart), self.caches[hart].line_of(address), access.kind.is_store());
        self.time = next_time;
        if next_time == 0 && self.time_bits != 0 {
            self.wrapped.fill(true);
        }
        let (mut monitored, mut store_meta, mut tap) = (false, LineMeta::NULL, None);
        if has_monitor {
            let lost = self.monitors[hart].table().is_full();
            let outputs = self.ask(hart, access, kind, request, true);
            (monitored, store_meta) = (outputs.monitored, outputs.store_meta);
            tap = outputs.tap.map(|edge| Tap { edge, lost });
            if monitored {
                self.snoop(holders, kind);
            }
        }

        let mut grant = BusGrant {
            holders,
            supplier: supplier.map_or(NOBODY, |(other, _)| other as u8),
            time: next_time as u32,
            monitored,
            meta,
            ..BusGrant::plain(bus_kind, hart as u8, address)
        };
        let way = match held {
            Some(way) => way,
            None => self.take_line(hart, address, supplier, &mut grant),
        };
        grant.way = way as u8;
        let exclusive = access.kind.is_store();
        for other in bits(holders) {
            let cache = &mut self.caches[other];
            if let Some(theirs) = cache.find(address) {
                if exclusive {
                    cache.invalidate(address, theirs);
                } else {
                    cache.set_state(address, theirs, State::Shared);
                }
            }
        }
        let state = match (exclusive, holders) {
            (true, _) => State::Modified,
            (false, 0) => State::Exclusive,
            (false, _) => State::Shared,
        };
        let cache = &mut self.caches[hart];
        cache.set_state(address, way, state);
        match kind {
            AccessKind::Read => cache.offer_meta(address, way, Cause::Fill, meta),
            AccessKind::ReadX | AccessKind::Upgrade => {
                cache.offer_meta(address, way, Cause::Miss, store_meta);
            }
        }
        Ordered::Granted { grant, tap, done: self.perform(hart, access, way) }
    }

    /// Evicts the victim and fills the line, from its supplier or from memory; returns the way.
    fn take_line(
        &mut self,
        hart: usize,
        address: u32,
        supplier: Option<(usize, u32)>,
        grant: &mut BusGrant,
    ) -> u32 {
        let way = self.caches[hart].victim(address);
        let (leaving, state) = self.caches[hart].occupant(address, way);
        if state != State::Invalid {
            grant.victim = true;
            grant.victim_address = leaving;
            grant.victim_dirty = state == State::Modified;
        }
        if grant.victim_dirty {
            let bytes = self.caches[hart].bytes(address, way);
            self.ram.piece_mut(leaving, self.line).copy_from_slice(bytes);
        }
        let line = self.caches[hart].line_of(address);
        if let Some((other, theirs)) = supplier
            && self.caches[other].state_at(address, theirs) == State::Modified
        {
            let bytes = self.caches[other].bytes(address, theirs);
            self.ram.piece_mut(line, self.line).copy_from_slice(bytes);
        }
        // Whoever supplies it, memory has the same bytes by now.
        let bytes = self.ram.piece(line, self.line);
        self.caches[hart].fill(address, way, State::Shared, bytes);
        way
    }

    /// Reads and writes the word of an access in the array; sets and clears reservations.
    #[inline]
    fn perform(&mut self, hart: usize, access: &DataAccess, way: u32) -> Done {
        let &DataAccess { kind, size, address, data, .. } = access;
        let cache = &mut self.caches[hart];
        cache.touch(address, way);
        let before = cache.word(address, way);
        let after = match kind {
            DataKind::Load => before,
            DataKind::LoadReserved => {
                cache.reserve(address);
                before
            }
            DataKind::Store => size.insert(before, address, data),
            DataKind::StoreConditional => {
                cache.end_reservation();
                data
            }
            DataKind::Amo(op) => op.apply(before, data),
        };
        let wrote = kind.is_store();
        if wrote {
            cache.set_word(address, way, after);
            if self.is_watched(address) {
                self.watched = Some(Watched { hart: hart as u8, data: after });
            }
        }
        Done { before, after, wrote }
    }

    /// A bit per data cache other than `hart`'s that holds an address, as far as others may see.
    fn holders(&self, hart: usize, address: u32) -> u32 {
        let line = self.caches[hart].line_of(address);
        let holds = |other: &usize| {
            *other != hart
                && self.caches[*other].find(address).is_some()
                && !self.is_speculative(*other, line)
        };
        (0..self.caches.len()).filter(holds).map(|other| 1 << other).sum()
    }

    /// The supplying holder and its way: the owner, else the lowest-numbered.
    fn supplier(&self, holders: u32, address: u32) -> Option<(usize, u32)> {
        let owns = |other: &usize| self.caches[*other].state(address).is_owned();
        let other = bits(holders).find(owns).or_else(|| bits(holders).next())?;
        self.caches[other].find(address).map(|way| (other, way))
    }
}

/// Indices of the set bits, lowest first.
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lowest < 32).then_some(lowest as usize)
    })
}
