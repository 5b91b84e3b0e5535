//! What the memory system must do, in the plainest form: a map of words, and for each cache which
//! lines it holds. Everything is applied in the order that the machine exports.

use std::collections::{HashMap, HashSet};

use units::data_port::{AccessOp, AmoOp};
use units::geometry::Geometry;

use crate::dice::mixed;

/// One access of a hart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    pub address: u32,
    pub op: AccessOp,
    pub amo: AmoOp,
    pub mask: u32,
    pub data: u32,
    pub pc: u32,
    pub machine_mode: bool,
}

impl Request {
    pub fn reads(&self) -> bool {
        matches!(self.op, AccessOp::Load | AccessOp::LoadReserved)
    }

    pub fn is_device(&self) -> bool {
        self.address >> 31 == 0
    }
}

/// What the hart is answered.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Response {
    pub data: u32,
    pub written: u32,
    pub failed: bool,
}

/// One grant, as exported.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Grant {
    pub kind: u64,
    pub requester: u64,
    pub address: u32,
    pub holders: u64,
    pub supplier: u64,
    pub way: u64,
    pub victim: bool,
    pub victim_dirty: bool,
    pub victim_address: u32,
    pub time: u64,
}

/// An access without a grant, as exported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub kind: u64,
    pub address: u32,
    pub way: u64,
}

pub const READ: u64 = 0;
pub const READ_X: u64 = 1;
pub const UPGRADE: u64 = 2;
pub const FETCH: u64 = 3;
pub const DEVICE: u64 = 4;
pub const HOST_READ: u64 = 5;
pub const HOST_WRITE: u64 = 6;
pub const NOBODY: u64 = 255;

/// How a line is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    Invalid,
    Shared,
    Exclusive,
    Modified,
}

/// One data cache.
#[derive(Clone, Debug)]
struct Cache {
    /// (line number, state) of each way of each set.
    sets: Vec<Vec<(u32, State)>>,
    /// The nodes of each set's tree.
    trees: Vec<Vec<bool>>,
    reservation: Option<u32>,
}

/// A grant to a data cache: its kind, the requester, the other holders, and the state they have the line in
/// (one in M or E, or any number in S).
pub type Pattern = (u64, usize, u64, State);

