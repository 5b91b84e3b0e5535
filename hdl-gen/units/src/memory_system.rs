//! The memory system: everything of the machine but the harts and their instruction caches.
//!
//! Data caches, bus, monitors, devices and perturbation. Random traffic through the data ports, the
//! fetch ports and the host port tests it without any core; the exports tell what happened in which
//! order.

use config::Config;
use hdl::{Bundle, Enum, Module, Sig, Stream, array, assert, hardware, lit, output};

use crate::bus::{Bus, EXPORTED_HART_BITS, FetchPort};
use crate::comm_monitor::CommMonitor;
use crate::data_port::DataPort;
use crate::devices::{Clint, Uart};
use crate::geometry::{ADDRESS_BITS, Geometry};
use crate::l1_data::{CacheBus, HitKind, L1Data, WriterMemory};
use crate::monitors::Monitors;
use crate::one_hot;
use crate::outside::{Flat, Outside};
use crate::perturbation::Perturbation;

/// Bits of a way in what the machine exports.
pub(crate) const EXPORTED_WAY_BITS: usize = 8;

/// The memory system of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct MemorySystem {
    /// How many harts.
    pub harts: usize,
    /// The data caches.
    pub geometry: Geometry,
    /// The monitor of each hart, and which stores mark lines; `None`: none.
    pub monitor: Option<(CommMonitor, config::Update)>,
    /// Bits of the number of a transaction; 0: they are not numbered.
    pub time_bits: usize,
    /// The perturbation is there; boards do without.
    pub perturbed: bool,
}

/// Data accesses that are ordered without a transaction, one for each hart.
#[derive(Clone, Debug, Bundle)]
pub struct HitExport {
    /// There is one in this cycle.
    pub valid: Vec<Sig>,
    /// Load (0), store (1), SC that fails (2), LR (3), SC that succeeds (4), AMO (5).
    pub kind: Vec<Enum<HitKind>>,
    /// Its byte address.
    pub address: Vec<Sig>,
    /// Where it hit.
    pub way: Vec<Sig>,
}

/// Stores to one word.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct WatchExport {
    /// The word's address: an input, held constant.
    pub address: Sig,
    /// It is written in this cycle.
    pub valid: Sig,
    /// The word as it becomes.
    pub data: Sig,
    /// Who writes it.
    pub hart: Sig,
}

/// What each hart is told beside its accesses.
#[derive(Clone, Debug, Bundle)]
pub struct Interrupts {
    /// Time as software sees it.
    pub mtime: Sig,
    /// Timer interrupts.
    pub timer: Vec<Sig>,
    /// Software interrupts.
    pub software: Vec<Sig>,
    /// Communication table interrupts; 0 without monitors.
    pub table: Vec<Sig>,
}

/// Ports of [`MemorySystem`].
#[derive(Clone, Debug, Bundle)]
pub struct MemorySystemIo {
    /// Each hart's data port.
    pub data: Vec<DataPort>,
    /// Each hart's instruction cache.
    pub fetch: Vec<FetchPort>,
    /// Each hart's access is held back by the perturbation in this cycle.
    pub held: Vec<Sig>,
    /// Time and interrupts.
    pub interrupts: Interrupts,
    /// What surrounds the machine.
    pub outside: Flat<Outside>,
}

/// Coherent data caches on an atomic bus, with monitors, devices and a seeded perturbation.
#[hardware]
impl Module for MemorySystem {
    type Io = MemorySystemIo;

    fn name(&self) -> String {
        let MemorySystem { harts, geometry, time_bits, .. } = self;
        let geometry = geometry.tag_text();
        let monitor = match &self.monitor {
            None => String::new(),
            Some((monitor, _)) => {
                format!("{}_{}", WriterMemory::tag_text(self.writers()), monitor.name())
            }
        };
        let perturbed = if self.perturbed { "_perturbed" } else { "" };
        format!("memory_system_{harts}_{geometry}{monitor}_t{time_bits}{perturbed}")
    }

