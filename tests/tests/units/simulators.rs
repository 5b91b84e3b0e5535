//! A unit on both simulators: the native one and Verilator.
//!
//! What a unit must do is written once, as a [`Bench`] beside its model or as steps on a [`Dut`], and holds on
//! both. Mutants and coverage exist only under Verilator: when they are asked for, the native one is left out.

use std::cell::RefCell;

use cosim::testing::{Disagreement, Unit, UnitModel, coverage, mutation};
use cosim::{Bench, Model};
use hdl::ir::Design;
use hdl::{Bits, Module, elaborate};

/// The input that resets a unit.
const RESET: &str = "rst";

/// Of a random case, the native simulator runs one cycle of this many, from the first on: it is the slower one.
const NATIVE_SHARE: usize = 4;

/// What a bench needs of a simulator: inputs to set and outputs to read, by name.
pub trait Simulator {
    /// Sets an input of up to 64 bits.
    fn poke(&mut self, port: &str, value: impl Into<u64>);
    /// Sets an input of any width, lowest word first.
    fn poke_wide(&mut self, port: &str, words: &[u64]);
    /// Computes the outputs from the inputs as they are: for an input that depends on an output of the same cycle.
    fn settle(&mut self);
    /// Reads an output of up to 64 bits.
    fn peek(&self, port: &str) -> u64;
    /// Reads an output of any width, lowest word first.
    fn peek_wide(&self, port: &str) -> Vec<u64>;
}

impl Simulator for Model {
    fn poke(&mut self, port: &str, value: impl Into<u64>) {
        Model::poke(self, port, value);
    }

    fn poke_wide(&mut self, port: &str, words: &[u64]) {
        Model::poke_wide(self, port, words);
    }

    fn settle(&mut self) {
        self.eval().expect("properties are checked at the clock edge");
    }

    fn peek(&self, port: &str) -> u64 {
        Model::peek(self, port)
    }

    fn peek_wide(&self, port: &str) -> Vec<u64> {
        Model::peek_wide(self, port).to_vec()
    }
}

/// The native simulator.
pub struct Native {
    /// Reading an output may compute it first.
    sim: RefCell<hdl::Simulator>,
    top: String,
}

impl Native {
    fn new(design: &Design) -> Self {
        let sim = RefCell::new(hdl::Simulator::new(design));
        Self { sim, top: design.top().name.clone() }
    }

    fn port(&self, name: &str) -> hdl::SignalId {
        let port = self.sim.borrow().port(name);
        port.unwrap_or_else(|| panic!("`{}` has no port `{name}`", self.top))
    }
}

impl Simulator for Native {
    fn poke(&mut self, port: &str, value: impl Into<u64>) {
        let value = value.into();
        if port == RESET {
            return self.sim.get_mut().set_reset(value != 0);
        }
        let port = self.port(port);
        self.sim.get_mut().set(port, value);
    }

    fn poke_wide(&mut self, port: &str, words: &[u64]) {
        let port = self.port(port);
        let width = self.sim.get_mut().get_bits(port).width();
        self.sim.get_mut().set_bits(port, &Bits::from_words(width, words));
    }

    /// What is read is computed then.
    fn settle(&mut self) {}

    fn peek(&self, port: &str) -> u64 {
        let port = self.port(port);
        self.sim.borrow_mut().get(port)
    }

    fn peek_wide(&self, port: &str) -> Vec<u64> {
        let port = self.port(port);
        self.sim.borrow_mut().get_bits(port).words().to_vec()
    }
}

/// A unit to be checked in the native simulator.
pub struct NativeSubject {
    /// `None`: mutants or coverage are asked for, which the native simulator knows nothing of.
    design: Option<Design>,
}

impl NativeSubject {
    /// A unit.
    #[track_caller]
    pub fn of(module: impl Module) -> Self {
        Self::new(elaborated(module))
    }

