//! Modules: parameters in, ports and behaviour out.

use std::any::{Any, TypeId};
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::ops::Deref;

use crate::builder::{Elaborated, Frame, with_builder, with_frame, with_new_builder};
use crate::bundle::{Bundle, Named, Path};
use crate::diag::{Code, Diagnostic, Diagnostics, Loc};
use crate::ir::{self, Design, Direction, InstId, Instance, ModuleId, Name, NodeId, Op};
use crate::passes;

/// A hardware module. The implementing value holds the parameters; equal values share one Verilog
/// module.
pub trait Module: PartialEq + Debug + 'static {
    /// Its ports, as a bundle.
    type Io: Bundle;

    /// The Verilog module name, derived from the parameters: different parameters, different name.
    fn name(&self) -> String;

    /// What the module is for; `#[hardware]` takes it from the doc comment of the `impl`.
    fn doc(&self) -> &'static str {
        ""
    }

    /// Declares the ports with [`crate::ports`], describes the behaviour and returns the ports.
    fn build(&self) -> Self::Io;

    /// An instance of this module inside the one being described. The fields of the result are the
    /// ports, seen from outside: inputs are driven with `set`, outputs read.
    #[track_caller]
    fn instance(self) -> Inst<Self::Io>
    where
        Self: Sized,
    {
        instantiate(self, Loc::caller())
    }
}

/// The ports of an instance.
#[derive(Clone, Debug)]
pub struct Inst<Io> {
    io: Io,
    serial: u32,
    id: InstId,
}

impl<Io> Deref for Inst<Io> {
    type Target = Io;
    fn deref(&self) -> &Io {
        &self.io
    }
}

impl<Io> Named for Inst<Io> {
    fn give_name(&self, name: &str, _doc: &'static str) {
        self.name(name, false);
    }
}

impl<Io> Inst<Io> {
    /// Names the instance; inside `#[hardware]` functions `let` does this.
    pub fn named(self, name: &str) -> Self {
        self.name(name, true);
        self
    }

    fn name(&self, name: &str, exact: bool) {
        with_frame(|f| {
            if f.serial != self.serial {
                return;
            }
            let given = f.module.instances[self.id.index()].name;
            if given.is_none_or(|given| exact && !given.is_exact()) {
                let index = f.intern(name);
                f.module.instances[self.id.index()].name = Some(Name::new(index, exact));
            }
        });
    }
}

/// Elaborates a module of its own: all its errors, or the checked circuit.
#[track_caller]
pub fn elaborate<M: Module>(module: M) -> Result<Design, Diagnostics> {
    elaborate_with_io(module).map(|(design, _)| design)
}

/// As [`elaborate`], with the ports of the top module, to address them in a simulator.
#[track_caller]
pub fn elaborate_with_io<M: Module>(module: M) -> Result<(Design, M::Io), Diagnostics> {
    let loc = Loc::caller();
    let ((top, io), builder) = with_new_builder(|| {
        let top = describe(module, loc);
        with_builder(|b| {
            let done = b
                .elaborated
                .values()
                .find(|done| done.id == top)
                .expect("the module just described");
            (top, done.io.downcast_ref::<M::Io>().expect("the Io of this module").clone())
        })
    });
    let mut design = Design { modules: builder.modules, top, warnings: Vec::new() };
    let mut findings = builder.diagnostics;
    findings.extend(passes::check(&mut design));
    // A loop in Rust repeats a mistake word for word.
    let mut seen = HashSet::new();
    findings.retain(|finding| seen.insert(finding.clone()));
    if findings.iter().all(|finding| finding.code.is_warning()) {
        design.warnings = findings;
        Ok((design, io))
    } else {
        findings.sort_by_key(|finding| finding.code.is_warning());
        Err(Diagnostics(findings))
    }
}

