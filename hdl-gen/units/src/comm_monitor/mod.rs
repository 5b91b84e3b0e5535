//! The communication monitor: what one core needs of Bugaboo, behind one port.
//!
//! The monitor sees every transaction of its core at its grant, and other cores' transactions with lines
//! that its cache held. It keeps the context, decides what is monitored, says what to store with a
//! write, and records an edge for everything received. Any core and cache can carry it: all it asks
//! for is in [`Access`] and [`Snoop`].

mod ports;

use border::monitor::Word;
use config::{Config, Overflow};
use hdl::window::{Bus, Window};
use hdl::{
    Bundle, HwEnum, Module, Sig, assert, assume, cat, cover, hardware, mux, reg, when, wire,
};

use crate::communication_table::{CommunicationTable, CommunicationTableIo, WORD_BITS, upper};
use crate::context_register::{ContextRegister, ContextRegisterIo, Event};
use crate::metadata::{EdgeKind, Fields, Metadata, pc_hash};
pub use crate::observer::AccessKind;
use crate::windows;
pub use ports::{Access, CommMonitorIo, Snoop};

/// The unit's name in the rows of the border.
pub(crate) const UNIT: &str = "comm_monitor";

/// The monitor of one core.
#[derive(Clone, Debug, PartialEq)]
pub struct CommMonitor {
    /// Bits of a pc, up to 64.
    pub core_pc_bits: usize,
    /// What is kept of an access.
    pub fields: Fields,
    /// How many edges the table holds.
    pub depth: usize,
    /// What happens to an access whose edge finds the table full.
    pub overflow: Overflow,
}

/// Records what this core receives from others: a filter, the context register and the communication
/// table. An access is taken with the context before its own event. The registers, listed in
/// docs/monitor.md, are those of the filter, the context and the table.
#[hardware]
impl Module for CommMonitor {
    type Io = CommMonitorIo;

    fn name(&self) -> String {
        let overflow = match self.overflow {
            Overflow::Discard => "",
            Overflow::Stall => "_stall",
        };
        let CommMonitor { core_pc_bits, depth, fields, .. } = self;
        format!("comm_monitor_{core_pc_bits}_{depth}_{}{overflow}", fields.tag())
    }

    fn build(&self) -> CommMonitorIo {
        let io = self.ports();
        let context_register = ContextRegister { events: self.fields.events }.instance();
        let communication_table = self.communication_table().instance();
        let filter = self.filter(&io);
        let ctx = context_register.ctx;
        let recorded = self.record_edge(&io, filter.selected, ctx, &communication_table);
        record_event(&io, &recorded, &context_register);
        self.registers(&io, &filter, &context_register, &communication_table);
        self.check(&io, &recorded, communication_table.full);
        io
    }
}

/// What is monitored.
#[derive(Clone, Copy)]
struct Filter {
    enable: Sig,
    select_u: Sig,
    select_m: Sig,
    range_low: Sig,
    range_high: Sig,
    /// The monitor is on and selects the mode of the access.
    selected: Sig,
}

/// What the access makes.
#[derive(Clone, Copy)]
struct Recorded {
    /// The access is a Read.
    is_read: Sig,
    /// The access makes an edge if it is valid.
    makes_edge: Sig,
    /// The access is valid and does not stall.
    taken: Sig,
}

#[hardware]
impl CommMonitor {
    /// The registers of the filter, and what they select.
    fn filter(&self, io: &CommMonitorIo) -> Filter {
        /// The monitor is on.
        let enable = reg(1).reset(0);
        /// Accesses in U mode are selected.
        let select_u = reg(1).reset(0);
        /// Accesses in M mode are selected.
        let select_m = reg(1).reset(0);
        /// The lowest pc that is monitored.
        let range_low = reg(self.range_bits()).reset(0);
        /// The pc after the highest that is monitored.
        let range_high = reg(self.range_bits()).reset(0);

        let access = io.access;
        let selected = enable & access.machine_mode.mux(select_m, select_u);
        let pc = access.pc.zext(self.range_bits());
        let in_range = range_low.le(pc) & pc.lt(range_high);
        io.monitored.set(selected & in_range);
        Filter { enable, select_u, select_m, range_low, range_high, selected }
    }

    /// The metadata of the access, and its edge.
    fn record_edge(
        &self,
        io: &CommMonitorIo,
        selected: Sig,
        ctx: Sig,
        communication_table: &CommunicationTableIo,
    ) -> Recorded {
        let fields = self.fields;
        let (access, monitored) = (io.access, io.monitored);
        /// The metadata of this access.
        let here = Metadata {
            pc: pc_hash(access.pc, fields.pc_bits),
            ctx,
            hart: io.hart,
            time: access.time,
        };
        io.store_meta.drive(&mux(selected, &here, &fields.null()));

        let is_read = access.kind.is(AccessKind::Read);
        let makes_edge = monitored & (access.communicating | is_read & access.from_memory);
        let taken = match io.stall {
            Some(stall) => {
                stall.set(communication_table.full & makes_edge);
                access.valid & !stall
            }
            None => access.valid,
        };

        let push = io.tap_valid;
        push.set(taken & makes_edge);
        io.tap_lost.set(push & communication_table.full);
        io.tap_edge.source.drive(&mux(access.communicating, &access.meta, &fields.null()));
        io.tap_edge.sink.drive(&here);
        when(!access.communicating, || io.tap_edge.kind.set(EdgeKind::Memory))
            .elsewhen(is_read, || io.tap_edge.kind.set(EdgeKind::Raw))
            .otherwise(|| io.tap_edge.kind.set(EdgeKind::Waw));
        communication_table.push_valid.set(push);
        communication_table.push_edge.drive(&io.tap_edge);
        io.irq.set(communication_table.irq);
        Recorded { is_read, makes_edge, taken }
    }

