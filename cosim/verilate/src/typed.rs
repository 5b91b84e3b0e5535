//! Writes the Rust side of a linked model: a handle with a method for each port.
//!
//! The text is compiled inside `cosim`, where `model!` adds the methods common to all handles.

use std::fmt::Write;

use crate::form::archive_entry;
use crate::ports::{Port, PortTable};
use crate::source::{CLOCK, Direction, ModelSource};

/// Methods of every handle, whose names no port method may take.
const TAKEN: [&str; 8] =
    ["new", "source", "library", "model", "model_mut", "tick", "eval", "default"];

/// Rust's keywords; all but the last four may be written with `r#`.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield", "crate", "self", "Self", "super",
];

/// The handle's type for a unit: `ContextRegister` for `context_register`.
pub fn handle_name(unit: &str) -> String {
    let word = |word: &str| {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_uppercase().chain(chars).collect::<String>())
    };
    unit.split('_').filter_map(word).collect()
}

/// The handle's text. `files` is the folder with the Verilog, relative to the one that the text will
/// be in.
pub fn handle(unit: &str, source: &ModelSource, files: &str) -> String {
    let (name, entry, top) = (handle_name(unit), archive_entry(unit), &source.top);
    let table = PortTable::lay_out(&source.ports);
    let mut out = String::new();
    put(&mut out, format_args!("model! {{ {name}, {entry}, {top:?},"));
    put(&mut out, format_args!("    files: ["));
    for (file, _) in &source.files {
        let path = format!("/{files}/{file}");
        put(
            &mut out,
            format_args!("        ({file:?}, include_str!(concat!(env!(\"OUT_DIR\"), {path:?}))),"),
        );
    }
    put(&mut out, format_args!("    ],\n    ports: ["));
    for port in &table.ports {
        let (name, width) = (&port.name, port.width);
        let direction = match port.dir {
            Direction::In => "input",
            Direction::Out => "output",
        };
        put(&mut out, format_args!("        {direction}({name:?}, {width}),"));
    }
    put(&mut out, format_args!("    ],\n}}\n\nimpl {name} {{"));
    let mut used: Vec<String> = TAKEN.map(str::to_owned).into();
    for (place, port) in table.ports.iter().enumerate().filter(|(_, p)| p.name != CLOCK) {
        if port.dir == Direction::In {
            setter(&mut out, port, place, &mut used);
        }
        getter(&mut out, port, &mut used);
    }
    put(&mut out, format_args!("}}"));
    out
}

/// The value of a setter as a word.
fn as_word(kind: &str) -> &'static str {
    if kind == "u64" { "value" } else { "value.into()" }
}

fn setter(out: &mut String, port: &Port, place: usize, used: &mut Vec<String>) {
    let Port { name, width, word, .. } = port;
    let method = method(&format!("set_{name}"), used);
    put(out, format_args!("    /// Sets the input `{name}`, {}.", bits(*width)));
    put(out, format_args!("    #[inline]"));
    let (parameter, body) = match rust_type(*width) {
        None => ("&[u64]", format!("self.0.set_wide(PortId({place}), value)")),
        Some(kind) if exact(*width) => (kind, format!("self.0.put({word}, {})", as_word(kind))),
        Some(kind) => {
            let value = format!("fitting({}, {width}, {name:?})", as_word(kind));
            (kind, format!("self.0.put({word}, {value})"))
        }
    };
    put(out, format_args!("    pub fn {method}(&mut self, value: {parameter}) {{"));
    put(out, format_args!("        {body};\n    }}\n"));
}

fn getter(out: &mut String, port: &Port, used: &mut Vec<String>) {
    let Port { name, width, word, words, .. } = port;
    let method = method(name, used);
    let (what, row) = match port.dir {
        Direction::In => ("The input", "inputs"),
        Direction::Out => ("The output", "outputs"),
    };
    put(out, format_args!("    /// {what} `{name}`, {}.", bits(*width)));
    put(out, format_args!("    #[inline]"));
    let (result, body) = match rust_type(*width) {
        None => ("&[u64]", format!("&self.0.{row}()[{word}..{}]", word + words)),
        Some("bool") => ("bool", format!("self.0.{row}()[{word}] != 0")),
        Some("u64") => ("u64", format!("self.0.{row}()[{word}]")),
        Some(kind) => (kind, format!("self.0.{row}()[{word}] as {kind}")),
    };
    put(out, format_args!("    pub fn {method}(&self) -> {result} {{\n        {body}\n    }}\n"));
}

