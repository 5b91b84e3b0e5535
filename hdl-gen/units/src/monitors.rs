//! The communication monitors of all harts: a port on the bus, through which they hear of transactions,
//! and the monitor windows, through which software reads them.

use border::map::MONITORS;
use border::monitor::{STRIDE, Word};
use hdl::window::{Bus, Window};
use hdl::{
    Bundle, Module, Sig, array, assert, hardware, input, lit, output, ports, reg, reg_next,
    set_when,
};

use crate::bugaboo::Bugaboo;
use crate::bus::DeviceRequest;
use crate::communication_table::ADDRESS_BITS as WORD_INDEX_BITS;
use crate::geometry::{ADDRESS_BITS, WORD_BITS};
use crate::metadata::{Edge, Metadata};
use crate::observer::{Observer, ObserverPort, Opaque};
use crate::{one_hot, windows};

/// The unit's name in the rows of the border.
pub(crate) const UNIT: &str = "monitors";

/// The first address of the windows.
pub const WINDOWS: u64 = MONITORS.base as u64;
/// Bits of an address within a hart's window.
const WINDOW_BITS: usize = STRIDE.trailing_zeros() as usize;

/// The monitors.
#[derive(Clone, Debug, PartialEq)]
pub struct Monitors {
    /// How many harts there are.
    pub harts: usize,
    /// The monitor of each hart, and which stores mark lines.
    pub bugaboo: Bugaboo,
}

/// The edge that a transaction makes, in the cycle of its grant.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Tap {
    /// An edge is offered to the sink hart's table in this cycle.
    pub valid: Sig,
    /// The edge; valid with `valid`.
    pub edge: Edge,
    /// The sink hart's table is full and drops the edge.
    pub lost: Sig,
}

impl Tap {
    /// Its shape.
    pub(crate) fn shape(bugaboo: &Bugaboo) -> Tap {
        let edge = bugaboo.monitor.fields.edge();
        Tap { valid: hdl::bits(1), edge, lost: hdl::bits(1) }
    }
}

/// Ports of [`Monitors`].
#[derive(Clone, Debug, Bundle)]
pub struct MonitorsIo {
    /// The port to the bus.
    pub bus: ObserverPort,
    /// The pc of the access under way in each hart's data cache.
    pub pc: Vec<Sig>,
    /// The access under way in each hart's data cache is made in M mode (1) or U mode (0).
    pub machine_mode: Vec<Sig>,
    /// The counter of transactions wraps to 0 at the end of this cycle.
    pub time_wraps: Option<Sig>,
    /// The device access of this cycle; the address says whether it is to a monitor window.
    pub device: DeviceRequest,
    /// The word read from a monitor window in the cycle before; 0 if that cycle had no such read.
    pub device_data: Sig,
    /// The communication table interrupt of each hart: a level.
    pub irq: Vec<Sig>,
    /// The edge that the transaction granted in this cycle makes.
    pub tap: Tap,
}

/// A monitor for every hart, and the register windows through which software reads them. Beside the
/// registers of the monitor a window has those listed under the monitors in docs/machine.md.
#[hardware]
impl Module for Monitors {
    type Io = MonitorsIo;

    fn name(&self) -> String {
        let marks = if self.bugaboo.marks_hits() { "_marking_hits" } else { "" };
        format!("monitors_{}_{}{marks}", self.harts, self.bugaboo.monitor.name())
    }

