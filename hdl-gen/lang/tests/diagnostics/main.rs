//! What each diagnostic says, word for word, and which designs are none of its business.

mod codes;
mod connections;
mod drivers;
mod legal;
mod loops;
mod names;
mod operators;
mod signals;
mod together;
mod warnings;
mod windows;

use hdl::*;

/// Ports that most of the designs here get by with.
#[derive(Clone, Copy, Debug, Bundle)]
struct Io {
    /// Any byte.
    a: Sig,
    /// Any bit.
    c: Sig,
    /// A byte to drive.
    q: Sig,
}

/// Declares them.
#[track_caller]
fn io() -> Io {
    ports(Io { a: input(8), c: input(1), q: output(8) })
}

#[derive(Clone, Copy, Debug, PartialEq, HwEnum)]
enum State {
    Idle,
    Run,
    Done,
}

/// A module that is one function.
struct Design<I> {
    name: &'static str,
    build: fn() -> I,
}

impl<I> Design<I> {
    fn new(name: &'static str, build: fn() -> I) -> Design<I> {
        Design { name, build }
    }
}

impl<I> PartialEq for Design<I> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<I> std::fmt::Debug for Design<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.name)
    }
}

impl<I: Bundle> Module for Design<I> {
    type Io = I;
    fn name(&self) -> String {
        self.name.into()
    }
    fn build(&self) -> I {
        (self.build)()
    }
}

/// All that elaboration says of the module.
#[track_caller]
fn findings<I: Bundle>(build: fn() -> I) -> String {
    match elaborate(Design::new("top", build)) {
        Ok(design) => Diagnostics(design.warnings).to_string(),
        Err(diagnostics) => diagnostics.to_string(),
    }
}

macro_rules! assert_findings {
    ($build:expr) => {
        insta::assert_snapshot!(crate::findings($build))
    };
}
use assert_findings;
