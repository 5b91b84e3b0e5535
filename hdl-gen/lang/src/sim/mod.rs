//! The native cycle simulator: runs a design without a compiler or any other tool.
//!
//! A design is flattened, its statements become values, and these are compiled to a list of simple
//! loops over one flat array of words; see [`compile`]. A cycle neither allocates nor looks anything
//! up by name. What no output, state or property depends on is computed only when looked at.

mod compile;
mod components;
mod directory;
mod edge;
mod emit;
mod execute;
mod flatten;
mod graph;
mod kernel;
mod layout;
mod lower;
mod probe;
mod program;
mod properties;
mod schedule;
mod select;
mod simplify;
mod vcd;

use std::io;

use compile::{Compiled, compile};
use directory::Directory;
use program::Program;
use properties::Checker;
use vcd::Trace;

pub use directory::{MemoryId, SignalId};
pub use probe::Probe;
pub use properties::{CoverCount, PropertyFailure};

use crate::bits::{Bits, words_for};
use crate::bundle::Bundle;
use crate::diag::Diagnostics;
use crate::enums::{Enum, HwEnum};
use crate::ir::{Design, Op};
use crate::module::{Module, elaborate_with_io};

/// A running simulation of a design.
///
/// At power-up registers are zero, also those with a reset, and memories hold their initial rows or
/// zero. Inputs are zero until set. Values read are those of the present cycle, with the inputs as
/// they are; [`Simulator::step`] is the clock edge that ends it.
///
/// ```
/// use hdl::*;
///
/// #[derive(Clone, Bundle)]
/// struct Io {
///     enable: Sig,
///     count: Sig,
/// }
///
/// #[derive(Debug, PartialEq)]
/// struct Counter;
///
/// #[hardware]
/// impl Module for Counter {
///     type Io = Io;
///     fn name(&self) -> String {
///         "counter".into()
///     }
///     fn build(&self) -> Io {
///         let io = ports(Io { enable: input(1), count: output(8) });
///         let count = reg(8).reset(0);
///         when(io.enable, || count.set(count + 1));
///         io.count.set(count);
///         io
///     }
/// }
///
/// let (mut sim, io) = Simulator::of(Counter).unwrap();
/// sim.reset();
/// sim.set(io.enable, 1);
/// sim.steps(3);
/// assert_eq!(sim.get(io.count), 3);
/// ```
pub struct Simulator {
    program: Program,
    /// All values, state first.
    words: Vec<u64>,
    /// All rows of all memories.
    contents: Vec<u64>,
    /// The next state while a clock edge is under way.
    next: Vec<u64>,
    /// Whether values no longer follow from state and inputs.
    stale: bool,
    /// The same for those that only an onlooker needs.
    cold_stale: bool,
    in_reset: bool,
    cycle: u64,
    directory: Directory,
    checker: Checker,
    /// Which nodes of the top module are inputs.
    inputs: Vec<bool>,
    /// The serial number of the top module's handles, if known.
    serial: Option<u32>,
    trace: Option<Trace>,
}

impl Simulator {
    /// A simulation of an elaborated design, at power-up.
    pub fn new(design: &Design) -> Simulator {
        let Compiled { program, words, contents, frames, properties } = compile(design);
        let directory = Directory::new(design, &frames);
        Simulator {
            next: vec![0; program.next.len()],
            program,
            words,
            contents,
            stale: true,
            cold_stale: true,
            in_reset: false,
            cycle: 0,
            checker: Checker::new(properties, &directory),
            directory,
            inputs: design.top().nodes.iter().map(|node| node.op == Op::Input).collect(),
            serial: None,
            trace: None,
        }
    }

    /// Elaborates a module and simulates it; gives its ports, to set and get.
    #[track_caller]
    pub fn of<M: Module>(module: M) -> Result<(Simulator, M::Io), Diagnostics> {
        let (design, io) = elaborate_with_io(module)?;
        let mut simulator = Simulator::new(&design);
        simulator.serial = io.leaves().first().map(|leaf| leaf.sig.serial);
        Ok((simulator, io))
    }

    /// Sets an input of the top module. Panics if it is none or the value does not fit.
    #[track_caller]
    pub fn set(&mut self, input: impl Probe, value: u64) {
        let signal = self.input(input);
        let fits = signal.width >= 64 || value >> signal.width == 0;
        assert!(fits, "hdl: {value} does not fit the {} bits of this input", signal.width);
        let place = self.place(signal);
        self.write_word(place, value);
        for word in 1..words_for(signal.width) {
            self.write_word(place + word, 0);
        }
    }

    /// Sets an input of the top module. Panics if it is none or has another width.
    #[track_caller]
    pub fn set_bits(&mut self, input: impl Probe, value: &Bits) {
        let signal = self.input(input);
        let width = value.width();
        assert!(width == signal.width, "hdl: {width} bits are set on an input of {}", signal.width);
        let place = self.place(signal);
        for (word, &value) in value.words().iter().enumerate() {
            self.write_word(place + word, value);
        }
    }

    /// Sets an input that holds an enum.
    #[track_caller]
    pub fn set_variant<E: HwEnum>(&mut self, input: Enum<E>, variant: E) {
        self.set(input, variant.code());
    }

    /// The value of a signal. Panics if it is wider than 64 bits.
    #[track_caller]
    pub fn get(&mut self, signal: impl Probe) -> u64 {
        let signal = signal.locate(self);
        assert!(
            signal.width <= 64,
            "hdl: a signal of {} bits does not fit u64; use get_bits",
            signal.width
        );
        self.view(signal)[0]
    }

