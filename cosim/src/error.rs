//! Failures that a running design reports.

/// A failure reported by the design itself: a failed assertion, `$error`, `$fatal`, `$stop`, or
/// logic that does not settle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cycle {cycle}: {message}")]
pub struct Failure {
    /// The design's message, beginning with the Verilog file and line if known.
    pub message: String,
    /// Cycle of the failure; the first cycle is 0.
    pub cycle: u64,
    /// The Verilog file; empty if unknown.
    pub file: String,
    /// The line in that file; 0 if unknown.
    pub line: u32,
    /// Number of failures since the last one reported, including this one.
    pub count: u64,
    /// The simulation cannot continue: every further cycle fails too.
    pub fatal: bool,
}
