//! What tests of the whole machine and the soak share: machines that are built and run ([`setup`]), and
//! random programs for them ([`random`]), random tables of breakpoints ([`breakpoints`]).

pub mod breakpoints;
pub mod random;
pub mod setup;