    fn new(design: Design) -> Self {
        let wanted = !mutation::is_on() && !coverage::is_wanted();
        Self { design: wanted.then_some(design) }
    }

    /// Compares a fresh unit with a bench, cycle by cycle; gives the cycles compared.
    ///
    /// # Panics
    /// At the first mismatch.
    pub fn check<B: Bench<Native>>(&self, bench: &mut B, cycles: &[B::Stimulus]) -> u64 {
        let Some(design) = &self.design else { return 0 };
        let mut dut = Native::new(design);
        dut.sim.get_mut().reset();
        for (number, stimulus) in cycles.iter().enumerate() {
            bench.drive(&mut dut, stimulus);
            let actual = bench.sample(&dut);
            let expected = bench.expect(stimulus, &actual);
            assert!(
                actual == expected,
                "cycle {number} of `{}` in the native simulator: {stimulus:x?}\n\
                 expected {expected:x?}\ngot {actual:x?}",
                dut.top
            );
            dut.sim.get_mut().step();
        }
        cycles.len() as u64
    }
}

#[track_caller]
fn elaborated(module: impl Module) -> Design {
    elaborate(module).unwrap_or_else(|findings| panic!("{findings}"))
}

/// A unit to be checked on both simulators.
pub struct Subject {
    unit: Unit,
    native: NativeSubject,
}

impl Subject {
    /// A unit, with its properties checked.
    #[track_caller]
    pub fn of(module: impl Module) -> Self {
        let design = elaborated(module);
        Self { unit: Unit::of(&design), native: NativeSubject::new(design) }
    }

    /// As [`Self::of`], but its properties are not checked: for what must hold although an assumption is broken. The
    /// native simulator always checks them, and is left out.
    #[track_caller]
    pub fn without_properties(module: impl Module) -> Self {
        let unit = Unit::without_properties(&elaborated(module));
        Self { unit, native: NativeSubject { design: None } }
    }

    /// The name of the top module.
    pub fn top(&self) -> &str {
        &self.unit.source().top
    }

    /// Compares a fresh unit with a fresh bench, cycle by cycle, on both simulators. Gives the cycles compared
    /// under Verilator.
    ///
    /// # Errors
    /// The first mismatch under Verilator; one in the native simulator panics.
    pub fn check<S, B>(
        &self,
        bench: impl Fn() -> B,
        cycles: impl IntoIterator<Item = S>,
    ) -> Result<u64, Disagreement>
    where
        S: std::fmt::Debug,
        B: Bench<Native, Stimulus = S> + Bench<Model, Stimulus = S>,
    {
        let cycles: Vec<S> = cycles.into_iter().collect();
        self.native.check(&mut bench(), &cycles);
        self.unit.check(&mut bench(), cycles)
    }

    /// As [`Self::check`], for one of many random cases.
    ///
    /// # Errors
    /// The first mismatch under Verilator; one in the native simulator panics.
    pub fn check_case<S, B>(
        &self,
        bench: impl Fn() -> B,
        cycles: Vec<S>,
    ) -> Result<u64, Disagreement>
    where
        S: std::fmt::Debug,
        B: Bench<Native, Stimulus = S> + Bench<Model, Stimulus = S>,
    {
        let natively = &cycles[..cycles.len().div_ceil(NATIVE_SHARE)];
        self.native.check(&mut bench(), natively);
        self.unit.check(&mut bench(), cycles)
    }

    /// Runs a contract on a fresh unit, after one cycle of reset, on both simulators.
    pub fn each(&self, contract: impl Fn(&mut Dut)) {
        if self.unit.is_aside() {
            return;
        }
        let native = self.native.design.as_ref().map(|design| {
            let mut native = Native::new(design);
            native.sim.get_mut().collect_failures();
            Side::Native(Box::new(native))
        });
        for side in native.into_iter().chain([Side::Verilated(self.unit.model())]) {
            let mut dut = Dut { side, broken: Vec::new(), told: 0 };
            dut.reset();
            contract(&mut dut);
            assert_eq!(dut.take_broken(), Vec::<String>::new(), "properties are broken");
        }
    }
}

