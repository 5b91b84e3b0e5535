//! Programs without hardware.

use super::*;
use crate::EdgeKind;
use std::collections::BTreeSet;

const PLENTY: Limits = Limits { instructions: 100_000 };

fn machine(parameters: &Parameters, program: &[u32], seed: u64) -> Machine {
    let mut machine = Machine::new(parameters, seed);
    machine.load(Segment { address: RAM, bytes: &bytes(program) }).unwrap();
    machine.watch(TOHOST);
    machine
}

fn one_hart() -> Parameters {
    Parameters { harts: 1, ..PARAMETERS }
}

#[test]
fn an_odd_number_in_tohost_ends_the_program_with_its_half() {
    for code in [0, 1, 42] {
        let mut machine = machine(&one_hart(), &exit(code), 0);
        assert_eq!(machine.run(PLENTY), Stop::Exit { code });
        assert_eq!(machine.instructions(), 5);
    }
}

#[test]
fn an_even_number_asks_the_host_and_the_program_goes_on() {
    let fromhost = TOHOST + 64;
    let mut program = Vec::from(li(1, TOHOST));
    program.extend([addi(2, 0, 64), sw(2, 1, 0), sw(0, 1, 0)]);
    // Wait for the answer, and exit with it.
    program.extend([lw(3, 1, 64), beq(3, 0, -4), sw(3, 1, 0), jal(0, 0)]);
    let mut machine = machine(&one_hart(), &program, 0);
    assert_eq!(machine.run(PLENTY), Stop::Host { hart: 0, value: 64 });
    assert!(machine.host_write(fromhost, 7));
    assert_eq!(machine.run(PLENTY), Stop::Exit { code: 3 });
    assert_eq!(machine.host_word(fromhost), Some(7));
    assert!(!machine.host_write(0x4000_0000, 7), "nothing is there");
}

#[test]
fn the_console_shows_what_was_sent_and_sends_what_is_typed() {
    let mut program = Vec::from(li(1, uart::Word::Data.address()));
    // Echo until a zero.
    program.extend([lb(2, 1, 5), i(7, 0x13, 2, 2, 1), beq(2, 0, -8)]);
    program.extend([lbu(3, 1, 0), beq(3, 0, 12), sb(3, 1, 0), jal(0, -24)]);
    program.extend(exit(0));
    let mut machine = machine(&one_hart(), &program, 0);
    for byte in *b"echo\0" {
        machine.send(byte);
    }
    assert_eq!(machine.run(PLENTY), Stop::Exit { code: 0 });
    assert_eq!(machine.console(), b"echo");
}

#[test]
fn waiting_for_ever_is_a_deadlock_and_looping_a_limit() {
    let mut waiting = machine(&PARAMETERS, &STOP, 0);
    assert_eq!(waiting.run(PLENTY), Stop::Deadlock);
    assert_eq!(waiting.run(PLENTY), Stop::Deadlock, "and stays one");
    let mut looping = machine(&PARAMETERS, &[jal(0, 0)], 0);
    assert_eq!(looping.run(Limits { instructions: 1000 }), Stop::Limit);
    assert_eq!(looping.instructions(), 1000);
}

#[test]
fn time_passes_while_everybody_waits_for_it() {
    let mut program = Vec::from(li(1, clint::Word::Mtimecmp.address(0)));
    program.extend([sw(0, 1, 4)]);
    program.extend(li(2, 1_000_000));
    program.extend([sw(2, 1, 0)]);
    program.extend([addi(3, 0, 0x80), csrrw(0, 0x304, 3), WFI, csrrs(4, 0xc01, 0)]);
    program.extend(exit(1));
    let mut machine = machine(&one_hart(), &program, 0);
    assert_eq!(machine.run(PLENTY), Stop::Exit { code: 1 });
    assert!(machine.hart(0).register(4) >= 1_000_000);
    assert!(machine.instructions() < 50);
}

