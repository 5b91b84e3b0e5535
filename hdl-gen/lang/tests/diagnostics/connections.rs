//! Connections that cannot be made: SHAPE MISMATCH, and what `connect` finds of widths and drivers.

use super::*;

#[derive(Clone, Bundle)]
struct Port {
    /// A request, with one bit for each byte where there are any.
    request: Stream<Sig>,
    mask: Option<Sig>,
    done: Vec<Sig>,
}

/// As the side that serves it has it.
fn served(width: usize, masked: bool, harts: usize) -> Port {
    Port {
        request: Stream::input(width),
        mask: masked.then(|| input(width / 8)),
        done: array(harts, |_| output(1)),
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Server {
    width: usize,
    masked: bool,
    harts: usize,
}

const PLAIN: Server = Server { width: 32, masked: false, harts: 1 };

#[hardware]
impl Module for Server {
    type Io = Port;
    fn name(&self) -> String {
        format!("server_{}_{}_{}", self.width, self.masked, self.harts)
    }
    fn build(&self) -> Port {
        let io = ports(served(self.width, self.masked, self.harts));
        io.request.ready.set(1);
        io.done.iter().for_each(|done| done.set(io.request.fires()));
        io
    }
}

/// A module around `server`, with the given ports to connect it with.
#[hardware]
fn around(server: Server, outer: Port) -> Port {
    let io = ports(outer);
    let inner = server.instance();
    connect(&io, &inner);
    io
}

#[test]
fn sides_of_different_widths() {
    assert_findings!(|| around(PLAIN, served(64, false, 1)));
}

#[test]
fn field_that_only_one_side_has() {
    assert_findings!(|| around(PLAIN, served(32, true, 1)));
}

#[test]
fn arrays_of_different_lengths() {
    assert_findings!(|| around(Server { harts: 4, ..PLAIN }, served(32, false, 2)));
}

#[test]
fn own_port_that_is_flipped_before_it_is_passed_on() {
    assert_findings!(|| around(PLAIN, served(32, false, 1).flip()));
}

#[test]
fn instances_that_both_serve() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let first = PLAIN.instance();
        let second = PLAIN.instance();
        connect(&*first, &second);
        io.q.set(io.a);
        io
    }
    assert_findings!(build);
}

#[test]
fn wires_on_both_sides() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let here = wire(8);
        let there = wire(8);
        connect(&here, &there);
        io.q.set(here & there);
        io
    }
    assert_findings!(build);
}

#[test]
fn connected_twice() {
    #[hardware]
    fn build() -> Port {
        let io = ports(served(32, false, 1));
        let inner = PLAIN.instance();
        connect(&io, &inner);
        connect(&*inner, &io);
        io
    }
    assert_findings!(build);
}

#[test]
fn port_without_a_direction() {
    #[hardware]
    fn build() -> Io {
        let io = ports(Io { a: input(8), c: bits(1), q: output(8) });
        io.q.set(io.a & io.c.repeat(8));
        io
    }
    assert_findings!(build);
}

#[test]
fn signal_flipped_as_if_it_were_a_description() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let more = ports(io.flip());
        io.q.set(more.a);
        io
    }
    assert_findings!(build);
}

#[test]
fn description_of_a_port_used_as_a_signal() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let extra = input(8);
        io.q.set(extra);
        io
    }
    assert_findings!(build);
}