/// The smallest type that holds a port; `None` for more than 64 bits.
fn rust_type(width: u32) -> Option<&'static str> {
    match width {
        1 => Some("bool"),
        2..=8 => Some("u8"),
        9..=16 => Some("u16"),
        17..=32 => Some("u32"),
        33..=64 => Some("u64"),
        _ => None,
    }
}

/// Whether every value of that type is valid.
fn exact(width: u32) -> bool {
    matches!(width, 1 | 8 | 16 | 32 | 64)
}

fn bits(width: u32) -> String {
    if width == 1 { "1 bit".into() } else { format!("{width} bits") }
}

/// A name for a method: the port's, unless it is a keyword or already used.
fn method(name: &str, used: &mut Vec<String>) -> String {
    let mut name = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
    if name.starts_with(|c: char| c.is_ascii_digit()) || name == "_" {
        name.insert_str(0, "port_");
    }
    let raw = KEYWORDS.iter().position(|word| *word == name);
    if raw.is_some_and(|place| place >= KEYWORDS.len() - 4) {
        name.push('_');
    }
    while used.contains(&name) {
        name.push('_');
    }
    used.push(name.clone());
    if KEYWORDS.contains(&name.as_str()) { format!("r#{name}") } else { name }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelOptions, PortSpec};

    fn text(ports: Vec<PortSpec>) -> String {
        let files = vec![("m_5.v".into(), String::new())];
        let source =
            ModelSource { top: "m_5".into(), files, ports, options: ModelOptions::default() };
        handle("my_unit", &source, "m")
    }

    #[test]
    fn units_are_named_as_types_are() {
        assert_eq!(handle_name("context_register"), "ContextRegister");
        assert_eq!(handle_name("fifo"), "Fifo");
    }

    #[test]
    fn ports_become_methods_of_the_smallest_type() {
        let text = text(vec![
            PortSpec::input("clk", 1),
            PortSpec::input("go", 1),
            PortSpec::input("kind", 3),
            PortSpec::output("word", 64),
            PortSpec::output("wide", 148),
            PortSpec::input("mask", 65),
            PortSpec::input("data", 64),
        ]);
        for line in [
            "model! { MyUnit, crosstalk_my_unit, \"m_5\",",
            "input(\"clk\", 1),",
            "fn set_go(&mut self, value: bool) {\n        self.0.put(0, value.into());",
            "fn go(&self) -> bool {",
            "fn set_data(&mut self, value: u64) {\n        self.0.put(4, value);",
            "fn set_kind(&mut self, value: u8) {\n        \
             self.0.put(1, fitting(value.into(), 3, \"kind\"));",
            "fn word(&self) -> u64 {\n        self.0.outputs()[0]\n",
            "fn wide(&self) -> &[u64] {\n        &self.0.outputs()[1..4]\n",
            "fn set_mask(&mut self, value: &[u64]) {\n        self.0.set_wide(PortId(5), value);",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(!text.contains("fn clk") && !text.contains("set_word"), "{text}");
    }

    #[test]
    fn names_that_rust_or_the_handle_has_taken_are_changed() {
        let text = text(vec![
            PortSpec::output("type", 1),
            PortSpec::output("self", 1),
            PortSpec::output("tick", 1),
            PortSpec::input("a", 1),
            PortSpec::output("set_a", 1),
            PortSpec::output("0.x", 1),
        ]);
        for name in ["r#type(&self", "self_(&self", "tick_(&self", "set_a_(&self", "port_0_x("] {
            assert!(text.contains(&format!("pub fn {name}")), "{name}\n{text}");
        }
    }
}
