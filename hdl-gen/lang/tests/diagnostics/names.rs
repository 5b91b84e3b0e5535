//! NAME COLLISION, RESERVED NAME and UNNAMED.

use super::*;

#[test]
fn two_signals_that_ask_for_one_name() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let sum = (io.a + 1).named("value");
        let difference = (io.a - 1).named("value");
        io.q.set(sum ^ difference);
        io
    }
    assert_findings!(build);
}

#[test]
fn property_named_like_a_memory() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let table = memory(16, 8).named("table_");
        assert("table_", io.c, "always");
        io.q.set(table.read_async(io.a.trunc(4)));
        io
    }
    assert_findings!(build);
}

#[test]
fn instance_named_like_a_port() {
    #[hardware]
    fn child() -> Sig {
        ports(input(8)).named("a")
    }
    #[hardware]
    fn build() -> Io {
        let io = io();
        let unit = Design::new("child", child).instance().named("q");
        unit.set(io.a);
        io.q.set(0);
        io
    }
    assert_findings!(build);
}

#[test]
fn fields_whose_paths_make_one_name() {
    #[derive(Clone, Copy, Bundle)]
    struct Inner {
        data: Sig,
    }
    #[derive(Clone, Copy, Bundle)]
    struct Outer {
        x: Inner,
        x_data: Sig,
    }
    #[hardware]
    fn build() -> Outer {
        ports(Outer { x: Inner { data: input(1) }, x_data: input(1) })
    }
    assert_findings!(build);
}

#[test]
fn two_modules_of_one_name() {
    #[hardware]
    fn child() -> Sig {
        ports(input(8)).named("a")
    }
    #[hardware]
    fn build() -> Io {
        let io = io();
        let same_name = Design::new("top_child", child).instance();
        let other = OtherChild { width: 8 }.instance();
        same_name.set(io.a);
        other.set(io.a);
        io.q.set(0);
        io
    }
    #[derive(Debug, PartialEq)]
    struct OtherChild {
        width: usize,
    }
    impl Module for OtherChild {
        type Io = Sig;
        fn name(&self) -> String {
            "top_child".into()
        }
        fn build(&self) -> Sig {
            ports(input(self.width)).named("a")
        }
    }
    assert_findings!(build);
}

#[test]
fn port_named_by_a_keyword() {
    #[derive(Clone, Copy, Bundle)]
    struct Reserved {
        input: Sig,
        logic: Sig,
    }
    #[hardware]
    fn build() -> Reserved {
        ports(Reserved { input: input(1), logic: input(1) })
    }
    assert_findings!(build);
}

#[test]
fn signal_named_like_the_clock() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let next = reg(8).named("clk");
        next.set(io.a);
        io.q.set(next);
        io
    }
    assert_findings!(build);
}

#[test]
fn names_that_are_no_identifiers() {
    #[hardware]
    fn build() -> (Sig, Sig) {
        ports((input(1), input(1)))
    }
    assert_findings!(build);
}

#[test]
fn module_named_by_a_keyword() {
    #[hardware]
    fn build() -> Sig {
        ports(input(1)).named("a")
    }
    let error = elaborate(Design::new("module", build)).unwrap_err();
    insta::assert_snapshot!(error);
}

#[test]
fn storage_and_wires_without_a_name() {
    // Not `#[hardware]`: nothing is named by `let`.
    fn build() -> Io {
        let io = io();
        let state = reg(8);
        let between = wire(8);
        let table = memory(4, 8);
        state.set(io.a);
        between.set(table.read_async(state.trunc(2)));
        io.q.set(between);
        io
    }
    assert_findings!(build);
}

#[test]
fn port_outside_a_bundle() {
    #[hardware]
    fn build() -> Sig {
        ports(input(8))
    }
    assert_findings!(build);
}
