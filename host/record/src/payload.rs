//! Payloads of the frames: records, headers and endings, as bytes.

use border::record::{self, OutcomeCode};

use crate::frame::{FrameKind, MAX_PAYLOAD};
use crate::{
    Access, Collected, Ctx, Edge, EdgeKind, End, Ending, Hart, Header, Label, Pc, Reason, Time,
    Total,
};

/// The version of the format that this crate reads and writes.
pub const VERSION: u16 = record::VERSION;
/// The longest text in a frame; longer ones are truncated at a character boundary.
pub const MAX_TEXT: usize = record::MAX_TEXT as usize;

const MAGIC: &[u8; 8] = &record::MAGIC;
const HEADER: usize = record::HEADER_BYTES as usize;
const ENDING: usize = record::END_BYTES as usize;

/// The layout of the records in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    wide: bool,
    counted: bool,
}

/// An edge as in the hardware's table.
const BARE: Shape = Shape { wide: false, counted: false };

impl Shape {
    /// The shape of the records in frames of this kind, if they hold any.
    pub fn of_kind(kind: FrameKind) -> Option<Self> {
        let (wide, counted) = match kind {
            FrameKind::Edges => (false, false),
            FrameKind::WideEdges => (true, false),
            FrameKind::Totals => (false, true),
            FrameKind::WideTotals => (true, true),
            FrameKind::Header | FrameKind::Lost | FrameKind::End => return None,
        };
        Some(Self { wide, counted })
    }

    /// The narrowest shape that holds an edge.
    pub fn for_edge(edge: &Edge, counted: bool) -> Self {
        let Edge { source, sink, .. } = edge;
        let largest = [source.pc.0, sink.pc.0, source.time.0, sink.time.0].into_iter().max();
        Self { wide: largest > Some(u64::from(u32::MAX)), counted }
    }

    pub fn kind(self) -> FrameKind {
        match (self.wide, self.counted) {
            (false, false) => FrameKind::Edges,
            (true, false) => FrameKind::WideEdges,
            (false, true) => FrameKind::Totals,
            (true, true) => FrameKind::WideTotals,
        }
    }

    /// Bytes of a record.
    pub fn size(self) -> usize {
        record::EDGE_BYTES as usize
            + if self.wide { 16 } else { 0 }
            + if self.counted { 4 } else { 0 }
    }

    /// Records that fit into a frame.
    pub fn capacity(self) -> usize {
        MAX_PAYLOAD / self.size()
    }

    /// Appends a record: the words of the table's register window, then the count.
    pub fn append(self, total: &Total, out: &mut Vec<u8>) {
        let Edge { source, sink, kind } = total.edge;
        let low = [source.pc.0, sink.pc.0, source.ctx.0.into(), sink.ctx.0.into()];
        let ends = [kind.code(), source.hart.0, sink.hart.0];
        let word = u32::from_be_bytes([0, ends[0], ends[1], ends[2]]);
        for value in low.into_iter().chain([source.time.0, sink.time.0, word.into()]) {
            out.extend((value as u32).to_le_bytes());
        }
        if self.wide {
            for value in [source.pc.0, sink.pc.0, source.time.0, sink.time.0] {
                out.extend(((value >> 32) as u32).to_le_bytes());
            }
        }
        if self.counted {
            out.extend(total.count.to_le_bytes());
        }
    }

    /// Reads all records of a payload into `records`.
    pub fn read(self, payload: &[u8], records: &mut Vec<Total>) -> Result<(), Reason> {
        let size = self.size();
        if payload.is_empty() || !payload.len().is_multiple_of(size) {
            let expected = format!("a multiple of {size}");
            let what = "a frame of records";
            return Err(Reason::PayloadSize { what, expected, found: payload.len() });
        }
        for record in payload.chunks_exact(size) {
            records.push(self.record(record)?);
        }
        Ok(())
    }