#[test]
fn a_software_interrupt_wakes_another_hart() {
    let mut sender = Vec::from(li(1, clint::Word::Msip.address(0)));
    sender.extend([addi(2, 0, 1), sw(2, 1, 4)]);
    let mut sleeper = vec![addi(3, 0, 8), csrrw(0, 0x304, 3), WFI];
    sleeper.extend(exit(9));
    let program = parts(&[sender, sleeper], &STOP);
    for seed in 0..50 {
        let mut machine = machine(&Parameters { harts: 2, ..PARAMETERS }, &program, seed);
        assert_eq!(machine.run(PLENTY), Stop::Exit { code: 9 }, "seed {seed}");
    }
}

/// Every hart adds 20 to a counter with `increment`.
fn counting(increment: &[u32]) -> Vec<u32> {
    let mut program = Vec::from(li(10, DATA));
    program.extend([addi(11, 0, 20), addi(12, 0, 1)]);
    program.extend(increment);
    program.push(addi(11, 11, -1));
    program.push(bne(11, 0, -4 * (increment.len() as i32 + 1)));
    program.extend(STOP);
    program
}

fn count(increment: &[u32], seed: u64) -> u32 {
    let mut machine = machine(&PARAMETERS, &counting(increment), seed);
    assert_eq!(machine.run(PLENTY), Stop::Deadlock);
    machine.host_word(DATA).unwrap()
}

#[test]
fn careful_increments_are_never_lost_and_careless_ones_sometimes_are() {
    let atomic = [amoadd(0, 10, 12)];
    let reserved = [lr(13, 10), addi(13, 13, 1), sc(14, 10, 13), bne(14, 0, -12)];
    let careless = [lw(13, 10, 0), addi(13, 13, 1), sw(13, 10, 0)];
    let mut totals = BTreeSet::new();
    for seed in 0..100 {
        assert_eq!(count(&atomic, seed), 60, "seed {seed}");
        assert_eq!(count(&reserved, seed), 60, "seed {seed}");
        totals.insert(count(&careless, seed));
    }
    assert!(totals.len() > 3 && totals.iter().all(|total| *total <= 60), "{totals:?}");
}

#[test]
fn a_seed_is_one_run_for_ever() {
    let program = super::following::busy_program();
    let run = |seed| {
        let mut machine = machine(&PARAMETERS, &program, seed);
        let stop = machine.run(Limits { instructions: 5000 });
        let registers: Vec<_> = (0..3).map(|hart| *machine.hart(hart).registers()).collect();
        (stop, registers, machine.taps().to_vec(), machine.memory().ram().clone())
    };
    assert!(run(1) == run(1));
    assert!(run(1) != run(2));
}

#[test]
fn accesses_are_kept_in_the_order_in_which_they_took_place() {
    let increment = [lw(13, 10, 0), addi(13, 13, 1), sw(13, 10, 0)];
    let (load, store) = (RAM + 16, RAM + 24);
    for seed in 0..20 {
        let mut machine = machine(&PARAMETERS, &counting(&increment), seed);
        assert_eq!(machine.accesses(), []);
        machine.keep_accesses();
        assert_eq!(machine.run(PLENTY), Stop::Deadlock);
        assert_eq!(machine.accesses().len(), 3 * 20 * 2);
        // Only this order of loads and stores gives the final number in memory.
        let (mut word, mut seen) = (0, [0; 3]);
        for accessed in machine.accesses() {
            let hart = accessed.hart.0 as usize;
            let pc = if accessed.write { store } else { load };
            assert_eq!((accessed.pc.0, accessed.address), (pc.into(), DATA));
            match accessed.write {
                true => word = seen[hart] + 1,
                false => seen[hart] = word,
            }
        }
        assert_eq!(machine.host_word(DATA), Some(word), "seed {seed}");
    }
}

#[test]
fn a_store_conditional_that_fails_is_no_access() {
    let program = [Vec::from(li(10, DATA)), vec![sc(14, 10, 0)], STOP.to_vec()].concat();
    let mut machine = machine(&one_hart(), &program, 0);
    machine.keep_accesses();
    assert_eq!(machine.run(PLENTY), Stop::Deadlock);
    assert_eq!(machine.accesses(), []);
}

