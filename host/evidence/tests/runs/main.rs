//! Logs, states and verdicts of small programs on the golden machine.

mod common;
mod logs;
mod named;
mod open_half;
mod verdicts;
