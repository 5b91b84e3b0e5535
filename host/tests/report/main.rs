//! The report: the same bytes every time, hostile text harmless, and alive in a browser.

mod browser;
mod bytes;
mod corners;
mod escaping;
mod fixture;
mod stories;
mod story;
