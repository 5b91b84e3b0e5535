//! A built model: its code, loaded or linked, and its port table.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use verilate::PortTable;

use crate::ffi::Loaded;
use crate::{Error, Model, ModelSource, Port};

/// A port's index in its library's table; valid for that library only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PortId(pub(crate) u32);

/// The code of a model, from which any number of independent [`Model`]s are made. Clones are
/// cheap and share the code, which stays loaded while any of them or any model is in use.
#[derive(Clone)]
pub struct Library {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) top: String,
    pub(crate) code: Arc<Loaded>,
    pub(crate) table: PortTable,
    pub(crate) input_masks: Vec<u64>,
    by_name: HashMap<String, PortId>,
}

impl Library {
    /// Loads the library and checks that it is what the source describes.
    pub(crate) fn open(path: &Path, key: &str, source: &ModelSource) -> Result<Self, Error> {
        let unusable = |what: String| Error::Load { path: path.to_path_buf(), what };
        let code = Loaded::open(path, key).map_err(unusable)?;
        Self::around(code, source)
            .ok_or_else(|| unusable("its ports differ from those of the source".into()))
    }

    /// The code that is linked into this program.
    ///
    /// # Panics
    /// If it is not what the source describes.
    #[cfg(feature = "static-models")]
    pub(crate) fn linked(table: &'static crate::ffi::RawModel, source: &ModelSource) -> Self {
        Self::around(Loaded::linked(table), source).expect("archive and handle are from one build")
    }

    /// `None` if the ports of the code and of the source differ.
    fn around(code: Loaded, source: &ModelSource) -> Option<Self> {
        let table = code.ports();
        if table != PortTable::lay_out(&source.ports) {
            return None;
        }
        let names = table.ports.iter().map(|port| port.name.clone());
        let by_name = names.zip((0..).map(PortId)).collect();
        let input_masks = table.input_masks();
        let (top, code) = (source.top.clone(), Arc::new(code));
        Some(Self { inner: Arc::new(Inner { top, code, table, input_masks, by_name }) })
    }

    /// A simulation at cycle 0 with all inputs zero.
    ///
    /// # Panics
    /// If out of memory.
    pub fn model(&self) -> Model {
        Model::new(self.clone())
    }

    /// The top module's name.
    pub fn top(&self) -> &str {
        &self.inner.top
    }

    /// All ports, in the order of the source.
    pub fn ports(&self) -> &[Port] {
        &self.inner.table.ports
    }

    /// The port of that name.
    pub fn port(&self, name: &str) -> Option<PortId> {
        self.inner.by_name.get(name).copied()
    }

    /// The port behind a number from this library.
    ///
    /// # Panics
    /// If the number is from another library and this one has fewer ports.
    #[inline]
    pub fn port_info(&self, port: PortId) -> &Port {
        &self.inner.table.ports[port.0 as usize]
    }

    /// 64-bit words in one cycle's inputs.
    pub fn input_words(&self) -> usize {
        self.inner.table.input_words as usize
    }

    /// 64-bit words in one cycle's outputs.
    pub fn output_words(&self) -> usize {
        self.inner.table.output_words as usize
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").field("top", &self.inner.top).finish_non_exhaustive()
    }
}
