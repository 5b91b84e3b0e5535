//! Registers, reset and the order of statements.

use hdl::*;

use crate::support::simulate;

#[derive(Clone, Copy, Debug, PartialEq, HwEnum)]
enum State {
    Idle,
    Run,
    Done,
}

#[derive(Clone, Bundle)]
struct Two {
    x: Sig,
    y: Sig,
}

#[derive(Clone, Bundle)]
struct Three {
    s: Sig,
    x: Sig,
    y: Sig,
}

#[hardware]
fn counter(w: usize) -> Two {
    let io = ports(Two { x: input(1), y: output(w) });
    let count = reg(w).reset(3);
    when(io.x, || count.set(count + 1));
    io.y.set(count);
    io
}

#[test]
fn a_register_starts_at_zero_and_takes_its_reset_value_only_in_reset() {
    for w in [2, 64, 65, 200] {
        let (mut sim, io) = simulate("counter", w, counter);
        assert_eq!(sim.get_bits(io.y).to_u64(), Some(0));
        sim.set(io.x, 1);
        sim.step();
        assert_eq!(sim.get_bits(io.y).to_u64(), Some(1));
        sim.reset();
        assert_eq!(sim.get_bits(io.y).to_u64(), Some(3));
        sim.set(io.x, 0);
        sim.steps(5);
        assert_eq!(sim.get_bits(io.y).to_u64(), Some(3), "kept without enable");
        sim.set(io.x, 1);
        sim.step();
        let next = if w == 2 { 0 } else { 4 };
        assert_eq!(sim.get_bits(io.y).to_u64(), Some(next));
        assert_eq!(sim.cycle(), 8);
    }
}

#[hardware]
fn delay(w: usize) -> Two {
    let io = ports(Two { x: input(w), y: output(w) });
    let first = reg_next(&io.x);
    let second = reg_next(&first);
    io.y.set(second);
    io
}

#[test]
fn registers_move_on_all_at_once() {
    let (mut sim, io) = simulate("delay", 8, delay);
    let mut seen = Vec::new();
    for value in 1..=5 {
        sim.set(io.x, value);
        sim.step();
        seen.push(sim.get(io.y));
    }
    assert_eq!(seen, [0, 1, 2, 3, 4]);
}

#[hardware]
fn swap(_: usize) -> Two {
    let io = ports(Two { x: output(4), y: output(4) });
    let left = reg(4).reset(1);
    let right = reg(4).reset(2);
    left.set(right);
    right.set(left);
    io.x.set(left);
    io.y.set(right);
    io
}

#[test]
fn two_registers_can_swap() {
    let (mut sim, io) = simulate("swap", 0, swap);
    sim.reset();
    sim.step();
    assert_eq!((sim.get(io.x), sim.get(io.y)), (2, 1));
    sim.step();
    assert_eq!((sim.get(io.x), sim.get(io.y)), (1, 2));
}

#[hardware]
fn not_reset(_: usize) -> Two {
    let io = ports(Two { x: input(4), y: output(4) });
    let kept = reg(4);
    kept.set(io.x);
    io.y.set(kept);
    io
}

#[test]
fn a_register_without_reset_does_not_see_reset() {
    let (mut sim, io) = simulate("not_reset", 0, not_reset);
    sim.set(io.x, 9);
    sim.reset();
    assert_eq!(sim.get(io.y), 9);
}

#[hardware]
fn overrides(w: usize) -> Three {
    let io = ports(Three { s: input(2), x: input(w), y: output(w) });
    let kept = reg(w).reset(0);
    kept.set(io.x);
    when(io.s.bit(0), || {
        kept.bits(..w / 2).set(0);
        kept.bit(w - 1).set(1);
    })
    .elsewhen(io.s.bit(1), || kept.set(kept));
    io.y.set(kept);
    when(io.s.all(), || io.y.bits(1..w - 1).set(0));
    io
}