    /// The value of a signal.
    #[track_caller]
    pub fn get_bits(&mut self, signal: impl Probe) -> Bits {
        let signal = signal.locate(self);
        Bits::from_words(signal.width, self.view(signal))
    }

    /// The name of the variant that a signal holds; `"?"` for a code that is no variant.
    #[track_caller]
    pub fn get_variant<E: HwEnum>(&mut self, signal: Enum<E>) -> &'static str {
        let code = self.get(signal);
        E::DEF.variants.get(code as usize).copied().unwrap_or("?")
    }

    /// A port of the top module, by name.
    pub fn port(&self, name: &str) -> Option<SignalId> {
        self.directory.port(name)
    }

    /// Any signal with a name, by its path: `"count"`, `"u_child.count"`.
    pub fn signal(&self, path: &str) -> Option<SignalId> {
        self.directory.signal(path)
    }

    /// The value of a signal by its path. None if nothing has that name.
    pub fn peek(&mut self, path: &str) -> Option<Bits> {
        self.signal(path).map(|signal| self.get_bits(signal))
    }

    /// A memory by its path.
    pub fn memory(&self, path: &str) -> Option<MemoryId> {
        self.directory.memory(path)
    }

    /// A row of a memory. Panics past the depth.
    #[track_caller]
    pub fn row(&self, memory: MemoryId, row: usize) -> Bits {
        Bits::from_words(memory.width, &self.contents[self.row_range(memory, row)])
    }

    /// Replaces a row of a memory, as a test bench that loads a program does. Panics past the depth
    /// or if the width is another.
    #[track_caller]
    pub fn set_row(&mut self, memory: MemoryId, row: usize, value: &Bits) {
        assert!(
            value.width() == memory.width,
            "hdl: {} bits are put into a memory of {}",
            value.width(),
            memory.width
        );
        let range = self.row_range(memory, row);
        self.contents[range].copy_from_slice(value.words());
        self.touch();
    }

    #[track_caller]
    fn row_range(&self, memory: MemoryId, row: usize) -> std::ops::Range<usize> {
        let rows = &self.program.memories[memory.index as usize];
        match rows.at(row as u64) {
            Some(range) => range,
            None => panic!("hdl: row {row} of a memory of {} rows", rows.depth),
        }
    }

    /// Asserts or releases reset.
    pub fn set_reset(&mut self, asserted: bool) {
        self.in_reset = asserted;
    }

    /// One cycle with reset asserted.
    pub fn reset(&mut self) {
        self.set_reset(true);
        self.step();
        self.set_reset(false);
    }

    /// Clock edges since power-up.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// One clock edge. Panics where an `assert` or `assume` fails, unless
    /// [`Simulator::collect_failures`] was called.
    #[track_caller]
    pub fn step(&mut self) {
        self.settle();
        if self.trace.is_some() {
            self.sample(false);
        }
        if !self.in_reset {
            self.checker.check(&self.program.fires, &self.words, self.cycle);
        }
        self.edge();
        self.cycle += 1;
        if self.trace.is_some() {
            self.sample(true);
        }
    }

    /// `count` clock edges.
    #[track_caller]
    pub fn steps(&mut self, count: u64) {
        for _ in 0..count {
            self.step();
        }
    }

    /// Collects failed properties, to be read with [`Simulator::failures`], instead of panicking.
    pub fn collect_failures(&mut self) {
        self.checker.collect();
    }

    /// The failures of `assert` and `assume` so far, oldest first: at most
    /// [`PropertyFailure::MOST_KEPT`].
    pub fn failures(&self) -> &[PropertyFailure] {
        self.checker.failures()
    }

    /// How often each `cover` has happened.
    pub fn covers(&self) -> &[CoverCount] {
        self.checker.covers()
    }

    /// Writes a waveform of all named signals to `writer` from now on, as VCD. The clock has a
    /// period of 2 ns: inputs change as it falls, registers as it rises.
    pub fn trace(&mut self, writer: impl io::Write + 'static) -> io::Result<()> {
        let trace = Trace::new(Box::new(writer), &self.directory, &self.program.places)?;
        self.trace = Some(trace);
        Ok(())
    }

    /// Ends the waveform; gives the first error met in writing it.
    pub fn end_trace(&mut self) -> io::Result<()> {
        self.trace.take().map_or(Ok(()), Trace::finish)
    }

    fn sample(&mut self, clock: bool) {
        self.settle();
        self.settle_cold();
        if let Some(trace) = &mut self.trace {
            trace.sample(self.cycle, clock, self.in_reset, &self.words);
        }
    }

    #[track_caller]
    fn input(&self, input: impl Probe) -> SignalId {
        let signal = input.locate(self);
        let is_input = self.inputs.get(signal.value as usize).is_some_and(|&is_input| is_input);
        assert!(is_input, "hdl: only an input of the top module can be set");
        signal
    }

    fn place(&self, signal: SignalId) -> usize {
        self.program.places[signal.value as usize] as usize
    }

    fn write_word(&mut self, place: usize, value: u64) {
        if self.words[place] != value {
            self.words[place] = value;
            self.touch();
        }
    }

    /// The words of a signal, up to date.
    fn view(&mut self, signal: SignalId) -> &[u64] {
        self.settle();
        let place = self.place(signal);
        if place >= self.program.first_cold as usize {
            self.settle_cold();
        }
        &self.words[place..place + words_for(signal.width)]
    }
}
