//! Payloads of the frames: records, headers and endings, as bytes.

use border::interrupt::Cause;
use border::layout::Part;
use border::monitor::{self, Word};
use border::record::{self, OutcomeCode, end, header, lost};
use border::register::Field;

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
const LOST: usize = record::LOST_BYTES as usize;
const ENDING: usize = record::END_BYTES as usize;

/// Words of a wide edge that follow those of the register window: upper halves, in this order.
const UPPER_SOURCE_PC: usize = monitor::EDGE_WORDS as usize;
const UPPER_SINK_PC: usize = UPPER_SOURCE_PC + 1;
const UPPER_SOURCE_TIME: usize = UPPER_SOURCE_PC + 2;
const UPPER_SINK_TIME: usize = UPPER_SOURCE_PC + 3;

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
        let word = Word::KIND.holding(kind.number())
            | Word::SOURCE_HART.holding(source.hart.0.into())
            | Word::SINK_HART.holding(sink.hart.0.into());
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
        let of_edge = |register: Word| word(register.number() as usize);
        let wide = |low: Word, high: usize| match self.wide {
            true => u64::from(word(high)) << 32 | u64::from(of_edge(low)),
            false => u64::from(of_edge(low)),
        };
        let last = of_edge(Word::KindAndHarts);
        let hart = |field: Field| Hart(field.of(last) as u8);
        let code = last >> Word::KIND.low;
        let Some(kind) = EdgeKind::numbered(code) else {
            return Err(Reason::Code { what: "an edge's kind", code, largest: 2 });
        };
        let source = Access {
            pc: Pc(wide(Word::SourcePc, UPPER_SOURCE_PC)),
            ctx: Ctx(of_edge(Word::SourceContext)),
            time: Time(wide(Word::SourceTime, UPPER_SOURCE_TIME)),
            hart: hart(Word::SOURCE_HART),
        };
        let sink = Access {
            pc: Pc(wide(Word::SinkPc, UPPER_SINK_PC)),
            ctx: Ctx(of_edge(Word::SinkContext)),
            time: Time(wide(Word::SinkTime, UPPER_SINK_TIME)),
            hart: hart(Word::SINK_HART),
        };
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
    let mut bytes = vec![0; HEADER];
    header::MAGIC.put(&mut bytes, MAGIC);
    for (part, number) in [
        (header::VERSION, VERSION.into()),
        (header::LABEL, header.label.number().into()),
        (header::COLLECTED, header.collected.number().into()),
        (header::EVENTS, header.events.into()),
        (header::HARTS, header.harts.into()),
        (header::PC_BITS, header.pc_bits.into()),
        (header::TIME_BITS, header.time_bits.into()),
        (header::SEED, header.seed),
        (header::RUNS, header.runs.into()),
        (header::NAME_LENGTH, program.len() as u64),
    ] {
        part.put_number(&mut bytes, number);
    }
    header::CONFIG.put(&mut bytes, &header.config);
    header::ELF.put(&mut bytes, &header.elf);
    bytes.extend(program.as_bytes());
    bytes
}

pub(crate) fn read_header(bytes: &[u8]) -> Result<Header, Reason> {
    let what = "a header";
    let size = |expected: String| Reason::PayloadSize { what, expected, found: bytes.len() };
    if bytes.len() < HEADER {
        return Err(size(format!("at least {HEADER}")));
    }
    let magic = header::MAGIC.of(bytes);
    if magic != MAGIC {
        return Err(Reason::Foreign(hex(magic)));
    }
    let version = header::VERSION.number(bytes) as u16;
    if version != VERSION {
        return Err(Reason::Version(version));
    }
    let length = header::NAME_LENGTH.number(bytes) as usize;
    if length > MAX_TEXT || bytes.len() != HEADER + length {
        return Err(size(with_text(HEADER, length)));
    }
    let byte = |part: Part| part.number(bytes) as u8;
    let hash = |part: Part| {
        let mut hash = [0; 32];
        hash.copy_from_slice(part.of(bytes));
        hash
    };
    Ok(Header {
        label: coded(&Label::ALL, byte(header::LABEL), "a label")?,
        collected: coded(&Collected::ALL, byte(header::COLLECTED), "the collection method")?,
        events: byte(header::EVENTS),
        harts: byte(header::HARTS),
        pc_bits: byte(header::PC_BITS),
        time_bits: byte(header::TIME_BITS),
        seed: header::SEED.number(bytes),
        runs: header::RUNS.number(bytes) as u32,
        config: hash(header::CONFIG),
        elf: hash(header::ELF),
        program: text(&bytes[HEADER..], "the program's name")?,
    })
}

