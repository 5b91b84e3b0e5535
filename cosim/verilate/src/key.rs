//! The names of cache entries: hashes of everything that decides what is in them.

use sha2::{Digest, Sha256};

use crate::compile::{CXX_FLAGS, verilator_flags};
use crate::form::Form;
use crate::shim::{ABI_VERSION, HEADERS, RUNTIME};
use crate::source::{Direction, ModelSource, Speed};
use crate::strip::{Lines, without_comments};
use crate::toolchain::Toolchain;

/// A hash over fields that cannot run into each other.
struct Key(Sha256);

impl Key {
    fn new(toolchain: &Toolchain) -> Self {
        let mut key = Self(Sha256::new());
        key.field(std::env::consts::ARCH);
        key.field(std::env::consts::OS);
        key.field(toolchain.pin());
        key.field(toolchain.compiler());
        key.list(CXX_FLAGS);
        key
    }

    fn field(&mut self, text: impl AsRef<[u8]>) {
        let bytes = text.as_ref();
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn list<T: AsRef<[u8]>>(&mut self, items: impl IntoIterator<Item = T>) {
        let items: Vec<_> = items.into_iter().collect();
        self.field(items.len().to_string());
        items.iter().for_each(|item| self.field(item));
    }

    fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

impl ModelSource {
    /// A hash of what the design does: of its Verilog, comments and layout left aside. It says nothing of
    /// tools and options.
    pub fn design_hash(&self) -> String {
        let mut hash = Sha256::new();
        for (_, text) in &self.files {
            hash.update(without_comments(text, Lines::Drop));
        }
        hex(&hash.finalize())
    }
}

/// The key of a model. Comments in the Verilog do not count, and neither does its layout;
/// where the model reports line numbers, lines must stay where they are.
pub(crate) fn model(source: &ModelSource, form: Form<'_>, toolchain: &Toolchain) -> String {
    let options = &source.options;
    let lines = match options.assertions || options.coverage {
        true => Lines::Keep,
        false => Lines::Drop,
    };
    let mut key = Key::new(toolchain);
    key.field("model");
    key.field(form.file());
    key.field(ABI_VERSION.to_string());
    key.list(RUNTIME.map(|(_, text)| text));
    key.list(HEADERS.map(|(_, text)| text));
    // What the generated part of the shim looks like, and how it is compiled.
    key.list([include_str!("shim.rs"), include_str!("compile.rs")]);
    key.field(options.speed.flag());
    key.list(verilator_flags(source, form));
    key.list(source.files.iter().map(|(name, _)| name));
    key.list(source.files.iter().map(|(_, text)| without_comments(text, lines)));
    key.list(source.ports.iter().map(|port| {
        let dir = match port.dir {
            Direction::In => "in",
            Direction::Out => "out",
        };
        format!("{dir} {} {}", port.width, port.name)
    }));
    key.finish()
}

/// The key of the Verilator runtime that all models link.
pub(crate) fn runtime(toolchain: &Toolchain) -> String {
    let mut key = Key::new(toolchain);
    key.field("runtime");
    key.list(RUNTIME.map(|(_, text)| text));
    key.field(include_str!("runtime.rs"));
    key.finish()
}

/// The key of the headers, precompiled for one optimisation level.
pub(crate) fn headers(speed: Speed, toolchain: &Toolchain) -> String {
    let mut key = Key::new(toolchain);
    key.field("headers");
    key.list(HEADERS.map(|(_, text)| text));
    key.field(include_str!("runtime.rs"));
    key.field(speed.flag());
    key.finish()
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
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
