//! A first-level data cache: states, bytes, metadata, age, reservation. The bus protocol is in
//! [`super::bus`].

use super::parameters::Parameters;
use super::plru::Plru;
use crate::{Cause, Fields, LineMeta, LineMetadata, MetadataInputs, MetadataUpdate};
use config::Update;

/// The state of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// Not present.
    #[default]
    Invalid,
    /// Present, and possibly in other caches.
    Shared,
    /// In this cache only, same as memory.
    Exclusive,
    /// In this cache only, newer than memory.
    Modified,
}

impl State {
    /// All states.
    pub const ALL: [Self; 4] = [Self::Invalid, Self::Shared, Self::Exclusive, Self::Modified];

    /// Whether the line can be written without a transaction.
    pub fn is_owned(self) -> bool {
        self >= Self::Exclusive
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tag {
    /// The address of the line.
    address: u32,
    state: State,
}

/// One data cache.
#[derive(Clone, Debug)]
pub struct DataCache {
    line: u32,
    sets: u32,
    ways: u32,
    tags: Vec<Tag>,
    bytes: Vec<u8>,
    ages: Vec<Plru>,
    metadata: Option<LineMetadata>,
    /// The address of the reserved line.
    reservation: Option<u32>,
}

impl DataCache {
    /// An empty cache.
    pub fn new(parameters: &Parameters) -> Self {
        let &Parameters { line, sets, ways, .. } = parameters;
        for (what, number) in [("a line", line), ("the sets", sets), ("the ways", ways)] {
            assert!(number.is_power_of_two(), "{what} of {number}; allowed: a power of two");
        }
        assert!(line >= 4 && ways <= 16, "{ways} ways of {line} bytes; allowed: 16 ways of words");
        let slots = (sets * ways) as usize;
        let metadata = |fields: Fields, update: Update| LineMetadata::new(slots, fields, update);
        Self {
            line,
            sets,
            ways,
            tags: vec![Tag::default(); slots],
            bytes: vec![0; slots * line as usize],
            ages: vec![Plru::default(); sets as usize],
            metadata: parameters.monitor.map(|setup| metadata(setup.fields, setup.update)),
            reservation: None,
        }
    }

    /// The line that an address lies in.
    #[inline]
    pub fn line_of(&self, address: u32) -> u32 {
        address & !(self.line - 1)
    }

    #[inline]
    fn set_of(&self, address: u32) -> u32 {
        (address / self.line) & (self.sets - 1)
    }

    #[inline]
    fn slot(&self, address: u32, way: u32) -> usize {
        (self.set_of(address) * self.ways + way) as usize
    }

    /// The way that holds an address.
    #[inline]
    pub fn find(&self, address: u32) -> Option<u32> {
        let line = self.line_of(address);
        let first = self.slot(address, 0);
        let set = &self.tags[first..first + self.ways as usize];
        let here = |tag: &Tag| tag.address == line && tag.state != State::Invalid;
        set.iter().position(here).map(|way| way as u32)
    }

    /// The state of the line of an address.
    pub fn state(&self, address: u32) -> State {
        self.find(address).map_or(State::Invalid, |way| self.tags[self.slot(address, way)].state)
    }

    /// The state of the line in a way of an address' set.
    #[inline]
    pub(super) fn state_at(&self, address: u32, way: u32) -> State {
        self.tags[self.slot(address, way)].state
    }

    #[inline]
    pub(super) fn set_state(&mut self, address: u32, way: u32, state: State) {
        let slot = self.slot(address, way);
        self.tags[slot].state = state;
    }

    /// The victim way for an address: the lowest invalid one, else the oldest.
    pub fn victim(&self, address: u32) -> u32 {
        let invalid = |way: &u32| self.state_at(address, *way) == State::Invalid;
        let oldest = || self.ages[self.set_of(address) as usize].victim(self.ways);
        (0..self.ways).find(invalid).unwrap_or_else(oldest)
    }

    /// Address and state of the line in a way.
    pub(super) fn occupant(&self, address: u32, way: u32) -> (u32, State) {
        let Tag { address, state } = self.tags[self.slot(address, way)];
        (address, state)
    }

    /// Marks a way as used by an ordered access.
    #[inline]
    pub(super) fn touch(&mut self, address: u32, way: u32) {
        let set = self.set_of(address) as usize;
        self.ages[set].touch(way, self.ways);
    }

    /// The age bits of an address' set.
    pub fn age(&self, address: u32) -> Plru {
        self.ages[self.set_of(address) as usize]
    }

    /// Replaces the line in a way; clears a reservation of the old line.
    pub(super) fn fill(&mut self, address: u32, way: u32, state: State, bytes: &[u8]) {
        let slot = self.slot(address, way);
        let leaving = self.tags[slot];
        if leaving.state != State::Invalid && self.reservation == Some(leaving.address) {
            self.reservation = None;
        }
        self.tags[slot] = Tag { address: self.line_of(address), state };
        let start = slot * self.line as usize;
        self.bytes[start..start + self.line as usize].copy_from_slice(bytes);
    }

    /// Invalidates the line; clears its reservation.
    pub(super) fn invalidate(&mut self, address: u32, way: u32) {
        self.set_state(address, way, State::Invalid);
        if self.reservation == Some(self.line_of(address)) {
            self.reservation = None;
        }
    }

    /// The bytes of a way.
    pub(super) fn bytes(&self, address: u32, way: u32) -> &[u8] {
        let start = self.slot(address, way) * self.line as usize;
        &self.bytes[start..start + self.line as usize]
    }

    /// The bytes of a way, mutable.
    pub(super) fn bytes_mut(&mut self, address: u32, way: u32) -> &mut [u8] {
        let start = self.slot(address, way) * self.line as usize;
        &mut self.bytes[start..start + self.line as usize]
    }

    /// The aligned word of an address, in a way.
    #[inline]
    pub(super) fn word(&self, address: u32, way: u32) -> u32 {
        let at = self.word_offset(address, way);
        let bytes = &self.bytes[at..at + 4];
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    #[inline]
    pub(super) fn set_word(&mut self, address: u32, way: u32, word: u32) {
        let at = self.word_offset(address, way);
        self.bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }

    #[inline]
    fn word_offset(&self, address: u32, way: u32) -> usize {
        self.slot(address, way) * self.line as usize + (address & (self.line - 1) & !3) as usize
    }

    /// The reserved line.
    pub fn reservation(&self) -> Option<u32> {
        self.reservation
    }

    pub(super) fn reserve(&mut self, address: u32) {
        self.reservation = Some(self.line_of(address));
    }

    pub(super) fn end_reservation(&mut self) {
        self.reservation = None;
    }

    /// The metadata of the line in a way; NULL without a monitor.
    pub(super) fn meta(&self, address: u32, way: u32) -> LineMeta {
        let slot = self.slot(address, way);
        self.metadata.as_ref().map_or(LineMeta::NULL, |metadata| metadata.line(slot))
    }

    /// Offers metadata for the line in a way.
    pub(super) fn offer_meta(&mut self, address: u32, way: u32, cause: Cause, meta: LineMeta) {
        let update = Some(MetadataUpdate { line: self.slot(address, way), cause, meta });
        if let Some(metadata) = &mut self.metadata {
            metadata.step(&MetadataInputs { lookup: None, update });
        }
    }

    /// The metadata of the line of an address, if present.
    pub fn line_meta(&self, address: u32) -> Option<LineMeta> {
        self.find(address).map(|way| self.meta(address, way))
    }

    /// Addresses and states of all valid lines.
    pub fn lines(&self) -> impl Iterator<Item = (u32, State)> {
        let valid = self.tags.iter().filter(|tag| tag.state != State::Invalid);
        valid.map(|tag| (tag.address, tag.state))
    }
}
