//! Interrupts at times that only the hardware knows.

use super::recorder::{Recording, Shown, Stream, follow, record};
use super::*;
use crate::isa::Retired;
use crate::memory::{BusGrant, BusKind, Hit, HitKind};

/// Hart 0 sends software interrupts to the others, every hart has a timer; handlers end what
/// interrupted them and count it. `mode` is the low bit of mtvec.
fn interrupting_program(mode: u32) -> Vec<u32> {
    let mut body = Vec::new();
    body.extend(li(13, clint::Word::Msip.address(0)));
    body.extend(li(12, monitor::window(0)));
    body.push(csrrs(14, MHARTID, 0));
    // x15: this hart's msip; x16: its mtimecmp; x17: its monitor window.
    body.extend([i(1, 0x13, 15, 14, 2), add(15, 15, 13)]);
    body.extend(li(16, clint::Word::Mtimecmp.offset()));
    body.extend([add(16, 16, 13), i(1, 0x13, 18, 14, 3), add(16, 16, 18)]);
    body.extend([i(1, 0x13, 17, 14, 12), add(17, 17, 12)]);
    // The table interrupts at two edges; everything in M mode is monitored.
    body.extend([
        addi(5, 0, -1),
        sw(5, 17, at(Word::RangeHigh)),
        addi(5, 0, 2),
        sw(5, 17, at(Word::TableWatermark)),
    ]);
    body.extend([addi(5, 0, 5), sw(5, 17, at(Word::Control))]);
    body.extend(li(10, DATA));
    body.extend([sw(0, 16, 4), addi(5, 0, 700), sw(5, 16, 0)]);
    body.extend(li(5, Interrupt::MASK));
    body.extend([csrrw(0, 0x304, 5), csrrsi(0, 0x300, 8)]);
    let again = body.len();
    body.extend([lw(20, 10, 0), addi(20, 20, 1), sw(20, 10, 0), lw(21, 10, 0x40)]);
    body.extend([csrrs(22, 0x344, 0), addi(23, 0, 1), sw(23, 13, 4), sw(23, 13, 8), WFI]);
    let back = 4 * (again as i32 - body.len() as i32);
    body.push(jal(0, back));
    let mut program = Vec::new();
    let handler = RAM + 4 * (4 + body.len() as u32);
    // Vectors must lie at a multiple of 4 only; the table is jumps to one handler.
    program.extend(li(9, handler));
    program.extend([i(6, 0x13, 9, 9, mode as i32), csrrw(0, 0x305, 9)]);
    program.extend(body);
    let entries = if mode == 1 { 17 } else { 0 };
    for entry in 0..entries {
        program.push(jal(0, 4 * (entries - entry)));
    }
    // Clear everything that can be pending: msip, timer into the future, one edge.
    program.extend([csrrs(26, 0x342, 0), sw(0, 15, 0), csrrs(27, 0xc01, 0), addi(27, 27, 900)]);
    program.extend([
        sw(27, 16, 0),
        lw(28, 17, at(Word::KindAndHarts)),
        lw(28, 17, at(Word::KindAndHarts)),
        addi(25, 25, 1),
        MRET,
    ]);
    program
}

fn interrupted(mode: u32, seed: u64) -> (Vec<u32>, Recording) {
    let program = interrupting_program(mode);
    let recording = record(&PARAMETERS, &program, 3000, seed);
    (program, recording)
}

#[test]
fn interrupts_are_followed_whenever_they_are_taken() {
    for mode in [0, 1] {
        for seed in 0..10 {
            let (program, recording) = interrupted(mode, seed);
            for hart in &recording.harts {
                assert!(hart.register(25) > 5, "mode {mode}, seed {seed}: too few interrupts");
            }
            let end = follow(&PARAMETERS, &program, &recording.stream)
                .unwrap_or_else(|problem| panic!("mode {mode}, seed {seed}: {problem}"));
            assert_eq!(end.unchecked, 0);
            for (followed, recorded) in end.harts.iter().zip(&recording.harts) {
                assert_eq!(followed.registers(), recorded.registers());
            }
        }
    }
}

/// One hart that executes these instructions, then NOPs.
struct Lonely {
    program: Vec<u32>,
    stream: Stream,
    order: u64,
    cycle: u64,
}

impl Lonely {
    const PARAMETERS: Parameters = Parameters { harts: 1, ..PARAMETERS };

