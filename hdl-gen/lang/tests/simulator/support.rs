//! Circuits written as one function, so that a test shows all of its circuit.

use std::fmt;

use hdl::{Bundle, Module, Simulator};

/// A module that is a function of one number.
pub struct Circuit<Io> {
    pub name: &'static str,
    pub parameter: usize,
    pub build: fn(usize) -> Io,
}

impl<Io: Bundle> Module for Circuit<Io> {
    type Io = Io;
    fn name(&self) -> String {
        format!("{}_{}", self.name, self.parameter)
    }
    fn build(&self) -> Io {
        (self.build)(self.parameter)
    }
}

impl<Io> fmt::Debug for Circuit<Io> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name, self.parameter)
    }
}

impl<Io> PartialEq for Circuit<Io> {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.parameter) == (other.name, other.parameter)
    }
}

/// A simulation of a circuit that is known to be right.
pub fn simulate<Io: Bundle>(
    name: &'static str,
    parameter: usize,
    build: fn(usize) -> Io,
) -> (Simulator, Io) {
    match Simulator::of(Circuit { name, parameter, build }) {
        Ok(made) => made,
        Err(errors) => panic!("{errors}"),
    }
}