    fn record(self, bytes: &[u8]) -> Result<Total, Reason> {
        let word = |place: usize| u32_at(bytes, 4 * place);
        let wide = |low: usize, high: usize| match self.wide {
            true => u64::from(word(high)) << 32 | u64::from(word(low)),
            false => u64::from(word(low)),
        };
        let [top, code, source_hart, sink_hart] = word(6).to_be_bytes();
        let kind = EdgeKind::ALL.get(usize::from(code)).filter(|_| top == 0);
        let Some(&kind) = kind else {
            return Err(Reason::Code { what: "an edge's kind", code: word(6) >> 16, largest: 2 });
        };
        let access = |pc, ctx, time, hart| Access {
            pc: Pc(pc),
            ctx: Ctx(ctx),
            time: Time(time),
            hart: Hart(hart),
        };
        let source = access(wide(0, 7), word(2), wide(4, 9), source_hart);
        let sink = access(wide(1, 8), word(3), wide(5, 10), sink_hart);
        let count = if self.counted { word(self.size() / 4 - 1) } else { 1 };
        if count == 0 {
            return Err(Reason::ZeroCount);
        }
        Ok(Total { edge: Edge { source, sink, kind }, count })
    }
}

/// Reads unframed edges: the words of the table's window, one edge after the other.
pub fn bare_edges(bytes: &[u8]) -> Result<Vec<Total>, Reason> {
    let mut edges = Vec::with_capacity(bytes.len() / BARE.size());
    if !bytes.is_empty() {
        BARE.read(bytes, &mut edges)?;
    }
    Ok(edges)
}

pub(crate) fn header_bytes(header: &Header) -> Vec<u8> {
    let program = cut(&header.program);
    let mut bytes = Vec::with_capacity(HEADER + program.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend([header.label.number() as u8, header.collected.number() as u8]);
    bytes.extend([header.events, header.harts, header.pc_bits, header.time_bits]);
    bytes.extend(header.seed.to_le_bytes());
    bytes.extend(header.runs.to_le_bytes());
    bytes.extend((program.len() as u32).to_le_bytes());
    bytes.extend(header.config);
    bytes.extend(header.elf);
    bytes.extend(program.as_bytes());
    bytes
}

pub(crate) fn read_header(bytes: &[u8]) -> Result<Header, Reason> {
    let what = "a header";
    let size = |expected: String| Reason::PayloadSize { what, expected, found: bytes.len() };
    if bytes.len() < HEADER {
        return Err(size(format!("at least {HEADER}")));
    }
    if &bytes[..8] != MAGIC {
        return Err(Reason::Foreign(hex(&bytes[..8])));
    }
    let version = u16::from_le_bytes([bytes[8], bytes[9]]);
    if version != VERSION {
        return Err(Reason::Version(version));
    }
    let length = u32_at(bytes, 28) as usize;
    if length > MAX_TEXT || bytes.len() != HEADER + length {
        return Err(size(format!("{HEADER} and a name of {length}")));
    }
    let mut hashes = [[0; 32]; 2];
    hashes[0].copy_from_slice(&bytes[32..64]);
    hashes[1].copy_from_slice(&bytes[64..96]);
    Ok(Header {
        label: coded(&Label::ALL, bytes[10], "a label")?,
        collected: coded(&Collected::ALL, bytes[11], "the collection method")?,
        events: bytes[12],
        harts: bytes[13],
        pc_bits: bytes[14],
        time_bits: bytes[15],
        seed: u64_at(bytes, 16),
        runs: u32_at(bytes, 24),
        config: hashes[0],
        elf: hashes[1],
        program: text(&bytes[HEADER..], "the program's name")?,
    })
}

pub(crate) fn lost_bytes(hart: Hart, lost: u32) -> [u8; 8] {
    let [a, b, c, d] = lost.to_le_bytes();
    [hart.0, 0, 0, 0, a, b, c, d]
}

pub(crate) fn read_lost(bytes: &[u8]) -> Result<(Hart, u32), Reason> {
    match *bytes {
        [hart, 0, 0, 0, a, b, c, d] => Ok((Hart(hart), u32::from_le_bytes([a, b, c, d]))),
        [_, _, _, _, _, _, _, _] => {
            Err(Reason::Code { what: "a reserved byte", code: 1, largest: 0 })
        }
        _ => Err(Reason::PayloadSize {
            what: "a lost frame",
            expected: "8".into(),
            found: bytes.len(),
        }),
    }
}

/// The end frame: the ending, and the counts that prove that no frame is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EndFrame {
    pub ending: Ending,
    pub records: u64,
    pub chain: u32,
}

