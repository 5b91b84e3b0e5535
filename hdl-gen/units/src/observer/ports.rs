//! What passes between the machine and an observer.

use hdl::{Bundle, Enum, HwEnum, Sig, bits, input, output};

use super::{Observer, Opaque};
use crate::bus::DeviceRequest;

/// What a hart's transaction asks of the other data caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum AccessKind {
    /// A load misses.
    Read,
    /// A store misses.
    ReadX,
    /// A store hits a line that others may hold too.
    Upgrade,
}

/// Why what is kept with a line may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum UpdateCause {
    /// The line arrives for a load.
    Fill,
    /// A ReadX or an Upgrade completes.
    Miss,
    /// A store hits the line in E.
    FirstWrite,
    /// A store hits the line in M.
    WriteHit,
}

/// The transaction in its grant cycle, the same for every hart. Meaningful while some hart's
/// `access` is 1.
#[derive(Clone, Debug, Bundle)]
pub struct Granting {
    /// The kind of the transaction: Read (0), ReadX (1) or Upgrade (2).
    pub kind: Enum<AccessKind>,
    /// Some data cache other than the requester's holds the line.
    pub communicating: Sig,
    /// The transaction is a Read of a line that no other data cache holds: memory supplies it.
    pub from_memory: Sig,
    /// What is kept with the line: the supplier's copy; for an Upgrade, the requester's own; 0 from
    /// memory.
    pub meta: Option<Opaque>,
    /// The number that this transaction gets if it is granted.
    pub number: Option<Sig>,
    /// The number of the last transaction granted; valid in every cycle.
    pub time: Option<Sig>,
    /// What the requester's side sends along with the transaction.
    pub word: Option<Opaque>,
}

impl Granting {
    pub(crate) fn shape(observer: &dyn Observer) -> Granting {
        let number = (observer.time_bits() > 0).then(|| bits(observer.time_bits()));
        Granting {
            kind: AccessKind::shape(),
            communicating: bits(1),
            from_memory: bits(1),
            meta: observer.line().map(|lane| lane.of),
            number,
            time: number.filter(|_| observer.marks_hits()),
            word: observer.word(),
        }
    }
}

/// An observer's signals for one hart.
#[derive(Clone, Debug, Bundle)]
pub struct ObserverHart {
    /// This hart's coherent transaction is in its grant cycle and its request still stands. It is
    /// granted unless a stall refuses it.
    pub access: Sig,
    /// Another hart's monitored transaction is granted in this cycle, and this hart is to be told
    /// of it.
    pub snoop: Sig,
    /// This hart's access is monitored: if it becomes a transaction, the other harts concerned are
    /// told of it. Valid in every cycle.
    pub monitored: Sig,
    /// What to keep with the line if this hart's access writes it. Valid in every cycle, whether or
    /// not the bus is requested.
    pub store_meta: Option<Opaque>,
    /// This hart's access must not be granted in this cycle. Valid in every cycle, whether or not
    /// the bus is requested.
    pub stall: Option<Sig>,
    /// What to send along with this hart's access to the harts that are told of it.
    pub word: Option<Opaque>,
}

/// An observer's port on the bus.
#[derive(Clone, Debug, Bundle)]
pub struct ObserverPort {
    /// The transaction in its grant cycle, the same for all harts. Valid if some hart's `access` is
    /// 1.
    pub granting: Granting,
    /// The signals of one hart.
    pub hart: Vec<ObserverHart>,
}

impl ObserverPort {
    /// The port as the bus has it; the observer has it flipped.
    #[track_caller]
    pub(crate) fn of_bus(harts: usize, observer: &dyn Observer) -> ObserverPort {
        let hart = |_| ObserverHart {
            access: output(1),
            snoop: output(1),
            monitored: input(1),
            store_meta: observer.line().map(|lane| input(lane.of)),
            stall: observer.stalls().then(|| input(1)),
            word: observer.word().map(input),
        };
        ObserverPort {
            granting: output(Granting::shape(observer)),
            hart: (0..harts).map(hart).collect(),
        }
    }
}

