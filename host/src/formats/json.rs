//! Runs as JSON.

use super::text::{check_lost, counted, from_hex, in_order};
use super::{ImportError, offset_of};
use kit::numbers::hex;
use record::{
    Access, Collected, Ctx, Edge, EdgeKind, End, Ending, Hart, Header, Label, Limits, Pc, Run,
    Time, Total,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

pub(super) const FORMAT: &str = "crosstalk-run";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    format: Cow<'a, str>,
    version: u32,
    label: Cow<'a, str>,
    collected: Cow<'a, str>,
    events: u8,
    harts: u8,
    pc_bits: u8,
    time_bits: u8,
    seed: u64,
    runs: u32,
    config: String,
    elf: String,
    program: Cow<'a, str>,
    outcome: Cow<'a, End>,
    wrapped: bool,
    cycles: u64,
    lost: Vec<Lost>,
    edges: Vec<Entry<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lost {
    hart: u8,
    lost: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry<'a> {
    source: AccessFields,
    sink: AccessFields,
    kind: Cow<'a, str>,
    count: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AccessFields {
    pc: u64,
    ctx: u32,
    time: u64,
    /// `null`: unknown.
    hart: Option<u8>,
}

impl From<Access> for AccessFields {
    fn from(Access { pc, ctx, time, hart }: Access) -> Self {
        Self { pc: pc.0, ctx: ctx.0, time: time.0, hart: hart.known() }
    }
}

impl From<AccessFields> for Access {
    fn from(AccessFields { pc, ctx, time, hart }: AccessFields) -> Self {
        Self { pc: Pc(pc), ctx: Ctx(ctx), time: Time(time), hart: hart.into() }
    }
}

pub fn write(run: &Run) -> Vec<u8> {
    let Header { label, collected, events, harts, pc_bits, time_bits, seed, runs, .. } = run.header;
    let entry = |total: &Total| Entry {
        source: total.edge.source.into(),
        sink: total.edge.sink.into(),
        kind: total.edge.kind.short_name().into(),
        count: total.count,
    };
    let document = Document {
        format: FORMAT.into(),
        version: 1,
        label: label.name().into(),
        collected: collected.name().into(),
        events,
        harts,
        pc_bits,
        time_bits,
        seed,
        runs,
        config: hex(&run.header.config),
        elf: hex(&run.header.elf),
        program: (&run.header.program).into(),
        outcome: Cow::Borrowed(&run.ending.outcome),
        wrapped: run.ending.wrapped,
        cycles: run.ending.cycles,
        lost: run.lost.iter().map(|(hart, lost)| Lost { hart: hart.0, lost: *lost }).collect(),
        edges: run.edges.iter().map(entry).collect(),
    };
    // Strings and numbers only: there is nothing that could have no form in JSON.
    let mut bytes = serde_json::to_vec_pretty(&document).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

pub fn read(text: &str) -> Result<Run, ImportError> {
    let document: Document<'_> = serde_json::from_str(text).map_err(|error| {
        let said = error.to_string();
        let reason = said.rsplit_once(" at line ").map_or(said.as_str(), |(reason, _)| reason);
        ImportError::new(offset_of(text, error.line(), error.column()), reason)
    })?;
    understood(document).map_err(|reason| ImportError::new(0, reason))
}

fn understood(document: Document<'_>) -> Result<Run, String> {
    if document.format != FORMAT || document.version != 1 {
        return Err("expected the format crosstalk-run, version 1".into());
    }
    let digest = |digits: &str, what: &str| {
        from_hex(digits).ok_or_else(|| format!("`{what}`: expected 64 hexadecimal digits"))
    };
    let unknown = |what: &str, name: &str| format!("`{what}` has the unknown value `{name}`");
    let label = Label::ALL.into_iter().find(|label| label.name() == document.label);
    let collected = Collected::ALL.into_iter().find(|way| way.name() == document.collected);
    let header = Header {
        label: label.ok_or_else(|| unknown("label", &document.label))?,
        collected: collected.ok_or_else(|| unknown("collected", &document.collected))?,
        events: document.events,
        harts: document.harts,
        pc_bits: document.pc_bits,
        time_bits: document.time_bits,
        seed: document.seed,
        runs: document.runs,
        config: digest(&document.config, "config")?,
        elf: digest(&document.elf, "elf")?,
        program: document.program.into_owned(),
    };
    let limits = Limits::from(&header);
    let outcome = document.outcome.into_owned();
    let total = |entry: Entry<'_>| {
        let kind = EdgeKind::ALL.into_iter().find(|kind| kind.short_name() == entry.kind);
        let kind = kind.ok_or_else(|| unknown("kind", &entry.kind))?;
        let edge = Edge { source: entry.source.into(), sink: entry.sink.into(), kind };
        limits.check(&edge).map_err(|reason| reason.to_string())?;
        counted(Total { edge, count: entry.count })
    };
    let edges: Vec<Total> = document.edges.into_iter().map(total).collect::<Result<_, _>>()?;
    let lost = document.lost.iter().map(|entry| (Hart(entry.hart), entry.lost)).collect();
    let edges = in_order(&edges);
    check_lost(limits, &lost)?;
    Ok(Run {
        header,
        edges,
        lost,
        ending: Ending { outcome, wrapped: document.wrapped, cycles: document.cycles },
    })
}
