//! Markdown tables with the numbers of this crate, and their markers in the docs.

use crate::host_call::{Descriptor, ErrorNumber, HostCall, SystemCall};
use crate::interrupt::{Exception, Interrupt};
use crate::layout::Part;
use crate::parameters::{self, Drain, Initial, Out, Records, Type};
use crate::record::{self, Collected, FrameKind, Label, OutcomeCode};
use crate::register::{Access, Field, Register, Reset};
use crate::{Numbered, breakpoint, clint, color, event, map, monitor, uart};

/// Why a table cannot be put into a page.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum MarkerError {
    /// A marker names no table.
    #[error("unknown table `{0}`; expected one of {known}", known = TABLES.map(|(name, _)| name).join(", "))]
    Unknown(String),
    /// A table's end marker is missing.
    #[error("table `{0}`: expected a line `{END}` after it")]
    Unclosed(String),
}

/// Generates the lines of a table.
type Make = fn() -> Vec<String>;

/// The tables, by the name in their marker.
pub const TABLES: [(&str, Make); 28] = [
    ("address-map", address_map),
    ("exceptions", || numbers::<Exception>("`mcause`")),
    ("interrupts", || numbers::<Interrupt>("number")),
    ("events", || named::<event::Event>("counter", "event", "what")),
    ("clint", clint_words),
    ("uart", || registers(uart::WINDOW.registers.iter())),
    ("communication-table", || registers(monitor::WINDOW.of_unit("communication_table"))),
    ("monitors", || registers(monitor::WINDOW.of_unit("monitors"))),
    ("comm-monitor", || registers(monitor::WINDOW.of_unit("comm_monitor"))),
    ("breakpoints", breakpoint_words),
    ("breakpoint-events", || named::<breakpoint::Event>("bit", "event", "what")),
    ("colors", || registers(color::WINDOW.registers.iter())),
    ("color-entry", color_entry),
    ("color-kinds", || numbers::<color::EntryKind>("kind")),
    ("color-cases", || named::<color::Case>("bit", "case", "what")),
    ("commit-causes", || named::<color::Commit>("code", "cause", "when")),
    ("host-calls", host_calls),
    ("descriptors", || numbers::<Descriptor>("descriptor")),
    ("parameters", parameter_block),
    ("system-calls", || named::<SystemCall>("a7", "call", "arguments: what it does")),
    ("frame-kinds", || named::<FrameKind>("kind", "name", "what")),
    ("frame-head", || parts(record::head::PARTS)),
    ("header", || parts(record::header::PARTS)),
    ("lost", || parts(record::lost::PARTS)),
    ("end", || parts(record::end::PARTS)),
    ("labels", || named::<Label>("code", "label", "what")),
    ("collected", || named::<Collected>("code", "name", "how the edges were collected")),
    ("outcomes", || named::<OutcomeCode>("code", "outcome", "what")),
];

const BEGIN: &str = "<!-- border: ";
const END: &str = "<!-- end of border -->";

/// A page with its tables brought up to date: everything between `<!-- border: name -->` and
/// `<!-- end of border -->` is replaced.
pub fn refreshed(page: &str) -> Result<String, MarkerError> {
    let mut out = String::with_capacity(page.len());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let Some(name) = line.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(" -->")) else {
            continue;
        };
        let table = TABLES.iter().find(|(known, _)| *known == name);
        let (_, make) = table.ok_or_else(|| MarkerError::Unknown(name.into()))?;
        for row in make() {
            out.push_str(&row);
            out.push('\n');
        }
        if !lines.any(|line| line == END) {
            return Err(MarkerError::Unclosed(name.into()));
        }
        out.push_str(END);
        out.push('\n');
    }
    Ok(out)
}

/// A table of these columns and rows.
fn table<const N: usize>(
    columns: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Vec<String> {
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let mut lines = vec![line(&columns.map(str::to_owned)), format!("|{}", "---|".repeat(N))];
    lines.extend(rows.into_iter().map(|row| line(&row)));
    lines
}

fn numbers<N: Numbered>(column: &str) -> Vec<String> {
    table([column, "what"], N::ROWS.iter().map(|row| [row.number.to_string(), row.doc.into()]))
}

fn named<N: Numbered>(number: &str, name: &str, what: &str) -> Vec<String> {
    let rows = N::ROWS.iter();
    let cells =
        rows.map(|row| [row.number.to_string(), row.name.replace('_', " "), row.doc.into()]);
    table([number, name, what], cells)
}

fn parts(parts: &[Part]) -> Vec<String> {
    let cells = parts.iter();
    let cells =
        cells.map(|part| [part.offset.to_string(), part.bytes.to_string(), part.doc.into()]);
    table(["offset", "bytes", "what"], cells)
}

fn address_map() -> Vec<String> {
    let size = |bytes: u32| match bytes {
        0 => "to `ram_last`".into(),
        bytes if bytes >= 1 << 10 => format!("{} KiB", bytes >> 10),
        bytes => format!("{bytes} B"),
    };
    let rows = map::REGIONS.map(|region| {
        [address(region.base), size(region.bytes), region.doc.into(), region.modes.into()]
    });
    table(["from", "size", "what", "who"], rows)
}

fn registers<'a>(rows: impl Iterator<Item = &'a Register>) -> Vec<String> {
    let cells = rows.map(|register| {
        let [name, access, reset, doc] = described(register);
        [register.word.to_string(), name, access, reset, doc]
    });
    table(["word", "register", "access", "reset", "what"], cells)
}

