//! The names of cache entries: hashes of everything that decides what is in them.

use kit::cache::{Key, sha256};
use kit::numbers::hex;
use std::env::consts::{ARCH, OS};

use crate::compile::{CXX_FLAGS, verilator_flags};
use crate::form::Form;
use crate::shim::{ABI_VERSION, HEADERS, RUNTIME};
use crate::source::{Direction, ModelSource, Speed};
use crate::strip::{Lines, without_comments};
use crate::toolchain::Toolchain;

/// A key of the machine and the tools: what every entry depends on.
fn common(toolchain: &Toolchain) -> Key {
    let mut key = Key::of([ARCH, OS, toolchain.pin(), toolchain.compiler()]);
    key.add_list(CXX_FLAGS);
    key
}

impl ModelSource {
    /// A hash of the design's behavior: its Verilog without comments and layout, independent of
    /// tools and options.
    pub fn design_hash(&self) -> String {
        let text: String =
            self.files.iter().map(|(_, text)| without_comments(text, Lines::Drop)).collect();
        hex(&sha256(text))
    }
}

/// The key of a model. Comments and layout of the Verilog do not change it, except where the
/// model reports line numbers: then lines must stay where they are.
pub(crate) fn model(source: &ModelSource, form: Form<'_>, toolchain: &Toolchain) -> String {
    let options = &source.options;
    let lines = match options.assertions || options.coverage {
        true => Lines::Keep,
        false => Lines::Drop,
    };
    let mut key = common(toolchain);
    key.add("model");
    key.add(form.file());
    key.add(ABI_VERSION.to_string());
    key.add_list(RUNTIME.map(|(_, text)| text));
    key.add_list(HEADERS.map(|(_, text)| text));
    // The generated part of the shim, and how it is compiled.
    key.add_list([include_str!("shim.rs"), include_str!("compile.rs")]);
    key.add(options.speed.flag());
    key.add_list(verilator_flags(source, form));
    key.add_list(source.files.iter().map(|(name, _)| name));
    key.add_list(source.files.iter().map(|(_, text)| without_comments(text, lines)));
    key.add_list(source.ports.iter().map(|port| {
        let dir = match port.dir {
            Direction::In => "in",
            Direction::Out => "out",
        };
        format!("{dir} {} {}", port.width, port.name)
    }));
    key.hex()
}

/// The key of the Verilator runtime that all models link.
pub(crate) fn runtime(toolchain: &Toolchain) -> String {
    let mut key = common(toolchain);
    key.add("runtime");
    key.add_list(RUNTIME.map(|(_, text)| text));
    key.add(include_str!("runtime.rs"));
    key.hex()
}

/// The key of the headers, precompiled for one optimisation level.
pub(crate) fn headers(speed: Speed, toolchain: &Toolchain) -> String {
    let mut key = common(toolchain);
    key.add("headers");
    key.add_list(HEADERS.map(|(_, text)| text));
    key.add(include_str!("runtime.rs"));
    key.add(speed.flag());
    key.hex()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelOptions, PortSpec};

    fn source() -> ModelSource {
        ModelSource {
            top: "m".into(),
            files: vec![("m.v".into(), "module m(input a); // A\nendmodule".into())],
            ports: vec![PortSpec::input("a", 1)],
            options: ModelOptions::default(),
        }
    }

    fn key_after(change: impl FnOnce(&mut ModelSource)) -> String {
        let mut source = source();
        change(&mut source);
        model(&source, Form::Shared, &Toolchain::for_test("pin", "c++"))
    }

    fn text(text: &str) -> impl FnOnce(&mut ModelSource) {
        move |source| source.files[0].1 = text.to_owned()
    }

    #[test]
    fn comments_and_layout_do_not_count() {
        let plain = key_after(|_| ());
        assert_eq!(plain, key_after(text("/* B */\nmodule m(input a);\n\n  // C\nendmodule")));
        assert_ne!(plain, key_after(text("module m(input b);\nendmodule")));
    }

    #[test]
    fn moved_lines_count_where_the_model_reports_them() {
        let with_assertions = |verilog: &'static str| {
            key_after(move |source| {
                source.options.assertions = true;
                text(verilog)(source);
            })
        };
        let plain = with_assertions("module m(input a);\nendmodule");
        assert_eq!(plain, with_assertions("module m(input a); // B\nendmodule"));
        assert_ne!(plain, with_assertions("// B\nmodule m(input a);\nendmodule"));
    }

    #[test]
    fn everything_else_counts() {
        let mut keys = vec![
            key_after(|_| ()),
            key_after(|s| s.top = "n".into()),
            key_after(|s| s.files[0].0 = "n.v".into()),
            key_after(|s| s.files.push(("n.v".into(), String::new()))),
            key_after(|s| s.ports[0].name = "b".into()),
            key_after(|s| s.ports[0].width = 2),
            key_after(|s| s.ports[0].dir = Direction::Out),
            key_after(|s| s.options.trace = true),
            key_after(|s| s.options.coverage = true),
            key_after(|s| s.options.assertions = true),
            key_after(|s| s.options.speed = Speed::Run),
            key_after(|s| s.options.defines.push(("A".into(), "1".into()))),
            model(&source(), Form::Archive("m"), &Toolchain::for_test("pin", "c++")),
            model(&source(), Form::Archive("n"), &Toolchain::for_test("pin", "c++")),
            model(&source(), Form::Shared, &Toolchain::for_test("other pin", "c++")),
            model(&source(), Form::Shared, &Toolchain::for_test("pin", "clang++")),
        ];
        let count = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }
}
