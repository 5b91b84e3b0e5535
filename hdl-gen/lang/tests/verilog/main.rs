//! The Verilog back end: what the text looks like, and what must never change about it.

mod comments;
mod designs;
mod text;
