//! The whole machine: programs on the hardware, on the golden machine, and on both in lockstep.

mod alone;
mod baseline;
mod breakpoints;
mod configurations;
mod ends;
mod litmus;
mod lockstep;
mod on_buses;
mod program;
mod random;
