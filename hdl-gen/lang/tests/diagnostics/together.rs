//! All findings of one elaboration come together, each mistake once.

use super::*;

#[test]
fn mistakes_of_every_kind_are_reported_together() {
    #[hardware]
    fn child() -> Io {
        let io = io();
        let spare = wire(4);
        io.q.set(io.a + spare);
        io
    }
    #[hardware]
    fn build() -> Io {
        let io = io();
        let unit = Design::new("child", child).instance();
        unit.a.set(300);
        when(io.c, || unit.c.set(io.c));
        let x = wire(8);
        x.set(x ^ io.a);
        let twice = wire(8);
        twice.set(0);
        twice.set(unit.q);
        when(lit(1, 1), || io.q.set(twice)).otherwise(|| io.q.set(x));
        io.a.set(0);
        io
    }
    assert_findings!(build);
}

#[test]
fn mistake_repeated_by_a_loop_is_reported_once() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        for bit in 0..8 {
            io.q.bit(bit).set(io.a);
        }
        io
    }
    assert_findings!(build);
}

#[test]
fn value_that_could_not_be_made_causes_no_further_reports() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let bad = io.a + io.c;
        let index = wire(0);
        index.set(5);
        let state = reg(State::shape()).reset(State::Idle);
        let next = Enum::<State>::from_sig(bad);
        state.set_from(next);
        switch(index, |s| {
            s.case(17, || io.q.set(bad.bits(40..48)));
        });
        when(bad, || state.set(State::Run));
        let chosen = select(index, &[io.a, io.a, bad]);
        let table = memory(16, 0);
        table.write_masked(bad, chosen, index);
        assert("holds", table.read_async(chosen), "in vain");
        io
    }
    assert_findings!(build);
}

#[test]
fn warnings_come_after_errors() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        when(lit(1, 1), || {});
        io
    }
    let Err(Diagnostics(findings)) = elaborate(Design::new("top", build)) else {
        panic!("an output without a driver")
    };
    let codes: Vec<Code> = findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::NoDriver, Code::ConstantCondition]);
}