    /// The registers that programs read and write.
    fn registers(
        &self,
        io: &CommMonitorIo,
        filter: &Filter,
        context_register: &ContextRegisterIo,
        communication_table: &CommunicationTableIo,
    ) {
        let Filter { enable, select_u, select_m, range_low, range_high, .. } = *filter;
        let CommMonitorIo { read_valid, write_valid, address, write_data, .. } = *io;
        let bus = Bus { read_valid, write_valid, address, write_data };
        let rows = windows::monitor_rows(UNIT, self.depth);
        let mut registers = Window::new(rows, Word::number, bus);
        context_register.write_valid.set(registers.written(Word::Context));
        context_register.write_data.set(io.write_data.trunc(self.fields.ctx_bits()));
        communication_table.read_valid.set(io.read_valid);
        communication_table.write_valid.set(io.write_valid);
        communication_table.address.set(io.address);
        communication_table.write_data.set(io.write_data);

        registers.on_write(Word::Control, move |data| {
            enable.set(data.bit(Word::ENABLE.low as usize));
            select_u.set(data.bit(Word::SELECT_USER.low as usize));
            select_m.set(data.bit(Word::SELECT_MACHINE.low as usize));
        });
        for (word, upper_word, range) in [
            (Word::RangeLow, Word::RangeLowUpper, range_low),
            (Word::RangeHigh, Word::RangeHighUpper, range_high),
        ] {
            let low = range.trunc(WORD_BITS);
            registers.on_write(word, move |data| low.set(data));
            registers.read(word, low);
            match upper(range) {
                Some(upper) => {
                    registers
                        .on_write(upper_word, move |data| upper.set(data.trunc(upper.width())));
                    registers.read(upper_word, upper);
                }
                None => registers.omit(upper_word),
            }
        }
        when(io.write_valid, || registers.apply());

        let filter = cat([select_m, select_u, enable]);
        registers.read(Word::Control, filter);
        registers.read(Word::Context, context_register.ctx);
        /// The word that the last read found in a register of the filter or in the context; 0 if it
        /// read another register.
        let own_data = reg(WORD_BITS).reset(0);
        when(io.read_valid, || registers.show(own_data));
        // Each is zero where the word is one of the other's.
        io.read_data.set(communication_table.read_data | own_data);
    }

    /// Assumptions, assertions and covers.
    fn check(&self, io: &CommMonitorIo, recorded: &Recorded, full: Sig) {
        let access = io.access;
        let push = io.tap_valid;
        let Recorded { is_read, makes_edge, .. } = *recorded;
        when(access.valid, || {
            assume(
                "apart_from_snoop",
                !io.snoop.valid,
                "the bus carries one transaction at a time",
            );
            assume(
                "has_a_kind",
                access.kind.sig().ne(3),
                "an access is a Read, a ReadX or an Upgrade",
            );
        });
        when(access.valid & is_read & access.from_memory, || {
            assume("no_holder", !access.communicating, "memory serves what no other cache holds");
        });
        if io.stall.is_some() {
            when(push, || {
                assert("finds_room", !full, "an edge without room waits");
            });
        }
        cover("raw_edge", push & io.tap_edge.kind.is(EdgeKind::Raw), "a RAW edge");
        cover("waw_edge", push & io.tap_edge.kind.is(EdgeKind::Waw), "a WAW edge");
        cover("memory_edge", push & io.tap_edge.kind.is(EdgeKind::Memory), "an edge from memory");
        cover(
            "edge_finds_no_room",
            access.valid & makes_edge & full,
            "an access makes an edge while the table is full",
        );
    }
}

/// The event that goes into the context: of this access, or of a snoop.
#[hardware]
fn record_event(io: &CommMonitorIo, recorded: &Recorded, context_register: &ContextRegisterIo) {
    let (access, monitored) = (io.access, io.monitored);
    let Recorded { is_read, taken, .. } = *recorded;
    let local_event = taken & monitored & access.communicating;
    let event_kind = wire(Event::shape());
    when(local_event, || {
        when(is_read, || event_kind.set(Event::LcRd)).otherwise(|| event_kind.set(Event::LcWr));
    })
    .otherwise(|| {
        when(io.snoop.write, || event_kind.set(Event::RmWr))
            .otherwise(|| event_kind.set(Event::RmRd));
    });
    context_register.event_valid.set(local_event | io.snoop.valid);
    context_register.event_kind.set_from(event_kind);
}

impl CommMonitor {
    /// The monitor of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        let fields = Fields::from_config(config)?;
        Ok(CommMonitor {
            // A machine has 32-bit pcs; a monitor alone may be asked to keep more.
            core_pc_bits: fields.pc_bits.max(32),
            fields,
            depth: config.ct.depth as usize,
            overflow: config.ct.overflow,
        })
    }

    /// The table inside.
    pub(crate) fn communication_table(&self) -> CommunicationTable {
        let CommMonitor { depth, overflow, fields, .. } = *self;
        CommunicationTable { depth, overflow, fields, lost_bits: WORD_BITS }
    }

    /// Bits of either end of the range: a word, or more if a pc has more.
    fn range_bits(&self) -> usize {
        self.core_pc_bits.max(WORD_BITS)
    }
}
