//! Checks of an elaborated design.
//!
//! Each check is a file of its own and knows nothing of the others. All are linear in the size of
//! the module: what is kept for each node is kept in vectors, not in hash maps.

mod bitgraph;
mod conditions;
mod cover;
mod drivers;
mod flat;
mod fork;
mod graph;
mod labels;
mod loops;
mod needs;
mod overrides;
mod states;
mod trace;
mod words;

use crate::diag::Diagnostic;
use crate::fold::Constants;
use crate::ir::Design;

use cover::Places;
use flat::Flat;
use graph::{Graph, Through};

/// Runs all checks, module by module, and fills in what the back ends rely on. A design with
/// stand-ins for values that could not be made is checked too; they count as neither wrong nor
/// right.
pub(crate) fn check(design: &mut Design) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut through: Vec<Through> = Vec::with_capacity(design.modules.len());
    let mut own_needs = Vec::with_capacity(design.modules.len());
    for (index, module) in design.modules.iter().enumerate() {
        let flat = Flat::of(module);
        let places = Places::of(module);
        own_needs.push(needs::own(module, &flat));
        labels::check(module, &flat, &mut findings);
        drivers::check(design, module, &places, &mut findings);
        overrides::check(design, module, &places, &mut findings);
        states::check(module, &places, &flat, &mut findings);
        if !flat.choices.is_empty() {
            conditions::check(&Constants::of(module), &flat, &mut findings);
        }
        let graph = Graph::new(module, flat, places, index != design.top.index());
        through.push(loops::check(design, index, &graph, &through, &mut findings));
    }
    needs::fill_in(design, &own_needs);
    findings
}
