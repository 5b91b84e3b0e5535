//! The communication monitor of one core.
//!
//! Bugaboo §4.2: the accesses of the core that reach the bus and those of other cores that reach its
//! cache go in; edges, the context and the metadata of written lines come out.

use crate::pc::low_bits;
use crate::table::{CommunicationTable, RegisterAccess};
use crate::{Context, Ctx, Edge, EdgeKind, Event, Fields, HartId, LineMeta, Pc, PcHash, Time};
use border::monitor::{MonitorWord, Word};
use config::Overflow;

const ENABLE: u32 = Word::ENABLE.mask();
const SELECT_USER: u32 = Word::SELECT_USER.mask();
const SELECT_MACHINE: u32 = Word::SELECT_MACHINE.mask();

/// Kind of a core's bus transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AccessKind {
    /// A load miss.
    #[default]
    Read,
    /// A store miss.
    ReadX,
    /// A store that hit a shared line.
    Upgrade,
}

impl AccessKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Read, Self::ReadX, Self::Upgrade];
}

/// The privilege mode of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// User mode.
    #[default]
    User,
    /// Machine mode.
    Machine,
}

/// A transaction of this core at its grant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Whether it takes place in this cycle. The outputs describe the access in any case.
    pub valid: bool,
    /// Its kind.
    pub kind: AccessKind,
    /// Address of its instruction.
    pub pc: Pc,
    /// The mode in which the instruction executes.
    pub mode: Mode,
    /// Another cache holds the line.
    pub communicating: bool,
    /// A Read without a holder. Never together with `communicating`.
    pub from_memory: bool,
    /// The line's metadata, as supplied by its holder.
    pub meta: LineMeta,
    /// Transaction number.
    pub time: Time,
}

/// A monitored communicating transaction of another core, to a line in this core's cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Snoop {
    /// It was a Read.
    Read,
    /// It was a ReadX or an Upgrade.
    Write,
}

/// Inputs of one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MonitorInputs {
    /// This core's access on the bus.
    pub access: Access,
    /// A snooped access of another core. Never in the cycle of a valid access.
    pub snoop: Option<Snoop>,
    /// Software's access to the registers.
    pub register: Option<RegisterAccess>,
}

/// Outputs of one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonitorOutputs {
    /// The access passes the filter; sent by the requester to the holders.
    pub monitored: bool,
    /// The metadata to store with the line if the access is a write.
    pub store_meta: LineMeta,
    /// The access must wait: the table has no room for its edge.
    pub stall: bool,
    /// The number of edges has reached the watermark.
    pub interrupt: bool,
    /// The edge offered to the table, whether or not there is room.
    pub tap: Option<Edge>,
    /// Data of the last read before this cycle.
    pub read_data: u32,
}

/// The parameters of a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonitorParameters {
    /// The number of this core.
    pub hart: HartId,
    /// Bits of a pc.
    pub core_pc_bits: u32,
    /// Bits stored of each access.
    pub fields: Fields,
    /// Number of edges the table holds.
    pub depth: usize,
    /// Policy when the table is full.
    pub overflow: Overflow,
}

/// The monitor of one core.
#[derive(Clone, Debug)]
pub struct Monitor {
    hart: HartId,
    hash: PcHash,
    /// Mask of the bits stored of an access.
    mask: LineMeta,
    overflow: Overflow,
    filter: Filter,
    context: Context,
    /// The context as stored; used in every cycle, but rarely changed.
    ctx: Ctx,
    table: CommunicationTable,
    read_data: u32,
}

impl Monitor {
    /// A monitor after reset: disabled and empty.
    pub fn new(parameters: MonitorParameters) -> Self {
        let MonitorParameters { hart, core_pc_bits, fields, depth, overflow } = parameters;
        Self {
            hart,
            hash: PcHash::new(core_pc_bits, fields.pc_bits),
            mask: fields.mask(),
            overflow,
            filter: Filter::new(core_pc_bits),
            context: Context::new(fields.events as usize),
            ctx: Ctx(0),
            table: CommunicationTable::new(depth, fields),
            read_data: 0,
        }
    }

    /// Returns to the initial state.
    pub fn reset(&mut self) {
        self.filter.reset();
        self.overwrite(0);
        self.table.reset();
        self.read_data = 0;
    }

    /// The table.
    pub fn table(&self) -> &CommunicationTable {
        &self.table
    }

    /// The context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Data of the last read.
    pub fn read_data(&self) -> u32 {
        self.read_data
    }

