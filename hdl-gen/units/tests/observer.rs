//! Observers of coherence (docs/machine.md §9): a second feature, which exists only here, beside
//! Bugaboo's monitors; and what is left of a feature that is off.

use config::{Config, Overflow, Preset, Update};
use hdl::{Bundle, Sig, Simulator, bits, cat, hardware, lit, memory, when};
use units::bugaboo::Bugaboo;
use units::comm_monitor::CommMonitor;
use units::data_port::AccessOp;
use units::geometry::Geometry;
use units::memory_system::{MemorySystem, MemorySystemIo};
use units::metadata::Fields;
use units::observer::{
    Audience, GrantFacts, Keeper, Lane, LinkShape, Observer, Observers, Opaque, Seat, Served,
};

/// Tells every other hart the low bits of the requester's pc, marks lines with them, and refuses the
/// grants of a hart that asks for it.
#[derive(Debug)]
struct Gossip;

/// What it exports.
#[derive(Clone, Copy, Debug, Bundle)]
struct Heard {
    harts: Sig,
    word: Sig,
}

/// What it exports with a grant.
#[derive(Clone, Copy, Debug, Bundle)]
struct Mark {
    mark: Sig,
}

const WORD_BITS: usize = 8;

#[hardware]
impl Observer for Gossip {
    fn name(&self) -> &'static str {
        "gossip"
    }

    fn module(&self) -> String {
        "gossip".into()
    }

    fn tag(&self) -> String {
        "_gossip".into()
    }

    fn needs_origin(&self) -> bool {
        true
    }

    fn audience(&self) -> Option<Audience> {
        Some(Audience::Others)
    }

    fn stalls(&self) -> bool {
        true
    }

    fn word(&self) -> Option<Opaque> {
        Some(Opaque::of(bits(WORD_BITS)))
    }

    fn line(&self) -> Option<Lane<Opaque>> {
        Some(Lane { name: "mark".into(), doc: "", of: Opaque::of(bits(WORD_BITS)) })
    }

    fn keep(&self, way: &Keeper) -> Opaque {
        let marks = memory(way.sets, WORD_BITS).ignore_collisions();
        when(way.update_valid, || marks.write(way.write_set, way.update_meta.get::<Sig>()));
        Opaque::of(marks.read_sync(way.read_set, lit(1, 1)))
    }

    fn grant_export(&self) -> Option<Opaque> {
        Some(Opaque::of(Mark { mark: bits(WORD_BITS) }))
    }

    fn export_grant(&self, grant: &GrantFacts) -> Opaque {
        let mark: Sig = grant.meta.as_ref().expect("it marks lines").get();
        Opaque::of(Mark { mark: mark & grant.supplied.repeat(WORD_BITS) })
    }

    fn export(&self) -> Option<Lane<Opaque>> {
        let shape = Heard { harts: bits(2), word: bits(WORD_BITS) };
        Some(Lane { name: "gossip".into(), doc: "", of: Opaque::of(shape) })
    }

    fn link(&self) -> Option<Lane<LinkShape>> {
        let of = LinkShape { to_hart: Opaque::of(bits(1)), from_hart: Opaque::of(bits(1)) };
        Some(Lane { name: "ear".into(), doc: "", of })
    }

    fn attach(&self, seat: &Seat) -> Served {
        let bus = seat.bus.as_ref().expect("it hears of transactions");
        for (hart, port) in bus.hart.iter().enumerate() {
            let refused: Sig = seat.from_hart[hart].get();
            let low = Opaque::of(seat.pc[hart].trunc(WORD_BITS));
            port.monitored.set(1);
            port.stall.iter().for_each(|stall| stall.set(refused));
            port.word.iter().chain(&port.store_meta).for_each(|to| to.drive(&low));
        }
        let word: Sig = bus.granting.word.as_ref().expect("it tells a word").get();
        let heard: Vec<Sig> = bus.hart.iter().map(|port| port.snoop).collect();
        let harts = cat(heard.iter().rev().copied());
        Served {
            export: Some(Opaque::of(Heard { harts, word })),
            to_hart: heard.into_iter().map(Opaque::of).collect(),
            ..Served::default()
        }
    }
}

/// Two harts, Bugaboo's monitors and gossip.
struct Bench {
    sim: Simulator,
    io: MemorySystemIo,
    answers: u64,
}

/// What a grant showed: the requester, who heard of it, the word, and the line's mark.
#[derive(Debug, PartialEq)]
struct Grant {
    requester: u64,
    heard: u64,
    word: u64,
    mark: u64,
}

impl Bench {
    fn new() -> Bench {
        let fields = Fields { pc_bits: 32, events: 2, hart_bits: 1, time_bits: 4 };
        let monitor =
            CommMonitor { core_pc_bits: 32, fields, depth: 4, overflow: Overflow::Discard };
        let bugaboo = Bugaboo { monitor, update: Update::Miss };
        let system = MemorySystem {
            harts: 2,
            geometry: Geometry { ways: 1, sets: 2, line: 8 },
            observers: Observers::none().and(bugaboo).and(Gossip),
            perturbed: false,
            colored: false,
        };
        let (mut sim, io) = Simulator::of(system).unwrap_or_else(|findings| panic!("{findings}"));
        sim.reset();
        sim.set(io.outside.memory_request.ready, 1);
        let mut bench = Bench { sim, io, answers: 0 };
        (0..8).for_each(|_| assert_eq!(bench.step(), None));
        bench
    }

