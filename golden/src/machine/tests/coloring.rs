//! Transactions on a machine that runs alone: what others see, what an abort brings back, what commits.

use super::*;
use crate::coloring::{Counters, HartColors};
use border::color::{Commit, ENTRY_COLOR, EntryKind, Word as ColorWord};

pub(super) const MEPC: u32 = 0x341;
const MTVEC: u32 = 0x305;
const MIE: u32 = 0x304;
const MCOUNTEREN: u32 = 0x306;
const PMPCFG: u32 = 0x3a0;
const PMPADDR: u32 = 0x3b0;
const INSTRET: u32 = 0xc02;

/// The tables of colors, a page each.
const TABLES: [u32; 3] = [RAM + 0x8000, RAM + 0x9000, RAM + 0xa000];
/// The color of the first words of [`DATA`], and their addresses: each in a line of its own, in different sets.
const RED: u32 = 7;
const A: u32 = DATA;
const B: u32 = DATA + 16;
/// Registers that programs keep these addresses in.
pub(super) const AT_A: u32 = 16;
pub(super) const AT_B: u32 = 17;

pub(super) fn color() -> config::Color {
    config::Color { items: 8, epoch: 40, signature_bits: 32, ..config::Config::default().color }
}

/// Leaves M mode for this code, with the addresses in registers.
pub(super) fn in_user_mode(code: &[u32]) -> Vec<u32> {
    let mut program = Vec::from(li(1, u32::MAX));
    program.extend([csrrw(0, PMPADDR, 1), csrrw(0, MCOUNTEREN, 1)]);
    program.extend([addi(1, 0, 0x1f), csrrw(0, PMPCFG, 1)]);
    program.extend(li(AT_A, A));
    program.extend(li(AT_B, B));
    program.extend([auipc(1, 0), addi(1, 1, 16), csrrw(0, MEPC, 1), MRET]);
    program.extend(code);
    program
}

/// Colors the words at A and B red, and makes all harts track all of U mode.
pub(super) fn paint(machine: &mut Machine, control: u32, length: u32) {
    let entry = |kind: EntryKind, rest: u32| kind.number() | rest;
    let mut write = |address, word| assert!(machine.host_write(address, word));
    let [regions, pages, words] = TABLES;
    write(regions + 4 * (RAM >> 22), entry(EntryKind::Table, pages));
    write(pages + 4 * (DATA >> 12 & 0x3ff), entry(EntryKind::Table, words));
    for address in [A, B] {
        write(words + (address & 0xffc), entry(EntryKind::Colored, ENTRY_COLOR.holding(RED)));
    }
    for hart in 0..machine.harts() as u32 {
        let mut write = |word: ColorWord, data| {
            assert!(machine.host_write(word.address(hart), data));
        };
        write(ColorWord::ColorTable, regions);
        write(ColorWord::ColorRangeHigh, u32::MAX);
        write(ColorWord::TransactionLength, length);
        write(ColorWord::ColorControl, ColorWord::TRACK.mask() | control);
    }
}

/// Puts red into the set of every hart.
fn warn(machine: &mut Machine) {
    for hart in 0..machine.harts() as u32 {
        let red = ColorWord::HAZARD.holding(RED) | ColorWord::MEMBER.mask();
        assert!(machine.host_write(ColorWord::HazardColor.address(hart), red));
    }
}

/// A machine of two harts with this code in U mode, of which red accesses begin transactions; both harts are at
/// their code.
fn machine(code: [&[u32]; 2], length: u32) -> Machine {
    let program = parts(&code.map(in_user_mode), &STOP);
    let parameters = Parameters { harts: 2, color: Some(color()), ..PARAMETERS };
    let mut machine = Machine::new(&parameters, 0);
    machine.load(Segment { address: RAM, bytes: &bytes(&program) }).unwrap();
    machine.watch(TOHOST);
    paint(&mut machine, ColorWord::AVOID.mask(), length);
    warn(&mut machine);
    for hart in 0..2 {
        while machine.hart(hart).csrs().mode == crate::Mode::Machine {
            machine.step(hart);
        }
    }
    machine
}

fn steps(machine: &mut Machine, hart: usize, count: usize) {
    for _ in 0..count {
        machine.step(hart);
    }
}

fn colors(machine: &Machine, hart: usize) -> &HartColors {
    machine.coloring().unwrap().hart(hart)
}

fn counters(machine: &Machine, hart: usize) -> Counters {
    *colors(machine, hart).counters()
}

fn is_open(machine: &Machine, hart: usize) -> bool {
    machine.memory().in_transaction(hart)
}

