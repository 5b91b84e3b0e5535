//! Where a mutant is: the line of Verilog, and the line of Rust that it comes from.

use crate::mutant::Mutant;
use crate::netlist::Netlist;
use serde::{Deserialize, Serialize};

/// A line of Verilog and what it was generated from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// File and line of the Verilog.
    pub verilog: String,
    /// The line's text.
    pub text: String,
    /// File and line of the Rust source: of what is assigned there, or else of the module.
    pub rust: String,
}

impl Place {
    /// Where a mutant is. The narrowest of its places says most.
    pub fn of(mutant: &Mutant, netlist: &Netlist) -> Place {
        let nowhere =
            || Place { verilog: mutant.module.clone(), text: String::new(), rust: String::new() };
        let found = mutant.places.iter().find_map(|place| {
            let (file, line) = file_and_line(place)?;
            Some((file, line, netlist.original(file)?))
        });
        let Some((file, line, text)) = found else { return nowhere() };
        let shown = text.lines().nth(line - 1).unwrap_or_default().trim();
        Place {
            verilog: format!("{file}:{line}"),
            text: shown.to_owned(),
            rust: rust_line(&text, line, mutant.wire.as_deref()),
        }
    }
}

/// `a.v` and 32 of `original/a.v:32.25-32.59`.
fn file_and_line(place: &str) -> Option<(&str, usize)> {
    let (path, range) = place.rsplit_once(':')?;
    let line = range.split('.').next()?.parse().ok().filter(|line| *line > 0)?;
    Some((path.rsplit('/').next()?, line))
}

/// The Rust line of what a line of Verilog assigns, or of the wire. Registers and memories are declared with theirs; for
/// all else it is the module's.
fn rust_line(verilog: &str, line: usize, wire: Option<&str>) -> String {
    let lines: Vec<&str> = verilog.lines().collect();
    let here = lines.get(line - 1).copied().unwrap_or_default();
    let own = here.split_once("// ").map(|(_, comment)| comment).filter(|it| is_source(it));
    let declared = || {
        let name = assigned(here).or(wire)?;
        lines.iter().find_map(|line| {
            let (declaration, comment) = line.split_once("; // ")?;
            let declared = declaration.split([' ', '[']).any(|word| word == name);
            (declared && is_source(comment)).then_some(comment)
        })
    };
    let module = || lines.iter().find_map(|line| line.strip_prefix("// Source:")).map(str::trim);
    own.or_else(declared).or_else(module).unwrap_or_default().to_owned()
}

fn is_source(comment: &str) -> bool {
    comment.split_once(".rs:").is_some_and(|(_, line)| line.parse::<u32>().is_ok())
}

/// The name that a line assigns to.
fn assigned(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches("assign ");
    let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, rest) = line.split_at(end);
    (!name.is_empty() && rest.contains('=')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERILOG: &str = "\
// Source:     src/table.rs:9
module table_4 (
  reg [9:0] head; // src/table.rs:21
  reg [1:0] rows [0:3]; // src/table.rs:22
  assign full = count == 4;
      head <= head + 10'd1;
      rows[head] <= 2'd1;
";

    #[test]
    fn a_line_has_the_source_of_what_it_assigns_or_else_of_the_module() {
        assert_eq!(rust_line(VERILOG, 3, None), "src/table.rs:21");
        assert_eq!(rust_line(VERILOG, 5, None), "src/table.rs:9");
        assert_eq!(rust_line(VERILOG, 6, None), "src/table.rs:21");
        assert_eq!(rust_line(VERILOG, 7, None), "src/table.rs:22");
        assert_eq!(rust_line(VERILOG, 2, Some("rows")), "src/table.rs:22");
        assert_eq!(rust_line("", 7, None), "");
    }

    #[test]
    fn a_place_is_a_file_and_a_line() {
        assert_eq!(file_and_line("original/a.v:32.25-32.59"), Some(("a.v", 32)));
        assert_eq!(file_and_line("nowhere"), None);
    }
}
