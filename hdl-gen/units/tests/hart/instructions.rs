//! Every class of instruction, checked record by record.

use super::asm::*;
use super::check::check;
use super::machine::{Delays, Machine, RAM};

/// A program that ends in an endless loop, run for `count` instructions under several delays.
fn run(program: &[u32], count: usize) -> Machine {
    let mut program = program.to_vec();
    program.push(jal(0, 0));
    let mut last = None;
    for seed in 0..6 {
        let delays = if seed == 0 { Delays::NONE } else { Delays::random(seed) };
        let mut machine = Machine::new(&program, delays);
        machine.run_to(count);
        check(&machine);
        last = Some(machine);
    }
    last.expect("a run")
}

#[test]
fn straight_line_code_executes() {
    let machine = run(&[addi(1, 0, 5), addi(2, 1, 7), add(3, 1, 2), sub(4, 3, 1)], 6);
    let values: Vec<u32> = machine.records[..4].iter().map(|record| record.rd_wdata).collect();
    assert_eq!(values, [5, 12, 17, 12]);
    assert_eq!(machine.records[0].pc_rdata, RAM);
}
