//! The clerk writes the record stream on a board without harts: it reads the communication tables
//! through the host port and sends each edge as a frame of docs/records.md.
//!
//! It is a sequencer with a program in a ROM: it sends sequences of bytes, most of them constant, and
//! a program is the shortest description of them.

use border::monitor::{self, Word};
use border::record::{self, Collected, FrameKind, Label, OutcomeCode};
use config::Config;
use hdl::{
    Bits, Bundle, HwEnum, Module, Sig, Stream, cat, hardware, index_width, input, lit, memory,
    output, ports, reg, switch, when,
};
use units::bus::HostRequest;
use units::geometry::{Geometry, WORD_BITS};

use super::crc::{CRC_BITS, CRC_START, crc_of_byte};

/// Words of a monitor window (docs/units.md).
const EDGE_WORDS: u8 = monitor::EDGE_WORDS as u8;
const COUNT: u8 = Word::TableCount.number() as u8;
const LOST: u8 = Word::TableLost.number() as u8;
const CONTROL: u8 = Word::Control.number() as u8;
const RANGE_HIGH: u8 = Word::RangeHigh.number() as u8;

/// Opcode of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
enum Do {
    /// Sends the operand.
    Send,
    /// Sends the operand, which is not part of a checksum, and starts a new checksum.
    Sync,
    /// Sends the number of the frame in its run.
    Number,
    /// Sends the number of the current hart.
    Hart,
    /// Reads a word of the current hart's window.
    Read,
    /// Writes all ones to a word of the current hart's window.
    Write,
    /// Sends the word that was read.
    Word,
    /// Sends the number of records.
    Records,
    /// Sends the checksum of the frame, whose number of records is the operand.
    Check,
    /// Sends the checksum of all checksums.
    Chain,
    /// Selects the next hart, wrapping around.
    Next,
    /// Jumps if the word that was read is 0.
    IfZero,
    /// Jumps while not all harts are done.
    IfBusy,
    /// Jumps.
    Jump,
    /// Releases the harts.
    Run,
    /// Stops.
    Halt,
}

/// Bits of an instruction's fields: opcode and operand.
const DO_BITS: usize = 4;
const OPERAND_BITS: usize = 9;

/// A clerk.
#[derive(Clone, Debug, PartialEq)]
pub struct Clerk {
    /// The machine.
    pub config: Config,
}

/// Ports of [`Clerk`].
#[derive(Clone, Debug, Bundle)]
pub struct ClerkIo {
    /// Reads and writes of the monitor windows, through the host port.
    pub host_request: Stream<HostRequest>,
    /// The words read.
    pub host_response: Stream<Sig>,
    /// A byte of the record stream to send.
    pub send: Stream<Sig>,
    /// Every requester in place of a hart has made all its accesses.
    pub done: Sig,
    /// The requesters in place of harts may make their accesses; 0 until the monitors are on.
    pub run: Sig,
    /// The record stream of the whole run has been sent.
    pub finished: Sig,
}

/// Runs a fixed program: switches the monitors on, sends the header, then each edge as it comes,
/// and at last the lost counts and the end of the stream.
#[hardware]
impl Module for Clerk {
    type Io = ClerkIo;

    fn name(&self) -> String {
        format!("clerk_{}", self.config.short_hash())
    }

