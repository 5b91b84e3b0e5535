use super::*;
use crate::CodePoint;
use border::monitor::Index;

/// Words that the monitor adds to those of its table.
const OWN_WORDS: [Word; 6] = [
    Word::Control,
    Word::RangeLow,
    Word::RangeHigh,
    Word::RangeLowUpper,
    Word::RangeHighUpper,
    Word::Context,
];

const PARAMETERS: MonitorParameters = MonitorParameters {
    hart: HartId(1),
    core_pc_bits: 32,
    fields: Fields { pc_bits: 32, events: 5, hart_bits: 2, time_bits: 32 },
    depth: 8,
    overflow: Overflow::Discard,
};

const IDLE: MonitorInputs = MonitorInputs {
    access: Access {
        valid: false,
        kind: AccessKind::Read,
        pc: Pc(0),
        mode: Mode::User,
        communicating: false,
        from_memory: false,
        meta: LineMeta::NULL,
        time: Time(0),
    },
    snoop: None,
    register: None,
};

fn write(monitor: &mut Monitor, word: impl Into<Index>, data: u32) {
    let register = Some(RegisterAccess::Write { word: word.into(), data });
    monitor.step(&MonitorInputs { register, ..IDLE });
}

fn read(monitor: &mut Monitor, word: impl Into<Index>) -> u32 {
    let register = Some(RegisterAccess::Read { word: word.into() });
    monitor.step(&MonitorInputs { register, ..IDLE });
    monitor.read_data()
}

/// A monitor that watches user mode in 0x100..0x200.
fn watching(parameters: MonitorParameters) -> Monitor {
    let mut monitor = Monitor::new(parameters);
    write(&mut monitor, Word::RangeLow, 0x100);
    write(&mut monitor, Word::RangeHigh, 0x200);
    write(&mut monitor, Word::Control, ENABLE | SELECT_USER);
    monitor
}

fn communicating(kind: AccessKind, pc: u64) -> MonitorInputs {
    let access =
        Access { valid: true, kind, pc: Pc(pc), communicating: true, time: Time(7), ..IDLE.access };
    MonitorInputs { access, ..IDLE }
}

fn from_memory(pc: u64) -> MonitorInputs {
    let mut inputs = communicating(AccessKind::Read, pc);
    inputs.access.communicating = false;
    inputs.access.from_memory = true;
    inputs
}

#[test]
fn a_communicating_access_makes_an_edge_from_the_lines_metadata() {
    for (kind, edge_kind, event) in [
        (AccessKind::Read, EdgeKind::Raw, Event::LocalRead),
        (AccessKind::ReadX, EdgeKind::Waw, Event::LocalWrite),
        (AccessKind::Upgrade, EdgeKind::Waw, Event::LocalWrite),
    ] {
        let mut monitor = watching(PARAMETERS);
        write(&mut monitor, Word::Context, 0b11);
        let source = LineMeta { pc: CodePoint(5), ctx: Ctx(6), hart: HartId(2), time: Time(3) };
        let mut inputs = communicating(kind, 0x100);
        inputs.access.meta = source;
        let outputs = monitor.step(&inputs);
        let sink =
            LineMeta { pc: CodePoint(0x100), ctx: Ctx(0b11), hart: HartId(1), time: Time(7) };
        assert_eq!(outputs.tap, Some(Edge { source, sink, kind: edge_kind }));
        assert_eq!(outputs.store_meta, sink, "sampled before the shift, as the sink is");
        assert_eq!(monitor.context().to_bits(), 0b11_00 | event.code());
        assert_eq!(monitor.table().oldest(), outputs.tap.as_ref());
    }
}

#[test]
fn a_read_from_memory_makes_an_edge_from_nowhere_and_no_event() {
    let mut monitor = watching(PARAMETERS);
    write(&mut monitor, Word::Context, 0b11);
    let mut inputs = from_memory(0x104);
    inputs.access.meta.pc = CodePoint(99);
    let edge = monitor.step(&inputs).tap.unwrap();
    assert_eq!((edge.source, edge.kind), (LineMeta::NULL, EdgeKind::Memory));
    assert_eq!(monitor.context().to_bits(), 0b11);
}

#[test]
fn accesses_without_a_holder_make_nothing() {
    let mut monitor = watching(PARAMETERS);
    for kind in AccessKind::ALL {
        let mut inputs = communicating(kind, 0x104);
        inputs.access.communicating = false;
        assert_eq!(monitor.step(&inputs).tap, None);
    }
    let mut inputs = from_memory(0x104);
    inputs.access.kind = AccessKind::ReadX;
    assert_eq!(monitor.step(&inputs).tap, None, "only a Read comes from memory with an edge");
    assert_eq!(monitor.context().to_bits(), 0);
}

