//! The units of the default configuration, linked in: a typed handle for each.
//!
//! The build script builds `config::Config::every_unit` and writes the handles from the ports:
//! `set_<port>` for inputs, `<port>` for all, `bool` to `u64` by width and slices of words beyond.
//! Setting and reading only touch memory; [`tick`](crate::Model::tick) crosses the language
//! border once. A handle is a [`Simulation`], so whatever works with a [`Model`] works with it.

use std::sync::OnceLock;

use crate::{Failure, Library, Model, ModelSource, PortId, PortSpec, Simulation};

/// Methods common to all handles.
macro_rules! model {
    (
        $name:ident, $entry:ident, $top:literal,
        files: [$(($file:literal, $text:expr),)*],
        ports: [$($direction:ident($port:literal, $width:literal),)*],
    ) => {
        #[doc = concat!("A simulation of `", $top, "`.")]
        #[derive(Debug)]
        pub struct $name(Model);

        impl $name {
            /// A simulation at cycle 0 with all inputs zero.
            pub fn new() -> Self {
                Self(Self::library().model())
            }

            /// The source of the model: the Verilog and the ports, with the default options.
            pub fn source() -> &'static ModelSource {
                static SOURCE: OnceLock<ModelSource> = OnceLock::new();
                SOURCE.get_or_init(|| ModelSource {
                    top: $top.into(),
                    files: vec![$(($file.into(), $text.into())),*],
                    ports: vec![$(PortSpec::$direction($port, $width)),*],
                    options: Default::default(),
                })
            }

            /// The library, from which any number of models can be made.
            pub fn library() -> &'static Library {
                static LIBRARY: OnceLock<Library> = OnceLock::new();
                LIBRARY.get_or_init(|| Library::linked(linked::$entry(), Self::source()))
            }

            /// Runs one cycle; see [`Model::tick`].
            #[inline]
            pub fn tick(&mut self) -> Result<(), Failure> {
                self.0.tick()
            }

            /// Settles without a clock edge; see [`Model::eval`].
            #[inline]
            pub fn eval(&mut self) -> Result<(), Failure> {
                self.0.eval()
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        impl Simulation for $name {
            #[inline]
            fn model(&self) -> &Model {
                &self.0
            }

            #[inline]
            fn model_mut(&mut self) -> &mut Model {
                &mut self.0
            }
        }
    };
}

/// `value`, which must have no bits beyond a port's width: they would corrupt the simulation.
#[inline]
#[track_caller]
fn fitting(value: u64, width: u32, name: &str) -> u64 {
    assert!(value >> width == 0, "{value:#x} does not fit the {width} bits of `{name}`");
    value
}

include!(concat!(env!("OUT_DIR"), "/linked.rs"));
include!(concat!(env!("OUT_DIR"), "/handles.rs"));