    fn new(setup: &[u32]) -> Self {
        let mut program = setup.to_vec();
        program.resize(64, NOP);
        let recording = record(&Self::PARAMETERS, &program, setup.len(), 1);
        let mut lonely =
            Self { program, stream: recording.stream, order: setup.len() as u64, cycle: 0 };
        lonely.cycle = lonely.stream.keys().next_back().copied().unwrap_or(0);
        // All of the program is fetched.
        for line in 0..16 {
            let address = RAM + 16 * line;
            let bus = Some(BusGrant::plain(BusKind::Fetch, 0, address));
            lonely.cycle += 1;
            lonely.show(|shown| shown.bus = bus);
        }
        lonely
    }

    fn show(&mut self, change: impl Fn(&mut Shown)) {
        let empty = || Shown { hits: vec![None], retired: vec![None], ..Shown::default() };
        change(self.stream.entry(self.cycle).or_insert_with(empty));
    }

    /// A NOP at a pc retires.
    fn nop(&mut self, pc: u32, intr: bool) {
        self.cycle += 1;
        let record = Retired {
            order: self.order,
            insn: NOP,
            intr,
            mode: crate::Mode::Machine,
            pc_rdata: pc,
            pc_wdata: pc + 4,
            ..Retired::default()
        };
        self.order += 1;
        self.show(|shown| shown.retired[0] = Some(record));
    }

    fn follow(&self) -> Result<Final, Disagreement> {
        follow(&Self::PARAMETERS, &self.program, &self.stream)
    }
}

/// mie and mstatus.MIE set; mtvec is RAM + 0x80.
fn enabled(mie: u32) -> Vec<u32> {
    let mut setup = Vec::from(li(1, mie));
    setup.push(csrrw(0, 0x304, 1));
    setup.extend(li(1, RAM + 0x80));
    setup.extend([csrrw(0, 0x305, 1), csrrsi(0, 0x300, 8)]);
    setup
}

#[test]
fn an_interrupt_that_is_not_pending_is_refused() {
    let mut lonely = Lonely::new(&enabled(1 << 3));
    lonely.nop(RAM + 0x80, true);
    let problem = lonely.follow().unwrap_err().problem;
    assert_eq!(problem, Problem::NotPending { enabled: 1 << 3, pending: 0 });
}

#[test]
fn an_interrupt_that_is_not_enabled_is_refused() {
    // The software interrupt is pending, MIE is set, but mie has the timer only.
    let mut setup = Vec::from(li(2, clint::Word::Msip.address(0)));
    setup.extend([addi(3, 0, 1), sw(3, 2, 0)]);
    setup.extend(enabled(1 << 7));
    let after = RAM + 4 * setup.len() as u32;
    let mut lonely = Lonely::new(&setup);
    lonely.nop(RAM + 0x80, true);
    let problem = lonely.follow().unwrap_err().problem;
    assert_eq!(problem, Problem::NotPending { enabled: 1 << 7, pending: 1 << 3 });

    let mut lonely = Lonely::new(&setup);
    lonely.nop(after, false);
    lonely.follow().expect("going on is right");
}

#[test]
fn an_interrupt_that_is_ignored_for_long_is_missed() {
    let mut setup = enabled(1 << 3);
    setup.extend(li(2, clint::Word::Msip.address(0)));
    setup.extend([addi(3, 0, 1), sw(3, 2, 0)]);
    let after = RAM + 4 * setup.len() as u32;
    let run = |count: u32| {
        let mut lonely = Lonely::new(&setup);
        (0..count).for_each(|n| lonely.nop(after + 4 * n, false));
        lonely.follow()
    };
    run(4).expect("not at once");
    let problem = run(12).unwrap_err().problem;
    assert!(matches!(problem, Problem::NotInterrupted { pending: 8, .. }), "{problem}");
}

#[test]
fn a_timer_is_pending_from_its_cycle_on() {
    let mut setup = enabled(1 << 7);
    setup.extend(li(2, clint::Word::Mtimecmp.address(0)));
    setup.extend([sw(0, 2, 4), addi(3, 0, 500), sw(3, 2, 0)]);
    let run = |cycle: u64| {
        let mut lonely = Lonely::new(&setup);
        assert!(lonely.cycle < 200);
        lonely.cycle = cycle;
        lonely.nop(RAM + 0x80, true);
        lonely.follow()
    };
    assert!(run(400).is_err());
    run(510).unwrap();
}