/// Describes the module unless one with equal parameters exists.
fn describe<M: Module>(module: M, loc: Loc) -> ModuleId {
    let name = module.name();
    let existing = with_builder(|b| {
        let done = b.elaborated.get(&name)?;
        let same =
            done.kind == TypeId::of::<M>() && done.parameters.downcast_ref::<M>() == Some(&module);
        Some((done.id, same, b.modules[done.id.index()].loc))
    });
    match existing {
        Some((id, true, _)) => return id,
        Some((_, false, first)) => with_builder(|b| {
            b.diagnostics.push(
                Diagnostic::new(
                    Code::NameCollision,
                    format!("two different modules are named `{name}`"),
                    "derive the name from every parameter that changes the hardware",
                )
                .at(loc, format!("{module:?}"))
                .at(first, "the first one"),
            );
        }),
        None => {}
    }
    let frame = Frame::new(name.clone(), format!("{module:?}"), module.doc().to_owned(), loc);
    with_builder(|b| b.frames.push(frame));
    let io = module.build();
    with_builder(|b| {
        let mut frame = b.frames.pop().expect("the frame pushed above");
        assert!(frame.blocks.len() == 1, "hdl: a block was left open");
        frame.module.body = frame.blocks.pop().expect("the outermost block");
        let port_of_node: HashMap<u32, u32> = frame
            .module
            .ports
            .iter()
            .enumerate()
            .map(|(index, port)| (port.node.0, index as u32))
            .collect();
        check_io(&io, &frame.module, &port_of_node, frame.serial, &mut b.diagnostics);
        let id = ModuleId(b.modules.len() as u32);
        b.modules.push(frame.module);
        b.serials.push(frame.serial);
        let done = Elaborated {
            id,
            kind: TypeId::of::<M>(),
            parameters: Box::new(module),
            io: Box::new(io) as Box<dyn Any>,
            port_of_node,
        };
        b.elaborated.insert(name, done);
        id
    })
}

/// Reports what `build` returned that is not a port of the module.
fn check_io<Io: Bundle>(
    io: &Io,
    module: &ir::Module,
    port_of_node: &HashMap<u32, u32>,
    serial: u32,
    diagnostics: &mut Vec<Diagnostic>,
) {
    io.map(&mut Path::default(), &mut |path, leaf| {
        let mut made = None;
        if leaf.sig.serial == serial {
            // A port that was not declared is found by the check of names; a poison is known.
            let node = module.node(NodeId(leaf.sig.node));
            made = Some(node.loc);
            if port_of_node.contains_key(&leaf.sig.node)
                || matches!(node.op, Op::Input | Op::Output | Op::Poison)
            {
                return leaf.sig;
            }
        }
        let diagnostic = Diagnostic::new(
            Code::NotAssignable,
            format!("`build` of `{}` returns `{}`, which is not a port", module.name, path.name()),
            "return what `ports` gave back",
        )
        .at(module.loc, "the ports are declared here");
        diagnostics.push(match made {
            Some(made) => diagnostic.at(made, "made here"),
            None => diagnostic,
        });
        leaf.sig
    });
}

fn instantiate<M: Module>(module: M, loc: Loc) -> Inst<M::Io> {
    let name = module.name();
    let module_id = describe(module, loc);
    with_builder(|b| {
        let done = &b.elaborated[&name];
        let io = done.io.downcast_ref::<M::Io>().expect("the Io of this module").clone();
        let port_of_node = done.port_of_node.clone();
        let ports: Vec<(Direction, u32)> = {
            let child = &b.modules[module_id.index()];
            child.ports.iter().map(|port| (port.direction, child.node(port.node).width)).collect()
        };
        let frame = b.frame();
        let id = InstId(frame.module.instances.len() as u32);
        let connections: Vec<NodeId> = ports
            .into_iter()
            .enumerate()
            .map(|(index, (direction, width))| match direction {
                Direction::Input => frame.push(Op::InstIn(id, index as u32), width, loc),
                Direction::Output => frame.push(Op::InstOut(id, index as u32), width, loc),
            })
            .collect();
        let io =
            io.map(&mut Path::default(), &mut |_, leaf| match port_of_node.get(&leaf.sig.node) {
                Some(&port) => {
                    let node = connections[port as usize];
                    frame.module.enums.extend(leaf.enum_def.map(|def| (node, def)));
                    frame.handle(node)
                }
                None => {
                    let id = frame.push(Op::Poison, leaf.sig.width.max(1), loc);
                    frame.handle(id)
                }
            });
        frame.module.instances.push(Instance { name: None, module: module_id, connections, loc });
        Inst { io, serial: frame.serial, id }
    })
}
