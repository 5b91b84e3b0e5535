//! FOREIGN SIGNAL, NOT ASSIGNABLE and DUPLICATE CASE: signals used where they cannot be.

use std::cell::Cell;

use super::*;

thread_local! {
    /// A way around module boundaries, as a field of a parameter struct would be.
    static SMUGGLED: Cell<Option<Sig>> = const { Cell::new(None) };
}

#[hardware]
fn leaf() -> Io {
    let io = io();
    let inner = io.a + 1;
    SMUGGLED.set(Some(inner));
    io.q.set(inner);
    io
}

#[test]
fn signal_of_a_child_used_in_its_parent() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let leaf = Design::new("leaf", leaf).instance();
        leaf.a.set(io.a);
        leaf.c.set(io.c);
        io.q.set(SMUGGLED.get().unwrap());
        io
    }
    assert_findings!(build);
}

#[test]
fn signal_of_a_parent_driven_in_its_child() {
    #[hardware]
    fn child() -> Sig {
        let a = ports(input(8)).named("a");
        SMUGGLED.get().unwrap().set(a);
        a
    }
    #[hardware]
    fn build() -> Io {
        let io = io();
        SMUGGLED.set(Some(io.q));
        let leaf = Design::new("child", child).instance();
        leaf.set(io.a);
        io
    }
    assert_findings!(build);
}

#[test]
fn shape_used_as_a_signal() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(bits(8));
        io
    }
    assert_findings!(build);
}

#[test]
fn memory_of_another_module() {
    thread_local! {
        static TABLE: Cell<Option<Mem>> = const { Cell::new(None) };
    }
    #[hardware]
    fn child() -> Io {
        let io = io();
        io.q.set(TABLE.get().unwrap().read_async(io.a.trunc(4)));
        io
    }
    #[hardware]
    fn build() -> Io {
        let io = io();
        let table = memory(16, 8);
        TABLE.set(Some(table));
        let leaf = Design::new("child", child).instance();
        leaf.a.set(io.a);
        leaf.c.set(io.c);
        io.q.set(leaf.q);
        io
    }
    assert_findings!(build);
}

#[test]
fn input_driven_from_inside() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.a.set(1);
        io.q.set(0);
        io
    }
    assert_findings!(build);
}

#[test]
fn output_of_an_instance_driven_from_outside() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let leaf = Design::new("leaf", leaf).instance();
        leaf.a.set(io.a);
        leaf.c.set(io.c);
        leaf.q.set(io.a);
        io.q.set(leaf.q);
        io
    }
    assert_findings!(build);
}

#[test]
fn concatenation_driven() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let high = wire(4);
        let low = wire(4);
        cat([high, low]).set(io.a);
        io.q.set(cat([low, high]));
        io
    }
    assert_findings!(build);
}

#[test]
fn constant_driven() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        lit(8, 0).set(io.a);
        io.q.set(0);
        io
    }
    assert_findings!(build);
}

#[test]
fn reset_of_a_wire() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let value = wire(8).reset(0);
        value.set(io.a);
        io.q.set(value);
        io
    }
    assert_findings!(build);
}

#[test]
fn reset_to_a_value_that_changes() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let value = reg(8).reset(io.a);
        value.set(io.a);
        io.q.set(value);
        io
    }
    assert_findings!(build);
}

#[test]
fn register_declared_as_a_port() {
    #[hardware]
    fn build() -> Io {
        let io = ports(Io { a: input(8), c: input(1), q: reg(8) });
        io.q.set(io.a);
        io
    }
    assert_findings!(build);
}

#[test]
fn build_returns_what_is_not_a_port() {
    #[hardware]
    fn child() -> Io {
        let io = io();
        let value = io.a + 1;
        io.q.set(value);
        Io { q: value, ..io }
    }
    #[hardware]
    fn build() -> Io {
        let io = io();
        let leaf = Design::new("child", child).instance();
        leaf.a.set(io.a);
        leaf.c.set(io.c);
        io.q.set(leaf.q);
        io
    }
    assert_findings!(build);
}

#[test]
fn label_of_two_cases() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let state = Enum::<State>::from_sig(io.a.trunc(2));
        switch(state, |s| {
            s.case([State::Idle, State::Done], || io.q.set(0));
            s.case(State::Idle, || io.q.set(1));
        });
        io
    }
    assert_findings!(build);
}

#[test]
fn label_twice_in_one_case() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        switch(io.a, |s| {
            s.case([1, 2, 1], || io.q.set(0));
            s.default(|| io.q.set(1));
        });
        io
    }
    assert_findings!(build);
}

#[test]
fn two_defaults() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        switch(io.a, |s| {
            s.default(|| io.q.set(0));
            s.default(|| io.q.set(1));
        });
        io
    }
    assert_findings!(build);
}

/// What is said of a memory elsewhere would otherwise be forgotten without a word.
#[test]
fn contents_of_a_memory_of_another_module() {
    thread_local! {
        static TABLE: Cell<Option<Mem>> = const { Cell::new(None) };
    }
    #[hardware]
    fn child() -> Io {
        let io = io();
        TABLE.get().unwrap().init(vec![Bits::ones(8)]).ignore_collisions();
        io.q.set(0);
        io
    }
    #[hardware]
    fn build() -> Io {
        let io = io();
        let table = memory(16, 8);
        TABLE.set(Some(table));
        let leaf = Design::new("child", child).instance();
        leaf.a.set(io.a);
        leaf.c.set(io.c);
        io.q.set(leaf.q);
        io
    }
    assert_findings!(build);
}