fn clint_words() -> Vec<String> {
    let cells = clint::WINDOW.registers.iter().zip(clint::Word::ALL).map(|(register, word)| {
        let [name, access, reset, doc] = described(register);
        let each = match word.stride() {
            0 => String::new(),
            stride => format!(" + {stride}h"),
        };
        [format!("{:#x}{each}", word.offset()), name, access, reset, doc]
    });
    table(["offset, hart h", "register", "access", "reset", "what"], cells)
}

fn breakpoint_words() -> Vec<String> {
    let words = breakpoint::WINDOW.registers.iter().zip(breakpoint::Word::ALL);
    let cells = words.map(|(register, word)| {
        let [name, access, reset, doc] = described(register);
        let each = match word.is_of_party() {
            true => format!(" + {}p", breakpoint::PARTY_WORDS),
            false => String::new(),
        };
        [
            format!("{} + {}e{each}", word.number(), breakpoint::ENTRY_WORDS),
            name,
            access,
            reset,
            doc,
        ]
    });
    table(["word, entry e, party p", "register", "access", "reset", "what"], cells)
}

fn color_entry() -> Vec<String> {
    let cells = color::ENTRY.iter().map(|field| {
        let bits = format!("{}-{}", field.low + field.width - 1, field.low);
        [bits, format!("`{}`", field.name), field.doc.into()]
    });
    table(["bits", "field", "what"], cells)
}

/// Name, access, reset value and meaning of a register.
fn described(register: &Register) -> [String; 4] {
    let access = match register.access {
        Access::ReadOnly => "read",
        Access::WriteOnly => "write",
        Access::ReadWrite => "read, write",
    };
    let reset = match register.reset {
        Reset::Value(value @ 0..=9) => value.to_string(),
        Reset::Value(u32::MAX) => "all ones".into(),
        Reset::Value(value) => format!("{value:#x}"),
        Reset::TableDepth => "the table's depth".into(),
    };
    let mut doc = register.doc.to_owned();
    for field in register.fields {
        doc += &format!(" {}: `{}`, {}.", bits(field), field.name, field.doc);
    }
    [format!("`{}`", register.name), access.into(), reset, doc]
}

fn bits(field: &Field) -> String {
    match field.width {
        1 => format!("Bit {}", field.low),
        width => format!("Bits {}-{}", field.low + width - 1, field.low),
    }
}

fn host_calls() -> Vec<String> {
    let calls = HostCall::ROWS.iter().map(|row| [row.number.to_string(), row.doc.into()]);
    let errors = ErrorNumber::ALL
        .iter()
        .map(|error| [format!("answer {}", error.answer()), error.doc().into()]);
    table(["call", "arguments: what it does"], calls.chain(errors))
}

fn parameter_block() -> Vec<String> {
    let rows = parameters::LAYOUT.iter().map(|row| {
        let initial = match row.initial {
            Initial::Number(parameters::MAGIC) => String::new(),
            Initial::Number(number) => number.to_string(),
            Initial::Text(text) => format!("`{text}`"),
        };
        let kind = match row.kind {
            Type::U8 => "u8".into(),
            Type::U32 => "u32".into(),
            Type::Hash | Type::Strings => format!("{} bytes", row.kind.bytes()),
        };
        [
            row.offset.to_string(),
            format!("`{}`", row.name),
            kind,
            row.doc.to_owned() + &codes(row.name),
            initial,
        ]
    });
    table(["offset", "parameter", "type", "what", "default"], rows)
}

/// The codes of a parameter that has any.
fn codes(parameter: &str) -> String {
    let rows = match parameter {
        "out" => Out::ROWS,
        "drain" => Drain::ROWS,
        "records" => Records::ROWS,
        _ => return String::new(),
    };
    let codes: Vec<_> = rows.iter().map(|row| format!("{} {}", row.number, row.doc)).collect();
    format!(": {}", codes.join("; "))
}

/// An address as the docs write it.
fn address(address: u32) -> String {
    format!("0x{:04x}_{:04x}", address >> 16, address & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_the_markers_is_replaced_and_the_rest_stays() {
        let page = format!("before\n{BEGIN}interrupts -->\nstale\nstale\n{END}\nafter\n");
        let new = refreshed(&page).unwrap();
        assert!(new.starts_with(
            "before\n<!-- border: interrupts -->\n| number | what |\n|---|---|\n| 3 |"
        ));
        assert!(new.ends_with(&format!("\n{END}\nafter\n")) && !new.contains("stale"), "{new}");
        assert_eq!(refreshed(&new).unwrap(), new);
    }

    #[test]
    fn a_marker_without_a_table_or_an_end_is_refused() {
        let unknown = refreshed("<!-- border: nothing -->\n").unwrap_err().to_string();
        assert!(
            unknown.starts_with("unknown table `nothing`; expected one of address-map, "),
            "{unknown}"
        );
        let unclosed = refreshed("<!-- border: clint -->\ntext\n").unwrap_err();
        assert_eq!(unclosed, MarkerError::Unclosed("clint".into()));
    }
}