#[test]
fn the_last_statement_wins_bit_by_bit() {
    for w in [8, 64, 70, 130] {
        let (mut sim, io) = simulate("overrides", w, overrides);
        let ones = Bits::ones(w as u32);
        sim.set_bits(io.x, &ones);
        let value = |sim: &mut Simulator, select: u64| {
            sim.set(io.s, select);
            sim.step();
            sim.get_bits(io.y)
        };
        assert_eq!(value(&mut sim, 0), ones);
        let upper = value(&mut sim, 1);
        for bit in 0..w {
            assert_eq!(upper.bit(bit as u32), bit >= w / 2, "bit {bit} of {w}");
        }
        assert_eq!(value(&mut sim, 2), upper, "kept");
        let cut = value(&mut sim, 3);
        for bit in 0..w {
            assert_eq!(cut.bit(bit as u32), bit == w - 1, "bit {bit} of {w}");
        }
    }
}

#[derive(Clone, Bundle)]
struct Machine {
    go: Sig,
    stop: Sig,
    state: Enum<State>,
    ticks: Sig,
}

#[hardware]
fn machine(_: usize) -> Machine {
    let io = ports(Machine {
        go: input(1),
        stop: input(1),
        state: output(State::shape()),
        ticks: output(8),
    });
    let state = reg(State::shape()).reset(State::Idle);
    let ticks = reg(8).reset(0);
    switch(state, |s| {
        s.case(State::Idle, || {
            when(io.go, || state.set(State::Run));
        });
        s.case(State::Run, || {
            ticks.set(ticks + 1);
            when(io.stop, || {
                when(ticks.ge(2), || state.set(State::Done)).otherwise(|| state.set(State::Idle));
            });
        });
        s.case(State::Done, || ticks.set(0));
    });
    io.state.set_from(state);
    io.ticks.set(ticks);
    io
}

#[test]
fn a_state_machine_follows_its_switch() {
    let (mut sim, io) = simulate("machine", 0, machine);
    sim.reset();
    assert_eq!(sim.get_variant(io.state), "Idle");
    sim.set(io.go, 1);
    sim.step();
    assert_eq!(sim.get_variant(io.state), "Run");
    sim.set(io.go, 0);
    sim.set(io.stop, 1);
    sim.step();
    assert_eq!((sim.get_variant(io.state), sim.get(io.ticks)), ("Idle", 1));
    sim.set(io.go, 1);
    sim.set(io.stop, 0);
    sim.steps(3);
    sim.set(io.stop, 1);
    sim.step();
    assert_eq!((sim.get_variant(io.state), sim.get(io.ticks)), ("Done", 4));
    sim.step();
    assert_eq!((sim.get_variant(io.state), sim.get(io.ticks)), ("Done", 0));
}

#[derive(Clone, Bundle)]
struct Codes {
    state: Enum<State>,
    y: Sig,
}

fn every_state(_: usize) -> Codes {
    let io = ports(Codes { state: input(State::shape()), y: output(4) });
    switch(io.state, |s| {
        s.case(State::Idle, || io.y.set(1));
        s.case(State::Run, || io.y.set(2));
        s.case(State::Done, || io.y.set(3));
    });
    io
}

#[test]
fn a_code_that_is_no_variant_takes_the_last_arm_of_a_full_switch() {
    let (mut sim, io) = simulate("every_state", 0, every_state);
    sim.set_variant(io.state, State::Run);
    assert_eq!(sim.get(io.y), 2);
    sim.set(io.state, 3);
    assert_eq!(sim.get(io.y), 3);
    assert_eq!(sim.get_variant(io.state), "?");
}

/// A switch of `arms` arms with two labels each, and a default.
fn decoder(arms: usize) -> Two {
    let io = ports(Two { x: input(8), y: output(70) });
    switch(io.x, |s| {
        for arm in 0..arms as u64 {
            s.case([2 * arm, 2 * arm + 1], || io.y.set(100 + arm));
        }
        s.default(|| io.y.set(7));
    });
    io
}

#[test]
fn a_switch_decodes_alike_as_a_chain_and_as_a_table() {
    for arms in [1, 2, 3, 20, 100] {
        let (mut sim, io) = simulate("decoder", arms, decoder);
        for x in 0..=255 {
            sim.set(io.x, x);
            let expected = if x / 2 < arms as u64 { 100 + x / 2 } else { 7 };
            assert_eq!(sim.get_bits(io.y).to_u64(), Some(expected), "{x} of {arms} arms");
        }
    }
}