fn word(machine: &Machine, address: u32) -> u32 {
    machine.host_word(address).unwrap()
}

/// Stores `value` to A and B, and computes.
fn both(value: i32) -> Vec<u32> {
    let mut code = vec![addi(2, 0, value), sw(2, AT_A, 0), sw(2, AT_B, 0)];
    code.extend([NOP; 40]);
    code
}

#[test]
fn what_a_transaction_wrote_is_its_own_until_it_commits() {
    let mut writer = vec![addi(2, 0, 5), sw(2, AT_A, 0), sw(2, AT_B, 0), lw(3, AT_A, 0)];
    writer.extend([NOP; 40]);
    let mut machine = machine([&writer, &[NOP; 40]], 16);
    steps(&mut machine, 0, 1);
    assert!(!is_open(&machine, 0));
    steps(&mut machine, 0, 3);
    assert!(is_open(&machine, 0), "it began with the first store");
    assert_eq!(machine.hart(0).register(3), 5, "it sees what it wrote");
    assert_eq!([A, B].map(|address| word(&machine, address)), [0, 0]);
    // A transaction of 16 instructions, the first store one of them.
    steps(&mut machine, 0, 12);
    assert!(is_open(&machine, 0));
    assert_eq!(word(&machine, A), 0);
    steps(&mut machine, 0, 1);
    assert!(!is_open(&machine, 0));
    assert_eq!([A, B].map(|address| word(&machine, address)), [5, 5], "both at once");
    let counted = counters(&machine, 0);
    assert_eq!((counted.starts, counted.aborts, counted.committed_instructions), (1, 0, 16));
    assert_eq!(counted.commits[Commit::Length.number() as usize], 1);
}

#[test]
fn another_harts_load_aborts_and_sees_what_was_before() {
    let mut writer = vec![addi(2, 0, 1), sw(2, AT_A, 0), addi(2, 0, 5), addi(4, 0, 9)];
    writer.extend(both(6));
    let reader = [lw(3, AT_B, 0), lw(3, AT_A, 0), NOP];
    let mut machine = machine([&writer, &reader], 64);
    machine.host_write(A, 0x77);
    steps(&mut machine, 0, 1);
    let store = machine.hart(0).pc();
    let before = *machine.hart(0).registers();
    steps(&mut machine, 0, 3);
    assert_ne!(*machine.hart(0).registers(), before);
    steps(&mut machine, 1, 1);
    assert!(is_open(&machine, 0), "the other line is no conflict");
    steps(&mut machine, 1, 1);
    assert_eq!(machine.hart(1).register(3), 0x77);
    assert!(!is_open(&machine, 0));
    assert_eq!((machine.hart(0).pc(), *machine.hart(0).registers()), (store, before));
    let counted = counters(&machine, 0);
    assert_eq!((counted.aborts, counted.aborted_instructions, counted.give_ups), (1, 3, 0));
    // It is tried again, with half the length, and takes place.
    steps(&mut machine, 0, 32);
    assert_eq!(counters(&machine, 0).commits[Commit::Length.number() as usize], 1);
    assert_eq!(counters(&machine, 0).committed_instructions, 32);
    assert_eq!([A, B].map(|address| word(&machine, address)), [6, 6]);
}

#[test]
fn reads_conflict_with_writes_of_others_and_of_the_host_and_with_nothing_else() {
    type Act = fn(&mut Machine);
    let acts: [(Act, bool); 5] = [
        (|machine| steps(machine, 1, 1), false), // loads A
        (|machine| steps(machine, 1, 2), true),  // stores A
        (|machine| assert_eq!(machine.host_word(A), Some(0)), false),
        (|machine| assert!(machine.host_write(A + 12, 1)), true),
        (|machine| assert!(machine.host_write(B, 1)), false),
    ];
    for (number, (act, aborts)) in acts.into_iter().enumerate() {
        let reader = [lw(2, AT_A, 0), NOP, NOP];
        // Hart 1 must not begin a transaction of its own, nor stay in one.
        let other = [lw(3, AT_A, 4), sw(0, AT_A, 4)];
        let mut machine = machine([&reader, &other], 64);
        steps(&mut machine, 0, 2);
        assert!(is_open(&machine, 0));
        act(&mut machine);
        assert_eq!(counters(&machine, 0).aborts, aborts.into(), "act {number}");
    }
}

