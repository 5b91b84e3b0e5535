//! Properties: when they are checked and what is reported.

use hdl::*;

use crate::support::{Circuit, simulate};

#[derive(Clone, Bundle)]
struct Io {
    x: Sig,
    enable: Sig,
}

fn checked(_: usize) -> Io {
    let io = ports(Io { x: input(4), enable: input(1) });
    when(io.enable, || {
        assert("x_is_small", io.x.lt(10), "x must stay below ten");
        switch(io.x, |s| {
            s.case([3, 4], || cover("x_is_three_or_four", lit(1, 1), "seen"));
            s.default(|| cover("x_is_odd_otherwise", io.x.bit(0), "seen"));
        });
    });
    assume("x_is_not_twelve", io.x.ne(12), "nobody sends twelve");
    io
}

#[hardware]
fn parent(_: usize) -> Io {
    let io = ports(Io { x: input(4), enable: input(1) });
    let child = Circuit { name: "checked", parameter: 0, build: checked }.instance();
    child.x.set(io.x);
    child.enable.set(io.enable);
    io
}

#[test]
fn failures_are_collected_where_the_conditions_around_them_hold() {
    let (mut sim, io) = simulate("parent", 0, parent);
    sim.collect_failures();
    for (x, enable) in [(5, 1), (11, 0), (11, 1), (12, 1)] {
        sim.set(io.x, x);
        sim.set(io.enable, enable);
        sim.step();
    }
    let seen: Vec<(&str, &str, u64)> = sim
        .failures()
        .iter()
        .map(|failure| (failure.path.as_str(), failure.label.as_str(), failure.cycle))
        .collect();
    assert_eq!(
        seen,
        [("child", "x_is_small", 2), ("child", "x_is_small", 3), ("child", "x_is_not_twelve", 3)]
    );
    let first = &sim.failures()[0];
    assert_eq!(first.kind, ir::PropertyKind::Assert);
    assert_eq!(first.message, "x must stay below ten");
    assert!(first.loc.file().ends_with("properties.rs"));
}

#[test]
#[should_panic(expected = "assert `x_is_small` failed in cycle 1: x must stay below ten")]
fn a_failure_panics_unless_collected() {
    let (mut sim, io) = simulate("checked", 0, checked);
    sim.reset();
    sim.set(io.x, 10);
    sim.set(io.enable, 1);
    sim.step();
}

#[test]
fn nothing_is_checked_in_reset() {
    let (mut sim, io) = simulate("checked", 0, checked);
    sim.set(io.x, 15);
    sim.set(io.enable, 1);
    sim.reset();
    sim.collect_failures();
    assert!(sim.failures().is_empty());
}

#[test]
fn covers_count_the_edges_at_which_they_happen() {
    let (mut sim, io) = simulate("checked", 0, checked);
    sim.set(io.enable, 1);
    for x in [3, 4, 5, 7, 6, 3] {
        sim.set(io.x, x);
        sim.step();
    }
    let counts: Vec<(&str, u64)> =
        sim.covers().iter().map(|cover| (cover.label.as_str(), cover.count)).collect();
    assert_eq!(counts, [("x_is_three_or_four", 3), ("x_is_odd_otherwise", 2)]);
}
