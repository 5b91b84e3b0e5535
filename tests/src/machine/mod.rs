//! What tests of the whole machine and the soak share: machines that are built and run ([`setup`]), and
//! random programs for them ([`random`]).

pub mod random;
pub mod setup;
