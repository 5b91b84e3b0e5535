//! The machine: harts with their instruction caches, on the memory system.
//!
//! What stands in the place of a hart is any module with the ports of [`CoreIo`]: the machine is put
//! together here, and what a core is made of is its own affair.

use hdl::{Bundle, Leaf, Module, Path, Sig, array, bits, connect, hardware, input, lit, output};

use crate::bus::FetchPort;
use crate::data_port::DataPort;
use crate::geometry::ADDRESS_BITS;
use crate::hart::events;
use crate::hart::interrupts::Interrupt;
use crate::memory_system::{MemorySystem, MemorySystemIo};
use crate::observer::{Each, Lane, LinkPort, LinkShape, Observer, Observers};
use crate::outside::Outside;

/// Bits of a hart's number.
const HART_ID_BITS: usize = 32;
/// Bits of the reason for which a hart waits.
pub const WAIT_REASON_BITS: usize = 4;

/// How the names of the ports begin that only say what happens. A board leaves them open.
const EXPORTS: [&str; 6] = ["bus_", "hit_", "watch_", "rvfi_", "wait_", "event_"];

/// How the names of the ports of a machine begin that only say what happens.
pub fn exports(observers: &Observers) -> Vec<String> {
    let observed = observers.iter().filter_map(Observer::export);
    let observed = observed.map(|lane| format!("{}_", lane.name));
    EXPORTS.iter().map(|&name| name.to_owned()).chain(observed).collect()
}

/// The instruction that a hart executes next, and what it waits for.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Wait {
    /// The pc of the oldest instruction that has not retired.
    pub pc: Sig,
    /// What the oldest instruction that has not retired waits for: nothing, it runs (0); an
    /// instruction fetch (1); the bus (2); a device (3); room in the communication table (4); an
    /// interrupt, in WFI (5); it is held by the perturbation, `run` or a unit beside the hart (6);
    /// reset (7).
    pub reason: Sig,
}

impl Wait {
    /// Its shape.
    pub fn shape() -> Wait {
        Wait { pc: bits(ADDRESS_BITS), reason: bits(WAIT_REASON_BITS) }
    }
}

/// Ports of a core: a hart with its instruction cache.
#[derive(Clone, Debug, Bundle)]
pub struct CoreIo<R: Bundle> {
    /// `mhartid`; constant.
    pub hart: Sig,
    /// While this is 0, no instruction enters the fourth stage, so none retires.
    pub run: Sig,
    /// The address of the last byte of RAM; constant.
    pub ram_last: Sig,
    /// The value of `mtime`.
    pub mtime: Sig,
    /// Timer interrupt pending: a level.
    pub timer_pending: Sig,
    /// Software interrupt pending: a level.
    pub software_pending: Sig,
    /// The interrupts that observers of coherence raise: levels.
    #[bundle(flat)]
    pub observed_pending: Each<Sig>,
    /// The port to the data cache.
    pub data: DataPort,
    /// The port to the bus, for lines of the instruction cache.
    pub fetch: FetchPort,
    /// The signals between observers of coherence and the units beside the hart.
    #[bundle(flat)]
    pub link: Each<LinkPort>,
    /// The RVFI record (RISC-V formal interface) of the hart.
    pub rvfi: R,
    /// The next instruction of the hart, and what it waits for.
    pub wait: Wait,
    /// Events of this cycle, to be counted.
    pub event: Each<Sig>,
}

/// What shapes the ports of a core.
#[derive(Clone, Debug)]
pub struct CoreShape {
    /// Bits of a line of the bus.
    pub line_bits: usize,
    /// Data requests carry the pc and the mode of their instruction.
    pub origin: bool,
    /// The interrupts beside timer and software that come from outside the core.
    pub interrupts: Vec<Interrupt>,
    /// The signals between observers of coherence and the units beside the hart.
    pub link: Each<LinkShape>,
    /// Each core counts events and shows them.
    pub counts_events: bool,
}

impl CoreShape {
    /// The ports that a machine with these observers has for a core.
    pub fn new(line_bits: usize, observers: &Observers) -> CoreShape {
        CoreShape {
            line_bits,
            origin: observers.need_origin(),
            interrupts: observers.interrupts(),
            link: observers.link(),
            counts_events: false,
        }
    }
}

