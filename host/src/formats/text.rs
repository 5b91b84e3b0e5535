//! A run as keys and values: what GraphML and DOT have in common.

use border::interrupt::Cause;
use kit::numbers::hex;
use record::{
    Access, Collected, Ctx, Edge, EdgeKind, End, Ending, Hart, Header, Label, Limits, Pc, Run,
    Time, Total, Totals,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::FromStr;

/// Keys and values of one thing.
pub type Fields = BTreeMap<String, String>;

/// What is true of the whole run.
pub fn run_fields(run: &Run) -> Vec<(&'static str, String)> {
    let Header { label, collected, events, harts, pc_bits, time_bits, .. } = run.header;
    let mut fields = vec![
        ("format", "crosstalk-run-1".to_owned()),
        ("label", label.name().to_owned()),
        ("collected", collected.name().to_owned()),
        ("events", events.to_string()),
        ("harts", harts.to_string()),
        ("pc_bits", pc_bits.to_string()),
        ("time_bits", time_bits.to_string()),
        ("seed", run.header.seed.to_string()),
        ("runs", run.header.runs.to_string()),
        ("config", hex(&run.header.config)),
        ("elf", hex(&run.header.elf)),
        ("program", escaped(&run.header.program)),
        ("wrapped", run.ending.wrapped.to_string()),
        ("cycles", run.ending.cycles.to_string()),
    ];
    let outcome = match &run.ending.outcome {
        End::Unknown => "unknown",
        End::Exit { code } => {
            fields.push(("code", code.to_string()));
            "exit"
        }
        End::Assertion { file, line } => {
            fields.push(("file", escaped(file)));
            fields.push(("line", line.to_string()));
            "assertion"
        }
        End::Fault { pc, address, cause } => {
            fields.push(("pc", pc.to_string()));
            fields.push(("address", address.to_string()));
            fields.push(("cause", cause.mcause().to_string()));
            "fault"
        }
        End::Deadlock => "deadlock",
        End::CycleLimit => "cycle-limit",
    };
    fields.push(("outcome", outcome.to_owned()));
    let lost: Vec<_> = run.lost.iter().map(|(hart, lost)| format!("{}:{lost}", hart.0)).collect();
    fields.push(("lost", lost.join(" ")));
    fields
}

/// The inverse of [`run_fields`], without edges.
pub fn run_of(fields: &Fields) -> Result<Run, String> {
    if text(fields, "format")? != "crosstalk-run-1" {
        return Err("expected the format crosstalk-run-1".into());
    }
    let header = Header {
        label: named(fields, "label", &Label::ALL.map(|label| (label.name(), label)))?,
        collected: named(fields, "collected", &Collected::ALL.map(|way| (way.name(), way)))?,
        events: number(fields, "events")?,
        harts: number(fields, "harts")?,
        pc_bits: number(fields, "pc_bits")?,
        time_bits: number(fields, "time_bits")?,
        seed: number(fields, "seed")?,
        runs: number(fields, "runs")?,
        config: hash(fields, "config")?,
        elf: hash(fields, "elf")?,
        program: unescaped(text(fields, "program")?)?,
    };
    let outcome = match text(fields, "outcome")? {
        "unknown" => End::Unknown,
        "exit" => End::Exit { code: number(fields, "code")? },
        "assertion" => End::Assertion {
            file: unescaped(text(fields, "file")?)?,
            line: number(fields, "line")?,
        },
        "fault" => End::Fault {
            pc: number(fields, "pc")?,
            address: number(fields, "address")?,
            cause: Cause::of_mcause(number(fields, "cause")?),
        },
        "deadlock" => End::Deadlock,
        "cycle-limit" => End::CycleLimit,
        other => return Err(format!("unknown outcome `{other}`")),
    };
    let wrapped = named(fields, "wrapped", &[("true", true), ("false", false)])?;
    let ending = Ending { outcome, wrapped, cycles: number(fields, "cycles")? };
    let mut lost = BTreeMap::new();
    for entry in text(fields, "lost")?.split_whitespace() {
        let both = entry
            .split_once(':')
            .and_then(|(hart, lost)| Some((hart.parse().ok()?, lost.parse().ok()?)));
        let (hart, count) = both.ok_or_else(|| format!("expected `hart:count`, got `{entry}`"))?;
        lost.insert(Hart(hart), count);
    }
    check_lost(Limits::from(&header), &lost)?;
    Ok(Run { header, edges: Vec::new(), lost, ending })
}

/// A node's fields.
pub fn node_fields(pc: Pc, ctx: Ctx) -> [(&'static str, String); 2] {
    [("pc", format!("{:#x}", pc.0)), ("ctx", ctx.0.to_string())]
}

/// The inverse of [`node_fields`].
pub fn node_of(fields: &Fields) -> Result<(Pc, Ctx), String> {
    let pc = text(fields, "pc")?;
    let digits = pc
        .strip_prefix("0x")
        .ok_or_else(|| format!("expected a pc such as 0x80000000, got `{pc}`"))?;
    let pc = u64::from_str_radix(digits, 16)
        .map_err(|_| format!("expected a hexadecimal pc of at most 64 bits, got `{pc}`"))?;
    Ok((Pc(pc), Ctx(number(fields, "ctx")?)))
}

/// An edge's fields, without its nodes.
pub fn edge_fields(total: &Total) -> [(&'static str, String); 6] {
    let Edge { source, sink, kind } = total.edge;
    [
        ("kind", kind.short_name().to_owned()),
        ("count", total.count.to_string()),
        ("source_time", source.time.0.to_string()),
        ("sink_time", sink.time.0.to_string()),
        ("source_hart", hart_text(source.hart)),
        ("sink_hart", hart_text(sink.hart)),
    ]
}

/// The inverse of [`edge_fields`], between these nodes.
pub fn edge_of(fields: &Fields, source: (Pc, Ctx), sink: (Pc, Ctx)) -> Result<Total, String> {
    let kinds = EdgeKind::ALL.map(|kind| (kind.short_name(), kind));
    let end = |(pc, ctx): (Pc, Ctx), time, hart| -> Result<Access, String> {
        Ok(Access { pc, ctx, time: Time(number(fields, time)?), hart: hart_of(fields, hart)? })
    };
    let edge = Edge {
        source: end(source, "source_time", "source_hart")?,
        sink: end(sink, "sink_time", "sink_hart")?,
        kind: named(fields, "kind", &kinds)?,
    };
    counted(Total { edge, count: number(fields, "count")? })
}

/// A hart as a number; one that is unknown is -1, which is a number for programs that expect one.
fn hart_text(hart: Hart) -> String {
    hart.known().map_or_else(|| "-1".to_owned(), |hart| hart.to_string())
}

fn hart_of(fields: &Fields, key: &str) -> Result<Hart, String> {
    if text(fields, key)? == "-1" { Ok(Hart::UNKNOWN) } else { Ok(Hart(number(fields, key)?)) }
}

/// Refuses lost edges of a hart that the machine does not have.
pub fn check_lost(limits: Limits, lost: &BTreeMap<Hart, u32>) -> Result<(), String> {
    let mut harts = lost.keys();
    harts.try_for_each(|hart| limits.check_lost(*hart)).map_err(|reason| reason.to_string())
}

/// Refuses what happened zero times.
pub fn counted(total: Total) -> Result<Total, String> {
    if total.count == 0 { Err("expected a count of at least 1, got 0".into()) } else { Ok(total) }
}

/// The edges as a run has them.
pub fn in_order(edges: &[Total]) -> Vec<Total> {
    let mut totals = Totals::default();
    edges.iter().for_each(|total| totals.add(total));
    totals.into_sorted()
}

fn text<'a>(fields: &'a Fields, key: &str) -> Result<&'a str, String> {
    fields.get(key).map(String::as_str).ok_or_else(|| format!("`{key}` is missing"))
}

fn number<T: FromStr>(fields: &Fields, key: &str) -> Result<T, String> {
    let value = text(fields, key)?;
    value.parse().map_err(|_| format!("`{key}`: expected a number in its range, got `{value}`"))
}

fn named<T: Copy>(fields: &Fields, key: &str, all: &[(&str, T)]) -> Result<T, String> {
    let value = text(fields, key)?;
    let found = all.iter().find(|(name, _)| *name == value);
    found.map(|(_, it)| *it).ok_or_else(|| {
        let known = all.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        format!("`{key}` has the unknown value `{value}`; expected one of {known}")
    })
}

fn hash(fields: &Fields, key: &str) -> Result<record::Hash, String> {
    from_hex(text(fields, key)?).ok_or_else(|| format!("`{key}`: expected 64 hexadecimal digits"))
}

/// The inverse of [`hex`] for a digest.
pub fn from_hex(digits: &str) -> Option<record::Hash> {
    let mut hash = [0; 32];
    if digits.len() != 64 || !digits.is_ascii() {
        return None;
    }
    for (place, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * place..2 * place + 2], 16).ok()?;
    }
    Some(hash)
}

/// Text without characters that a format may change or forbid.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        let plain = !letter.is_control() && !matches!(letter, '\\' | '\u{fffe}' | '\u{ffff}');
        // White space at the ends might get lost.
        if plain && (letter == ' ' || !letter.is_whitespace()) {
            escaped.push(letter);
        } else {
            let _ = write!(escaped, "\\{{{:x}}}", u32::from(letter));
        }
    }
    escaped
}

fn unescaped(text: &str) -> Result<String, String> {
    let mut pieces = text.split("\\{");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let letter = piece.split_once('}').and_then(|(code, rest)| {
            Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, rest))
        });
        let (letter, rest) = letter.ok_or_else(|| {
            format!("`\\{{{piece}`: expected a character's code, as in `\\{{a}}`")
        })?;
        plain.push(letter);
        plain.push_str(rest);
    }
    Ok(plain)
}
