//! Units beside the hart (docs/machine.md §10), with units that exist only here.

use std::rc::Rc;

use hdl::{hardware, lit, reg, set_when, when};
use units::hart::beside::{Acts, Beside, HartUnit, HartUnits, Void};
use units::hart::interrupts::Interrupt;

use super::asm::*;
use super::instructions::value;
use super::machine::{Lines, Machine, RAM};
use super::random::Delays;
use super::record::Record;

const MSTATUS: u32 = 0x300;
const MIE: u32 = 0x304;
const MTVEC: u32 = 0x305;
const MEPC: u32 = 0x341;
const MCAUSE: u32 = 0x342;
const HANDLER: u32 = RAM + 0x400;
/// A word that programs store to.
const DATA: u32 = RAM + 0x800;

fn with(unit: impl HartUnit + 'static) -> HartUnits {
    HartUnits::none().with(Rc::new(unit))
}

fn timeless(machine: &Machine) -> Vec<Record> {
    machine.records.iter().map(|record| record.timeless()).collect()
}

/// Holds the instruction at a pc for some cycles, each time it comes.
#[derive(Debug)]
struct HoldAt {
    pc: u32,
    cycles: u64,
}

#[hardware]
impl HartUnit for HoldAt {
    fn name(&self) -> String {
        format!("hold_{:x}_{}", self.pc, self.cycles)
    }

    fn holds(&self) -> bool {
        true
    }

    fn attach(&self, beside: &Beside) -> Acts {
        /// The instruction that is in X in this cycle is the one.
        let matched = reg(1).reset(0);
        let held_for = reg(16).reset(0);
        set_when(beside.decode.goes, matched, beside.decode.pc.eq(self.pc));
        let here = beside.execute.valid & matched;
        let hold = here & held_for.lt(self.cycles);
        set_when(hold, held_for, held_for + 1);
        set_when(beside.retired.valid & beside.retired.pc_rdata.eq(self.pc), held_for, 0);
        Acts { hold: Some(hold), ..Acts::default() }
    }
}

/// Three stores to one word, then a loop. Returns the program and the pc of the second store.
fn stores() -> (Vec<u32>, u32) {
    let mut program = li(1, DATA).to_vec();
    program.extend([addi(2, 0, 5), sw(2, 1, 0), addi(2, 2, 1)]);
    let second = RAM + 4 * program.len() as u32;
    program.extend([sw(2, 1, 0), lw(3, 1, 0), addi(3, 3, 1), sw(3, 1, 4), jal(0, 0)]);
    (program, second)
}

#[test]
fn a_held_instruction_makes_no_request_and_changes_no_result() {
    let (program, second) = stores();
    for seed in 0..6 {
        let mut free = Machine::new(&program, Delays::random(seed));
        free.run_to(14);
        let unit = HoldAt { pc: second, cycles: 50 };
        let mut machine = Machine::with_units(&program, Delays::random(seed), with(unit));
        let mut held = 0;
        while machine.records.len() < 14 {
            machine.step();
            if machine.wait() == (second, "Held") {
                held += 1;
                assert!(!machine.has_request(), "seed {seed}: a request while held");
                assert_eq!(machine.word(DATA), 5, "seed {seed}: the store before is done");
            }
            assert!(machine.mtime < 10_000, "seed {seed}: held for ever");
        }
        assert!(held >= 40, "seed {seed}: held for {held} cycles");
        assert_eq!(timeless(&machine)[..14], timeless(&free)[..14], "seed {seed}");
        assert_eq!([machine.word(DATA), machine.word(DATA + 4)], [6, 7]);
    }
}

#[test]
fn an_interrupt_is_taken_while_an_instruction_is_held() {
    let (body, second) = stores();
    let mut program = body;
    program.resize(0x100, NOP);
    // The handler: where it was interrupted, then back.
    program.extend([csrrs(28, MCAUSE, 0), csrrs(27, MEPC, 0), csrrw(0, MIE, 0), MRET]);
    // Interrupts are enabled before the body, so it moves.
    let setup: Vec<u32> = li(31, HANDLER)
        .into_iter()
        .chain([csrrw(0, MTVEC, 31), addi(30, 0, 128), csrrw(0, MIE, 30), csrrsi(0, MSTATUS, 8)])
        .collect();
    let moved = 4 * setup.len() as u32;
    program.splice(0..0, setup.iter().copied());
    program.drain(0x100..0x100 + setup.len());
    let second = second + moved;
    let unit = HoldAt { pc: second, cycles: 1000 };
    let mut machine = Machine::with_units(&program, Delays::NONE, with(unit));
    while machine.wait() != (second, "Held") {
        machine.step();
        assert!(machine.mtime < 1000, "not held");
    }
    machine.steps(20);
    machine.lines = Lines { timer: true, ..Lines::default() };
    while !machine.records.iter().any(|record| record.intr) {
        machine.step();
        assert!(machine.mtime < 1000, "no interrupt");
    }
    machine.lines = Lines::default();
    while machine.word(DATA + 4) == 0 {
        machine.step();
        assert!(machine.mtime < 5000, "the instruction does not come back");
    }
    assert_eq!(value(&machine, 28), 0x8000_0007);
    assert_eq!(value(&machine, 27), second, "the held instruction has not retired");
    assert_eq!([machine.word(DATA), machine.word(DATA + 4)], [6, 7]);
}

