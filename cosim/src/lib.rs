//! Verilated models of generated Verilog, built on demand and driven from Rust.
//!
//! A [`ModelSource`] names a top module, its Verilog and its ports. A [`Builder`] turns it into
//! a shared library, once: the result is cached by content and shared between threads and
//! processes. A [`Library`] then makes any number of independent [`Model`]s.
//!
//! ```no_run
//! use cosim::{Builder, ModelOptions, ModelSource, PortSpec};
//!
//! let source = ModelSource {
//!     top: "counter".into(),
//!     files: vec![(
//!         "counter.v".into(),
//!         "module counter(input wire clk, input wire rst, output reg [7:0] count);
//!            always @(posedge clk) count <= rst ? 8'd0 : count + 8'd1;
//!          endmodule"
//!             .into(),
//!     )],
//!     ports: vec![
//!         PortSpec::input("clk", 1),
//!         PortSpec::input("rst", 1),
//!         PortSpec::output("count", 8),
//!     ],
//!     options: ModelOptions::default(),
//! };
//! let mut model = Builder::for_workspace().library(&source)?.model();
//! let rst = model.port("rst").unwrap();
//! let count = model.port("count").unwrap();
//! model.set(rst, 1);
//! model.tick()?;
//! model.set(rst, 0);
//! model.tick()?;
//! model.tick()?;
//! assert_eq!(model.get(count), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Statically linked models
//! With the feature `static-models` the build script builds every unit of the default
//! configuration, and the module `units` has a typed handle for each. They are quickest to
//! start and to drive; otherwise they behave the same.
//!
//! # The clock cycle
//! One [`Model::tick`] is one clock cycle and crosses the language border once:
//! 1. the inputs set so far reach the design while the clock is low;
//! 2. the design settles, and its outputs are sampled: they are what the design shows *during*
//!    this cycle, given these inputs and the registers as the previous cycle left them;
//! 3. the clock rises and the registers take their next values.
//!
//! So after `tick` the outputs still belong to the cycle just finished, exactly like the values
//! a register connected to them would have captured. [`Model::eval`] does steps 1 and 2 only;
//! it may be called any number of times in a cycle. The input port named `clk`, if there is
//! one, is driven by the model alone; for a design without a clock, `tick` only
//! counts. Reset is an ordinary input. Registers and memories without an initial value start
//! as zero.

pub mod bench;
mod builder;
mod error;
mod ffi;
mod library;
pub mod machine;
mod model;
mod simulation;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "static-models")]
pub mod units;

pub use bench::{Bench, Mismatch, lockstep};
pub use builder::Builder;
pub use error::Failure;
pub use library::{Library, PortId};
pub use model::Model;
pub use simulation::Simulation;
pub use verilate::{
    Direction, Error, ModelOptions, ModelSource, Port, PortSpec, Speed, Stage, Toolchain,
};
