//! Our side: the linked model behind its typed handle, with and without the software model.

use config::{Config, Overflow};
use cosim::units::CommMonitor;
use cosim::{Bench, Simulation, lockstep};
use golden::{
    CodePoint, Ctx, Edge, EdgeKind, Fields, HartId, LineMeta, Mode, Monitor, MonitorOutputs,
    MonitorParameters, RegisterAccess, Snoop, Time,
};

use crate::ports::Sum;
use crate::stimulus::Cycle;

/// The default configuration.
pub fn parameters() -> MonitorParameters {
    let config = Config::default();
    let fields = Fields {
        pc_bits: config.pc_bits,
        events: config.context.events,
        hart_bits: config.harts.next_power_of_two().trailing_zeros(),
        time_bits: config.timestamp_bits,
    };
    let hart = HartId(1);
    let (depth, overflow) = (config.ct.depth as usize, config.ct.overflow);
    assert_eq!(overflow, Overflow::Discard, "the handle has no port `stall`");
    MonitorParameters { hart, core_pc_bits: 32, fields, depth, overflow }
}

/// How a cycle reaches the pins and what is read from them, with the software model beside.
pub struct MonitorBench {
    hart: u8,
    model: Monitor,
}

impl MonitorBench {
    pub fn new() -> Self {
        let parameters = parameters();
        Self { hart: parameters.hart.0 as u8, model: Monitor::new(parameters) }
    }
}

impl Bench<CommMonitor> for MonitorBench {
    type Stimulus = Cycle;
    type Outputs = MonitorOutputs;

    #[inline]
    fn drive(&mut self, dut: &mut CommMonitor, cycle: &Cycle) {
        let access = &cycle.inputs.access;
        dut.set_rst(cycle.reset);
        dut.set_hart(self.hart);
        dut.set_access_valid(access.valid);
        dut.set_access_kind(access.kind as u8);
        dut.set_access_pc(access.pc.0 as u32);
        dut.set_access_machine_mode(access.mode == Mode::Machine);
        dut.set_access_communicating(access.communicating);
        dut.set_access_from_memory(access.from_memory);
        dut.set_access_meta_pc(access.meta.pc.0 as u32);
        dut.set_access_meta_ctx(access.meta.ctx.0 as u16);
        dut.set_access_meta_hart(access.meta.hart.0 as u8);
        dut.set_access_meta_time(access.meta.time.0 as u32);
        dut.set_access_time(access.time.0 as u32);
        dut.set_snoop_valid(cycle.inputs.snoop.is_some());
        dut.set_snoop_write(cycle.inputs.snoop == Some(Snoop::Write));
        let (read, write, address, data) = match cycle.inputs.register {
            None => (false, false, 0, 0),
            Some(RegisterAccess::Read { word }) => (true, false, word.number() as u16, 0),
            Some(RegisterAccess::Write { word, data }) => (false, true, word.number() as u16, data),
        };
        dut.set_read_valid(read);
        dut.set_write_valid(write);
        dut.set_address(address);
        dut.set_write_data(data);
    }

    #[inline]
    fn sample(&self, dut: &CommMonitor) -> MonitorOutputs {
        let tap = || Edge {
            source: LineMeta {
                pc: CodePoint(dut.tap_edge_source_pc().into()),
                ctx: Ctx(dut.tap_edge_source_ctx().into()),
                hart: HartId(dut.tap_edge_source_hart().into()),
                time: Time(dut.tap_edge_source_time().into()),
            },
            sink: LineMeta {
                pc: CodePoint(dut.tap_edge_sink_pc().into()),
                ctx: Ctx(dut.tap_edge_sink_ctx().into()),
                hart: HartId(dut.tap_edge_sink_hart().into()),
                time: Time(dut.tap_edge_sink_time().into()),
            },
            kind: EdgeKind::ALL[usize::from(dut.tap_edge_kind())],
        };
        MonitorOutputs {
            monitored: dut.monitored(),
            store_meta: LineMeta {
                pc: CodePoint(dut.store_meta_pc().into()),
                ctx: Ctx(dut.store_meta_ctx().into()),
                hart: HartId(dut.store_meta_hart().into()),
                time: Time(dut.store_meta_time().into()),
            },
            stall: false,
            interrupt: dut.irq(),
            tap: dut.tap_valid().then(tap),
            read_data: dut.read_data(),
        }
    }

    #[inline]
    fn expect(&mut self, cycle: &Cycle, _: &MonitorOutputs) -> MonitorOutputs {
        let outputs = self.model.step(&cycle.inputs);
        if cycle.reset {
            self.model.reset();
        }
        outputs
    }
}

/// The rows that the pins see in a round, one after the other: what the other sides are given.
pub fn rows(round: &[Cycle]) -> Vec<u64> {
    let (mut dut, mut bench) = (CommMonitor::new(), MonitorBench::new());
    let mut rows = Vec::new();
    for cycle in round {
        bench.drive(&mut dut, cycle);
        rows.extend_from_slice(dut.model().inputs());
    }
    rows
}

/// Checking off: each cycle is brought to the pins, run, and all outputs are read.
pub struct Unchecked {
    dut: CommMonitor,
    bench: MonitorBench,
}

impl Unchecked {
    pub fn new() -> Self {
        Self { dut: CommMonitor::new(), bench: MonitorBench::new() }
    }

    /// Some rounds; what was seen in the last.
    pub fn run(&mut self, round: &[Cycle], rounds: u64) -> u64 {
        let mut seen = 0;
        for _ in 0..rounds {
            let mut sum = Sum::default();
            for cycle in round {
                self.bench.drive(&mut self.dut, cycle);
                self.dut.tick().expect("it keeps its properties");
                sum.add(self.dut.model().outputs());
            }
            seen = sum.0;
        }
        seen
    }
}

/// The software model beside it, every output of every cycle compared, as tests of units do it.
pub fn checked(round: &[Cycle], rounds: u64) {
    let (mut dut, mut bench) = (CommMonitor::new(), MonitorBench::new());
    let cycles = (0..rounds).flat_map(|_| round.iter().copied());
    let compared = lockstep(&mut dut, &mut bench, cycles).unwrap_or_else(|found| panic!("{found}"));
    assert_eq!(compared, rounds * round.len() as u64, "every cycle is compared");
}