#[test]
fn the_range_includes_its_low_end_only() {
    let mut monitor = watching(PARAMETERS);
    let monitored = [0xff, 0x100, 0x1ff, 0x200]
        .map(|pc| monitor.step(&communicating(AccessKind::Read, pc)).monitored);
    assert_eq!(monitored, [false, true, true, false]);
    assert_eq!(monitor.table().count(), 2);
}

#[test]
fn a_store_outside_the_range_is_remembered_and_one_in_another_mode_is_not() {
    let mut monitor = watching(PARAMETERS);
    let mut inputs = communicating(AccessKind::ReadX, 0x800);
    let outputs = monitor.step(&inputs);
    assert_eq!((outputs.monitored, outputs.store_meta.pc), (false, CodePoint(0x800)));
    inputs.access.mode = Mode::Machine;
    inputs.access.pc = Pc(0x100);
    let outputs = monitor.step(&inputs);
    assert_eq!((outputs.monitored, outputs.store_meta), (false, LineMeta::NULL));
    assert_eq!(monitor.context().to_bits(), 0);
}

#[test]
fn snoops_shift_even_while_nothing_is_selected() {
    let mut monitor = Monitor::new(PARAMETERS);
    for snoop in [Snoop::Read, Snoop::Write] {
        monitor.step(&MonitorInputs { snoop: Some(snoop), ..IDLE });
    }
    assert_eq!(read(&mut monitor, Word::Context), 0b10_11);
}

#[test]
fn an_event_in_the_cycle_of_a_context_write_comes_after_it() {
    let mut monitor = watching(PARAMETERS);
    write(&mut monitor, Word::Context, 0b01);
    let register = Some(RegisterAccess::Write { word: Word::Context.into(), data: 0xffff_f012 });
    let inputs = MonitorInputs { register, ..communicating(AccessKind::ReadX, 0x100) };
    assert_eq!(monitor.step(&inputs).tap.unwrap().sink.ctx, Ctx(0b01));
    assert_eq!(monitor.context().to_bits(), 0b01_00_10_01);
}

#[test]
fn a_full_table_discards_but_contexts_still_shift() {
    let mut monitor = watching(MonitorParameters { depth: 1, ..PARAMETERS });
    monitor.step(&from_memory(0x100));
    let outputs = monitor.step(&communicating(AccessKind::ReadX, 0x100));
    assert!(!outputs.stall && outputs.tap.is_some());
    assert_eq!((monitor.table().lost(), monitor.context().to_bits()), (1, 1));
}

#[test]
fn a_stalled_access_has_no_effect() {
    let parameters = MonitorParameters { depth: 1, overflow: Overflow::Stall, ..PARAMETERS };
    let mut monitor = watching(parameters);
    monitor.step(&from_memory(0x100));
    let access = communicating(AccessKind::ReadX, 0x100);
    let mut announced = access;
    announced.access.valid = false;
    assert!(monitor.step(&announced).stall, "said before the access is valid");
    let outputs = monitor.step(&access);
    assert!(outputs.stall && outputs.tap.is_none());
    assert!(!monitor.step(&communicating(AccessKind::ReadX, 0x800)).stall, "makes no edge");
    assert_eq!((monitor.table().lost(), monitor.context().to_bits()), (0, 0));

    read(&mut monitor, Word::KindAndHarts);
    assert!(!monitor.step(&access).stall);
    assert_eq!(monitor.context().to_bits(), 1);
}

#[test]
fn registers_read_back_and_reset_to_zero() {
    let mut monitor = Monitor::new(MonitorParameters { core_pc_bits: 40, ..PARAMETERS });
    for word in OWN_WORDS {
        write(&mut monitor, word, u32::MAX);
    }
    let words: Vec<_> = OWN_WORDS.map(|word| read(&mut monitor, word)).to_vec();
    assert_eq!(words, [7, u32::MAX, u32::MAX, 0xff, 0xff, 0x3ff]);
    monitor.reset();
    assert!(OWN_WORDS.iter().all(|word| read(&mut monitor, *word) == 0));
    assert_eq!(read(&mut monitor, Word::TableWatermark), 8, "the table's words are there too");
}

#[test]
fn a_range_can_lie_above_4_gib() {
    let fields = Fields { pc_bits: 64, ..PARAMETERS.fields };
    let mut monitor = Monitor::new(MonitorParameters { core_pc_bits: 64, fields, ..PARAMETERS });
    for (word, data) in [
        (Word::RangeLowUpper, 1),
        (Word::RangeHigh, 0x10),
        (Word::RangeHighUpper, 1),
        (Word::Control, 3),
    ] {
        write(&mut monitor, word, data);
    }
    let pc = 0x1_0000_0008;
    let edge = monitor.step(&communicating(AccessKind::Read, pc)).tap.unwrap();
    assert_eq!(edge.sink.pc, CodePoint(pc));
    assert_eq!(monitor.step(&communicating(AccessKind::Read, 8)).tap, None);
}