/// A transition of a line in one cache: state before, who did what, state after.
pub type Transition = (State, &'static str, State);

/// The whole memory system.
pub struct Reference {
    geometry: Geometry,
    caches: Vec<Cache>,
    words: HashMap<u32, u32>,
    pub time: u64,
    time_bits: u32,
    /// What happened how often.
    pub transitions: HashMap<Transition, u64>,
    /// Who asked for lines that were held how.
    pub patterns: HashSet<Pattern>,
}

/// What memory holds where nothing was written.
pub fn initial(address: u32) -> u32 {
    mixed(u64::from(address >> 2)) as u32
}

/// The bits of the bytes in a mask of four.
pub fn byte_mask(mask: u32) -> u32 {
    (0..4).filter(|byte| mask >> byte & 1 == 1).fold(0, |bits, byte| bits | 0xff << (8 * byte))
}

pub fn amo(op: AmoOp, word: u32, operand: u32) -> u32 {
    match op {
        AmoOp::Swap => operand,
        AmoOp::Add => word.wrapping_add(operand),
        AmoOp::Xor => word ^ operand,
        AmoOp::And => word & operand,
        AmoOp::Or => word | operand,
        AmoOp::Min => (word as i32).min(operand as i32) as u32,
        AmoOp::Max => (word as i32).max(operand as i32) as u32,
        AmoOp::MinUnsigned => word.min(operand),
        AmoOp::MaxUnsigned => word.max(operand),
    }
}

impl Reference {
    pub fn new(harts: usize, geometry: Geometry, time_bits: usize) -> Reference {
        let cache = Cache {
            sets: vec![vec![(0, State::Invalid); geometry.ways]; geometry.sets],
            trees: vec![vec![false; geometry.ways - 1]; geometry.sets],
            reservation: None,
        };
        Reference {
            geometry,
            caches: vec![cache; harts],
            words: HashMap::new(),
            time: 0,
            time_bits: time_bits as u32,
            transitions: HashMap::new(),
            patterns: HashSet::new(),
        }
    }

    pub fn line_of(&self, address: u32) -> u32 {
        address / self.geometry.line as u32
    }

    pub fn word(&self, address: u32) -> u32 {
        self.words.get(&(address & !3)).copied().unwrap_or_else(|| initial(address))
    }

    /// The words of the line that an address is in.
    pub fn line(&self, address: u32) -> Vec<u32> {
        let base = self.line_of(address) * self.geometry.line as u32;
        (0..self.geometry.words() as u32).map(|word| self.word(base + 4 * word)).collect()
    }

    fn set_of(&self, line: u32) -> usize {
        line as usize % self.geometry.sets
    }

    fn find(&self, hart: usize, line: u32) -> Option<(usize, State)> {
        let set = &self.caches[hart].sets[self.set_of(line)];
        let way = set.iter().position(|&(held, state)| held == line && state != State::Invalid)?;
        Some((way, set[way].1))
    }

    fn state(&self, hart: usize, line: u32) -> State {
        self.find(hart, line).map_or(State::Invalid, |(_, state)| state)
    }

    fn move_to(&mut self, hart: usize, line: u32, cause: &'static str, state: State) {
        let Some((way, before)) = self.find(hart, line) else { return };
        let set = self.set_of(line);
        self.caches[hart].sets[set][way].1 = state;
        *self.transitions.entry((before, cause, state)).or_default() += 1;
        if state == State::Invalid && self.caches[hart].reservation == Some(line) {
            self.caches[hart].reservation = None;
        }
    }

    fn touch(&mut self, hart: usize, line: u32, way: usize) {
        let set = self.set_of(line);
        let tree = &mut self.caches[hart].trees[set];
        let (mut node, mut low, mut high) = (0, 0, self.geometry.ways);
        while high - low > 1 {
            let middle = (low + high) / 2;
            let higher = way >= middle;
            tree[node] = !higher;
            (node, low, high) =
                if higher { (2 * node + 2, middle, high) } else { (2 * node + 1, low, middle) };
        }
    }

    fn victim(&self, hart: usize, line: u32) -> usize {
        let set = self.set_of(line);
        let ways = &self.caches[hart].sets[set];
        if let Some(way) = ways.iter().position(|&(_, state)| state == State::Invalid) {
            return way;
        }
        let tree = &self.caches[hart].trees[set];
        let (mut node, mut low, mut high) = (0, 0, self.geometry.ways);
        while high - low > 1 {
            let middle = (low + high) / 2;
            (node, low, high) = match tree[node] {
                true => (2 * node + 2, middle, high),
                false => (2 * node + 1, low, middle),
            };
        }
        low
    }

    /// Holders other than `hart`, and the supplier: M or E, else the lowest in S.
    fn others(&self, hart: Option<usize>, line: u32) -> (Vec<usize>, Option<usize>) {
        let all = (0..self.caches.len()).filter(|&other| Some(other) != hart);
        let holders: Vec<usize> =
            all.filter(|&other| self.state(other, line) != State::Invalid).collect();
        let owner = holders.iter().find(|&&other| self.state(other, line) >= State::Exclusive);
        assert!(owner.is_none() || holders.len() == 1, "an owner is alone");
        let supplier = owner.or(holders.first()).copied();
        (holders, supplier)
    }

    fn next_time(&mut self) -> u64 {
        if self.time_bits == 0 {
            return 0;
        }
        self.time = (self.time + 1) & (u64::MAX >> (64 - self.time_bits));
        self.time
    }

    /// The grant of a data access to memory, and its answer.
    pub fn grant(&mut self, hart: usize, request: &Request) -> (Grant, Response) {
        let line = self.line_of(request.address);
        let (holders, supplier) = self.others(Some(hart), line);
        let own = self.find(hart, line);
        let kind = match (request.reads(), own) {
            (true, None) => READ,
            (false, None) => READ_X,
            (false, Some((_, State::Shared))) => UPGRADE,
            (_, Some((way, state))) => panic!("{request:x?} hits in way {way}, {state:?}"),
        };
        let mut grant = Grant {
            kind,
            requester: hart as u64,
            address: request.address,
            holders: bits(&holders),
            supplier: NOBODY,
            time: self.next_time(),
            ..Grant::default()
        };
        if request.op == AccessOp::StoreConditional {
            assert_eq!(self.caches[hart].reservation, Some(line), "only a good SC is granted");
        }
        let shared = !holders.is_empty();
        let held = supplier.map_or(State::Invalid, |other| self.state(other, line));
        self.patterns.insert((kind, hart, grant.holders, held));
        for &other in &holders {
            match kind {
                READ => self.move_to(other, line, "read by another", State::Shared),
                _ => self.move_to(other, line, "written by another", State::Invalid),
            }
        }
        let way = match own {
            Some((way, _)) => {
                self.move_to(hart, line, "upgrade", State::Modified);
                way
            }
            None => {
                grant.supplier = supplier.map_or(NOBODY, |hart| hart as u64);
                let way = self.victim(hart, line);
                let set = self.set_of(line);
                let (leaving, state) = self.caches[hart].sets[set][way];
                if state != State::Invalid {
                    grant.victim = true;
                    grant.victim_dirty = state == State::Modified;
                    grant.victim_address = leaving * self.geometry.line as u32;
                    self.move_to(hart, leaving, "evicted", State::Invalid);
                }
                let state = match (kind, shared) {
                    (READ_X, _) => State::Modified,
                    (_, true) => State::Shared,
                    (_, false) => State::Exclusive,
                };
                let cause = if kind == READ { "read" } else { "write" };
                *self.transitions.entry((State::Invalid, cause, state)).or_default() += 1;
                self.caches[hart].sets[set][way] = (line, state);
                way
            }
        };
        grant.way = way as u64;
        self.touch(hart, line, way);
        (grant, self.perform(hart, request))
    }

    /// An access without a grant, and its answer.
    pub fn hit(&mut self, hart: usize, request: &Request) -> (Hit, Response) {
        let line = self.line_of(request.address);
        let failing =
            request.op == AccessOp::StoreConditional && self.caches[hart].reservation != Some(line);
        let kind = match request.op {
            AccessOp::Load => 0,
            AccessOp::Store => 1,
            AccessOp::StoreConditional if failing => 2,
            AccessOp::LoadReserved => 3,
            AccessOp::StoreConditional => 4,
            AccessOp::Amo => 5,
        };
        let mut hit = Hit { kind, address: request.address, way: 0 };
        if !failing {
            let Some((way, state)) = self.find(hart, line) else {
                panic!("{request:x?} of hart {hart} hits, but its line is not there");
            };
            if !request.reads() {
                assert!(state >= State::Exclusive, "a store of hart {hart} hits in {state:?}");
                self.move_to(hart, line, "store hit", State::Modified);
            } else {
                self.move_to(hart, line, "load hit", state);
            }
            hit.way = way as u64;
            self.touch(hart, line, way);
        }
        (hit, self.perform(hart, request))
    }

    fn perform(&mut self, hart: usize, request: &Request) -> Response {
        let line = self.line_of(request.address);
        let word = self.word(request.address);
        let mask = byte_mask(request.mask);
        let stored = word & !mask | request.data & mask;
        let place = request.address & !3;
        match request.op {
            AccessOp::Load => Response { data: word, ..Response::default() },
            AccessOp::LoadReserved => {
                self.caches[hart].reservation = Some(line);
                Response { data: word, ..Response::default() }
            }
            AccessOp::Store => {
                self.words.insert(place, stored);
                Response::default()
            }
            AccessOp::StoreConditional => {
                let failed = self.caches[hart].reservation.take() != Some(line);
                if !failed {
                    self.words.insert(place, stored);
                }
                Response { failed, ..Response::default() }
            }
            AccessOp::Amo => {
                let written = amo(request.amo, word, request.data);
                self.words.insert(place, written);
                Response { data: word, written, failed: false }
            }
        }
    }

    /// A grant to an instruction cache or to the host, and the line as it was before.
    pub fn plain_grant(&mut self, kind: u64, requester: u64, address: u32) -> (Grant, Vec<u32>) {
        let line = self.line_of(address);
        let (holders, _) = self.others(None, line);
        let words = self.line(address);
        let grant = Grant {
            kind,
            requester,
            address: line * self.geometry.line as u32,
            supplier: NOBODY,
            ..Grant::default()
        };
        if kind == HOST_WRITE {
            for other in holders {
                self.move_to(other, line, "written by the host", State::Invalid);
            }
        }
        (grant, words)
    }

    /// What the host writes.
    pub fn host_write(&mut self, address: u32, words: &[u32], mask: u64) {
        let base = self.line_of(address) * self.geometry.line as u32;
        for (place, &new) in words.iter().enumerate() {
            let at = base + 4 * place as u32;
            let mask = byte_mask((mask >> (4 * place)) as u32 & 15);
            let word = self.word(at) & !mask | new & mask;
            self.words.insert(at, word);
        }
    }
}

fn bits(harts: &[usize]) -> u64 {
    harts.iter().fold(0, |bits, hart| bits | 1 << hart)
}