/// A unit under test that a contract drives step by step. What is read is the value of the present cycle, with the
/// inputs as they are.
pub struct Dut {
    side: Side,
    /// Properties that Verilator saw broken.
    broken: Vec<String>,
    /// How many broken properties of the native simulator were taken.
    told: usize,
}

enum Side {
    Native(Box<Native>),
    Verilated(UnitModel),
}

impl Dut {
    /// Sets an input.
    #[track_caller]
    pub fn set(&mut self, port: &str, value: u64) {
        match &mut self.side {
            Side::Native(native) => native.poke(port, value),
            Side::Verilated(model) => model.poke(port, value),
        }
    }

    /// Reads an output.
    #[track_caller]
    pub fn get(&mut self, port: &str) -> u64 {
        match &mut self.side {
            Side::Native(native) => native.peek(port),
            Side::Verilated(model) => {
                model.eval().expect("properties are checked at the clock edge");
                model.peek(port)
            }
        }
    }

    /// Sets an input of any width, lowest word first.
    #[track_caller]
    pub fn set_wide(&mut self, port: &str, words: &[u64]) {
        match &mut self.side {
            Side::Native(native) => native.poke_wide(port, words),
            Side::Verilated(model) => model.poke_wide(port, words),
        }
    }

    /// Reads an output of any width, lowest word first.
    #[track_caller]
    pub fn get_wide(&mut self, port: &str) -> Vec<u64> {
        match &mut self.side {
            Side::Native(native) => native.peek_wide(port),
            Side::Verilated(model) => {
                model.eval().expect("properties are checked at the clock edge");
                model.peek_wide(port).to_vec()
            }
        }
    }

    /// Whether an output is high.
    #[track_caller]
    pub fn is(&mut self, port: &str) -> bool {
        self.get(port) == 1
    }

    /// Whether there is such a port.
    pub fn has(&self, port: &str) -> bool {
        match &self.side {
            Side::Native(native) => native.sim.borrow().port(port).is_some(),
            Side::Verilated(model) => model.port(port).is_some(),
        }
    }

    /// Whether it runs in the native simulator.
    pub fn is_native(&self) -> bool {
        matches!(self.side, Side::Native(_))
    }

    /// Ends the cycle.
    pub fn step(&mut self) {
        match &mut self.side {
            Side::Native(native) => native.sim.get_mut().step(),
            Side::Verilated(model) => {
                if let Err(failure) = model.tick() {
                    self.broken.push(label_of(&failure.message));
                }
            }
        }
    }

    /// Ends so many cycles.
    pub fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| self.step());
    }

    /// One cycle of reset.
    pub fn reset(&mut self) {
        match &mut self.side {
            Side::Native(native) => native.sim.get_mut().reset(),
            Side::Verilated(model) => {
                let Some(reset) = model.port(RESET) else { return };
                model.set(reset, 1);
                self.step();
                self.set(RESET, 0);
            }
        }
    }

    /// The properties broken so far, by label; they are forgotten.
    pub fn take_broken(&mut self) -> Vec<String> {
        match &mut self.side {
            Side::Native(native) => {
                let failures = native.sim.get_mut().failures();
                let new = failures[self.told..].iter().map(|failure| failure.label.clone());
                let new = new.collect();
                self.told = failures.len();
                new
            }
            Side::Verilated(_) => std::mem::take(&mut self.broken),
        }
    }
}

/// The label of the property that a message of Verilator is about: `… failed in TOP.unit.label: …`.
fn label_of(message: &str) -> String {
    let place = message.split("failed in ").nth(1).unwrap_or(message);
    let path = place.split([':', ' ']).next().unwrap_or(place);
    path.rsplit('.').next().unwrap_or(path).to_owned()
}