pub(crate) fn lost_bytes(hart: Hart, lost: u32) -> [u8; LOST] {
    let mut bytes = [0; LOST];
    lost::HART.put_number(&mut bytes, hart.0.into());
    lost::COUNT.put_number(&mut bytes, lost.into());
    bytes
}

pub(crate) fn read_lost(bytes: &[u8]) -> Result<(Hart, u32), Reason> {
    if bytes.len() != LOST {
        let (what, expected) = ("a lost frame", LOST.to_string());
        return Err(Reason::PayloadSize { what, expected, found: bytes.len() });
    }
    let reserved = lost::RESERVED.number(bytes) as u32;
    if reserved != 0 {
        return Err(Reason::Code { what: "the reserved bytes", code: reserved, largest: 0 });
    }
    Ok((Hart(lost::HART.number(bytes) as u8), lost::COUNT.number(bytes) as u32))
}

/// The end frame: the ending, and the counts that prove that no frame is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EndFrame {
    pub ending: Ending,
    pub records: u64,
    pub chain: u32,
}

pub(crate) fn end_bytes(frame: &EndFrame) -> Vec<u8> {
    let outcome = &frame.ending.outcome;
    let (a, b, c, file) = match outcome {
        End::Unknown | End::Deadlock | End::CycleLimit => (0, 0, 0, ""),
        End::Exit { code } => (u64::from(*code as u32), 0, 0, ""),
        End::Assertion { file, line } => (u64::from(*line), 0, 0, cut(file)),
        End::Fault { pc, address, cause } => (*pc, *address, cause.mcause(), ""),
    };
    let mut bytes = vec![0; ENDING];
    for (part, number) in [
        (end::OUTCOME, outcome.code().number().into()),
        (end::WRAPPED, frame.ending.wrapped.into()),
        (end::TEXT_LENGTH, file.len() as u64),
        (end::CHAIN, frame.chain.into()),
        (end::RECORDS, frame.records),
        (end::CYCLES, frame.ending.cycles),
        (end::A, a),
        (end::B, b),
        (end::C, c.into()),
    ] {
        part.put_number(&mut bytes, number);
    }
    bytes.extend(file.as_bytes());
    bytes
}

pub(crate) fn read_end(bytes: &[u8]) -> Result<EndFrame, Reason> {
    let what = "an end frame";
    let size = |expected: String| Reason::PayloadSize { what, expected, found: bytes.len() };
    if bytes.len() < ENDING {
        return Err(size(format!("at least {ENDING}")));
    }
    let length = end::TEXT_LENGTH.number(bytes) as usize;
    if length > MAX_TEXT || bytes.len() != ENDING + length {
        return Err(size(with_text(ENDING, length)));
    }
    let wrapped = end::WRAPPED.number(bytes) as u32;
    if wrapped > 1 {
        return Err(Reason::Code { what: "the flags", code: wrapped, largest: 1 });
    }
    let [a, b, c] = [end::A, end::B, end::C].map(|part| part.number(bytes));
    let file = text(&bytes[ENDING..], "the file of an assertion")?;
    let outcome = match coded(&OutcomeCode::ALL, end::OUTCOME.number(bytes) as u8, "an outcome")? {
        OutcomeCode::Unknown => End::Unknown,
        OutcomeCode::Exit => End::Exit { code: a as u32 as i32 },
        OutcomeCode::Assertion => End::Assertion { file, line: a as u32 },
        OutcomeCode::Fault => End::Fault { pc: a, address: b, cause: Cause::of_mcause(c as u32) },
        OutcomeCode::Deadlock => End::Deadlock,
        OutcomeCode::CycleLimit => End::CycleLimit,
    };
    let cycles = end::CYCLES.number(bytes);
    Ok(EndFrame {
        ending: Ending { outcome, wrapped: wrapped == 1, cycles },
        records: end::RECORDS.number(bytes),
        chain: end::CHAIN.number(bytes) as u32,
    })
}

/// The expected size of a payload that ends with a text of `length` bytes.
fn with_text(fixed: usize, length: usize) -> String {
    match length > MAX_TEXT {
        true => format!("at most {}", fixed + MAX_TEXT),
        false => (fixed + length).to_string(),
    }
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