/// Bugaboo Figure 5: a string and its length, written by one thread and read by another.
mod figure_5 {
    use super::*;

    const STR: usize = 0;
    const LEN: usize = 1;
    /// Instructions of Figure 4(a): stores of thread 1 to both variables, loads of thread 2.
    const STORE: [u64; 2] = [0x100, 0x104];
    const LOAD: [u64; 2] = [0x180, 0x184];

    /// Two cores with infinite caches, and two lines.
    struct Machine {
        monitors: [Monitor; 2],
        /// Which cores hold a line, and its metadata.
        lines: [([bool; 2], LineMeta); 2],
        edges: Vec<(u64, Vec<Event>, u64, Vec<Event>)>,
    }

    fn events(ctx: Ctx, count: usize) -> Vec<Event> {
        (0..count).rev().map(|place| Event::ALL[(ctx.0 >> (2 * place) & 3) as usize]).collect()
    }

    impl Machine {
        /// Both lines are held by `holders`, and were written before anything was monitored.
        fn new(holders: [bool; 2]) -> Self {
            let monitors =
                [0, 1].map(|hart| watching(MonitorParameters { hart: HartId(hart), ..PARAMETERS }));
            Self { monitors, lines: [(holders, LineMeta::NULL); 2], edges: vec![] }
        }

        /// One access to a line. `seen` is the context in which the figure has it execute.
        fn access(&mut self, core: usize, line: usize, seen: &[Event]) {
            let (holders, meta) = &mut self.lines[line];
            let other = 1 - core;
            let (pc, kind) = match core {
                0 => {
                    (STORE[line], if holders[0] { AccessKind::Upgrade } else { AccessKind::ReadX })
                }
                _ => (LOAD[line], AccessKind::Read),
            };
            assert!(holders[other], "every access of the figure communicates");
            let mut inputs = communicating(kind, pc);
            inputs.access.meta = *meta;
            let outputs = self.monitors[core].step(&inputs);
            let snoop = if kind == AccessKind::Read { Snoop::Read } else { Snoop::Write };
            self.monitors[other].step(&MonitorInputs { snoop: Some(snoop), ..IDLE });

            let edge = outputs.tap.unwrap();
            assert_eq!(events(edge.sink.ctx, seen.len()), seen);
            let source = edge.source;
            self.edges.push((
                source.pc.0,
                events(source.ctx, 3),
                edge.sink.pc.0,
                events(edge.sink.ctx, 3),
            ));
            if kind == AccessKind::Read {
                *holders = [true, true];
            } else {
                *holders = [core == 0, core == 1];
                *meta = outputs.store_meta;
            }
        }
    }

    use Event::{LocalRead as LcRd, LocalWrite as LcWr, RemoteRead as RmRd, RemoteWrite as RmWr};

    fn reads_first() -> Machine {
        let mut machine = Machine::new([true, false]);
        machine.access(1, STR, &[]);
        machine.access(1, LEN, &[LcRd]);
        machine.access(0, STR, &[RmRd, RmRd]);
        machine.access(0, LEN, &[RmRd, RmRd, LcWr]);
        assert_eq!(events(machine.monitors[1].context().sample(), 3), [LcRd, RmWr, RmWr]);
        machine
    }

    fn reads_between() -> Machine {
        let mut machine = Machine::new([true, true]);
        machine.access(0, STR, &[]);
        machine.access(1, STR, &[RmWr]);
        machine.access(1, LEN, &[RmWr, LcRd]);
        machine.access(0, LEN, &[LcWr, RmRd, RmRd]);
        machine
    }

    fn reads_last() -> Machine {
        let mut machine = Machine::new([true, true]);
        machine.access(0, STR, &[]);
        machine.access(0, LEN, &[LcWr]);
        machine.access(1, STR, &[RmWr, RmWr]);
        machine.access(1, LEN, &[RmWr, RmWr, LcRd]);
        machine
    }

    #[test]
    fn contexts_are_those_of_the_figure() {
        reads_first();
        reads_between();
        reads_last();
    }

    #[test]
    fn only_contexts_tell_the_buggy_execution_apart() {
        let correct: Vec<_> = [reads_first().edges, reads_last().edges].concat();
        let buggy = reads_between().edges;
        let stores_to_loads = |edge: &&(u64, Vec<Event>, u64, Vec<Event>)| {
            LOAD.contains(&edge.2) && STORE.contains(&edge.0)
        };
        let (source, _, sink, _) = buggy.iter().find(stores_to_loads).unwrap();
        assert!(correct.iter().any(|edge| (edge.0, edge.2) == (*source, *sink)));
        assert!(buggy.iter().filter(stores_to_loads).all(|edge| !correct.contains(edge)));
    }
}
