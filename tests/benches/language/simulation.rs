//! Cycles per second of the native simulator, beside Verilator's on the same circuits.
//!
//! Both get new inputs in every cycle, from the same rows made beforehand, and give their outputs
//! in every cycle.

use cosim::{Builder, ModelOptions, ModelSource, PortSpec, Speed};
use hdl::ir::{Design, Direction};
use hdl::stream::Queue;
use hdl::{Bits, SignalId, Simulator};
use units::context_register::ContextRegister;

use crate::circuits::{elaborated, nodes_of, pipeline};
use measure::report::{Report, Row};
use measure::timing::{median, seconds};

/// Turns in which both sides are measured.
const TURNS: usize = 7;
/// Rows of inputs, used over and over.
const ROWS: usize = 4096;
/// Seconds that a side runs in each turn, about.
const SPAN: f64 = 0.1;

/// A register, a queue and a circuit of some thousand nodes.
pub fn measure(report: &mut Report) {
    report.section("Cycles per second of the native simulator, beside Verilator's");
    let circuits = [
        elaborated(ContextRegister { events: 5 }),
        elaborated(Queue { depth: 16, width: 148 }),
        elaborated(pipeline(4000)),
    ];
    for design in &circuits {
        eprintln!("simulation: {}", design.top().name);
        one(report, design);
    }
}

fn one(report: &mut Report, design: &Design) {
    let what = format!("{} ({} nodes)", design.top().name, nodes_of(design));
    let library = match Builder::for_workspace().library(&source(design)) {
        Ok(library) => library,
        Err(error) => return report.missing(&what, &error.to_string(), None),
    };
    let inputs = Inputs::new(design);
    let mut native = Native::new(design);
    let mut model = library.model();
    let mut response = vec![0; library.output_words() * ROWS];
    let mut verilated = || {
        let (_, result) = model.run(ROWS as u64, &inputs.with_reset, &mut response);
        result.expect("the circuit keeps its properties");
    };
    let mut native = || native.run(&inputs);

    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let rounds = |work: &mut dyn FnMut()| (SPAN / seconds(work).max(1e-6)).ceil().min(10_000.0);
    let (our_rounds, their_rounds) = (rounds(&mut native), rounds(&mut verilated));
    for _ in 0..TURNS {
        let our_time = seconds(|| (0..our_rounds as usize).for_each(|_| native()));
        let their_time = seconds(|| (0..their_rounds as usize).for_each(|_| verilated()));
        ours.push(ROWS as f64 * our_rounds / our_time);
        theirs.push(ROWS as f64 * their_rounds / their_time);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    report.row(Row {
        what,
        ours: speed(ours),
        peer: speed(theirs),
        ratio: Some(ours / theirs),
        limit: None,
    });
}

fn speed(cycles: f64) -> String {
    match cycles {
        c if c >= 1e6 => format!("{:.1} M/s", c / 1e6),
        c => format!("{:.1} k/s", c / 1e3),
    }
}

fn source(design: &Design) -> ModelSource {
    let top = design.top();
    let mut ports = Vec::new();
    ports.extend(top.needs_clock.then(|| PortSpec::input("clk", 1)));
    ports.extend(top.needs_reset.then(|| PortSpec::input("rst", 1)));
    for port in &top.ports {
        let name = top.given_name(port.node).expect("a port has a name");
        let width = top.node(port.node).width;
        ports.push(match port.direction {
            Direction::Input => PortSpec::input(name, width),
            Direction::Output => PortSpec::output(name, width),
        });
    }
    let files = design.verilog(&[]).into_iter().map(|file| (file.name, file.text)).collect();
    // As the native simulator does, it checks the properties.
    let options = ModelOptions { assertions: true, speed: Speed::Run, ..ModelOptions::default() };
    ModelSource { top: top.name.clone(), files, ports, options }
}

/// Random inputs for some cycles.
struct Inputs {
    rows: Vec<Vec<Bits>>,
    /// The same in words, with reset before them.
    with_reset: Vec<u64>,
}

impl Inputs {
    fn new(design: &Design) -> Inputs {
        let top = design.top();
        let widths: Vec<u32> = top
            .ports
            .iter()
            .filter(|port| port.direction == Direction::Input)
            .map(|port| top.node(port.node).width)
            .collect();
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut random = move || {
            // xorshift64
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut inputs = Inputs { rows: Vec::new(), with_reset: Vec::new() };
        for cycle in 0..ROWS {
            inputs.with_reset.extend(top.needs_reset.then_some(u64::from(cycle == 0)));
            let mut row = Vec::new();
            for &width in &widths {
                let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| random()).collect();
                let value = Bits::from_words(width, &words);
                inputs.with_reset.extend(value.words());
                row.push(value);
            }
            inputs.rows.push(row);
        }
        inputs
    }
}

/// The native simulator with its ports.
struct Native {
    simulator: Simulator,
    inputs: Vec<SignalId>,
    outputs: Vec<SignalId>,
    narrow: Vec<bool>,
}

impl Native {
    fn new(design: &Design) -> Native {
        let simulator = Simulator::new(design);
        let top = design.top();
        let (mut inputs, mut outputs, mut narrow) = (Vec::new(), Vec::new(), Vec::new());
        for port in &top.ports {
            let name = top.given_name(port.node).expect("a port has a name");
            let signal = simulator.port(name).expect("a port of the design");
            match port.direction {
                Direction::Input => inputs.push(signal),
                Direction::Output => {
                    outputs.push(signal);
                    narrow.push(top.node(port.node).width <= 64);
                }
            }
        }
        Native { simulator, inputs, outputs, narrow }
    }

    fn run(&mut self, inputs: &Inputs) {
        let mut seen = 0;
        for (cycle, row) in inputs.rows.iter().enumerate() {
            self.simulator.set_reset(cycle == 0);
            for (&input, value) in self.inputs.iter().zip(row) {
                self.simulator.set_bits(input, value);
            }
            for (&output, &narrow) in self.outputs.iter().zip(&self.narrow) {
                seen ^= match narrow {
                    true => self.simulator.get(output),
                    false => self.simulator.get_bits(output).words()[0],
                };
            }
            self.simulator.step();
        }
        std::hint::black_box(seen);
    }
}