#[test]
fn wfi_must_have_a_reason_to_end() {
    let run = |pending: bool| {
        let mut setup = Vec::from(li(1, 1 << 3));
        setup.push(csrrw(0, 0x304, 1));
        setup.extend(li(2, clint::Word::Msip.address(0)));
        setup.extend([addi(3, 0, pending.into()), sw(3, 2, 0)]);
        let at = RAM + 4 * setup.len() as u32;
        let mut lonely = Lonely::new(&setup);
        lonely.program[setup.len()] = WFI;
        lonely.nop(at, false);
        lonely.show(|shown| shown.retired[0].as_mut().unwrap().insn = WFI);
        lonely.follow().map_err(|problem| problem.problem)
    };
    run(true).unwrap();
    assert_eq!(run(false).unwrap_err(), Problem::NotAwake { enabled: 1 << 3 });
}

#[test]
fn mip_reads_as_it_can_be_only() {
    let run = |actual: u32| {
        let mut setup = Vec::from(li(2, clint::Word::Msip.address(0)));
        setup.extend([addi(3, 0, 1), sw(3, 2, 0)]);
        let at = RAM + 4 * setup.len() as u32;
        let mut lonely = Lonely::new(&setup);
        let insn = csrrs(4, 0x344, 0);
        lonely.program[setup.len()] = insn;
        // Long after: the state is certain.
        lonely.cycle += 100;
        lonely.nop(at - 0x1000, false);
        lonely.stream.remove(&lonely.cycle);
        lonely.order -= 1;
        lonely.nop(at, false);
        lonely.show(|shown| {
            let record = shown.retired[0].as_mut().unwrap();
            (record.insn, record.rd_addr, record.rd_wdata) = (insn, 4, actual);
        });
        lonely.follow().map(|end| end.harts[0].register(4)).map_err(|problem| problem.problem)
    };
    assert_eq!(run(8), Ok(8));
    for wrong in [8 | 128, 9, 8 | 1 << 16] {
        let expected = 8;
        let field = "rvfi_rd_wdata";
        let actual = wrong.into();
        assert_eq!(run(wrong), Err(Problem::Field { field, expected, actual }));
    }
}

#[test]
fn with_two_causes_in_doubt_the_first_read_of_mcause_tells() {
    // The timer is certainly pending; the software interrupt is raised just before one is taken.
    let mut setup = Vec::from(li(2, clint::Word::Mtimecmp.address(0)));
    setup.extend([sw(0, 2, 4), sw(0, 2, 0)]);
    setup.extend(li(2, clint::Word::Msip.address(0)));
    let mut enabling = enabled(1 << 7 | 1 << 3);
    let last = enabling.pop().unwrap();
    setup.extend(enabling);
    setup.extend([addi(3, 0, 1), sw(3, 2, 0), last]);
    let run = |cause: u32| {
        let mut lonely = Lonely::new(&setup);
        let insn = csrrs(4, 0x342, 0);
        lonely.program[32] = insn;
        lonely.nop(RAM + 0x80, true);
        lonely.show(|shown| {
            let record = shown.retired[0].as_mut().unwrap();
            (record.insn, record.rd_addr, record.rd_wdata) = (insn, 4, 1 << 31 | cause);
        });
        lonely.follow().is_ok()
    };
    assert!(run(3) && run(7), "one or the other");
    assert!(!run(16), "the table has nothing to do with it");
    assert!(!run(5));
}

#[test]
fn a_hit_of_the_interrupted_instruction_would_be_noticed() {
    // An access that reached its place in the order retires before the interrupt.
    let mut setup = enabled(1 << 3);
    setup.extend(li(2, clint::Word::Msip.address(0)));
    setup.extend(li(10, DATA));
    setup.extend([lw(5, 10, 0), addi(3, 0, 1), sw(3, 2, 0)]);
    let mut lonely = Lonely::new(&setup);
    lonely.program[setup.len()] = lw(5, 10, 0);
    lonely.cycle += 1;
    let hit = Some(Hit { kind: HitKind::Load, address: DATA, way: 0 });
    lonely.show(|shown| shown.hits[0] = hit);
    lonely.nop(RAM + 0x80, true);
    let problem = lonely.follow().unwrap_err().problem;
    assert!(matches!(problem, Problem::NotEnded { .. }), "{problem}");
}
