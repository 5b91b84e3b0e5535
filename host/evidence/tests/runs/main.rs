//! Logs, states and verdicts of small programs on the golden machine.

mod accounts;
mod common;
mod damaged;
mod known_bugs;
mod logs;
mod named;

mod verdicts;
mod why;
