//! The memory system: everything of the machine but the harts and their instruction caches.
//!
//! Data caches, bus, observers of coherence, devices and perturbation. Random traffic through the data
//! ports, the fetch ports and the host port tests it without any core; the exports say what happened in
//! which order.

use config::Config;
use hdl::{Bundle, Enum, Inst, Module, Sig, array, assert, connect, hardware, lit, output};

use crate::bus::{Bus, BusIo, Disturbance, EXPORTED_HART_BITS, FetchPort};
use crate::data_port::{AccessOp, DataPort};
use crate::devices::{Clint, Uart};
use crate::features;
use crate::geometry::Geometry;
use crate::l1_data::{HitKind, L1Data, L1DataIo, SpeculationPort};
use crate::observer::{Each, Lane, LinkPort, Observers, Seat, Served};
use crate::one_hot;
use crate::outside::Outside;
use crate::perturbation::Perturbation;

/// Bits of a way in what the machine exports.
pub(crate) const EXPORTED_WAY_BITS: usize = 8;

/// The memory system of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct MemorySystem {
    /// How many harts there are.
    pub harts: usize,
    /// The shape of every data cache.
    pub geometry: Geometry,
    /// The features that observe coherence.
    pub observers: Observers,
    /// The perturbation is built in; boards do without.
    pub perturbed: bool,
    /// Harts have ephemeral transactions, which something outside begins and ends.
    pub colored: bool,
}

/// The data access of each hart that is ordered in this cycle without a transaction. Fields of a hart
/// without one are 0.
#[derive(Clone, Debug, Bundle)]
pub struct HitExport {
    /// A data access of the hart is ordered in this cycle without a transaction.
    pub valid: Vec<Sig>,
    /// The kind of the access: load (0), store (1), SC that fails (2), LR (3), SC that succeeds
    /// (4), AMO (5).
    pub kind: Vec<Enum<HitKind>>,
    /// The byte address of the access.
    pub address: Vec<Sig>,
    /// The way that holds the line; 0 for an SC that fails.
    pub way: Vec<Sig>,
}

/// Stores to the watched word.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct WatchExport {
    /// The address of the watched word; held constant.
    pub address: Sig,
    /// The watched word is written in this cycle.
    pub valid: Sig,
    /// The watched word after the write; valid with `valid`.
    pub data: Sig,
    /// The number of the hart that writes the watched word; valid with `valid`.
    pub hart: Sig,
}

/// Time, and the interrupt lines of each hart. All lines are levels.
#[derive(Clone, Debug, Bundle)]
pub struct Interrupts {
    /// The value of `mtime`.
    pub mtime: Sig,
    /// The timer interrupt of the hart is pending.
    pub timer: Vec<Sig>,
    /// The software interrupt of the hart is pending.
    pub software: Vec<Sig>,
    /// The interrupts that observers raise.
    #[bundle(flat)]
    pub observed: Each<Vec<Sig>>,
}

/// Ports of [`MemorySystem`].
#[derive(Clone, Debug, Bundle)]
pub struct MemorySystemIo {
    /// The data port of each hart.
    pub data: Vec<DataPort>,
    /// The port of each hart's instruction cache.
    pub fetch: Vec<FetchPort>,
    /// The port through which each hart walks through its tables of colors, if there are any.
    pub walk: Vec<FetchPort>,
    /// The perturbation holds back the hart's access in this cycle.
    pub held: Vec<Sig>,
    /// The ephemeral transactions of each hart, if there are any.
    pub speculation: Vec<SpeculationPort>,
    /// Time and interrupts.
    pub interrupts: Interrupts,
    /// The signals between observers and the units beside each hart.
    #[bundle(flat)]
    pub link: Each<Vec<LinkPort>>,
    /// The ports to the machine's surroundings.
    #[bundle(flat)]
    pub outside: Outside,
}

/// Coherent data caches on an atomic bus, with observers, devices and a seeded perturbation.
#[hardware]
impl Module for MemorySystem {
    type Io = MemorySystemIo;

    fn name(&self) -> String {
        let MemorySystem { harts, geometry, observers, .. } = self;
        let (geometry, time) = (geometry.tag_text(), observers.time_tag());
        let each =
            observers.iter().map(|observer| format!("{}_{}", observer.tag(), observer.module()));
        let each: String = each.collect();
        let perturbed = if self.perturbed { "_perturbed" } else { "" };
        let colored = if self.colored { "_colored" } else { "" };
        format!("memory_system_{harts}_{geometry}{each}{time}{perturbed}{colored}")
    }