pub(crate) fn end_bytes(end: &EndFrame) -> Vec<u8> {
    let outcome = &end.ending.outcome;
    let (a, b, c, file) = match outcome {
        End::Unknown | End::Deadlock | End::CycleLimit => (0, 0, 0, ""),
        End::Exit { code } => (u64::from(*code as u32), 0, 0, ""),
        End::Assertion { file, line } => (u64::from(*line), 0, 0, cut(file)),
        End::Fault { pc, address, cause } => (*pc, *address, *cause, ""),
    };
    let mut bytes = Vec::with_capacity(ENDING + file.len());
    bytes.extend([outcome.code().number() as u8, u8::from(end.ending.wrapped)]);
    bytes.extend((file.len() as u16).to_le_bytes());
    bytes.extend(end.chain.to_le_bytes());
    for value in [end.records, end.ending.cycles, a, b] {
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend(c.to_le_bytes());
    bytes.extend(file.as_bytes());
    bytes
}

pub(crate) fn read_end(bytes: &[u8]) -> Result<EndFrame, Reason> {
    let what = "an end frame";
    let size = |expected: String| Reason::PayloadSize { what, expected, found: bytes.len() };
    if bytes.len() < ENDING {
        return Err(size(format!("at least {ENDING}")));
    }
    let length = usize::from(u16::from_le_bytes([bytes[2], bytes[3]]));
    if length > MAX_TEXT || bytes.len() != ENDING + length {
        return Err(size(format!("{ENDING} and a text of {length}")));
    }
    if bytes[1] > 1 {
        return Err(Reason::Code { what: "the flags", code: bytes[1].into(), largest: 1 });
    }
    let [a, b] = [u64_at(bytes, 24), u64_at(bytes, 32)];
    let c = u32_at(bytes, 40);
    let file = text(&bytes[ENDING..], "the file of an assertion")?;
    let outcome = match coded(&OutcomeCode::ALL, bytes[0], "an outcome")? {
        OutcomeCode::Unknown => End::Unknown,
        OutcomeCode::Exit => End::Exit { code: a as u32 as i32 },
        OutcomeCode::Assertion => End::Assertion { file, line: a as u32 },
        OutcomeCode::Fault => End::Fault { pc: a, address: b, cause: c },
        OutcomeCode::Deadlock => End::Deadlock,
        OutcomeCode::CycleLimit => End::CycleLimit,
    };
    let ending = Ending { outcome, wrapped: bytes[1] == 1, cycles: u64_at(bytes, 16) };
    Ok(EndFrame { ending, records: u64_at(bytes, 8), chain: u32_at(bytes, 4) })
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digits: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(" ")
}

fn coded<T: Copy>(all: &[T], code: u8, what: &'static str) -> Result<T, Reason> {
    let largest = all.len() as u32 - 1;
    all.get(usize::from(code)).copied().ok_or(Reason::Code { what, code: code.into(), largest })
}

fn text(bytes: &[u8], what: &'static str) -> Result<String, Reason> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| Reason::Text(what))
}

/// A text truncated to fit a frame, at a character boundary.
fn cut(text: &str) -> &str {
    let end = (0..=MAX_TEXT.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at + 4)) << 32 | u64::from(u32_at(bytes, at))
}