    fn build(&self) -> MemorySystemIo {
        let MemorySystem { harts, geometry, perturbed, .. } = *self;
        let io = self.ports();
        let outside = &io.outside;
        let writers = self.writers();
        let bus = self.bus().instance();
        let caches = array(harts, |_| {
            let l1_data = L1Data { geometry, writers, perturbed }.instance();
            l1_data
        });
        let mut ready = lit(1, 1);
        for (hart, cache) in caches.iter().enumerate() {
            CacheBus::join(&cache.bus, &bus.cache[hart]);
            DataPort::join(&cache.data, &io.data[hart]);
            ready = ready & cache.ready;
            cache.watch.address.set(outside.watch.address);
            outside.hit.valid[hart].set(cache.hit.valid);
            outside.hit.kind[hart].set_from(cache.hit.kind);
            outside.hit.address[hart].set(cache.hit.address);
            outside.hit.way[hart].set(cache.hit.way.zext(EXPORTED_WAY_BITS));
            let (inner, outer) = (&bus.fetch[hart], &io.fetch[hart]);
            inner.request.connect(&outer.request);
            outer.response_valid.set(inner.response_valid);
            outer.response_line.set(inner.response_line);
        }
        bus.ready.set(ready);
        bus.host_request.connect(&outside.host_request);
        outside.host_response.connect(&bus.host_response);
        outside.memory_request.connect(&bus.memory_request);
        bus.memory_response.connect(&outside.memory_response);
        outside.bus.drive(&bus.export);

        // Perturbation.
        match outside.perturbation {
            Some(settings) => {
                let perturbation = Perturbation { harts }.instance();
                perturbation.settings.drive(&settings);
                for (hart, cache) in caches.iter().enumerate() {
                    perturbation.taken[hart].set(cache.data.request.fires());
                    io.held[hart].set(perturbation.hold[hart]);
                    if let Some(hold) = cache.hold {
                        hold.set(perturbation.hold[hart]);
                    }
                }
                if let Some(disturbance) = bus.disturbance {
                    disturbance.drive(&perturbation.disturbance);
                }
            }
            None => io.held.iter().for_each(|held| held.set(0)),
        }

        // Devices and monitors.
        let clint = Clint { harts }.instance();
        clint.device.drive(&bus.device);
        io.interrupts.mtime.set(clint.mtime);
        for hart in 0..harts {
            io.interrupts.timer[hart].set(clint.timer[hart]);
            io.interrupts.software[hart].set(clint.software[hart]);
        }
        let uart = Uart.instance();
        uart.device.drive(&bus.device);
        outside.uart_tx.connect(&uart.tx);
        uart.rx.connect(&outside.uart_rx);
        let device_data = clint.device_data | uart.device_data;
        match (&self.monitor, &bus.monitors, &outside.tap) {
            (Some((monitor, update)), Some(bus_monitors), Some(tap)) => {
                let monitors =
                    Monitors { harts, monitor: monitor.clone(), update: *update }.instance();
                monitors.device.drive(&bus.device);
                bus.device_data.set(device_data | monitors.device_data);
                monitors.bus.granting.drive(&bus_monitors.granting);
                if let (Some(to), Some(from)) = (monitors.time_wraps, bus.time_wraps) {
                    to.set(from);
                }
                tap.drive(&monitors.tap);
                for (hart, cache) in caches.iter().enumerate() {
                    let (inner, outer) = (&monitors.bus.hart[hart], &bus_monitors.hart[hart]);
                    inner.access.set(outer.access);
                    inner.snoop.set(outer.snoop);
                    outer.monitored.set(inner.monitored);
                    outer.store_meta.drive(&inner.store_meta);
                    if let (Some(to), Some(from)) = (outer.stall, inner.stall) {
                        to.set(from);
                    }
                    if let Some(store_meta) = &cache.store_meta {
                        store_meta.drive(&inner.store_meta);
                    }
                    monitors.pc[hart].set(cache.pc.zext(monitor.core_pc_bits));
                    monitors.machine_mode[hart].set(cache.machine_mode);
                    io.interrupts.table[hart].set(monitors.irq[hart]);
                }
            }
            _ => {
                bus.device_data.set(device_data);
                io.interrupts.table.iter().for_each(|irq| irq.set(0));
            }
        }

        // The watched word.
        let watches: Vec<Sig> = caches.iter().map(|cache| cache.watch.valid).collect();
        let words: Vec<Sig> = caches.iter().map(|cache| cache.watch.data).collect();
        outside.watch.valid.set(one_hot::any(&watches));
        outside.watch.data.set(one_hot::choose(&watches, &words));
        outside.watch.hart.set(one_hot::index(&watches, EXPORTED_HART_BITS));
        assert("one_writer", one_hot::at_most_one(&watches), "two harts do not write one word");
        io
    }
}

impl MemorySystem {
    /// The memory system of a configuration, perturbed as in simulation.
    pub fn from_config(config: &Config) -> Result<MemorySystem, &'static str> {
        if config.standalone {
            return Err("standalone is true");
        }
        if config.color.items > 0 {
            return Err("color.items is not 0, and ColorSafe is not built into the machine yet");
        }
        let monitor = CommMonitor::from_config(config).ok();
        Ok(MemorySystem {
            harts: config.harts as usize,
            geometry: Geometry::of_data(config),
            monitor: monitor.map(|monitor| (monitor, config.metadata.update)),
            time_bits: config.timestamp_bits as usize,
            perturbed: true,
        })
    }

    fn writers(&self) -> Option<WriterMemory> {
        let (monitor, update) = self.monitor.as_ref()?;
        Some(WriterMemory { fields: monitor.fields, update: *update })
    }

    fn bus(&self) -> Bus {
        let stalls = |(monitor, _): &(CommMonitor, _)| monitor.overflow == config::Overflow::Stall;
        Bus {
            harts: self.harts,
            geometry: self.geometry,
            writers: self.writers(),
            stalls: self.monitor.as_ref().is_some_and(stalls),
            time_bits: self.time_bits,
            perturbed: self.perturbed,
        }
    }

    fn ports(&self) -> MemorySystemIo {
        let MemorySystem { harts, geometry, .. } = *self;
        let line_bits = geometry.line_bits();
        hdl::ports(MemorySystemIo {
            data: array(harts, |_| DataPort::answering()),
            fetch: array(harts, |_| FetchPort {
                request: Stream::input(ADDRESS_BITS),
                response_valid: output(1),
                response_line: output(line_bits),
            }),
            held: array(harts, |_| output(1)),
            interrupts: Interrupts {
                mtime: output(64),
                timer: array(harts, |_| output(1)),
                software: array(harts, |_| output(1)),
                table: array(harts, |_| output(1)),
            },
            outside: Flat(Outside::of(self)),
        })
    }
}