/// Labels of 80 bits, and no default: other codes keep the register.
#[hardware]
fn sparse(_: usize) -> Two {
    let io = ports(Two { x: input(80), y: output(8) });
    let kept = reg(8).reset(0);
    switch(io.x, |s| {
        for label in [0u64, 5, 77, 1 << 40, u64::MAX] {
            s.case(label, || kept.set(label & 0xFF));
        }
    });
    io.y.set(kept);
    io
}

#[test]
fn a_switch_on_a_wide_subject_compares_all_bits() {
    let (mut sim, io) = simulate("sparse", 0, sparse);
    for (x, expected) in
        [(5u128, 5), (5 | 1 << 70, 5), (77, 77), (u64::MAX.into(), 255), (6, 255), (0, 0)]
    {
        sim.set_bits(io.x, &Bits::new(80, x).unwrap());
        sim.step();
        assert_eq!(sim.get(io.y), expected, "after {x:#x}");
    }
}

/// Every bit of a wire follows from the one below it.
#[hardware]
fn ripple(w: usize) -> Three {
    let io = ports(Three { s: input(1), x: input(w), y: output(w) });
    let carry = wire(w);
    carry.bit(0).set(io.s);
    for bit in 1..w {
        carry.bit(bit).set(carry.bit(bit - 1) & io.x.bit(bit - 1));
    }
    io.y.set(io.x ^ carry);
    io
}

#[test]
fn a_wire_may_feed_its_own_upper_bits() {
    for w in [2, 64, 100] {
        let (mut sim, io) = simulate("ripple", w, ripple);
        sim.set(io.s, 1);
        for low in [0u128, 1, 2, 3, (1 << (w - 1)) - 1] {
            sim.set_bits(io.x, &Bits::new(w as u32, low).unwrap());
            assert_eq!(sim.get_bits(io.y), Bits::truncated(w as u32, low + 1), "{low} + 1");
        }
    }
}

/// The same through whole-word operators, where no part of the wire can be told apart.
#[hardware]
fn tangled(w: usize) -> Two {
    let io = ports(Two { x: input(w), y: output(w) });
    let prefix = wire(w);
    prefix.set(io.x | cat([prefix.bits(..w - 1), lit(1, 0)]));
    io.y.set(prefix);
    io
}

#[test]
fn words_that_depend_on_each_other_bit_by_bit_settle() {
    for w in [2, 9, 64, 65, 150] {
        let (mut sim, io) = simulate("tangled", w, tangled);
        for lowest in [w - 1, 0, w / 2] {
            let mut words = vec![0; w.div_ceil(64)];
            words[lowest / 64] = 1 << (lowest % 64);
            sim.set_bits(io.x, &Bits::from_words(w as u32, &words));
            let got = sim.get_bits(io.y);
            for bit in 0..w {
                assert_eq!(got.bit(bit as u32), bit >= lowest, "bit {bit} of {w}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "16 does not fit the 4 bits of this input")]
fn a_value_too_large_for_an_input_is_refused() {
    let (mut sim, io) = simulate("not_reset", 0, not_reset);
    sim.set(io.x, 16);
}

#[test]
#[should_panic(expected = "only an input of the top module can be set")]
fn an_output_cannot_be_set() {
    let (mut sim, io) = simulate("not_reset", 0, not_reset);
    sim.set(io.y, 1);
}

#[test]
#[should_panic(expected = "use get_bits")]
fn a_wide_signal_does_not_fit_u64() {
    let (mut sim, io) = simulate("tangled", 65, tangled);
    sim.get(io.y);
}

#[test]
#[should_panic(expected = "not one of the top module of this simulation")]
fn a_handle_of_another_design_is_refused() {
    let (_, foreign) = simulate("swap", 0, swap);
    let (mut sim, _) = simulate("not_reset", 0, not_reset);
    sim.get(foreign.x);
}