impl<R: Bundle> CoreIo<R> {
    /// The ports of a core.
    #[track_caller]
    pub fn ports(shape: &CoreShape, rvfi: R) -> CoreIo<R> {
        let pending = shape.interrupts.iter().map(|row| Lane {
            name: format!("{}_pending", row.name),
            doc: "The interrupt that names this port is pending: a level.",
            of: input(1),
        });
        hdl::ports(CoreIo {
            hart: input(HART_ID_BITS),
            run: input(1),
            ram_last: input(ADDRESS_BITS),
            mtime: input(64),
            timer_pending: input(1),
            software_pending: input(1),
            observed_pending: pending.collect(),
            data: DataPort::answering(shape.origin).flip(),
            fetch: FetchPort::of_bus(shape.line_bits).flip(),
            link: shape.link.each(LinkShape::of_hart),
            rvfi: output(rvfi),
            wait: output(Wait::shape()),
            event: events::ports(shape.counts_events),
        })
    }
}

/// What can stand in the place of a hart.
pub trait Core: Module<Io = CoreIo<Self::Rvfi>> + Clone {
    /// What it shows of each instruction.
    type Rvfi: Bundle;

    /// The shape of that.
    fn rvfi(&self) -> Self::Rvfi;

    /// It counts events and shows them.
    fn counts_events(&self) -> bool {
        false
    }
}

/// The same bundle for every hart; a port's name ends with the number: `wait_pc_0`.
#[derive(Clone, Debug)]
pub struct PerHart<B>(pub Vec<B>);

impl<B: Bundle> Bundle for PerHart<B> {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Self {
        let harts = self.0.iter().enumerate();
        let mapped = harts.map(|(hart, bundle)| {
            bundle.map(path, &mut |path, leaf| f(&path.with_suffix(&hart.to_string()), leaf))
        });
        PerHart(mapped.collect())
    }
}

/// The machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Soc<C> {
    /// Everything but the cores.
    pub memory_system: MemorySystem,
    /// Each core.
    pub core: C,
}

/// Ports of [`Soc`].
#[derive(Clone, Debug, Bundle)]
pub struct SocIo<R: Bundle> {
    /// While this is 0, no instruction enters the fourth stage of any hart, so none retires.
    pub run: Sig,
    /// The address of the last byte of RAM; constant.
    pub ram_last: Sig,
    /// The ports to the machine's surroundings.
    #[bundle(flat)]
    pub outside: Outside,
    /// The RVFI record (RISC-V formal interface) of each hart.
    pub rvfi: PerHart<R>,
    /// Of each hart, the next instruction and what it waits for.
    pub wait: PerHart<Wait>,
    /// Of each hart, events of this cycle, to be counted.
    pub event: PerHart<Each<Sig>>,
}

/// Cores on a coherent memory system, with exports that tell the order of all accesses and
/// transactions.
#[hardware]
impl<C: Core> Module for Soc<C> {
    type Io = SocIo<C::Rvfi>;

    fn name(&self) -> String {
        "soc".into()
    }

    fn build(&self) -> SocIo<C::Rvfi> {
        let harts = self.memory_system.harts;
        let memory_system = self.memory_system.clone().instance();
        let io = self.ports();
        let cores =
            array(harts, |hart| self.core.clone().instance().named(&format!("core_{hart}")));
        for (hart, core) in cores.iter().enumerate() {
            core.hart.set(lit(HART_ID_BITS, hart));
            core.run.set(io.run);
            core.ram_last.set(io.ram_last);
            core.mtime.set(memory_system.interrupts.mtime);
            core.timer_pending.set(memory_system.interrupts.timer[hart]);
            core.software_pending.set(memory_system.interrupts.software[hart]);
            self.join_observers(&memory_system, core, hart);
            connect(&memory_system.data[hart], &core.data);
            connect(&memory_system.fetch[hart], &core.fetch);
            io.rvfi.0[hart].drive(&core.rvfi);
            io.wait.0[hart].drive(&core.wait);
            io.event.0[hart].drive(&core.event);
        }
        io.outside.hand_on(&memory_system.outside);
        io
    }
}

impl<C: Core> Soc<C> {
    /// Joins what observers drive to a hart, and what they take from it, with the core.
    ///
    /// # Panics
    /// If the core was not built for these observers.
    #[track_caller]
    fn join_observers(&self, system: &MemorySystemIo, core: &CoreIo<C::Rvfi>, hart: usize) {
        for lane in &system.interrupts.observed.0 {
            let pending = core.observed_pending.get(&format!("{}_pending", lane.name));
            pending.expect("the core has every interrupt of the observers").set(lane.of[hart]);
        }
        for lane in &system.link.0 {
            let link = core.link.get(&lane.name);
            connect(link.expect("the core has every link of the observers"), &lane.of[hart]);
        }
    }

