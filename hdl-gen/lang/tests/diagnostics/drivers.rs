//! NO DRIVER and MULTIPLE DRIVERS.

use super::*;

#[test]
fn wire_that_nothing_drives() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let idle = wire(8);
        io.q.set(idle);
        io
    }
    assert_findings!(build);
}

#[test]
fn output_driven_under_a_condition_only() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        when(io.c, || io.q.set(io.a));
        io
    }
    assert_findings!(build);
}

#[test]
fn branch_of_a_chain_that_does_not_drive() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        when(io.c, || io.q.set(1)).elsewhen(io.a.any(), || {}).otherwise(|| io.q.set(2));
        io
    }
    assert_findings!(build);
}

#[test]
fn otherwise_that_does_not_drive_inside_another_choice() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let spare = wire(1);
        when(io.c, || {
            spare.set(0);
            io.q.set(1);
        })
        .otherwise(|| {
            when(io.a.all(), || io.q.set(2)).otherwise(|| spare.set(1));
        });
        io
    }
    assert_findings!(build);
}

#[test]
fn case_that_does_not_drive() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let state = Enum::<State>::from_sig(io.a.trunc(2));
        switch(state, |s| {
            s.case(State::Idle, || io.q.set(0));
            s.case([State::Run, State::Done], || {});
        });
        io
    }
    assert_findings!(build);
}

#[test]
fn switch_that_leaves_values_out() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        switch(io.a, |s| {
            s.case(0, || io.q.set(0));
            s.case([1, 2], || io.q.set(1));
        });
        io
    }
    assert_findings!(build);
}

#[test]
fn default_that_does_not_drive() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        switch(io.a, |s| {
            s.case(0, || io.q.set(0));
            s.default(|| {});
        });
        io
    }
    assert_findings!(build);
}

#[test]
fn bits_that_no_slice_drives() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.bits(0..2).set(io.a.bits(0..2));
        io.q.bit(7).set(io.c);
        when(io.c, || io.q.bits(2..4).set(0));
        io
    }
    assert_findings!(build);
}

#[test]
fn input_of_an_instance_left_open() {
    #[hardware]
    fn child() -> Io {
        let io = io();
        io.q.set(io.a);
        io
    }
    #[hardware]
    fn build() -> Io {
        let io = io();
        let unit = Design::new("child", child).instance();
        unit.a.set(io.a);
        io.q.set(unit.q);
        io
    }
    assert_findings!(build);
}

#[test]
fn register_that_nothing_sets() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let fixed = reg(8).reset(3);
        io.q.set(fixed);
        io
    }
    assert_findings!(build);
}

#[test]
fn bit_of_a_register_that_nothing_sets() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let value = reg(8).reset(0);
        when(io.c, || value.bits(1..8).set(io.a.bits(1..8)));
        io.q.set(value);
        io
    }
    assert_findings!(build);
}

#[test]
fn value_that_the_next_statement_overrides() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(io.a);
        io.q.set(0);
        io
    }
    assert_findings!(build);
}

#[test]
fn conditional_value_that_a_later_default_overrides() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let count = reg(8).reset(0);
        when(io.c, || count.set(count + 1));
        count.set(io.a);
        io.q.set(count);
        io
    }
    assert_findings!(build);
}

#[test]
fn slice_overridden_by_two_others_together() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(io.a);
        when(io.c, || {
            io.q.bits(2..6).set(0);
            io.q.bits(0..4).set(1);
            io.q.bits(4..8).set(2);
        });
        io
    }
    assert_findings!(build);
}
