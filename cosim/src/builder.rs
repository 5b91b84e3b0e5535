//! Models on demand: built as shared libraries, or found built, and loaded.

use std::path::{Path, PathBuf};

use crate::{Error, Library, ModelSource, Stage, Toolchain};

/// Builds models, or finds them built.
#[derive(Clone)]
pub struct Builder(verilate::Builder);

impl Builder {
    /// With the workspace's tools and its cache, `models` in the target folder.
    pub fn for_workspace() -> Self {
        Self(verilate::Builder::for_workspace())
    }

    /// With these tools, and a cache in this folder, which need not exist.
    pub fn new(cache: impl Into<PathBuf>, toolchain: Toolchain) -> Self {
        Self(verilate::Builder::new(cache, toolchain))
    }

    /// Calls `progress` before each step that takes time; cached models are not reported.
    pub fn on_progress(self, progress: impl Fn(Stage) + Send + Sync + 'static) -> Self {
        Self(self.0.on_progress(progress))
    }

    /// The library for this source: cached, or built if the cache has none or a damaged one.
    /// Threads and processes that request the same library share one build.
    pub fn library(&self, source: &ModelSource) -> Result<Library, Error> {
        self.0.shared(source, |path: &Path, key: &str| Library::open(path, key, source))
    }
}
