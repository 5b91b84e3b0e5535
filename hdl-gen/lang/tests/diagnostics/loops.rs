//! COMBINATIONAL LOOP.

use super::*;

#[test]
fn wire_set_from_itself() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let x = wire(1);
        x.set(x);
        io.q.set(x.zext(8));
        io
    }
    assert_findings!(build);
}

#[test]
fn two_wires_set_from_each_other() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let x = wire(8);
        let y = wire(8);
        let masked = y & io.a;
        x.set(!masked);
        y.set(io.c.mux(x, 0));
        io.q.set(y);
        io
    }
    assert_findings!(build);
}

#[test]
fn sum_that_feeds_its_own_carry_chain() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let sum = wire(8);
        sum.set(io.a + cat([io.a.bits(4..8), sum.bits(3..7)]));
        io.q.set(sum);
        io
    }
    assert_findings!(build);
}

#[test]
fn condition_that_depends_on_what_it_decides() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let busy = wire(1);
        busy.set(0);
        when(io.c, || {
            when(!busy, || busy.set(io.a.any()));
        });
        io.q.set(busy.zext(8));
        io
    }
    assert_findings!(build);
}

#[test]
fn subject_that_depends_on_what_it_decides() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let code = wire(2);
        switch(code + 1, |s| {
            s.case(0, || code.set(1));
            s.default(|| code.set(io.a.trunc(2)));
        });
        io.q.set(code.zext(8));
        io
    }
    assert_findings!(build);
}

#[test]
fn table_looked_up_by_its_own_row() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let table = memory(16, 8);
        let row = wire(8);
        row.set(table.read_async(row.bits(4..8)));
        io.q.set(row);
        io
    }
    assert_findings!(build);
}

#[hardware]
fn passes_bits_on() -> Io {
    let io = io();
    let swapped = cat([io.a.bits(0..4), io.a.bits(4..8)]);
    io.q.set(swapped ^ io.c.repeat(8));
    io
}

#[hardware]
fn passes_through_a_child() -> Io {
    let io = io();
    let inner = Design::new("passes_bits_on", passes_bits_on).instance();
    inner.a.set(io.a);
    inner.c.set(io.c);
    io.q.set(inner.q);
    io
}

#[test]
fn loop_through_an_instance_shows_the_way_inside() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let unit = Design::new("outer", passes_through_a_child).instance();
        unit.c.set(io.c);
        unit.a.bits(0..7).set(io.a.bits(0..7));
        unit.a.bit(7).set(unit.q.bit(3));
        io.q.set(unit.q);
        io
    }
    assert_findings!(build);
}

#[test]
fn separate_loops_are_reported_separately() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let (x, y, z) = (wire(1), wire(1), wire(8));
        x.set(!x);
        y.set(y ^ io.c);
        z.set(z + 1);
        io.q.set(cat([x, y, z.bits(0..6)]));
        io
    }
    assert_findings!(build);
}
