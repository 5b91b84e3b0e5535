//! Instances inside instances, and names through them.

use hdl::*;

use crate::support::{Circuit, simulate};

#[derive(Clone, Bundle)]
struct Stage {
    x: Sig,
    y: Sig,
}

#[hardware]
fn adder(step: usize) -> Stage {
    let io = ports(Stage { x: input(16), y: output(16) });
    let sum = reg(16).reset(0);
    let unused_twice = sum + sum;
    let _ = unused_twice;
    sum.set(io.x + step);
    io.y.set(sum);
    io
}

#[hardware]
fn pair(step: usize) -> Stage {
    let io = ports(Stage { x: input(16), y: output(16) });
    let first = Circuit { name: "adder", parameter: step, build: adder }.instance();
    let second = Circuit { name: "adder", parameter: 10 * step, build: adder }.instance();
    first.x.set(io.x);
    second.x.set(first.y);
    io.y.set(second.y);
    io
}

#[hardware]
fn quad(_: usize) -> Stage {
    let io = ports(Stage { x: input(16), y: output(16) });
    let left = Circuit { name: "pair", parameter: 1, build: pair }.instance();
    let right = Circuit { name: "pair", parameter: 1, build: pair }.instance();
    left.x.set(io.x);
    right.x.set(left.y);
    io.y.set(right.y);
    io
}

#[test]
fn equal_instances_have_state_of_their_own() {
    let (mut sim, io) = simulate("quad", 0, quad);
    sim.set(io.x, 1000);
    sim.steps(4);
    assert_eq!(sim.get(io.y), 1022);
    assert_eq!(sim.peek("left.first.sum"), Bits::new(16, 1001));
    assert_eq!(sim.peek("left.second.sum"), Bits::new(16, 1011));
    assert_eq!(sim.peek("right.first.sum"), Bits::new(16, 1012));
    assert_eq!(sim.peek("right.y"), Bits::new(16, 1022));
}

#[test]
fn signals_that_nothing_uses_can_be_looked_at() {
    let (mut sim, io) = simulate("quad", 0, quad);
    let twice = sim.signal("left.first.unused_twice").unwrap();
    for x in [5, 6, 7] {
        sim.set(io.x, x);
        sim.step();
        assert_eq!(sim.get(twice), 2 * (x + 1));
    }
}

#[test]
fn names_that_do_not_exist_are_not_found() {
    let (mut sim, _) = simulate("quad", 0, quad);
    assert_eq!(sim.peek("left.third.sum"), None);
    assert_eq!(sim.peek("sum"), None);
    assert_eq!(sim.port("left"), None);
    assert_eq!(sim.memory("left.first.sum"), None);
}

#[test]
fn ports_are_found_by_name() {
    let (mut sim, io) = simulate("pair", 1, pair);
    let (x, y) = (sim.port("x").unwrap(), sim.port("y").unwrap());
    sim.set(x, 3);
    sim.steps(2);
    assert_eq!(sim.get(y), 14);
    assert_eq!(sim.get(io.y), 14);
}