    fn build(&self) -> MonitorsIo {
        let monitor = &self.bugaboo.monitor;
        let each = |width: usize| array(self.harts, |_| input(width));
        let io = ports(MonitorsIo {
            bus: ObserverPort::of_bus(self.harts, &self.bugaboo).flip(),
            pc: each(monitor.core_pc_bits),
            machine_mode: each(1),
            time_wraps: (self.bugaboo.time_bits() > 0).then(|| input(1)),
            device: input(DeviceRequest::shape()),
            device_data: output(WORD_BITS),
            irq: array(self.harts, |_| output(1)),
            tap: output(Tap::shape(&self.bugaboo)),
        });
        let granting = &io.bus.granting;
        let supplied = granting.meta.as_ref().map(Opaque::get::<Metadata>);
        let device = io.device;
        let in_windows = device.valid & device.address.bits(16..).eq(WINDOWS >> 16);
        let window = device.address.bits(WINDOW_BITS..16);
        let word_index = device.address.bits(2..WINDOW_BITS);

        let mut taps = Vec::new();
        let mut edges = Vec::new();
        let mut losses = Vec::new();
        let mut words = Vec::new();
        for (hart, port) in io.bus.hart.iter().enumerate() {
            let comm_monitor = monitor.clone().instance().named(&format!("comm_monitor_{hart}"));
            if let Some(number) = comm_monitor.hart {
                number.set(lit(number.width(), hart));
            }
            let access = comm_monitor.access;
            access.valid.set(port.access);
            access.kind.set_from(granting.kind);
            access.pc.set(io.pc[hart]);
            access.machine_mode.set(io.machine_mode[hart]);
            access.communicating.set(granting.communicating);
            access.from_memory.set(granting.from_memory);
            supplied.iter().for_each(|meta| access.meta.drive(meta));
            if let (Some(to), Some(number)) = (access.time, granting.number) {
                // A hit that is marked takes the number of the last transaction.
                to.set(granting.time.map_or(number, |time| port.access.mux(number, time)));
            }
            comm_monitor.snoop.valid.set(port.snoop);
            comm_monitor.snoop.write.set(granting.kind.sig().ne(0));
            port.monitored.set(comm_monitor.monitored);
            let store_meta = port.store_meta.as_ref().map(Opaque::get::<Metadata>);
            store_meta.iter().for_each(|meta| meta.drive(&comm_monitor.store_meta));
            if let (Some(to), Some(from)) = (port.stall, comm_monitor.stall) {
                to.set(from);
            }
            io.irq[hart].set(comm_monitor.irq);

            let here = in_windows & window.eq(hart);
            comm_monitor.read_valid.set(here & !device.write);
            comm_monitor.write_valid.set(here & device.write);
            comm_monitor.address.set(word_index);
            comm_monitor.write_data.set(device.word);
            let wrapped = self.wrapped(hart, io.time_wraps, here, word_index, device);
            let read_here = reg_next(&(here & !device.write));
            words.push((comm_monitor.read_data | wrapped) & read_here.repeat(WORD_BITS));

            taps.push(comm_monitor.tap_valid);
            edges.push(comm_monitor.tap_edge);
            losses.push(comm_monitor.tap_lost);
        }
        let read_word = words.into_iter().reduce(|left, right| left | right);
        io.device_data.set(read_word.expect("there is a hart"));
        io.tap.valid.set(one_hot::any(&taps));
        io.tap.edge.drive(&one_hot::choose(&taps, &edges));
        io.tap.lost.set(one_hot::any(&losses));
        assert("one_edge", one_hot::at_most_one(&taps), "one transaction makes one edge");
        io
    }
}

#[hardware]
impl Monitors {
    /// What the registers of this unit in a hart's window show in the cycle after a read; 0 if the read
    /// was of another.
    fn wrapped(
        &self,
        hart: usize,
        wraps: Option<Sig>,
        here: Sig,
        word_index: Sig,
        device: DeviceRequest,
    ) -> Sig {
        let bus = Bus {
            read_valid: here & !device.write,
            write_valid: here & device.write,
            address: word_index,
            write_data: device.word,
        };
        let rows = windows::monitor_rows(UNIT, self.bugaboo.monitor.depth);
        let mut registers = Window::new(rows, Word::number, bus);
        let Some(wraps) = wraps else {
            registers.omit(Word::TimeWrapped);
            return lit(WORD_BITS, 0);
        };
        /// The counter of transactions has wrapped since the table was last cleared.
        let time_wrapped = reg(1).reset(0).named(&format!("time_wrapped_{hart}"));
        let clears = bus.write_valid
            & word_index.eq(Word::TableControl.number())
            & device.word.bit(Word::CLEAR.low as usize);
        set_when(clears, time_wrapped, 0);
        set_when(wraps, time_wrapped, 1);
        registers.read(Word::TimeWrapped, time_wrapped);
        let read_wrapped = reg_next(&registers.gated(1));
        read_wrapped.zext(WORD_BITS)
    }
}

const _: () = std::assert!(WINDOW_BITS == WORD_INDEX_BITS + 2 && ADDRESS_BITS == 32);
