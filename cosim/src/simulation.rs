//! What all handles of a running model have in common, however the model was built.

use crate::Model;

/// A running model: a [`Model`], or a typed handle around one. Test benches are written for any
/// of them.
pub trait Simulation: Send {
    /// The model behind the handle.
    fn model(&self) -> &Model;

    /// The model behind the handle, to drive it.
    fn model_mut(&mut self) -> &mut Model;
}

impl Simulation for Model {
    fn model(&self) -> &Model {
        self
    }

    fn model_mut(&mut self) -> &mut Model {
        self
    }
}