    fn build(&self) -> ClerkIo {
        let geometry = Geometry::of_data(&self.config);
        let harts = self.config.harts as usize;
        let io = ports(ClerkIo {
            host_request: Stream::output(HostRequest::shape(geometry)),
            host_response: Stream::input(geometry.line_bits()),
            send: Stream::output(8),
            done: input(1),
            run: output(1),
            finished: output(1),
        });
        let program = memory(1 << OPERAND_BITS, DO_BITS + OPERAND_BITS).init(self.program());
        let place = reg(OPERAND_BITS).reset(0);
        let instruction = program.read_sync(place, lit(1, 1));
        /// `instruction` is the one at address `place`.
        let fetched = reg(1).reset(0);
        let does = hdl::Enum::<Do>::from_sig(instruction.bits(OPERAND_BITS..));
        let operand = instruction.trunc(OPERAND_BITS);
        let is = |what: Do| fetched & does.is(what);

        let run = reg(1).reset(0);
        io.run.set(run);
        io.finished.set(is(Do::Halt));
        let hart = reg(index_width(harts)).reset(0);
        let number = reg(8).reset(0);
        let records = reg(WORD_BITS).reset(0);
        let word = reg(WORD_BITS);
        let crc = reg(CRC_BITS);
        let chain = reg(CRC_BITS).reset(CRC_START);
        /// The number of the byte being sent, in its word.
        let lane = reg(2).reset(0);

        // The host port.
        let asked = reg(1).reset(0);
        let asks = is(Do::Read) | is(Do::Write);
        let request = io.host_request;
        request.valid.set(asks & !asked);
        request.payload.write.set(does.is(Do::Write));
        let offset = cat([hart.zext(4), operand.zext(10), lit(2, 0)]).zext(32);
        request.payload.address.set(lit(32, monitor::window(0)) | offset);
        request.payload.data.set(!lit(geometry.line_bits(), 0));
        request.payload.mask.set(!lit(geometry.line, 0));
        io.host_response.ready.set(1);

        // Bytes sent.
        let whole_words = is(Do::Word) | is(Do::Records) | is(Do::Check) | is(Do::Chain);
        let single_bytes = is(Do::Send) | is(Do::Sync) | is(Do::Number) | is(Do::Hart);
        let lane_of = |value: Sig| (value >> cat([lane, lit(3, 0)])).trunc(8);
        io.send.valid.set(whole_words | single_bytes);
        io.send.payload.set(operand.trunc(8));
        switch(does, |does_it| {
            does_it.case(Do::Number, || io.send.payload.set(number));
            does_it.case(Do::Hart, || io.send.payload.set(hart.zext(8)));
            does_it.case(Do::Word, || io.send.payload.set(lane_of(word)));
            does_it.case(Do::Records, || io.send.payload.set(lane_of(records)));
            does_it.case(Do::Check, || io.send.payload.set(lane_of(!crc)));
            does_it.case(Do::Chain, || io.send.payload.set(lane_of(!chain)));
            does_it.default(|| {});
        });

        // One instruction after the other.
        let sent = io.send.fires();
        let ends_word = sent & lane.all();
        let answered = asked & io.host_response.valid;
        let takes_time = whole_words | single_bytes | asks | is(Do::Halt);
        let over =
            (fetched & !takes_time) | (single_bytes & sent) | (whole_words & ends_word) | answered;
        let jumps = is(Do::Jump) | (is(Do::IfZero) & word.eq(0)) | (is(Do::IfBusy) & !io.done);
        fetched.set(!over);
        when(over, || place.set(jumps.mux(operand, place + 1)));
        when(sent & whole_words, || lane.set(lane + 1));
        when(request.fires(), || asked.set(1));
        when(answered, || {
            asked.set(0);
            word.set(io.host_response.payload.trunc(WORD_BITS));
        });
        when(sent, || {
            // The checksum's own bytes go into the chain, and stay what they are until all are sent.
            when(is(Do::Check), || chain.set(crc_of_byte(chain, io.send.payload)))
                .otherwise(|| crc.set(crc_of_byte(crc, io.send.payload)));
            when(is(Do::Sync), || crc.set(CRC_START));
            when(is(Do::Number), || number.set(number + 1));
        });
        when(over, || {
            switch(does, |does_it| {
                does_it.case(Do::Check, || records.set(records + operand.zext(WORD_BITS)));
                does_it.case(Do::Run, || run.set(1));
                does_it.case(Do::Next, || {
                    hart.set(hart.eq(harts - 1).mux(lit(hart.width(), 0), hart + 1));
                });
                does_it.default(|| {});
            });
        });
        io
    }
}