#[test]
fn the_bytes_before_are_those_of_the_newest_commit_of_a_line_that_was_dirty_already() {
    let code = [addi(2, 0, 3), sw(2, AT_A, 4), addi(2, 0, 4), sw(2, AT_A, 0), sw(2, AT_A, 4), NOP];
    let mut machine = machine([&code, &[lw(3, AT_A, 4), NOP]], 64);
    steps(&mut machine, 0, 2);
    assert!(!is_open(&machine, 0), "the second word has no color");
    assert_eq!(machine.memory().ram().piece(A + 4, 4), [0; 4], "memory is behind");
    steps(&mut machine, 0, 3);
    assert_eq!(word(&machine, A + 4), 3);
    steps(&mut machine, 1, 1);
    assert_eq!((machine.hart(1).register(3), counters(&machine, 0).aborts), (3, 1));
}

/// Which causes have committed, after so many instructions of hart 0.
fn causes(machine: &Machine) -> Vec<Commit> {
    let counted = counters(machine, 0);
    Commit::ALL.into_iter().filter(|cause| counted.commits[cause.number() as usize] > 0).collect()
}

#[test]
fn what_cannot_be_undone_commits_first() {
    let enabled = [addi(5, 0, 8), csrrw(0, MIE, 5)];
    let others: [(&[u32], Commit); 6] = [
        (&[ECALL], Commit::Trap),
        (&[lw(3, 0, 0)], Commit::Trap),
        (&[csrrs(3, INSTRET, 0)], Commit::Csr),
        (&[csrrw(0, MIE, 0)], Commit::Trap),
        (&[WFI], Commit::Wfi),
        (&[FENCE_I], Commit::FenceI),
    ];
    for (code, cause) in others {
        let mut program = vec![addi(2, 0, 5), sw(2, AT_A, 0), NOP];
        program.extend(code);
        let mut machine = machine([&program, &enabled], 64);
        steps(&mut machine, 0, 3);
        assert_eq!((is_open(&machine, 0), word(&machine, A)), (true, 0));
        steps(&mut machine, 0, 1);
        assert_eq!(causes(&machine), [cause], "{code:x?}");
        assert_eq!((is_open(&machine, 0), word(&machine, A)), (false, 5));
        assert_eq!(counters(&machine, 0).committed_instructions, 2, "{code:x?}");
    }
}

#[test]
fn an_interrupt_commits_and_its_handler_is_outside() {
    let mut code = in_user_mode(&[addi(2, 0, 5), sw(2, AT_A, 0), NOP, NOP]);
    // The handler is at the end of RAM's first page; software interrupts are on.
    let mut before = Vec::from(li(9, RAM + 0xf00));
    before.extend([csrrw(0, MTVEC, 9), addi(9, 0, 8), csrrw(0, MIE, 9)]);
    before.append(&mut code);
    let program = parts(&[before, vec![NOP]], &STOP);
    let parameters = Parameters { harts: 2, color: Some(color()), ..PARAMETERS };
    let mut machine = Machine::new(&parameters, 0);
    machine.load(Segment { address: RAM, bytes: &bytes(&program) }).unwrap();
    let handler = bytes(&[sw(0, AT_B, 0), jal(0, 0)]);
    machine.load(Segment { address: RAM + 0xf00, bytes: &handler }).unwrap();
    paint(&mut machine, ColorWord::AVOID.mask(), 64);
    warn(&mut machine);
    while !is_open(&machine, 0) {
        machine.step(0).unwrap();
    }
    machine.host_write(clint::Word::Msip.address(0), 1);
    let first = machine.step(0).unwrap();
    assert!(first.intr && first.pc_rdata == RAM + 0xf00);
    assert_eq!((causes(&machine), word(&machine, A)), (vec![Commit::Interrupt], 5));
    assert!(!is_open(&machine, 0), "M mode is not tracked");
}

#[test]
fn an_eviction_of_a_member_commits_and_the_access_may_begin_anew() {
    // Two sets of two ways, lines of 16 bytes: every 32 bytes the same set.
    let code = [addi(2, 0, 5), sw(2, AT_A, 0), lw(3, AT_A, 32), NOP, lw(3, AT_A, 64), NOP, NOP];
    let mut machine = machine([&code, &[NOP]], 64);
    steps(&mut machine, 0, 4);
    assert_eq!((is_open(&machine, 0), word(&machine, A)), (true, 0));
    steps(&mut machine, 0, 1);
    assert_eq!((causes(&machine), word(&machine, A)), (vec![Commit::Eviction], 5));
    assert!(!is_open(&machine, 0), "the access that evicts has no color");
    assert_eq!(counters(&machine, 0).committed_instructions, 3);
}