    /// One cycle. Everything in it refers to registers, context and table from before the cycle.
    pub fn step(&mut self, inputs: &MonitorInputs) -> MonitorOutputs {
        let access = &inputs.access;
        let selected = self.filter.selects(access.mode);
        let monitored = selected && self.filter.covers(access.pc);
        let pc = self.hash.of(access.pc);
        let here = LineMeta { pc, ctx: self.ctx, hart: self.hart, time: access.time };
        let here = here.masked(&self.mask);
        let edge = if monitored { edge_of(access, here) } else { None };
        let stall = self.overflow == Overflow::Stall && self.table.is_full() && edge.is_some();
        let takes_place = access.valid && !stall;
        let tap = edge.filter(|_| takes_place);

        let table = self.table.cycle(tap.as_ref(), inputs.register);
        let outputs = MonitorOutputs {
            monitored,
            store_meta: if selected { here } else { LineMeta::NULL },
            stall,
            interrupt: table.interrupt,
            tap,
            read_data: self.read_data,
        };

        match inputs.register {
            // The table answers zero for the monitor's words, and the monitor for the table's.
            Some(RegisterAccess::Read { word }) => {
                let own = MonitorWord::numbered(word.number());
                self.read_data =
                    own.map_or(0, |register| self.register(register)) | self.table.read_data();
            }
            Some(RegisterAccess::Write { word, data }) => {
                if let Some(register) = MonitorWord::numbered(word.number()) {
                    self.write(register, data);
                }
            }
            None => {}
        }
        if takes_place && monitored && access.communicating {
            self.observe(match access.kind {
                AccessKind::Read => Event::LocalRead,
                AccessKind::ReadX | AccessKind::Upgrade => Event::LocalWrite,
            });
        }
        if let Some(snoop) = inputs.snoop {
            self.observe(match snoop {
                Snoop::Read => Event::RemoteRead,
                Snoop::Write => Event::RemoteWrite,
            });
        }
        outputs
    }

    fn observe(&mut self, event: Event) {
        self.context.observe(event);
        self.ctx = self.context.sample();
    }

    fn overwrite(&mut self, bits: u32) {
        self.context.overwrite(bits);
        self.ctx = self.context.sample();
    }

    /// What one of the monitor's own registers reads.
    fn register(&self, register: MonitorWord) -> u32 {
        let Filter { control, low, high, .. } = self.filter;
        match register {
            MonitorWord::Control => control,
            MonitorWord::RangeLow => low as u32,
            MonitorWord::RangeHigh => high as u32,
            MonitorWord::RangeLowUpper => (low >> 32) as u32,
            MonitorWord::RangeHighUpper => (high >> 32) as u32,
            MonitorWord::Context => self.ctx.0,
        }
    }

    /// Writes one of the monitor's own registers.
    fn write(&mut self, register: MonitorWord, data: u32) {
        let filter = &mut self.filter;
        let lower = |end: u64| end >> 32 << 32 | u64::from(data);
        let upper =
            |end: u64| low_bits(u64::from(data) << 32 | u64::from(end as u32), filter.range_bits);
        match register {
            MonitorWord::Control => {
                filter.control = data & (ENABLE | SELECT_USER | SELECT_MACHINE);
            }
            MonitorWord::RangeLow => filter.low = lower(filter.low),
            MonitorWord::RangeHigh => filter.high = lower(filter.high),
            MonitorWord::RangeLowUpper => filter.low = upper(filter.low),
            MonitorWord::RangeHighUpper => filter.high = upper(filter.high),
            MonitorWord::Context => self.overwrite(data),
        }
    }
}

/// The edge of a monitored access (Bugaboo §4.2.3: three events lead to a write).
fn edge_of(access: &Access, sink: LineMeta) -> Option<Edge> {
    let is_read = access.kind == AccessKind::Read;
    if access.communicating {
        let kind = if is_read { EdgeKind::Raw } else { EdgeKind::Waw };
        Some(Edge { source: access.meta, sink, kind })
    } else if is_read && access.from_memory {
        Some(Edge { source: LineMeta::NULL, sink, kind: EdgeKind::Memory })
    } else {
        None
    }
}

/// Selects the monitored accesses.
#[derive(Clone, Debug)]
struct Filter {
    /// Bits of either end of the range: at least a word, and at least the bits of a pc.
    range_bits: u32,
    control: u32,
    low: u64,
    high: u64,
}

impl Filter {
    fn new(core_pc_bits: u32) -> Self {
        Self { range_bits: core_pc_bits.max(32), control: 0, low: 0, high: 0 }
    }

    fn reset(&mut self) {
        *self = Self::new(self.range_bits);
    }

    fn selects(&self, mode: Mode) -> bool {
        let wanted = match mode {
            Mode::User => ENABLE | SELECT_USER,
            Mode::Machine => ENABLE | SELECT_MACHINE,
        };
        self.control & wanted == wanted
    }

    fn covers(&self, pc: Pc) -> bool {
        (self.low..self.high).contains(&pc.0)
    }
}

#[cfg(test)]
mod tests;
