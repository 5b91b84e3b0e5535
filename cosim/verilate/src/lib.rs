//! From Verilog to compiled models: Verilator, the C++ around its output, the cache.
//!
//! A [`ModelSource`] names a top module, its Verilog and its ports. A [`Builder`] compiles it
//! once, into a shared library or an archive; the cache is keyed by content and shared between
//! threads and processes. The C++ side ([`ABI_HEADER`]) is the same for both.
//!
//! Knows nothing of running a model: that is `cosim`, whose build script uses this crate too.
#![forbid(unsafe_code)]

mod compile;
mod cxx;
mod direct;
mod error;
mod form;
mod header;
mod key;
mod ports;
mod runtime;
mod shim;
mod source;
mod strip;
mod toolchain;
mod typed;

use kit::cache;

pub use compile::{Builder, CXX_FLAGS, Stage, generated_pieces, translation_flags};
pub use error::Error;
pub use form::{SHARED_ENTRY, archive_entry};
pub use ports::{Port, PortTable};
pub use shim::{ABI_HEADER, ABI_VERSION};
pub use source::{CLOCK, Direction, ModelOptions, ModelSource, PortSpec, RESET, Speed};
pub use strip::{Lines, without_comments};
pub use toolchain::Toolchain;
pub use typed::{handle, handle_name};
