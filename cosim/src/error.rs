//! What a running design can complain about.

/// A design's own complaint: a failed assertion, `$error`, `$fatal`, `$stop`, or logic that
/// never settles.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cycle {cycle}: {message}")]
pub struct Failure {
    /// What the design said, beginning with the Verilog file and line where known.
    pub message: String,
    /// The cycle in which it was said; the first one is 0.
    pub cycle: u64,
    /// The Verilog file; empty when unknown.
    pub file: String,
    /// The line in that file; 0 when unknown.
    pub line: u32,
    /// How many complaints there were since the last one reported, this one included.
    pub count: u64,
    /// The simulation cannot go on: every further cycle fails as well.
    pub fatal: bool,
}
