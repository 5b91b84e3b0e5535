//! Ports that are described once: both sides, and what connects them.

use hdl::*;

use crate::support::{Circuit, simulate};

#[derive(Clone, Copy, Debug, PartialEq, HwEnum)]
enum Op {
    Add,
    #[expect(dead_code, reason = "set by its code")]
    Double,
}

#[derive(Clone, Copy, Bundle)]
struct Request {
    op: Enum<Op>,
    value: Sig,
}

#[derive(Clone, Copy, Bundle)]
struct Lane {
    sent: Sig,
    returned: Sig,
}

/// A port with a stream, an enum, an array of bundles and a field that may be left out.
#[derive(Clone, Bundle)]
struct Port {
    request: Stream<Request>,
    lanes: Vec<Lane>,
    parity: Option<Sig>,
    result: Sig,
}

impl Port {
    /// As the side that serves it has it. Odd parameters have no parity.
    fn served(parameter: usize) -> Port {
        Port {
            request: Stream::input(Request { op: Op::shape(), value: bits(8) }),
            lanes: array(2, |_| Lane { sent: input(4), returned: output(4) }),
            parity: parameter.is_multiple_of(2).then(|| output(1)),
            result: output(8),
        }
    }
}

#[hardware]
fn server(parameter: usize) -> Port {
    let io = ports(Port::served(parameter));
    let Request { op, value } = io.request.payload;
    let result = op.is(Op::Add).mux(value + 1, value + value);
    io.request.ready.set(value.ne(0));
    io.result.set(result);
    for lane in &io.lanes {
        lane.returned.set(lane.sent + 1);
    }
    if let Some(parity) = io.parity {
        parity.set(result.parity());
    }
    io
}

#[derive(Clone, Bundle)]
struct Client {
    value: Sig,
    double: Sig,
    shown: Sig,
    taken: Sig,
    port: Port,
}

#[hardware]
fn client(parameter: usize) -> Client {
    let io = ports(Client {
        value: input(8),
        double: input(1),
        shown: output(16),
        taken: output(1),
        port: Port::served(parameter).flip(),
    });
    io.port.request.valid.set(1);
    io.port.request.payload.value.set(io.value);
    io.port.request.payload.op.sig().set(io.double);
    for (index, lane) in io.port.lanes.iter().enumerate() {
        lane.sent.set(io.value.trunc(4) + index);
    }
    let lanes = cat(io.port.lanes.iter().map(|lane| lane.returned));
    io.shown.set(cat([io.port.result, lanes]));
    io.taken.set(io.port.request.fires() & io.port.parity.unwrap_or(lit(1, 1)));
    io
}

/// A server behind ports of the same description.
#[hardware]
fn passes_on(parameter: usize) -> Port {
    let io = ports(Port::served(parameter));
    let inner = Circuit { name: "server", parameter, build: server }.instance();
    connect(&io, &inner);
    io
}

#[derive(Clone, Bundle)]
struct Top {
    value: Sig,
    double: Sig,
    shown: Sig,
    taken: Sig,
}

#[hardware]
fn both(parameter: usize) -> Top {
    let io = ports(Top { value: input(8), double: input(1), shown: output(16), taken: output(1) });
    let client = Circuit { name: "client", parameter, build: client }.instance();
    let server = Circuit { name: "passes_on", parameter, build: passes_on }.instance();
    connect(&client.port, &server);
    client.value.set(io.value);
    client.double.set(io.double);
    io.shown.set(client.shown);
    io.taken.set(client.taken);
    io
}

#[test]
fn every_signal_of_a_connection_arrives_at_the_other_side() {
    for parameter in [0, 1] {
        let (mut sim, io) = simulate("both", parameter, both);
        for value in [0u64, 1, 2, 7, 200, 255] {
            for double in [0, 1] {
                sim.set(io.value, value);
                sim.set(io.double, double);
                let result = if double == 1 { 2 * value } else { value + 1 } & 0xff;
                let lanes = ((value + 1) & 0xf) << 4 | (value + 2) & 0xf;
                assert_eq!(sim.get(io.shown), result << 8 | lanes, "{value} {double}");
                let odd = result.count_ones() % 2 == 1;
                let taken = value != 0 && (parameter == 1 || odd);
                assert_eq!(sim.get(io.taken), u64::from(taken), "{value} {double}");
            }
        }
    }
}

/// Names and directions of the ports of a module.
fn port_list(design: &ir::Design) -> Vec<(String, ir::Direction)> {
    let top = design.top();
    let name = |port: &ir::Port| top.given_name(port.node).expect("ports have names").to_owned();
    top.ports.iter().map(|port| (name(port), port.direction)).collect()
}

#[test]
fn a_flipped_port_has_the_same_names_and_the_other_directions() {
    #[hardware]
    fn flipped_twice(parameter: usize) -> Port {
        let io = ports(Port::served(parameter).flip().flip());
        let inner = Circuit { name: "server", parameter, build: server }.instance();
        connect(&*inner, &io);
        io
    }
    let served = elaborate(Circuit { name: "server", parameter: 0, build: server }).unwrap();
    let served = port_list(&served);
    let names: Vec<&str> = served.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "request_valid",
            "request_ready",
            "request_payload_op",
            "request_payload_value",
            "lanes_0_sent",
            "lanes_0_returned",
            "lanes_1_sent",
            "lanes_1_returned",
            "parity",
            "result"
        ]
    );
    let client = elaborate(Circuit { name: "client", parameter: 0, build: client }).unwrap();
    let of_port = port_list(&client).into_iter().filter(|(name, _)| name.starts_with("port_"));
    for ((name, direction), (other, opposite)) in served.iter().zip(of_port) {
        assert_eq!(format!("port_{name}"), other);
        assert_ne!(*direction, opposite, "{name}");
    }
    let twice =
        elaborate(Circuit { name: "flipped_twice", parameter: 0, build: flipped_twice }).unwrap();
    assert_eq!(port_list(&twice), served);
}

#[test]
fn a_port_of_inputs_alone_watches_every_signal_of_another() {
    #[hardware]
    fn watcher(_: usize) -> Stream<Sig> {
        ports(input(Stream::output(8)))
    }
    let design = elaborate(Circuit { name: "watcher", parameter: 0, build: watcher }).unwrap();
    assert!(port_list(&design).iter().all(|(_, direction)| *direction == ir::Direction::Input));
}

#[test]
fn a_wire_takes_the_direction_of_what_it_is_connected_with() {
    #[hardware]
    fn through_wires(parameter: usize) -> Top {
        let io =
            ports(Top { value: input(8), double: input(1), shown: output(16), taken: output(1) });
        let client = Circuit { name: "client", parameter, build: client }.instance();
        let server = Circuit { name: "server", parameter, build: server }.instance();
        let between = wire(Port::served(parameter));
        connect(&client.port, &between);
        connect(&between, &server);
        client.value.set(io.value);
        client.double.set(io.double);
        io.shown.set(client.shown);
        io.taken.set(client.taken);
        io
    }
    let (mut sim, io) = simulate("through_wires", 1, through_wires);
    sim.set(io.value, 5);
    sim.set(io.double, 1);
    assert_eq!(sim.get(io.shown), 10 << 8 | 6 << 4 | 7);
    assert_eq!(sim.get(io.taken), 1);
}
