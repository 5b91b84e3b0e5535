//! What tests of units share: models of a design, random cases from printed seeds, coverage.
//!
//! A test elaborates its unit, asks for a [`Unit`] of it, and lets [`property`] compare it with
//! the software model under random stimulus:
//!
//! ```no_run
//! use cosim::testing::{Unit, property};
//! use cosim::{Bench, Model};
//! use proptest::prelude::*;
//! # use hdl::{Module, Sig, input, output, ports, reg, hardware, Bundle};
//! # #[derive(Clone, Debug, PartialEq)]
//! # struct Counter;
//! # #[derive(Clone, Copy, Debug, Bundle)]
//! # struct CounterIo { en: Sig, count: Sig }
//! # #[hardware]
//! # impl Module for Counter {
//! #     type Io = CounterIo;
//! #     fn name(&self) -> String { "counter".into() }
//! #     fn build(&self) -> CounterIo {
//! #         let io = ports(CounterIo { en: input(1), count: output(8) });
//! #         let value = reg(8).reset(0);
//! #         hdl::when(io.en, || value.set(value + 1));
//! #         io.count.set(value);
//! #         io
//! #     }
//! # }
//!
//! /// The software model; often a type of `golden`.
//! struct Counting(u8);
//!
//! impl Bench for Counting {
//!     type Stimulus = bool;
//!     type Outputs = u64;
//!
//!     fn drive(&mut self, dut: &mut Model, &enable: &bool) {
//!         dut.poke("en", enable);
//!     }
//!
//!     fn sample(&self, dut: &Model) -> u64 {
//!         dut.peek("count")
//!     }
//!
//!     fn expect(&mut self, &enable: &bool, _: &u64) -> u64 {
//!         let shown = self.0;
//!         self.0 = shown.wrapping_add(enable.into());
//!         shown.into()
//!     }
//! }
//!
//! let unit = Unit::of(&hdl::elaborate(Counter).unwrap());
//! property(64, prop::collection::vec(any::<bool>(), 1..500), |enables| {
//!     unit.check(&mut Counting(0), enables)
//! });
//! ```
//!
//! A failure is made smaller, then reported with cycle, unit, fields, the path of a waveform, and
//! a seed: `CROSSTALK_SEED=… cargo test …` runs that case alone. Under `cargo xtask coverage` the
//! same tests count what they reach, and under `cargo xtask mutate` they are tried on mutants of the unit;
//! they need do nothing for either.

pub mod coverage;
pub mod mutation;
mod property;
mod unit;

pub use property::{SEED_VARIABLE, property};
pub use unit::{Disagreement, Unit, UnitModel};
