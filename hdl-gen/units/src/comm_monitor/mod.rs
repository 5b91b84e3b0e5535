//! The communication monitor: what one core needs of Bugaboo, behind one port.
//!
//! The monitor sees every transaction of its core at its grant, and other cores' transactions with lines
//! that its cache held. It keeps the context, decides what is monitored, says what to store with a
//! write, and records an edge for everything received. Any core and cache can carry it: all it asks
//! for is in [`Access`] and [`Snoop`].

use border::monitor::Word;
use config::{Config, Overflow};
use hdl::window::{Bus, Window};
use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, assert, assume, bits, cat, cover, hardware, input, mux,
    output, ports, reg, when, wire,
};

use crate::communication_table::{ADDRESS_BITS, CommunicationTable, WORD_BITS, upper};
use crate::context_register::{ContextRegister, Event};
use crate::metadata::{Edge, EdgeKind, Fields, Metadata, pc_hash};
pub use crate::observer::AccessKind;
use crate::windows;

/// The unit's name in the rows of the border.
pub(crate) const UNIT: &str = "comm_monitor";

/// The registers beside those of the table, see
/// [`communication_table::word`](crate::communication_table::word).
pub mod word {
    use border::monitor::Word;

    /// Bit 0 enables, bit 1 selects U mode, bit 2 M mode.
    pub const FILTER: u64 = Word::Control.number() as u64;
    /// The lowest pc that is monitored.
    pub const RANGE_LOW: u64 = Word::RangeLow.number() as u64;
    /// The pc after the highest that is monitored.
    pub const RANGE_HIGH: u64 = Word::RangeHigh.number() as u64;
    /// Bits 32 and up of the lowest pc.
    pub const RANGE_LOW_UPPER: u64 = Word::RangeLowUpper.number() as u64;
    /// Bits 32 and up of the pc after the highest.
    pub const RANGE_HIGH_UPPER: u64 = Word::RangeHighUpper.number() as u64;
    /// The context.
    pub const CONTEXT: u64 = Word::Context.number() as u64;
}

/// This core's transaction, at its grant.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Access {
    /// A transaction is granted in this cycle; never together with a snoop.
    pub valid: Sig,
    /// Read (0), ReadX (1) or Upgrade (2).
    pub kind: Enum<AccessKind>,
    /// The pc of the instruction.
    pub pc: Sig,
    /// The core is in M mode; else it is in U mode.
    pub machine_mode: Sig,
    /// Some other cache holds the line.
    pub communicating: Sig,
    /// A Read that no holder serves.
    pub from_memory: Sig,
    /// The metadata of the line, as its supplier gave it.
    pub meta: Metadata,
    /// The number of this transaction.
    pub time: Option<Sig>,
}

/// Another core's monitored, communicating transaction with a line that this core's cache held.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Snoop {
    /// Such a transaction is granted in this cycle.
    pub valid: Sig,
    /// The transaction is a ReadX or an Upgrade; valid with `valid`.
    pub write: Sig,
}

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

/// Ports of [`CommMonitor`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct CommMonitorIo {
    /// This core's number; constant.
    pub hart: Option<Sig>,
    /// This core's transaction.
    pub access: Access,
    /// Another core's transaction.
    pub snoop: Snoop,
    /// The filter selects the access, for the holders of its line. Follows `access` whether or not it
    /// is valid.
    pub monitored: Sig,
    /// The metadata to store with the line if the access writes. Follows `access` whether or not it is
    /// valid.
    pub store_meta: Metadata,
    /// The access must wait for room in the table, and has no effect in this cycle. Follows `access`
    /// whether or not it is valid.
    pub stall: Option<Sig>,
    /// Interrupt of the table, a level: there are at least as many edges as its watermark.
    pub irq: Sig,
    /// An edge is offered to the table in this cycle, whether or not the table has room.
    pub tap_valid: Sig,
    /// The edge; valid with `tap_valid`.
    pub tap_edge: Edge,
    /// The table is full and drops the edge.
    pub tap_lost: Sig,
    /// The register at `address` is read in this cycle; never together with a write.
    pub read_valid: Sig,
    /// `write_data` is written to the register at `address` in this cycle.
    pub write_valid: Sig,
    /// The word index of the register; valid with `read_valid` and `write_valid`.
    pub address: Sig,
    /// The word to write; valid with `write_valid`.
    pub write_data: Sig,
    /// The word that was read; valid from the cycle after the read until the next read.
    pub read_data: Sig,
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
        let fields = self.fields;
        let meta = fields.metadata();
        let stalls = self.overflow == Overflow::Stall;
        let io = ports(CommMonitorIo {
            hart: meta.hart.map(input),
            access: input(Access {
                valid: bits(1),
                kind: AccessKind::shape(),
                pc: bits(self.core_pc_bits),
                machine_mode: bits(1),
                communicating: bits(1),
                from_memory: bits(1),
                meta,
                time: meta.time,
            }),
            snoop: input(Snoop { valid: bits(1), write: bits(1) }),
            monitored: output(1),
            store_meta: output(meta),
            stall: stalls.then(|| output(1)),
            irq: output(1),
            tap_valid: output(1),
            tap_edge: output(fields.edge()),
            tap_lost: output(1),
            read_valid: input(1),
            write_valid: input(1),
            address: input(ADDRESS_BITS),
            write_data: input(WORD_BITS),
            read_data: output(WORD_BITS),
        });
        let access = io.access;
        let context_register = ContextRegister { events: fields.events }.instance();
        let communication_table = self.communication_table().instance();

        // What is monitored.
        /// The monitor is on.
        let enable = reg(1).reset(0);
        let select_u = reg(1).reset(0);
        let select_m = reg(1).reset(0);
        /// The lowest pc that is monitored.
        let range_low = reg(self.range_bits()).reset(0);
        /// The pc after the highest that is monitored.
        let range_high = reg(self.range_bits()).reset(0);

        let selected = enable & access.machine_mode.mux(select_m, select_u);
        let pc = access.pc.zext(self.range_bits());
        let in_range = range_low.le(pc) & pc.lt(range_high);
        let monitored = io.monitored;
        monitored.set(selected & in_range);

        // What the access is, and what it makes.
        let ctx = context_register.ctx;
        /// This access, as it is remembered.
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

        // What goes into the context.
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

        // The registers.
        let CommMonitorIo { read_valid, write_valid, address, write_data, .. } = io;
        let bus = Bus { read_valid, write_valid, address, write_data };
        let rows = windows::monitor_rows(UNIT, self.depth);
        let mut registers = Window::new(rows, Word::number, bus);
        context_register.write_valid.set(registers.written(Word::Context));
        context_register.write_data.set(io.write_data.trunc(fields.ctx_bits()));
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
        registers.read(Word::Context, ctx);
        /// What the last read found in a register of the filter or in the context; else zero.
        let own_data = reg(WORD_BITS).reset(0);
        when(io.read_valid, || registers.show(own_data));
        // Each is zero where the word is one of the other's.
        io.read_data.set(communication_table.read_data | own_data);

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
        if stalls {
            when(push, || {
                assert("finds_room", !communication_table.full, "an edge without room waits");
            });
        }
        cover("raw_edge", push & io.tap_edge.kind.is(EdgeKind::Raw), "a RAW edge");
        cover("waw_edge", push & io.tap_edge.kind.is(EdgeKind::Waw), "a WAW edge");
        cover("memory_edge", push & io.tap_edge.kind.is(EdgeKind::Memory), "an edge from memory");
        cover(
            "edge_finds_no_room",
            access.valid & makes_edge & communication_table.full,
            "an access makes an edge while the table is full",
        );
        io
    }
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
