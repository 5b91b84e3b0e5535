//! Designs that look like mistakes and are none.

use super::*;

#[track_caller]
fn assert_accepted<I: Bundle>(build: fn() -> I) {
    assert_eq!(findings(build), "");
}

#[test]
fn default_then_override() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let count = reg(8).reset(0);
        count.set(count + 1);
        when(io.c, || {
            count.set(0);
            when(io.a.any(), || count.set(io.a));
        });
        io.q.set(0);
        io.q.bits(0..4).set(count.bits(0..4));
        when(io.c, || io.q.set(1)).otherwise(|| io.q.bits(6..8).set(2));
        io
    }
    assert_accepted(build);
}

#[test]
fn value_driven_in_every_branch_of_nested_choices() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        when(io.c, || {
            switch(io.a.trunc(1), |s| {
                s.case(0, || io.q.set(1));
                s.case(1, || {
                    io.q.bits(0..4).set(1);
                    io.q.bits(4..8).set(2);
                });
            });
        })
        .elsewhen(io.a.any(), || io.q.set(4))
        .otherwise(|| io.q.set(5));
        io
    }
    assert_accepted(build);
}

#[test]
fn switch_over_all_variants_needs_no_default() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let state = reg(State::shape()).reset(State::Idle);
        switch(state, |s| {
            s.case(State::Idle, || {
                io.q.set(0);
                state.set(State::Run);
            });
            s.case(State::Run, || {
                io.q.set(1);
                when(io.c, || state.set(State::Done));
            });
            s.case(State::Done, || io.q.set(2));
        });
        io
    }
    assert_accepted(build);
}

#[test]
fn ripple_through_the_slices_of_one_wire() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let carry = wire(9);
        carry.bit(0).set(io.c);
        for bit in 0..8 {
            carry.bit(bit + 1).set(carry.bit(bit) & io.a.bit(bit));
        }
        io.q.set(carry.bits(1..9));
        io
    }
    assert_accepted(build);
}

#[test]
fn slice_set_from_higher_bits_of_its_own_wire() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let x = wire(8);
        x.set(io.a);
        x.bits(2..4).set(x.bits(5..7));
        when(x.bit(7), || x.bit(0).set(x.bit(6)));
        io.q.set(x);
        io
    }
    assert_accepted(build);
}

#[test]
fn operations_whose_bits_depend_on_lower_bits_only() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let x = wire(8);
        let product = x.trunc(3) * x.trunc(3);
        let carried = (x << 1) - cat([io.c, product, io.c]);
        let moved = (x.zext(16) << 9 >> 8).trunc(8) ^ (-x << 1);
        let copied = cat([x.trunc(2).sext(7), io.c]) & cat([x.bit(0).repeat(7), io.c]);
        let picked = cat([x.bits(0..7), x.at(lit(4, 9))]) | x.at(lit(3, 0)).zext(8) << 1;
        x.set(io.c.mux(carried ^ moved, copied | picked));
        io.q.set(x);
        io
    }
    assert_accepted(build);
}

#[test]
fn loops_through_registers_and_synchronous_reads() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let table = memory(16, 8);
        let address = wire(4);
        let row = table.read_sync(address, io.c);
        address.set(row.trunc(4) + 1);
        let count = reg(8).reset(0);
        when(count.ne(io.a), || count.set(count + row));
        table.write(address, count);
        io.q.set(row);
        io
    }
    assert_accepted(build);
}

#[derive(Clone, Copy, Bundle)]
struct Crossing {
    x_in: Sig,
    x_out: Sig,
    y_in: Sig,
    y_out: Sig,
}

#[hardware]
fn crossing() -> Crossing {
    let io = ports(Crossing { x_in: input(8), x_out: output(8), y_in: input(8), y_out: output(8) });
    io.x_out.set(io.x_in + 1);
    io.y_out.set(io.y_in - 1);
    io
}

#[test]
fn path_that_crosses_an_instance_twice() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let first = Design::new("crossing", crossing).instance();
        let second = Design::new("crossing", crossing).instance();
        first.x_in.set(io.a);
        second.x_in.set(first.x_out);
        second.y_in.set(second.x_out);
        first.y_in.set(second.y_out);
        io.q.set(first.y_out);
        io
    }
    assert_accepted(build);
}

#[test]
fn bits_that_pass_an_instance_one_after_the_other() {
    #[hardware]
    fn swap() -> Io {
        let io = io();
        io.q.set(cat([io.a.bits(0..4), io.a.bits(4..8)]) ^ io.c.repeat(8));
        io
    }
    #[hardware]
    fn build() -> Io {
        let io = io();
        let unit = Design::new("swap", swap).instance();
        unit.c.set(io.c);
        unit.a.bits(0..4).set(io.a.bits(0..4));
        unit.a.bits(4..8).set(unit.q.bits(4..8));
        io.q.set(unit.q);
        io
    }
    assert_accepted(build);
}

#[test]
fn state_set_from_a_signal_can_be_any() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let state = reg(State::shape()).reset(State::Idle);
        state.set_from(Enum::from_sig(io.a.trunc(2)));
        io.q.set(state.sig().zext(8));
        io
    }
    assert_accepted(build);
}

#[test]
fn chain_of_a_hundred_thousand_wires() {
    fn build() -> Io {
        let io = io();
        // From last to first, so that the order of the nodes is no help.
        let links: Vec<Sig> = (0..100_000).map(|n| wire(8).named(&format!("link_{n}"))).collect();
        links[links.len() - 1].set(io.a);
        for pair in links.windows(2) {
            pair[0].set(pair[1] ^ 1);
        }
        io.q.set(links[0]);
        io
    }
    assert_accepted(build);
}

#[test]
fn modules_get_a_clock_and_a_reset_only_where_they_need_them() {
    #[hardware]
    fn registered() -> Io {
        let io = io();
        let value = reg(8);
        value.set(io.a);
        io.q.set(value);
        io
    }
    #[hardware]
    fn checked() -> Io {
        let io = io();
        assert("nonzero", io.a.any(), "a is not zero");
        io.q.set(io.a);
        io
    }
    #[hardware]
    fn plain() -> Io {
        let io = io();
        let table = memory(2, 8).init(vec![Bits::ones(8)]);
        io.q.set(table.read_async(io.c));
        io
    }
    #[hardware]
    fn build() -> Io {
        let io = io();
        for (name, child) in
            [("registered", registered as fn() -> Io), ("checked", checked), ("plain", plain)]
        {
            let unit = Design::new(name, child).instance();
            unit.a.set(io.a);
            unit.c.set(io.c);
        }
        io.q.set(0);
        io
    }
    let design = elaborate(Design::new("top", build)).unwrap();
    let needs: Vec<(&str, bool, bool)> =
        design.modules.iter().map(|m| (&m.name[..], m.needs_clock, m.needs_reset)).collect();
    assert_eq!(
        needs,
        [
            ("registered", true, false),
            ("checked", true, true),
            ("plain", false, false),
            ("top", true, true)
        ]
    );
}