/// What an observer may export of a transaction in the cycle of its grant.
#[derive(Clone, Debug)]
pub struct GrantFacts {
    /// A Read, ReadX or Upgrade is granted in this cycle.
    pub granted: Sig,
    /// The requester's part said `monitored`.
    pub monitored: Sig,
    /// What travels with the line.
    pub meta: Option<Opaque>,
    /// One is granted, and `meta` is a cache's: a cache supplies the line, or it is an Upgrade.
    pub supplied: Sig,
}

/// What happens to the line in the set written, in this cycle.
#[derive(Clone, Debug, Bundle)]
pub struct LineUpdate {
    /// The line is filled, or a store that hits writes it.
    pub valid: Sig,
    /// Filled for a load (0), ReadX or Upgrade (1), store hit in E (2), store hit in M (3).
    pub cause: Enum<UpdateCause>,
    /// What arrives with the line, or what the hart's store brings.
    #[bundle(flat)]
    pub meta: super::Each<Opaque>,
}

/// One way of a data cache, as an observer's array sees it.
#[derive(Clone, Debug)]
pub struct Keeper {
    /// How many sets there are.
    pub sets: usize,
    /// The set read in this cycle; its entry is wanted in the next. Of a set that is written in the
    /// cycle in which it is read the entry is not used.
    pub read_set: Sig,
    /// The set written.
    pub write_set: Sig,
    /// An update happens in this cycle.
    pub update_valid: Sig,
    /// What it is.
    pub update_cause: Enum<UpdateCause>,
    /// What arrives with the line, or what the hart's store brings.
    pub update_meta: Opaque,
}

/// Signals between an observer and its unit beside a hart, as shapes.
#[derive(Clone, Debug)]
pub struct LinkShape {
    /// Driven by the observer.
    pub to_hart: Opaque,
    /// Driven by the unit beside the hart.
    pub from_hart: Opaque,
}

/// The link of one hart.
#[derive(Clone, Debug, Bundle)]
pub struct LinkPort {
    /// To the hart.
    pub to_hart: Opaque,
    /// From the hart.
    pub from_hart: Opaque,
}

impl LinkShape {
    /// The port of the hart's side; the observer's side has it flipped.
    #[track_caller]
    pub(crate) fn of_hart(&self) -> LinkPort {
        let LinkShape { to_hart, from_hart } = self.clone();
        LinkPort { to_hart: input(to_hart), from_hart: output(from_hart) }
    }
}

/// Where an observer is built: what the memory system gives it.
pub struct Seat {
    /// How many harts there are.
    pub harts: usize,
    /// Its port on the bus, if it asked for one.
    pub bus: Option<ObserverPort>,
    /// The pc of each hart's access under way, if an observer needs origins.
    pub pc: Vec<Sig>,
    /// The access of each hart is made in M mode; else in U mode. If an observer needs origins.
    pub machine_mode: Vec<Sig>,
    /// The transaction numbers start again from 0 after this cycle. Only if they are numbered.
    pub time_wraps: Option<Sig>,
    /// An access to some device. The address says which.
    pub device: DeviceRequest,
    /// What the unit beside each hart drives, if it asked for a link.
    pub from_hart: Vec<Opaque>,
}

/// What an observer gives back to the memory system.
#[derive(Default)]
pub struct Served {
    /// The word read from its registers, one cycle after the access; 0 if the access was not a read of
    /// one of them.
    pub device_data: Option<Sig>,
    /// What each hart's store that hits brings to the line, if hits mark lines.
    pub store_meta: Vec<Opaque>,
    /// The interrupt of each hart, if it raises one.
    pub interrupt: Vec<Sig>,
    /// The ports of the machine that it drives.
    pub export: Option<Opaque>,
    /// What it drives to the unit beside each hart.
    pub to_hart: Vec<Opaque>,
}
