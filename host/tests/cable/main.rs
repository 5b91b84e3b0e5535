//! A board at the other end of a serial line: simulated bit by bit, or only pretended where the line is what is
//! tested.

mod board;
mod devices;
mod noise;
mod whole;
