//! Which modules have a clock and a reset port.

use crate::ir::{Design, Module};

use super::flat::Flat;

/// What the statements and nodes of a module need by themselves: clock, reset.
pub(crate) fn own(module: &Module, flat: &Flat) -> (bool, bool) {
    let properties = !flat.properties.is_empty();
    let clock = properties
        || flat.writes_memory
        || module.nodes.iter().any(|node| node.op.is_state())
        || module.reads.iter().any(|read| read.sync.is_some());
    (clock, properties || !module.resets.is_empty())
}

/// Fills in the needs of every module from its own and those of its children.
pub(crate) fn fill_in(design: &mut Design, own: &[(bool, bool)]) {
    for (index, &(mut clock, mut reset)) in own.iter().enumerate() {
        for instance in &design.modules[index].instances {
            let child = &design.modules[instance.module.index()];
            clock |= child.needs_clock;
            reset |= child.needs_reset;
        }
        let module = &mut design.modules[index];
        (module.needs_clock, module.needs_reset) = (clock, reset);
    }
}