    /// One cycle; the grant in it.
    fn step(&mut self) -> Option<Grant> {
        let (sim, outside) = (&mut self.sim, &self.io.outside);
        sim.set(outside.memory_response.valid, self.answers);
        let reads = sim.get(outside.memory_request.valid)
            & !sim.get(outside.memory_request.payload.write)
            & 1;
        self.answers = reads;
        let heard: Heard = outside.observed.get("gossip").expect("an export").get();
        let marks = outside.bus.observed.iter().find(|export| export.leaves().len() == 1);
        let mark: Mark = marks.expect("an export with the grant").get();
        let grant = (sim.get(outside.bus.valid) == 1).then(|| Grant {
            requester: sim.get(outside.bus.requester),
            heard: sim.get(heard.harts),
            word: sim.get(heard.word),
            mark: sim.get(mark.mark),
        });
        sim.step();
        grant
    }

    /// Has a hart offer an access until it is taken.
    fn offer(&mut self, hart: usize, op: AccessOp, pc: u64) {
        let data = self.io.data[hart];
        let payload = data.request.payload;
        self.sim.set(data.request.valid, 1);
        self.sim.set(payload.address, u64::from(border::map::RAM.base));
        self.sim.set(payload.op.sig(), hdl::HwEnum::code(op));
        self.sim.set(payload.mask, 15);
        self.sim.set(payload.pc.expect("an observer needs it"), pc);
        while self.sim.get(data.request.ready) == 0 {
            assert_eq!(self.step(), None);
        }
        assert_eq!(self.step(), None);
        self.sim.set(data.request.valid, 0);
    }

    /// The grant of what was offered.
    fn granted(&mut self) -> Grant {
        let grant = (0..30).find_map(|_| self.step()).expect("a grant");
        (0..10).for_each(|_| assert_eq!(self.step(), None));
        grant
    }

    fn link(&self, hart: usize) -> Sig {
        self.io.link.get("ear").expect("a link")[hart].from_hart.get()
    }
}

#[test]
fn two_features_hear_of_grants_and_mark_lines_side_by_side() {
    let mut bench = Bench::new();
    bench.offer(0, AccessOp::Store, 0x8000_0134);
    let stored = Grant { requester: 0, heard: 0b10, word: 0x34, mark: 0 };
    assert_eq!(bench.granted(), stored, "hart 1 hears of it although it does not hold the line");
    bench.offer(1, AccessOp::Load, 0x8000_0256);
    let loaded = Grant { requester: 1, heard: 0b01, word: 0x56, mark: 0x34 };
    assert_eq!(bench.granted(), loaded, "the mark comes with the line");
    bench.offer(1, AccessOp::Store, 0x8000_0278);
    let upgraded = Grant { requester: 1, heard: 0b01, word: 0x78, mark: 0x34 };
    assert_eq!(bench.granted(), upgraded, "an Upgrade shows the requester's own mark");
    bench.offer(0, AccessOp::Load, 0x8000_0190);
    let again = Grant { requester: 0, heard: 0b10, word: 0x90, mark: 0x78 };
    assert_eq!(bench.granted(), again);
}

#[test]
fn a_refused_access_waits_before_its_ordering_point_and_holds_up_nobody() {
    let mut bench = Bench::new();
    let refuses = bench.link(1);
    bench.sim.set(refuses, 1);
    bench.offer(1, AccessOp::Load, 0x8000_0111);
    for cycle in 0..40 {
        assert_eq!(bench.step(), None, "cycle {cycle}");
    }
    let waits = bench.io.data[1];
    assert_eq!(bench.sim.get(waits.withdrawable), 1, "it is not ordered");
    bench.offer(0, AccessOp::Store, 0x8000_0122);
    assert_eq!(bench.granted().requester, 0, "the bus goes on with the others");
    bench.sim.set(refuses, 0);
    let granted = Grant { requester: 1, heard: 0b01, word: 0x11, mark: 0x22 };
    assert_eq!(bench.granted(), granted);
}

#[test]
fn a_feature_that_is_off_leaves_no_trace() {
    let traces = |config: &Config| -> Vec<String> {
        let names =
            ["monitor", "meta", "tap_", "time_wraps", "bus_time", "irq_table", "table_pending"];
        let origin = ["request_payload_pc", "request_payload_machine_mode"];
        let design = units::design(config, "soc").expect("a machine");
        let found = design.modules.iter().flat_map(|module| {
            let ports = module.ports.iter().filter_map(|port| module.given_name(port.node));
            let all = ports.chain([module.name.as_ref()]).map(str::to_owned);
            let is_trace =
                |name: &String| names.iter().chain(&origin).any(|trace| name.contains(trace));
            all.filter(is_trace).collect::<Vec<_>>()
        });
        found.collect()
    };
    assert_eq!(traces(&Preset::Baseline.config()), Vec::<String>::new());
    assert!(traces(&Config::default()).len() > 100, "the names are right");
}
