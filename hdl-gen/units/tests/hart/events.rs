//! Counters of events (docs/machine.md, Counters of events).

use std::rc::Rc;

use border::event::Event;
use units::hart::beside::HartUnits;
use units::hart::event_counters::EventCounters;

use super::asm::*;
use super::machine::{Machine, RAM};
use super::random::Delays;

/// A word that programs load.
const DATA: u32 = RAM + 0x800;

fn counter(event: Event) -> u32 {
    0xb00 + event.number()
}

fn counted(program: &[u32], delays: Delays) -> Machine {
    let program: Vec<u32> = program.iter().copied().chain([jal(0, 0)]).collect();
    Machine::with_units(&program, delays, HartUnits::none().with(Rc::new(EventCounters)))
}

/// By how much a counter grows over `body` when it is run for the first and for the second time, on a machine
/// whose memory answers at once.
fn grows(event: Event, body: &[u32]) -> [u32; 2] {
    let mut program = li(5, DATA).to_vec();
    program.push(addi(8, 0, 1));
    program.push(csrrs(6, counter(event), 0));
    program.extend(body);
    program.push(csrrs(7, counter(event), 0));
    program.push(addi(8, 8, -1));
    program.push(beq(8, 0, -4 * (body.len() as i32 + 3)));
    let mut machine = counted(&program, Delays::NONE);
    let of = |machine: &Machine, register: Reg| {
        let writes = machine.records.iter().filter(|record| record.rd_addr == register);
        writes.map(|record| record.rd_wdata).collect::<Vec<_>>()
    };
    while of(&machine, 7).len() < 2 {
        machine.step();
    }
    let (before, after) = (of(&machine, 6), of(&machine, 7));
    [0, 1].map(|pass| after[pass] - before[pass])
}

#[test]
fn each_counter_counts_what_it_is_called_after() {
    let loads = [lw(1, 5, 0), add(2, 1, 1)].repeat(5);
    assert_eq!(grows(Event::OperandWait, &loads)[1], 5, "one bubble for each use of a load");
    assert_eq!(grows(Event::DataMiss, &loads), [0, 0]);
    assert_eq!(grows(Event::BusWait, &loads), [0, 0]);
    let apart = [lw(1, 5, 0), addi(3, 0, 1), add(2, 1, 1)].repeat(5);
    assert_eq!(grows(Event::OperandWait, &apart)[1], 0);
    let division = grows(Event::ExecuteWait, &[div(1, 5, 5)])[1];
    assert!((30..40).contains(&division), "a division waited {division} cycles");
    // A branch that nobody has seen is predicted not to be taken.
    assert_eq!(grows(Event::Mispredict, &[beq(0, 0, 8), addi(1, 0, 1)]), [1, 0]);
    assert_eq!(grows(Event::Mispredict, &[bne(0, 0, 8), addi(1, 0, 1)]), [0, 0]);
    // Three lines of instructions, the second time all there.
    let [cold, warm] = grows(Event::FetchMiss, &[addi(0, 0, 0)].repeat(24));
    assert!(cold >= 3 && warm <= 1, "{cold} misses, then {warm} ahead of the end");
    // LR always waits, and does not count as a miss.
    assert_eq!(grows(Event::DataMiss, &[lr(1, 5)]), [0, 0]);
    assert!(grows(Event::BusWait, &[lr(1, 5)])[1] > 0);
}

#[test]
fn counters_agree_with_the_events_on_the_ports() {
    // A loop that loads, stores, divides and jumps over an instruction every other time; then all counters.
    let mut program = li(5, DATA).to_vec();
    program.extend([
        addi(8, 0, 40),
        lw(1, 5, 0),
        add(2, 1, 1),
        sw(2, 5, 4),
        div(3, 2, 5),
        xori(9, 9, 1),
        beq(9, 0, 8),
        lr(4, 5),
        addi(8, 8, -1),
        bne(8, 0, -32),
    ]);
    program.extend(Event::ALL.map(|event| csrrs(6, counter(event), 0)));
    for seed in 1..6 {
        let mut machine = counted(&program, Delays::random(seed));
        while machine.records.iter().filter(|record| record.rd_addr == 6).count() < 11 {
            machine.step();
        }
        // How often each has happened by each cycle.
        let mut sums = vec![[0; Event::ALL.len()]];
        for events in &machine.events {
            let mut sum = *sums.last().expect("the first");
            sum.iter_mut().zip(events).for_each(|(sum, &happens)| *sum += u32::from(happens));
            sums.push(sum);
        }
        let reads = machine.records.iter().filter(|record| record.rd_addr == 6);
        for (place, read) in reads.enumerate() {
            let (event, cycle) = (Event::ALL[place], read.cycle as usize);
            let between = sums[cycle - 5][place]..=sums[cycle][place];
            assert!(between.contains(&read.rd_wdata), "{event:?}: {read:?} is not in {between:?}");
        }
        let last = sums.last().expect("the first");
        let of = |event: Event| last[(event.number() - Event::ALL[0].number()) as usize];
        let often = [Event::DataMiss, Event::Mispredict, Event::BusWait, Event::OperandWait];
        assert!(often.iter().all(|&event| of(event) > 10), "{last:?}");
    }
}
