//! Breakpoints on a machine that runs alone.

use super::*;
use border::breakpoint::{self, Event, Value};

const ENOUGH: Limits = Limits { instructions: 20_000 };
const SEEDS: std::ops::Range<u64> = 0..40;
const MTVEC: u32 = 0x305;
const MEPC: u32 = 0x341;
const PMPCFG: u32 = 0x3a0;
const PMPADDR: u32 = 0x3b0;

/// The store and the load that meet: found in the program by their registers.
const STORE: (u32, u32) = (17, 16);
const LOAD: (u32, u32) = (18, 16);

/// Leaves M mode for what follows.
fn into_user_mode() -> Vec<u32> {
    let mut program = Vec::from(li(1, u32::MAX));
    program.extend([csrrw(0, PMPADDR, 1), addi(1, 0, 0x1f), csrrw(0, PMPCFG, 1)]);
    program.extend([auipc(1, 0), addi(1, 1, 16), csrrw(0, MEPC, 1), MRET]);
    program
}

/// Computes for a while.
fn busy(rounds: i32) -> Vec<u32> {
    vec![addi(20, 0, rounds), addi(20, 20, -1), bne(20, 0, -4)]
}

/// Hart 0 stores 1, hart 1 loads and exits with what it saw. Each is busy before.
fn race(before_store: i32, before_load: i32) -> Vec<u32> {
    let data = li(STORE.1, DATA);
    let mut storing = into_user_mode();
    storing.extend(data);
    storing.extend(busy(before_store));
    storing.extend([addi(STORE.0, 0, 1), sw(STORE.0, STORE.1, 0), jal(0, 0)]);
    let mut loading = into_user_mode();
    loading.extend(data);
    loading.extend(busy(before_load));
    loading.extend([lw(LOAD.0, LOAD.1, 0), add(LOAD.0, LOAD.0, LOAD.0), addi(LOAD.0, LOAD.0, 1)]);
    loading.extend(li(30, TOHOST));
    loading.extend([sw(LOAD.0, 30, 0), jal(0, 0)]);
    parts(&[storing, loading], &[NOP])
}

/// The pc of the only instruction with this encoding.
fn pc_of(program: &[u32], instruction: u32) -> u32 {
    let found: Vec<_> = (0..program.len()).filter(|at| program[*at] == instruction).collect();
    assert_eq!(found.len(), 1);
    RAM + 4 * found[0] as u32
}

fn machine(program: &[u32], seed: u64) -> Machine {
    let parameters = Parameters { harts: 2, breakpoints: 2, ..PARAMETERS };
    let mut machine = Machine::new(&parameters, seed);
    machine.load(Segment { address: RAM, bytes: &bytes(program) }).unwrap();
    machine.watch(TOHOST);
    machine.keep_happened();
    machine
}

/// Sets entry 0, through its window: these pcs in this order, with the same word of memory.
fn set(machine: &mut Machine, pcs: &[u32], wait: u32) {
    let mut write = |word: breakpoint::Word, party: u32, data: u32| {
        assert!(machine.host_write(word.address(0, party), data));
        assert_eq!(machine.host_device(word.address(0, party)), Some(data));
    };
    for (party, pc) in (0..).zip(pcs) {
        write(breakpoint::Word::Location, party, *pc);
        write(
            breakpoint::Word::Select,
            party,
            breakpoint::Word::VALUE.holding(Value::AddressWord.number()),
        );
    }
    write(breakpoint::Word::ValueMask, 0, u32::MAX);
    write(breakpoint::Word::Wait, 0, wait);
    let parties = breakpoint::Word::LAST_PARTY.holding(pcs.len() as u32 - 1);
    write(breakpoint::Word::Control, 0, breakpoint::Word::ENABLE.mask() | parties);
}

fn places(program: &[u32]) -> [u32; 2] {
    [pc_of(program, sw(STORE.0, STORE.1, 0)), pc_of(program, lw(LOAD.0, LOAD.1, 0))]
}

#[test]
fn the_forced_order_holds_in_every_schedule_and_so_does_the_opposite_one() {
    let mut free = [0, 0];
    for seed in SEEDS {
        let program = race(20, 20);
        let [store, load] = places(&program);
        let Stop::Exit { code } = machine(&program, seed).run(ENOUGH) else {
            panic!("seed {seed}")
        };
        free[code as usize] += 1;
        for (pcs, expected) in [([store, load], 1), ([load, store], 0)] {
            let mut machine = machine(&program, seed);
            set(&mut machine, &pcs, 5000);
            assert_eq!(machine.run(ENOUGH), Stop::Exit { code: expected }, "seed {seed}");
            let table = machine.breakpoints().unwrap().table();
            assert_eq!((table.entry(0).hits(), table.entry(0).timeouts()), (1, 0), "seed {seed}");
        }
    }
    assert!(free.iter().all(|runs| *runs > 0), "both come up by themselves: {free:?}");
}