/// Raises an interrupt while its register is not zero; another register counts what retires.
#[derive(Debug)]
struct Bell;

const BELL: u32 = 0x7c0;
const COUNT: u32 = 0xfc0;

#[hardware]
impl HartUnit for Bell {
    fn name(&self) -> String {
        "bell".into()
    }

    fn interrupts(&self) -> Vec<Interrupt> {
        vec![Interrupt { name: "bell", number: 20, priority: 20 }]
    }

    fn csrs(&self) -> Vec<u64> {
        vec![BELL.into(), COUNT.into()]
    }

    fn attach(&self, beside: &Beside) -> Acts {
        let bell = reg(32).reset(0);
        let retired = reg(32).reset(0);
        set_when(beside.csr[0].valid, bell, beside.csr[0].data);
        set_when(beside.retired.valid & !beside.retired.trap, retired, retired + 1);
        Acts { interrupts: vec![bell.any()], csrs: vec![bell, retired], ..Acts::default() }
    }
}

#[test]
fn a_unit_adds_an_interrupt_and_registers() {
    let mut program = li(31, HANDLER + 1).to_vec();
    program.push(csrrw(0, MTVEC, 31));
    program.extend(li(30, 1 << 20 | 1 << 7));
    program.extend([csrrw(0, MIE, 30), csrrs(5, MIE, 0), csrrs(6, COUNT, 0)]);
    program.extend([csrrwi(0, BELL, 9), csrrs(7, BELL, 0), csrrs(8, 0x344, 0)]);
    let interrupted = RAM + 4 * (program.len() as u32 + 1);
    program.extend([csrrsi(0, MSTATUS, 8), addi(9, 0, 3), csrrw(10, COUNT, 0), jal(0, 0)]);
    program.resize(0x100, NOP);
    for cause in 0..32 {
        program.push(jal(29, 4 * (32 - cause)));
    }
    program.extend([csrrs(28, MCAUSE, 0), csrrs(27, MEPC, 0), addi(26, 26, 1)]);
    program.extend([csrrw(25, BELL, 0), csrrci(0, MIE, 0), csrrw(0, MIE, 0), MRET]);
    for seed in 0..4 {
        let mut machine = Machine::with_units(&program, Delays::random(seed), with(Bell));
        machine.lines = Lines { timer: true, ..Lines::default() };
        while !machine.records.iter().any(|record| record.trap) {
            machine.step();
            assert!(machine.mtime < 10_000, "seed {seed}: a write to a read-only register");
        }
        let trap = *machine.records.iter().find(|record| record.trap).expect("found above");
        assert_eq!((trap.cause, trap.insn), (2, csrrw(10, COUNT, 0)), "seed {seed}");
        assert_eq!(value(&machine, 5), 1 << 20 | 1 << 7, "its bit of mie is there");
        assert_eq!(value(&machine, 6), 7, "seven instructions retired before this one");
        assert_eq!(value(&machine, 7), 9);
        assert_eq!(value(&machine, 8), 1 << 20 | 1 << 7, "mip");
        assert_eq!(value(&machine, 28), 0x8000_0014, "before the timer, by priority");
        assert_eq!(value(&machine, 27), interrupted);
        assert_eq!(value(&machine, 29), HANDLER + 4 * 20 + 4, "vectored");
        assert_eq!([value(&machine, 26), value(&machine, 25)], [1, 9], "taken once");
    }
}

/// Once, some cycles after the instruction at `from` retired: voids what follows, sets a register and
/// goes on at `to`.
#[derive(Debug)]
struct GoBack {
    from: u32,
    to: u32,
    after: u64,
    /// Waits until no access is under way: it undoes none.
    waits: bool,
}

/// What [`GoBack`] puts into x4.
const RESTORED: u32 = 100;

#[hardware]
impl HartUnit for GoBack {
    fn name(&self) -> String {
        let GoBack { from, to, after, waits } = self;
        format!("go_back_{from:x}_{to:x}_{after}_{waits}")
    }

    fn voids(&self) -> bool {
        true
    }

