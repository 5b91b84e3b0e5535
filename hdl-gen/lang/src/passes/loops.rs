//! COMBINATIONAL LOOP: bits that depend on themselves without a register in between.
//!
//! First whole values: where they form no cycle, no bit does. Only inside cycles of values are the
//! bits looked at one by one. A module that others contain is summed up by which of its outputs
//! depend on which of its inputs.

use crate::components::Components;
use crate::diag::Diagnostic;
use crate::ir::{Design, Direction, Module};

use super::bitgraph::{Bit, BitGraph, BitGraphs};
use super::graph::{Graph, Through, is_driven_within_cycle};
use super::trace;

/// Reports the loops of module `index` and gives its paths from inputs to outputs. `through` has
/// those of the modules before it.
pub(crate) fn check(
    design: &Design,
    index: usize,
    graph: &Graph,
    through: &[Through],
    findings: &mut Vec<Diagnostic>,
) -> Through {
    let module = graph.module;
    let driven = graph.places.nodes.iter().map(|id| id.0);
    let driven = driven.filter(|&id| is_driven_within_cycle(module.nodes[id as usize].op));
    let components = Components::of(graph.len(), driven, |vertex, list| {
        graph.successors(through, vertex, list);
    });
    let mut list = Vec::new();
    let mut suspects: Vec<u32> = Vec::new();
    for component in components.iter() {
        let cyclic = component.len() > 1 || {
            list.clear();
            graph.successors(through, component[0], &mut list);
            list.contains(&component[0])
        };
        if cyclic {
            suspects.extend(component);
        }
    }
    if !suspects.is_empty() {
        suspects.sort();
        let all = BitGraphs::new(design, through);
        for cycle in cycles(&all, all.module(index), &suspects) {
            findings.push(trace::finding(design, &all, index, &cycle));
        }
    }
    if index == design.top.index() {
        return Vec::new();
    }
    paths(module, graph, &components, through)
}

/// Which outputs depend on which inputs, 64 inputs at a time.
fn paths(module: &Module, graph: &Graph, components: &Components, through: &[Through]) -> Through {
    let of = |direction: Direction| {
        let ports = module.ports.iter().enumerate();
        ports.filter(move |(_, port)| port.direction == direction)
    };
    let inputs: Vec<(usize, u32)> =
        of(Direction::Input).map(|(index, port)| (index, port.node.0)).collect();
    let mut paths: Through = vec![Vec::new(); module.ports.len()];
    let mut masks = vec![0u64; graph.len()];
    let mut list = Vec::new();
    for group in inputs.chunks(64) {
        masks.fill(0);
        for (bit, &(_, node)) in group.iter().enumerate() {
            masks[node as usize] = 1 << bit;
        }
        for component in components.iter() {
            let mut mask = 0;
            for &vertex in component {
                graph.successors(through, vertex, &mut list);
                let below = list.drain(..).map(|successor| masks[successor as usize]);
                mask |= below.fold(masks[vertex as usize], |mask, below| mask | below);
            }
            for &vertex in component {
                masks[vertex as usize] = mask;
            }
        }
        for (output, port) in of(Direction::Output) {
            let mask = masks[port.node.index()];
            let reached = group.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            paths[output].extend(reached.map(|(_, &(input, _))| input as u32));
        }
    }
    paths
}

/// Loops among the bits of `suspects`, which are sorted: for each group of bits that depend on
/// each other the shortest one found, unless all it goes through is in a loop given before.
fn cycles(all: &BitGraphs, this: &BitGraph, suspects: &[u32]) -> Vec<Vec<Bit>> {
    let mut bases = Vec::with_capacity(suspects.len());
    let mut total = 0u32;
    for &vertex in suspects {
        bases.push(total);
        total = total.checked_add(this.slots(vertex)).expect("less than 2^32 bits in one loop");
    }
    let number =
        |(vertex, slot): Bit| suspects.binary_search(&vertex).ok().map(|place| bases[place] + slot);
    let bit = |number: u32| {
        let place = bases.partition_point(|&base| base <= number) - 1;
        (suspects[place], number - bases[place])
    };
    let mut list = Vec::new();
    let components = Components::of(total as usize, 0..total, |vertex, numbers| {
        this.successors(all, bit(vertex), &mut list);
        numbers.extend(list.drain(..).filter_map(number));
    });

    let is_driven = |(vertex, _): Bit| {
        let node = this.graph.vertex(vertex).map(|id| this.graph.module.node(id).op);
        node.is_ok_and(is_driven_within_cycle)
    };
    let mut cycles: Vec<Vec<Bit>> = Vec::new();
    let mut told = vec![false; this.graph.len()];
    let mut found: Vec<Vec<u32>> = Vec::new();
    for component in components.iter() {
        let mut component = component.to_vec();
        component.sort();
        let new = |&number: &u32| {
            let bit = bit(number);
            is_driven(bit) && !told[bit.0 as usize]
        };
        let looped = component.len() > 1 || {
            let bit = bit(component[0]);
            this.successors(all, bit, &mut list);
            list.drain(..).any(|successor| successor == bit)
        };
        if looped && component.iter().any(new) {
            for &number in &component {
                told[bit(number).0 as usize] = true;
            }
            found.push(component);
        }
    }
    // In the order of the source, whatever the order of the search.
    found.sort();
    for component in found {
        let inside = |bit| number(bit).is_some_and(|n| component.binary_search(&n).is_ok());
        let mut shortest: Option<Vec<Bit>> = None;
        let mut budget = 1_000_000usize;
        for start in component.iter().map(|&number| bit(number)).filter(|&bit| is_driven(bit)) {
            let (cycle, cost) = this.path(all, start, start, inside);
            if let Some(cycle) = cycle
                && shortest.as_ref().is_none_or(|best| cycle.len() < best.len())
            {
                shortest = Some(cycle);
            }
            budget = budget.saturating_sub(cost + 1);
            if budget == 0 {
                break;
            }
        }
        cycles.extend(shortest);
    }
    cycles
}
