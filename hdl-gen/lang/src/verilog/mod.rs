//! The Verilog-2005 back end: one file a module, written to be read.
//!
//! Same design, same bytes. Names come from the source; values without a name are written where
//! they are used, or named after what they compute where Verilog needs a name.

/// Appends formatted text to a `String`.
macro_rules! put {
    ($out:expr, $($text:tt)*) => {{
        // Writing to a string cannot fail.
        let _ = std::fmt::Write::write_fmt($out, format_args!($($text)*));
    }};
}

mod clocked;
mod drive;
mod expr;
mod module;
mod plan;
mod properties;

use sha2::{Digest, Sha256};

use crate::ir::{Design, Module};

/// One generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogFile {
    /// The module's name and `.v`.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Design {
    /// The Verilog of every module, children before parents. `origin` lines open each header: what
    /// generated the file, from which configuration.
    pub fn verilog(&self, origin: &[&str]) -> Vec<VerilogFile> {
        self.modules.iter().map(|module| file(self, module, origin)).collect()
    }
}

fn file(design: &Design, module: &Module, origin: &[&str]) -> VerilogFile {
    let mut text = String::with_capacity(1024 + 64 * module.nodes.len());
    for line in origin {
        put!(&mut text, "// {line}\n");
    }
    put!(&mut text, "// Source:     {}:{}\n", module.loc.file(), module.loc.line());
    put!(&mut text, "// Parameters: {}\n", module.parameters.replace('\n', " "));
    // The hash takes its place when what it is of is there.
    text += "// Content:    sha256 ";
    let hash = text.len()..text.len() + HASH_DIGITS;
    put!(&mut text, "{:HASH_DIGITS$}\n\n", "");
    let body = text.len();
    module::write(&mut text, design, module);
    let content = content_hash(&text[body..]);
    text.replace_range(hash, &content);
    VerilogFile { name: format!("{}.v", module.name), text }
}

/// Digits of a content hash.
const HASH_DIGITS: usize = 16;

/// The first hexadecimal digits of the SHA-256 of everything after the header.
fn content_hash(body: &str) -> String {
    let mut digits = String::with_capacity(HASH_DIGITS);
    for byte in Sha256::digest(body.as_bytes()).iter().take(HASH_DIGITS / 2) {
        put!(&mut digits, "{byte:02x}");
    }
    digits
}