    fn attach(&self, beside: &Beside) -> Acts {
        /// Cycles since the instruction retired; 0: it has not.
        let since = reg(16).reset(0);
        let voiding = reg(1).reset(0);
        let finished = reg(1).reset(0);
        let seen = beside.retired.valid & beside.retired.pc_rdata.eq(self.from);
        set_when(since.any(), since, since + 1);
        set_when(seen & !since.any(), since, 1);
        let busy = if self.waits { beside.accessing | beside.execute.goes } else { lit(1, 0) };
        set_when(since.ge(self.after) & !finished & !voiding & !busy, voiding, 1);
        let restores = voiding & beside.settled;
        when(restores, || {
            voiding.set(0);
            finished.set(1);
        });
        let void = Void {
            valid: voiding,
            pc: lit(32, self.to),
            restore: restores,
            register: lit(5, 4),
            value: lit(32, RESTORED),
        };
        Acts { void: Some(void), ..Acts::default() }
    }
}

/// Counts in x4, stores it, and divides, so that something is always under way; the pc of the loop.
fn counting() -> (Vec<u32>, u32) {
    let mut program = li(1, DATA).to_vec();
    program.extend([addi(2, 0, 1), addi(4, 0, 0)]);
    let start = RAM + 4 * program.len() as u32;
    program.extend([addi(4, 4, 1), sw(4, 1, 0), div(5, 4, 2), lw(6, 1, 0), csrrs(7, MEPC, 4)]);
    program.push(jal(0, start.wrapping_sub(RAM + 4 * program.len() as u32) as i32));
    (program, start)
}

/// Runs [`counting`] with one void, checks what retired, and returns the machine.
fn go_back(seed: u64, waits: bool) -> Machine {
    let (program, start) = counting();
    let unit = GoBack { from: start, to: start, after: 1 + 3 * seed, waits };
    let mut machine = Machine::with_units(&program, Delays::random(seed), with(unit));
    machine.run_to(60);
    // Up to the jump: when it retires, nothing after it is ordered yet.
    while machine.records.last().is_some_and(|record| record.insn & 0x7f != 0x6f) {
        machine.step();
    }
    let records = &machine.records;
    let leaps: Vec<usize> =
        (1..records.len()).filter(|&at| records[at - 1].pc_wdata != records[at].pc_rdata).collect();
    assert!(leaps.len() <= 1, "seed {seed}: {leaps:?}");
    // It may void between two rounds, where the pc does not leap: the register tells.
    let is_first = |record: &Record| record.pc_rdata == start && record.rs1_rdata == RESTORED;
    let first = records.iter().position(is_first);
    let first = first.unwrap_or_else(|| panic!("seed {seed}: nothing is restored"));
    assert!(leaps.iter().all(|&leap| leap == first), "seed {seed}: {leaps:?}, {first}");
    for (place, record) in records.iter().enumerate() {
        assert_eq!(record.order, place as u64, "seed {seed}: each record once");
        assert!(!record.trap && !record.intr, "seed {seed}: {record:?}");
    }
    // x4 counts on from the restored value: nothing void was written to a register.
    let counts = records[first..].iter().filter(|record| record.pc_rdata == start);
    for (place, record) in counts.enumerate() {
        assert_eq!(record.rd_wdata, RESTORED + 1 + place as u32, "seed {seed}");
    }
    machine
}

/// Accesses in memory, and accesses of instructions that retired.
fn accesses(machine: &Machine) -> (usize, usize) {
    let retired = |record: &&Record| record.mem_wmask | record.mem_rmask != 0;
    (machine.ordered.len(), machine.records.iter().filter(retired).count())
}

#[test]
fn a_void_between_accesses_leaves_no_trace() {
    for seed in 0..12 {
        let machine = go_back(seed, true);
        let (ordered, retired) = accesses(&machine);
        assert_eq!(ordered, retired, "seed {seed}");
    }
}

#[test]
fn a_void_during_an_access_withdraws_it_or_waits_for_its_answer() {
    let (mut withdrawn, mut dropped) = (0, 0);
    for seed in 0..60 {
        let machine = go_back(seed, false);
        let (ordered, retired) = accesses(&machine);
        withdrawn += machine.withdrawn;
        assert!(ordered - retired <= 1, "seed {seed}: {ordered}, {retired}");
        dropped += ordered - retired;
    }
    assert!(withdrawn > 0, "no access was withdrawn");
    assert!(dropped > 0, "no ordered access was dropped");
}

#[test]
fn units_that_do_nothing_change_no_cycle() {
    let (program, _) = stores();
    for seed in 0..6 {
        let mut plain = Machine::new(&program, Delays::random(seed));
        let unit = HoldAt { pc: 0x9000_0000, cycles: 9 };
        let mut beside = Machine::with_units(&program, Delays::random(seed), with(unit));
        plain.run_to(20);
        beside.run_to(20);
        assert_eq!(plain.records, beside.records, "seed {seed}");
    }
}
