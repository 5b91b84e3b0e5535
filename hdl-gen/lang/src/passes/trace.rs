//! A combinational loop as a list of places in the source, in the direction that signals flow.

use crate::diag::{Code, Diagnostic, Loc};
use crate::ir::{Design, InstId, Module, NodeId, Op};

use super::bitgraph::{Bit, BitGraph, BitGraphs};
use super::graph::is_driven_within_cycle;
use super::words;

/// The finding for a loop of module `index`: `cycle` starts and ends with the same driven bit,
/// each bit followed by one that it depends on.
pub(crate) fn finding(design: &Design, all: &BitGraphs, index: usize, cycle: &[Bit]) -> Diagnostic {
    let this = all.module(index);
    let start = this.graph.module.node(NodeId(cycle[0].0));
    let name = words::node(design, this.graph.module, NodeId(cycle[0].0));
    let bit = cycle[0].1;
    let what = if start.width == 1 { name.clone() } else { format!("bit {bit} of {name}") };
    let mut sites = vec![(start.loc, words::with_bit(name, bit, start.width))];
    steps(design, all, index, cycle, "", &mut sites);
    if let Some((_, label)) = sites.last_mut() {
        label.push_str(", which closes the loop");
    }
    let mut diagnostic = Diagnostic::new(
        Code::CombinationalLoop,
        format!("{what} depends on itself within one clock cycle"),
        "put a register into the loop, or compute one of these values from other signals",
    );
    diagnostic.sites = sites;
    diagnostic
}

/// Appends the steps of a path from its end to its start, without the end itself.
fn steps(
    design: &Design,
    all: &BitGraphs,
    index: usize,
    path: &[Bit],
    prefix: &str,
    sites: &mut Vec<(Loc, String)>,
) {
    let this = all.module(index);
    let module = this.graph.module;
    for pair in path.windows(2).rev() {
        let (bit, from) = (pair[0], pair[1]);
        let id = match this.graph.vertex(bit.0) {
            Ok(id) => id,
            Err(context) => {
                // Around it stands a condition that has just been listed, or its subject has.
                if this.graph.vertex(from.0).is_ok() {
                    let context = &this.graph.flat.contexts[context as usize];
                    let what = if context.test.is_switch() { "case" } else { "condition" };
                    sites.push((context.test.loc(), format!("{prefix}decides this {what}")));
                }
                continue;
            }
        };
        if !this.is_bit(bit) {
            continue;
        }
        let node = module.node(id);
        let label = words::with_bit(words::node(design, module, id), bit.1, node.width);
        if is_driven_within_cycle(node.op) {
            let loc = setter(this, bit, from).unwrap_or(node.loc);
            sites.push((loc, format!("{prefix}sets {label}")));
            continue;
        }
        if let Op::InstOut(instance, port) = node.op {
            inside(design, all, module, (instance, port, bit.1), from, sites);
        }
        sites.push((node.loc, format!("{prefix}{label}")));
    }
}

/// Where a driven bit is set so that it depends on `from`.
fn setter(this: &BitGraph, bit: Bit, from: Bit) -> Option<Loc> {
    let id = this.graph.vertex(bit.0).ok()?;
    let mut assigns: Vec<_> = this.graph.assigns_of_bit(id, bit.1).collect();
    assigns.sort_by_key(|assign| assign.loc);
    let by = assigns.into_iter().find(|assign| {
        (assign.value.0, bit.1 - assign.lo) == from
            || this.graph.context(assign.context) == Some(from.0)
    });
    by.map(|assign| assign.loc)
}

/// Appends the steps inside an instance, from its input at `from` to a bit of its output.
fn inside(
    design: &Design,
    all: &BitGraphs,
    module: &Module,
    (instance, port, bit): (InstId, u32, u32),
    from: Bit,
    sites: &mut Vec<(Loc, String)>,
) {
    let instance = &module.instances[instance.index()];
    let child = all.module(instance.module.index());
    let ports = &child.graph.module.ports;
    let Some(input) = instance.connections.iter().position(|node| node.0 == from.0) else { return };
    let output = (ports[port as usize].node.0, bit);
    let input = (ports[input].node.0, from.1);
    if let (Some(path), _) = child.path(all, output, input, |_| true) {
        let prefix = format!("inside `{}`: ", child.graph.module.name);
        steps(design, all, instance.module.index(), &path, &prefix, sites);
    }
}