impl Clerk {
    fn program(&self) -> Vec<Bits> {
        let harts = self.config.harts as u8;
        let mut program = Program::default();
        for _ in 0..harts {
            program.add(Do::Write, RANGE_HIGH);
            program.add(Do::Write, CONTROL);
            program.add(Do::Next, 0);
        }
        program.frame(FrameKind::Header, &self.header());
        program.add(Do::Run, 0);

        // Poll all harts, until none has an edge and none can make one.
        let begin = program.here();
        program.add(Do::Read, COUNT);
        let empty = program.add(Do::IfZero, 0);
        program.head(FrameKind::Edges, record::EDGE_BYTES as u16);
        for word in 0..EDGE_WORDS {
            program.add(Do::Read, word);
            program.add(Do::Word, 0);
        }
        program.add(Do::Check, 1);
        program.jump(begin);
        program.aim(empty);
        program.add(Do::Next, 0);
        program.point(Do::IfBusy, begin);
        for _ in 0..harts {
            program.add(Do::Read, COUNT);
            let empty = program.add(Do::IfZero, 0);
            program.jump(begin);
            program.aim(empty);
            program.add(Do::Next, 0);
        }

        for _ in 0..harts {
            program.head(FrameKind::Lost, record::LOST_BYTES as u16);
            program.add(Do::Hart, 0);
            program.bytes(&[0; 3]);
            program.add(Do::Read, LOST);
            program.add(Do::Word, 0);
            program.add(Do::Check, 0);
            program.add(Do::Next, 0);
        }
        // Exit with code 0; neither cycles nor text.
        program.head(FrameKind::End, record::END_BYTES as u16);
        program.bytes(&[OutcomeCode::Exit.number() as u8, 0, 0, 0]);
        program.add(Do::Chain, 0);
        program.add(Do::Records, 0);
        program.bytes(&[0; 32]);
        program.add(Do::Check, 0);
        program.add(Do::Halt, 0);
        program.rows()
    }

    /// The payload of the header (docs/records.md).
    fn header(&self) -> Vec<u8> {
        let Config { harts, pc_bits, timestamp_bits, context, .. } = &self.config;
        let hash = self.config.hash();
        let config = (0..32)
            .map(|at| u8::from_str_radix(&hash[2 * at..2 * at + 2], 16).expect("hexadecimal"));
        let mut payload = record::MAGIC.to_vec();
        payload.extend(record::VERSION.to_le_bytes());
        // Label unknown; collected without a simulation.
        payload.extend([
            Label::Unknown.number() as u8,
            Collected::Firmware.number() as u8,
            context.events as u8,
            *harts as u8,
            *pc_bits as u8,
            *timestamp_bits as u8,
        ]);
        payload.extend([0; 8]);
        payload.extend(1u32.to_le_bytes());
        payload.extend(0u32.to_le_bytes());
        payload.extend(config);
        payload.extend([0; 32]);
        payload
    }
}

/// A program under construction.
#[derive(Default)]
struct Program(Vec<(Do, u16)>);

impl Program {
    fn here(&self) -> u16 {
        self.0.len() as u16
    }

    /// Adds an instruction; returns its address.
    fn add(&mut self, what: Do, operand: u8) -> u16 {
        self.point(what, operand.into())
    }

    fn point(&mut self, what: Do, place: u16) -> u16 {
        self.0.push((what, place));
        self.here() - 1
    }

    fn jump(&mut self, to: u16) {
        self.point(Do::Jump, to);
    }

    /// Sets the target of an earlier jump to the next instruction.
    fn aim(&mut self, jump: u16) {
        self.0[usize::from(jump)].1 = self.here();
    }

    fn bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| {
            self.add(Do::Send, *byte);
        });
    }

    /// A frame up to its payload.
    fn head(&mut self, kind: FrameKind, length: u16) {
        for byte in record::SYNC {
            self.add(Do::Sync, byte);
        }
        self.add(Do::Send, kind.number() as u8);
        self.add(Do::Number, 0);
        self.bytes(&length.to_le_bytes());
        self.bytes(&(!length).to_le_bytes());
    }

    /// A constant frame.
    fn frame(&mut self, kind: FrameKind, payload: &[u8]) {
        self.head(kind, payload.len() as u16);
        self.bytes(payload);
        self.add(Do::Check, 0);
    }

    fn rows(self) -> Vec<Bits> {
        assert!(self.0.len() <= 1 << OPERAND_BITS, "the program has {} instructions", self.0.len());
        let coded = self
            .0
            .into_iter()
            .map(|(what, operand)| what.code() << OPERAND_BITS | u64::from(operand));
        coded.map(|code| Bits::truncated((DO_BITS + OPERAND_BITS) as u32, code.into())).collect()
    }
}