#[test]
fn a_partner_that_never_comes_costs_the_longest_wait() {
    let program = race(1, 1);
    let [_, load] = places(&program);
    let mut machine = machine(&program, 3);
    set(&mut machine, &[load, RAM + 0x8000], 300);
    assert!(matches!(machine.run(ENOUGH), Stop::Exit { .. }));
    let events: Vec<_> = machine.breakpoints().unwrap().happened().to_vec();
    let kinds: Vec<_> = events.iter().map(|happened| happened.events.events).collect();
    assert_eq!(kinds, [Event::Arrive.bit(), Event::Timeout.bit()]);
    assert!(events.iter().all(|happened| (happened.hart, happened.pc) == (1, load)));
    assert_eq!(events[0].events.value, (DATA, 0));
}

#[test]
fn time_passes_when_nobody_can_go_on() {
    // Hart 0 sleeps for ever, so only the breakpoint's time can pass.
    let mut loading = into_user_mode();
    loading.extend(li(LOAD.1, DATA));
    loading.extend([lw(LOAD.0, LOAD.1, 0)]);
    loading.extend(exit(5));
    let program = parts(&[vec![WFI, NOP], loading], &[WFI, jal(0, -4)]);
    let load = pc_of(&program, lw(LOAD.0, LOAD.1, 0));
    let mut machine = machine(&program, 1);
    set(&mut machine, &[load, RAM + 0x8000], breakpoint::MAX_WAIT);
    assert_eq!(machine.run(ENOUGH), Stop::Exit { code: 5 });
    assert_eq!(machine.breakpoints().unwrap().table().entry(0).timeouts(), 1);
}

#[test]
fn interrupts_while_postponed_change_no_result() {
    // Hart 1 waits for the store with a timer that interrupts it every few cycles.
    let mut handler = Vec::from(li(27, clint::Word::Mtime.address(0)));
    handler.extend([lw(28, 27, 0), addi(28, 28, 30)]);
    handler.extend(li(27, clint::Word::Mtimecmp.address(1)));
    handler.extend([sw(28, 27, 0), addi(26, 26, 1), MRET]);
    let mut armed = Vec::from(li(27, clint::Word::Mtimecmp.address(1)));
    armed.extend([sw(0, 27, 0), sw(0, 27, 4), addi(28, 0, 0x80), csrrw(0, 0x304, 28)]);
    let mut program = race(700, 1);
    // The handler stands after the program; hart 1 sets it up first.
    let mut loading = Vec::from(li(27, RAM + 0x800));
    loading.push(csrrw(0, MTVEC, 27));
    loading.extend(&armed);
    let plain = program.clone();
    let load_at = places(&plain)[1];
    let into = (load_at - RAM) as usize / 4 - 3 - 2 - into_user_mode().len();
    program.splice(into..into, loading);
    program.resize(0x200, NOP);
    program.extend(&handler);
    for seed in SEEDS {
        let [store, load] = places(&program);
        for (pcs, expected) in [([store, load], 1), ([load, store], 0)] {
            let mut machine = machine(&program, seed);
            set(&mut machine, &pcs, 10_000);
            let stop = machine.run(Limits { instructions: 200_000 });
            assert_eq!(stop, Stop::Exit { code: expected }, "seed {seed}");
            let unit = machine.breakpoints().unwrap();
            assert_eq!((unit.table().entry(0).hits(), unit.table().entry(0).timeouts()), (1, 0));
            let paused = |happened: &&crate::breakpoint::Happened| {
                happened.events.events & Event::Pause.bit() != 0
            };
            assert!(unit.happened().iter().filter(paused).count() > 10, "seed {seed}");
        }
    }
}

#[test]
fn entries_that_are_not_enabled_change_nothing() {
    for seed in SEEDS {
        let program = race(20, 20);
        let run = |breakpoints| {
            let parameters = Parameters { harts: 2, breakpoints, ..PARAMETERS };
            let mut machine = Machine::new(&parameters, seed);
            machine.load(Segment { address: RAM, bytes: &bytes(&program) }).unwrap();
            machine.watch(TOHOST);
            (machine.run(ENOUGH), machine.instructions(), machine.taps().to_vec())
        };
        assert_eq!(run(0), run(2));
    }
}

#[test]
fn words_of_entries_that_do_not_exist_read_zero() {
    let mut machine = machine(&[NOP], 0);
    let address = breakpoint::Word::Wait.address(2, 0);
    assert!(machine.host_write(address, 5));
    assert_eq!(machine.host_device(address), Some(0));
    let address = breakpoint::Word::Wait.address(1, 0);
    assert!(machine.host_write(address, 0xff20_0005));
    assert_eq!(machine.host_device(address), Some(5));
}