    fn build(&self) -> MemorySystemIo {
        let MemorySystem { harts, geometry, perturbed, colored, .. } = *self;
        let io = self.ports();
        let outside = &io.outside;
        let bus = self.bus().instance();
        let caches = array(harts, |hart| {
            let observers = self.observers.clone();
            let l1_data = L1Data { geometry, observers, perturbed, colored };
            l1_data.instance().named(&format!("l1_data_{hart}"))
        });
        let mut ready = lit(1, 1);
        for (hart, cache) in caches.iter().enumerate() {
            connect(&cache.bus, &bus.cache[hart]);
            connect(&cache.data, &io.data[hart]);
            ready = ready & cache.ready;
            cache.watch.address.set(outside.watch.address);
            outside.hit.valid[hart].set(cache.hit.valid);
            outside.hit.kind[hart].set_from(cache.hit.kind);
            outside.hit.address[hart].set(cache.hit.address);
            outside.hit.way[hart].set(cache.hit.way.zext(EXPORTED_WAY_BITS));
            connect(&bus.fetch[hart], &io.fetch[hart]);
            if let Some((inner, outer)) = bus.walk.get(hart).zip(io.walk.get(hart)) {
                connect(inner, outer);
            }
            if let (Some(inner), Some(outer)) = (&cache.speculation, io.speculation.get(hart)) {
                connect(inner, outer);
            }
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
                    let data = &cache.data;
                    let op = data.request.payload.op;
                    let conduct = &perturbation.conduct[hart];
                    conduct.taken.set(data.taken);
                    conduct.read.set(op.is(AccessOp::Load) | op.is(AccessOp::LoadReserved));
                    // What is cancelled was never under way; what waits is not cancelled.
                    let given_up = data.withdraw & data.withdrawable | data.cancel & !data.late;
                    conduct.ended.set(data.response_valid | given_up);
                    io.held[hart].set(perturbation.hold[hart]);
                    if let Some(hold) = cache.hold {
                        hold.set(perturbation.hold[hart]);
                    }
                }
                if let Some(disturbance) = bus.disturbance {
                    disturbance.drive(&without_walks(perturbation.disturbance, &disturbance));
                }
            }
            None => io.held.iter().for_each(|held| held.set(0)),
        }

        // Devices.
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
        let mut device_data = clint.device_data | uart.device_data;
        for served in self.attach(&io, &bus, &caches) {
            if let Some(data) = served.device_data {
                device_data = device_data | data;
            }
        }
        bus.device_data.set(device_data);

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

/// What disturbs the turn of all requesters, which never passes over a walk: those are the last.
fn without_walks(of: Disturbance, to: &Disturbance) -> Disturbance {
    Disturbance { pass_over: of.pass_over.zext(to.pass_over.width()), ..of }
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
        Ok(MemorySystem {
            harts: config.harts as usize,
            geometry: Geometry::of_data(config),
            observers: features::observers(config),
            perturbed: true,
            colored: false,
        })
    }

    /// Builds the observers and connects them with bus, caches, harts and surroundings.
    fn attach(&self, io: &MemorySystemIo, bus: &BusIo, caches: &[Inst<L1DataIo>]) -> Vec<Served> {
        let mut all_served = Vec::new();
        for observer in self.observers.iter() {
            let name = observer.name();
            let link = observer.link().and_then(|lane| io.link.get(&lane.name));
            let from_hart = link.map_or(Vec::new(), |ports| {
                ports.iter().map(|port| port.from_hart.clone()).collect()
            });
            let served = observer.attach(&Seat {
                harts: self.harts,
                bus: bus.observers.get(name).cloned(),
                pc: caches.iter().filter_map(|cache| cache.pc).collect(),
                machine_mode: caches.iter().filter_map(|cache| cache.machine_mode).collect(),
                time_wraps: bus.time_wraps,
                device: bus.device,
                from_hart,
            });
            if let Some(lane) = observer.line() {
                for (cache, from) in caches.iter().zip(&served.store_meta) {
                    cache.store.get(&lane.name).iter().for_each(|to| to.drive(from));
                }
            }
            if let Some((lane, from)) = observer.export().zip(served.export.as_ref()) {
                io.outside.observed.get(&lane.name).iter().for_each(|to| to.drive(from));
            }
            if let Some(row) = observer.interrupt() {
                let lines = io.interrupts.observed.get(row.name).into_iter().flatten();
                lines.zip(&served.interrupt).for_each(|(to, &from)| to.set(from));
            }
            let to_hart = link.into_iter().flatten().zip(&served.to_hart);
            to_hart.for_each(|(port, from)| port.to_hart.drive(from));
            all_served.push(served);
        }
        all_served
    }

    fn bus(&self) -> Bus {
        let MemorySystem { harts, geometry, ref observers, perturbed, colored } = *self;
        Bus { harts, geometry, observers: observers.clone(), perturbed, colored }
    }

    fn ports(&self) -> MemorySystemIo {
        let MemorySystem { harts, geometry, ref observers, .. } = *self;
        let line_bits = geometry.line_bits();
        let colored_harts = if self.colored { harts } else { 0 };
        let rows = observers.interrupts().into_iter();
        hdl::ports(MemorySystemIo {
            data: array(harts, |_| DataPort::answering(observers.need_origin())),
            fetch: array(harts, |_| FetchPort::of_bus(line_bits)),
            walk: array(colored_harts, |_| FetchPort::of_bus(line_bits)),
            held: array(harts, |_| output(1)),
            speculation: array(colored_harts, |_| SpeculationPort::of_cache()),
            interrupts: Interrupts {
                mtime: output(64),
                timer: array(harts, |_| output(1)),
                software: array(harts, |_| output(1)),
                observed: rows
                    .map(|row| Lane {
                        name: row.name.into(),
                        doc: "The interrupt that names this port is pending: a level.",
                        of: array(harts, |_| output(1)),
                    })
                    .collect(),
            },
            link: observers.link().each(|link| array(harts, |_| link.of_hart().flip())),
            outside: Outside::of(self),
        })
    }
}
