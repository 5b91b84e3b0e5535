//! What proofs are about: any value, and the state of the unit.

use hdl::{Mem, Sig, hardware, memories_named, reg, set_when, signals_named};

/// A value that the solver chooses once: what the input `free` is in the very first cycle. No reset
/// changes it.
#[hardware]
pub(super) fn chosen_once(free: Sig) -> Sig {
    let is_chosen = reg(1);
    let choice = reg(free.width());
    set_when(!is_chosen, choice, free);
    is_chosen.set(1);
    is_chosen.mux(choice, free)
}

/// The one signal of this name in the unit that the proof has built.
///
/// # Panics
/// If the unit names none so, or several: the proof is then about a unit that is no more.
#[track_caller]
pub(super) fn signal(name: &str) -> Sig {
    match signals_named(name)[..] {
        [found] => found,
        ref found => panic!("the unit has {} signals called `{name}`, not one", found.len()),
    }
}

/// The one memory of this name.
///
/// # Panics
/// As [`signal`].
#[track_caller]
pub(super) fn memory(name: &str) -> Mem {
    match memories_named(name)[..] {
        [found] => found,
        ref found => panic!("the unit has {} memories called `{name}`, not one", found.len()),
    }
}

/// The signals of the module being described that are named `name` and a number, from 0 on.
pub(super) fn signals(name: &str, count: usize) -> Vec<Sig> {
    (0..count).map(|number| signal(&format!("{name}_{number}"))).collect()
}
