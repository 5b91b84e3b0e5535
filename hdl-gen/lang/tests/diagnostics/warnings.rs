//! UNREACHABLE STATE and CONSTANT CONDITION.

use super::*;

#[test]
fn state_that_nothing_leads_to() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let state = reg(State::shape()).reset(State::Idle);
        switch(state, |s| {
            s.case(State::Idle, || {
                when(io.c, || state.set(State::Run));
            });
            s.case(State::Run, || state.set(State::Idle));
            s.case(State::Done, || state.set(State::Run));
        });
        io.q.set(state.sig().zext(8));
        io
    }
    assert_findings!(build);
}

#[test]
fn states_that_only_lead_to_each_other() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let state = reg(State::shape()).reset(State::Idle);
        when(state.is(State::Run) & io.c, || state.set(State::Done))
            .elsewhen(state.sig().ne(0), || state.set(State::Run));
        io.q.set(state.sig().zext(8));
        io
    }
    assert_findings!(build);
}

#[test]
fn condition_that_is_always_one() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(0);
        when(io.a.ge(0), || io.q.set(io.a));
        io
    }
    assert_findings!(build);
}

#[test]
fn condition_that_is_never_one() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(0);
        when(io.c, || io.q.set(io.a)).elsewhen(lit(1, 0), || io.q.set(1));
        io
    }
    assert_findings!(build);
}

#[test]
fn subject_that_never_changes() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        switch(lit(4, 9) + 1, |s| {
            s.case(10, || io.q.set(io.a));
            s.default(|| io.q.set(0));
        });
        io
    }
    assert_findings!(build);
}