#[test]
fn a_write_to_the_watched_word_is_never_undone() {
    let mut code = vec![addi(2, 0, 5), sw(2, AT_A, 0)];
    code.extend(exit(3));
    let mut machine = machine([&code, &[NOP]], 64);
    steps(&mut machine, 0, 6);
    assert_eq!(word(&machine, A), 0);
    steps(&mut machine, 0, 1);
    assert_eq!((causes(&machine), word(&machine, TOHOST)), (vec![Commit::Watched], 7));
}

#[test]
fn an_abort_ends_the_reservation_and_lr_and_sc_are_ordinary_members() {
    // LR in the transaction, an abort by the other hart, and the SC of the second attempt.
    let code = [sw(0, AT_B, 0), lr(3, AT_A), addi(4, 3, 1), sc(5, AT_A, 4), NOP];
    let other = [lw(6, AT_B, 0), sw(0, AT_A, 0), NOP];
    let mut machine = machine([&code, &other], 64);
    steps(&mut machine, 0, 3);
    assert!(machine.memory().cache(0).reservation().is_some());
    steps(&mut machine, 1, 1);
    assert_eq!(counters(&machine, 0).aborts, 1);
    assert_eq!(machine.memory().cache(0).reservation(), None);
    steps(&mut machine, 0, 4);
    assert_eq!((machine.hart(0).register(5), is_open(&machine, 0)), (0, true));
    assert_eq!(word(&machine, A), 0);
}

#[test]
fn a_hart_that_is_always_disturbed_gives_up_and_goes_on_without() {
    let disturbed = both(5);
    let disturbing = [lw(3, AT_A, 0), jal(0, -4)];
    let mut machine = machine([&disturbed, &disturbing], 64);
    machine.host_write(ColorWord::ColorControl.address(1), 0);
    let mut rounds = 0;
    while counters(&machine, 0).give_ups == 0 {
        rounds += 1;
        assert!(rounds < 20, "no end");
        steps(&mut machine, 0, if rounds == 1 { 2 } else { 1 });
        steps(&mut machine, 1, 2);
        assert_eq!(word(&machine, A), 0);
    }
    // Attempts of 64, 32 and 16 instructions.
    assert_eq!((counters(&machine, 0).starts, counters(&machine, 0).aborts), (3, 3));
    steps(&mut machine, 0, 1);
    assert_eq!((is_open(&machine, 0), word(&machine, A)), (false, 5), "cooling");
}

#[test]
fn after_an_abort_a_hart_pauses_unless_nobody_else_can_go_on() {
    // The other hart computes; or it traps to address 0, for ever.
    for (rest, own) in [([NOP; 90], 0), ([ECALL; 90], 20)] {
        let mut other = vec![lw(3, AT_A, 0)];
        other.extend(rest);
        let mut machine = machine([&both(5), &other], 64);
        machine.host_write(ColorWord::ColorControl.address(1), 0);
        steps(&mut machine, 0, 2);
        steps(&mut machine, 1, 2);
        assert_eq!(counters(&machine, 0).aborts, 1);
        let before = machine.hart(0).ended();
        machine.run(Limits { instructions: machine.instructions() + 60 });
        assert!(
            (machine.hart(0).ended() - before >= own)
                && (own > 0 || machine.hart(0).ended() == before)
        );
        machine.run(Limits { instructions: machine.instructions() + 100 });
        assert!(machine.hart(0).ended() > before);
    }
}

#[test]
fn instructions_retired_are_not_uncounted() {
    let code = [sw(0, AT_A, 0), NOP, NOP, csrrs(3, INSTRET, 0)];
    let mut machine = machine([&code, &[lw(3, AT_A, 0), NOP]], 64);
    let before = machine.hart(0).ended();
    steps(&mut machine, 0, 3);
    steps(&mut machine, 1, 1);
    assert_eq!(counters(&machine, 0).aborts, 1);
    assert_eq!(machine.hart(0).ended(), before + 3);
    steps(&mut machine, 0, 4);
    assert_eq!(u64::from(machine.hart(0).register(3)), before + 6);
}

#[test]
fn with_nothing_tracked_every_seed_runs_as_without_colors() {
    let program = super::following::busy_program();
    for seed in 0..60 {
        let run = |color| {
            let parameters = Parameters { color, ..PARAMETERS };
            let mut machine = Machine::new(&parameters, seed);
            machine.load(Segment { address: RAM, bytes: &bytes(&program) }).unwrap();
            machine.start_at_random(seed, 1 << 23);
            let stop = machine.run(Limits { instructions: 3000 });
            let registers: Vec<_> = (0..3).map(|hart| *machine.hart(hart).registers()).collect();
            (stop, registers, machine.taps().to_vec(), machine.memory().ram().clone())
        };
        assert!(run(None) == run(Some(color())), "seed {seed}");
    }
}