    fn ports(&self) -> SocIo<C::Rvfi> {
        let harts = self.memory_system.harts;
        hdl::ports(SocIo {
            run: input(1),
            ram_last: input(ADDRESS_BITS),
            outside: Outside::of(&self.memory_system),
            rvfi: PerHart(array(harts, |_| output(self.core.rvfi()))),
            wait: PerHart(array(harts, |_| output(Wait::shape()))),
            event: PerHart(array(harts, |_| events::ports(self.core.counts_events()))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_port::{AccessOp, AmoOp};
    use crate::features;
    use config::Config;
    use hdl::{Simulator, cat, reg, set_when};

    /// A core that stores its number once and then does nothing.
    #[derive(Clone, Debug, PartialEq)]
    struct StoringCore;

    #[derive(Clone, Debug, Bundle)]
    struct Retired {
        valid: Sig,
    }

    const LINE_BITS: usize = 256;

    #[hardware]
    impl Module for StoringCore {
        type Io = CoreIo<Retired>;

        fn name(&self) -> String {
            "storing_core".into()
        }

        fn build(&self) -> CoreIo<Retired> {
            let observers = features::observers(&Config::default());
            let io = CoreIo::ports(&CoreShape::new(LINE_BITS, &observers), self.rvfi());
            let stored = reg(1).reset(0);
            let request = io.data.request;
            request.valid.set(io.run & !stored);
            set_when(io.data.taken, stored, 1);
            let place = cat([io.hart.trunc(28), lit(4, 0)]);
            request.payload.address.set(io.ram_last - 15 - place);
            request.payload.op.set(AccessOp::Store);
            request.payload.amo.set(AmoOp::Swap);
            request.payload.mask.set(15);
            request.payload.load.set(2);
            request.payload.data.set(io.hart);
            request.payload.pc.iter().for_each(|pc| pc.set(0));
            request.payload.machine_mode.iter().for_each(|mode| mode.set(1));
            io.data.cancel.set(0);
            io.data.withdraw.set(0);
            io.fetch.request.valid.set(0);
            io.fetch.request.payload.set(0);
            io.rvfi.valid.set(io.data.response_valid);
            io.wait.pc.set(0);
            io.wait.reason.set(io.data.waiting.zext(WAIT_REASON_BITS));
            io
        }
    }

    impl Core for StoringCore {
        type Rvfi = Retired;
        fn rvfi(&self) -> Retired {
            Retired { valid: bits(1) }
        }
    }

    #[test]
    fn every_core_reaches_memory_when_it_may_run() {
        let memory_system = MemorySystem::from_config(&Config::default()).expect("a machine");
        let (mut sim, io) =
            Simulator::of(Soc { memory_system, core: StoringCore }).expect("a legal circuit");
        sim.reset();
        for name in ["rvfi_valid_3", "wait_pc_0", "hit_valid_2", "bus_meta_pc", "tap_edge_kind"] {
            assert!(sim.port(name).is_some(), "{name}");
        }
        sim.set(io.ram_last, 0x80ff_ffff);
        sim.set(io.outside.watch.address, 0x80ff_ffff - 15 - 32);
        sim.set(io.outside.memory_request.ready, 1);
        sim.steps(100);
        assert_eq!(
            sim.get(io.outside.memory_request.valid),
            0,
            "held before the first instruction"
        );
        sim.set(io.run, 1);
        let mut retired = [0; 4];
        let mut watched = Vec::new();
        for _ in 0..200 {
            for (hart, count) in retired.iter_mut().enumerate() {
                *count += sim.get(io.rvfi.0[hart].valid);
            }
            if sim.get(io.outside.watch.valid) == 1 {
                watched.push((sim.get(io.outside.watch.hart), sim.get(io.outside.watch.data)));
            }
            let reads = sim.get(io.outside.memory_request.valid)
                & !sim.get(io.outside.memory_request.payload.write);
            sim.step();
            sim.set(io.outside.memory_response.valid, reads & 1);
        }
        assert_eq!(retired, [1; 4]);
        assert_eq!(watched, [(2, 2)]);
    }
}
