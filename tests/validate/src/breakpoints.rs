//! Breakpoints measured: is a set found that reproduces each bug, does its opposite order never fail, and the fixed twin neither?

mod measure;
mod page;
mod published;
mod rtl;

pub use measure::{Found, Reproduced, measure};
pub use page::{page, write};
pub use published::PUBLISHED;
pub use rtl::OnRtl;
