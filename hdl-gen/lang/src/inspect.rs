//! Looking into the module being described.
//!
//! What a proof says of a unit is often about its state, which no port shows. A proof is a module that
//! builds the unit as its own circuit (`unit.build()`) and then finds, by the names in the source,
//! what it has to speak of.

use crate::builder::with_frame;
use crate::ir::{MemId, NodeId};
use crate::memory::Mem;
use crate::sig::Sig;

/// The signals that were named `name` in the module being described so far, in the order they were
/// made; a `let` in a loop names several.
pub fn signals_named(name: &str) -> Vec<Sig> {
    with_frame(|frame| {
        let module = &frame.module;
        let ids = (0..module.nodes.len() as u32).map(NodeId);
        let found = ids.filter(|&id| module.given_name(id) == Some(name));
        found.map(|id| frame.handle(id)).collect()
    })
}

/// The memories that were named `name` in the module being described so far.
pub fn memories_named(name: &str) -> Vec<Mem> {
    with_frame(|frame| {
        let module = &frame.module;
        let ids = (0..module.memories.len() as u32).map(MemId);
        let of = |id: &MemId| module.memories[id.index()].name;
        let found = ids.filter(|id| of(id).is_some_and(|it| module.names[it.index()] == name));
        found.map(|id| Mem::of(frame, id)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bundle, Module, hardware, input, memory, output, ports, reg};

    #[derive(Clone, Bundle)]
    struct PipeIo {
        given: Sig,
        delayed: Sig,
    }

    /// Two registers in a row, and a memory of what came.
    #[derive(Debug, PartialEq)]
    struct Pipe;

    #[hardware]
    impl Module for Pipe {
        type Io = PipeIo;
        fn name(&self) -> String {
            "pipe".into()
        }
        fn build(&self) -> PipeIo {
            let io = ports(PipeIo { given: input(4), delayed: output(4) });
            let mut value = io.given;
            for _ in 0..2 {
                let stage = reg(4).reset(0);
                stage.set(value);
                value = stage;
            }
            let seen = memory(4, 4);
            seen.write(value.trunc(2), value);
            io.delayed.set(value);
            io
        }
    }

    #[derive(Clone, Bundle)]
    struct Shown {
        first: Sig,
        row: Sig,
    }

    /// Shows what [`Pipe`] hides.
    #[derive(Debug, PartialEq)]
    struct Inspected;

    impl Module for Inspected {
        type Io = (PipeIo, Shown);
        fn name(&self) -> String {
            "inspected".into()
        }
        fn build(&self) -> (PipeIo, Shown) {
            let pipe = Pipe.build();
            let shown = ports(Shown { first: output(4), row: output(4) });
            assert_eq!(signals_named("stage").len(), 2);
            assert!(signals_named("stages").is_empty() && memories_named("stage").is_empty());
            shown.first.set(signals_named("stage")[0]);
            shown.row.set(memories_named("seen")[0].read_async(pipe.delayed.trunc(2)));
            (pipe, shown)
        }
    }

    #[test]
    fn a_module_finds_its_signals_and_memories_by_name() {
        let (mut sim, (pipe, shown)) = crate::Simulator::of(Inspected).expect("a legal circuit");
        sim.reset();
        sim.set(pipe.given, 5);
        sim.step();
        assert_eq!((sim.get(shown.first), sim.get(pipe.delayed)), (5, 0));
        sim.step();
        sim.step();
        assert_eq!((sim.get(pipe.delayed), sim.get(shown.row)), (5, 5));
    }
}
