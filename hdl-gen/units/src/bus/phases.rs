//! The phases of a transaction, and the registers that the bus keeps of it.

use hdl::{Enum, HwEnum, Sig, hardware, index_width, reg};

use super::{Bus, BusKind};
use crate::geometry::{ADDRESS_BITS, WORD_BITS};
use crate::l1_data::Mesi;
use crate::observer::{Each, Opaque};

/// What the bus is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub(super) enum Phase {
    /// Waits for a request.
    Idle,
    /// The caches look for the line.
    Look,
    /// They find out what they have.
    Answer,
    /// They answer.
    Grant,
    /// Nothing was granted: lets the harts use their arrays.
    Rest,
    /// The caches give the line that they supply, and the line that leaves.
    Collect,
    /// The line that leaves goes to memory.
    WriteVictim,
    /// The line goes to memory.
    WriteLine,
    /// Asks memory for the line.
    ReadLine,
    /// Waits for it.
    AwaitLine,
    /// The host's bytes go into the line.
    Merge,
    /// Asks the device.
    AskDevice,
    /// It answers.
    AwaitDevice,
    /// Gives the requester what it asked for.
    Deliver,
    /// The access completes.
    Complete,
    /// The host takes its answer.
    Respond,
}

/// Who has the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub(super) enum Requester {
    /// A data cache.
    Data,
    /// An instruction cache.
    Fetch,
    /// The host.
    Host,
}

/// What the bus remembers of a transaction.
#[derive(Clone)]
pub(super) struct Registers {
    pub phase: Enum<Phase>,
    pub requester: Enum<Requester>,
    pub hart: Sig,
    pub walking: Option<Sig>,
    pub for_device: Sig,
    pub kind: Enum<BusKind>,
    pub address: Sig,
    pub line: Sig,
    pub supplier: Sig,
    pub fill_way: Sig,
    pub after_collect: Enum<Phase>,
    pub meta: Each<Opaque>,
    pub fill_state: Enum<Mesi>,
    pub victim_line: Sig,
    pub victim_address: Sig,
    pub writes_line: Sig,
    pub reads_line: Sig,
    pub device_word: Sig,
}

impl Bus {
    /// Registers for what travels with the line.
    fn kept_with_line(&self) -> Each<Opaque> {
        let kept = reg(self.observers.line());
        hdl::Named::give_name(&kept, "", "");
        kept
    }
}

#[hardware]
impl Registers {
    /// Those of a bus.
    pub(super) fn of(bus: &Bus) -> Registers {
        let phase = reg(Phase::shape()).reset(Phase::Idle);
        let requester = reg(Requester::shape());
        /// The hart whose data or instruction cache has the bus.
        let hart = reg(index_width(bus.harts));
        let walking = bus.colored.then(|| {
            /// The hart walks; else it fetches, if it does either.
            let walking = reg(1).reset(0);
            walking
        });
        /// The transaction is an access to a device: no cache looks up its address.
        let for_device = reg(1).reset(0);
        let kind = reg(BusKind::shape());
        let address = reg(ADDRESS_BITS);
        /// The line that is transferred.
        let line = reg(bus.geometry.line_bits());
        /// The data cache that supplies the line, one bit per hart.
        let supplier = reg(bus.harts);
        /// The way of the requester's cache that the line is put in.
        let fill_way = reg(bus.geometry.way_width());
        /// The phase that follows `Collect`.
        let after_collect = reg(Phase::shape());
        let meta = bus.kept_with_line();
        /// The state in which the line arrives at the requester.
        let fill_state = reg(Mesi::shape());
        /// The line that is evicted.
        let victim_line = reg(bus.geometry.line_bits());
        let victim_address = reg(ADDRESS_BITS);
        /// The line has to be written to memory.
        let writes_line = reg(1).reset(0);
        /// No data cache supplies the line.
        let reads_line = reg(1).reset(0);
        /// The word written to or read from a device.
        let device_word = reg(WORD_BITS);
        Registers {
            phase,
            requester,
            hart,
            walking,
            for_device,
            kind,
            address,
            line,
            supplier,
            fill_way,
            after_collect,
            meta,
            fill_state,
            victim_line,
            victim_address,
            writes_line,
            reads_line,
            device_word,
        }
    }
}