#[test]
fn edges_come_from_the_writers_instruction_to_the_readers() {
    let setup = |hart: i32| {
        let mut setup = Vec::from(li(12, monitor::window(hart as u32)));
        setup.extend([
            addi(5, 0, -1),
            sw(5, 12, at(Word::RangeHigh)),
            addi(5, 0, 5),
            sw(5, 12, at(Word::Control)),
        ]);
        setup.extend(li(10, DATA));
        setup
    };
    let mut writer = setup(0);
    writer.extend([addi(6, 0, 1), sw(6, 10, 0)]);
    let mut reader = setup(1);
    reader.extend([lw(7, 10, 0), beq(7, 0, -4)]);
    let program = parts(&[writer.clone(), reader.clone()], &STOP);
    let store = RAM + 4 * (5 + writer.len() as u32 - 1);
    let load = RAM + 4 * (5 + (writer.len() + STOP.len() + reader.len()) as u32 - 2);
    for seed in 0..50 {
        let mut machine = machine(&Parameters { harts: 2, ..PARAMETERS }, &program, seed);
        assert_eq!(machine.run(PLENTY), Stop::Deadlock, "seed {seed}");
        let raw = machine.edges().filter(|edge| edge.kind == EdgeKind::Raw);
        let pcs: Vec<_> = raw.map(|edge| (edge.source.pc.0, edge.sink.pc.0)).collect();
        assert_eq!(pcs, [(store.into(), load.into())], "seed {seed}");
    }
}

#[test]
fn a_full_table_stalls_its_hart_until_it_is_drained() {
    let stalling = |watermark: i32| {
        let mut setup = PARAMETERS.monitor.unwrap();
        setup.overflow = Overflow::Stall;
        setup.depth = 4;
        let parameters = Parameters { harts: 1, monitor: Some(setup), ..PARAMETERS };
        let mut body = Vec::from(li(12, monitor::window(0)));
        body.extend([addi(5, 0, watermark), sw(5, 12, at(Word::TableWatermark))]);
        body.extend([addi(5, 0, -1), sw(5, 12, at(Word::RangeHigh))]);
        body.extend(li(10, DATA));
        // U mode is selected; the handler's own accesses in M mode are not.
        body.extend([addi(5, 0, 3), sw(5, 12, at(Word::Control))]);
        body.extend(li(5, Interrupt::Table.bit()));
        body.push(csrrw(0, 0x304, 5));
        body.extend([addi(5, 0, -1), csrrw(0, 0x3b0, 5), addi(5, 0, 0x1f), csrrw(0, 0x3a0, 5)]);
        let mut user: Vec<u32> = (0..10).map(|line| lw(6, 10, 16 * line)).collect();
        user.extend(exit(0));
        let start = RAM + 4 * (7 + body.len() as u32);
        let handler = start + 4 * user.len() as u32;
        let mut program = Vec::from(li(9, handler));
        program.push(csrrw(0, 0x305, 9));
        program.extend(li(9, start));
        program.push(csrrw(0, 0x341, 9));
        program.extend(body);
        program.push(MRET);
        program.extend(user);
        program.extend([lw(20, 12, at(Word::KindAndHarts)), addi(21, 21, 1), MRET]);
        let mut machine = machine(&parameters, &program, 5);
        (machine.run(PLENTY), machine.hart(0).register(21), machine.taps().len())
    };
    assert_eq!(stalling(0), (Stop::Deadlock, 0, 4), "nobody drains");
    let (stop, drained, edges) = stalling(4);
    assert_eq!(stop, Stop::Exit { code: 0 });
    assert!(drained >= 6 && edges >= 10, "{drained} drained of {edges}");
}

#[test]
fn new_instructions_are_executed_after_fence_i_only() {
    let run = |fence: u32| {
        let program = [
            auipc(2, 0),
            lw(3, 2, 0x1c),
            sw(3, 2, 0x18),
            fence,
            addi(4, 0, 1),
            NOP,
            addi(4, 4, 1),
            addi(4, 4, 16),
            WFI,
        ];
        let parameters = Parameters { line: 32, ..one_hart() };
        let mut machine = machine(&parameters, &program, 0);
        assert_eq!(machine.run(PLENTY), Stop::Deadlock);
        machine.hart(0).register(4)
    };
    assert_eq!((run(FENCE_I), run(FENCE)), (33, 18));
}
