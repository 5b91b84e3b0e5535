//! Ports: which way each signal of a bundle flows.
//!
//! [`input`] and [`output`] describe ports without making them: a width with a direction, as seen
//! from inside a module. [`ports`] makes the module's ports from such a description. So a port that
//! has two sides is described once, as one side sees it; the other side takes its
//! [`flip`](Bundle::flip), and [`connect`](crate::connect) joins the two.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::builder::{with_builder, with_frame};
use crate::bundle::{Bundle, Path, Shape};
use crate::diag::{Code, Diagnostic, Loc};
use crate::ir::{Direction, NodeId, Op, Port};
use crate::port_names::PortNames;
use crate::sig::Sig;

/// A direction, and where in the source it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Flow {
    pub direction: Direction,
    pub loc: Loc,
}

/// The flows that described ports refer to by number.
#[derive(Default)]
struct Flows {
    all: Vec<Flow>,
    numbers: HashMap<Flow, u32>,
}

thread_local! {
    static FLOWS: RefCell<Flows> = RefCell::default();
}

impl Flow {
    /// The description of a port of this flow. Shapes are handles of no module; where a handle has
    /// its node, this has the number of the flow, from 1.
    fn described(self, width: u32) -> Sig {
        FLOWS.with_borrow_mut(|flows| {
            let next = flows.all.len() as u32 + 1;
            let number = *flows.numbers.entry(self).or_insert(next);
            if number == next {
                flows.all.push(self);
            }
            Sig::of(0, number, width)
        })
    }

    /// The flow of a described port; `None` for hardware and for shapes without a direction.
    pub(crate) fn of(sig: Sig) -> Option<Flow> {
        if sig.serial != 0 || sig.node == 0 {
            return None;
        }
        FLOWS.with_borrow(|flows| flows.all.get(sig.node as usize - 1).copied())
    }

    fn flipped(self) -> Flow {
        let direction = match self.direction {
            Direction::Input => Direction::Output,
            Direction::Output => Direction::Input,
        };
        Flow { direction, ..self }
    }
}

fn describe<S: Shape>(shape: S, direction: Direction, loc: Loc) -> S::Hardware {
    let flow = Flow { direction, loc };
    shape.template().map(&mut Path::default(), &mut |_, leaf| flow.described(leaf.sig.width))
}

/// Describes input ports: every signal of the shape flows in, whatever direction it had before.
/// [`ports`] makes them and names them after their fields.
#[track_caller]
pub fn input<S: Shape>(shape: S) -> S::Hardware {
    describe(shape, Direction::Input, Loc::caller())
}

/// Describes output ports: every signal of the shape flows out, whatever direction it had before.
/// [`ports`] makes them and names them after their fields.
#[track_caller]
pub fn output<S: Shape>(shape: S) -> S::Hardware {
    describe(shape, Direction::Output, Loc::caller())
}

/// The same shape with each direction reversed.
pub(crate) fn flip<B: Bundle>(shape: &B) -> B {
    shape.map(&mut Path::default(), &mut |_, leaf| match Flow::of(leaf.sig) {
        Some(flow) => flow.flipped().described(leaf.sig.width),
        None => Sig::shape(leaf.sig.width),
    })
}

/// Makes the ports of the module being built, as described with [`input`] and [`output`]. Field
/// names become port names, and doc comments the comments on ports; where these name a field in backticks, they
/// name its port in the Verilog.
#[track_caller]
pub fn ports<B: Bundle>(io: B) -> B {
    let loc = Loc::caller();
    with_frame(|f| f.module.loc = loc);
    let names = PortNames::of(&io);
    io.map(&mut Path::default(), &mut |path, leaf| {
        let Some(flow) = Flow::of(leaf.sig) else {
            return refuse(path, leaf.sig, loc);
        };
        with_builder(|b| {
            let Some(width) = b.checked_width(u64::from(leaf.sig.width), flow.loc) else {
                return b.stand_in(1, flow.loc);
            };
            let frame = b.frame();
            let op = match flow.direction {
                Direction::Input => Op::Input,
                Direction::Output => Op::Output,
            };
            let node = frame.push(op, width, flow.loc);
            frame.module.enums.extend(leaf.enum_def.map(|def| (node, def)));
            frame.module.ports.push(Port { node, direction: flow.direction });
            if !path.name().is_empty() {
                frame.name(node, path.name(), names.complete(path), true);
            }
            frame.handle(node)
        })
    })
}

/// Reports a field of `ports` that describes no port, and gives a stand-in.
fn refuse(path: &Path, sig: Sig, loc: Loc) -> Sig {
    with_builder(|b| {
        if b.is_poison(sig) {
            return sig;
        }
        let made = b.module_of(sig.serial).map(|module| module.nodes[sig.node as usize].loc);
        let diagnostic = Diagnostic::new(
            Code::NotAssignable,
            match made {
                Some(_) => format!("`{}` is a signal, not the description of a port", path.name()),
                None => format!("port `{}` has no direction", path.name()),
            },
            "describe each field of `ports` with `input` or `output`",
        )
        .at(loc, "declared here");
        b.diagnostics.push(match made {
            Some(made) => diagnostic.at(made, "made here"),
            None => diagnostic,
        });
        if sig.serial == b.frame().serial {
            b.frame().name(NodeId(sig.node), path.name(), path.doc(), false);
        }
        b.excuse(sig, loc);
        b.stand_in(sig.width, loc)
    })
}
