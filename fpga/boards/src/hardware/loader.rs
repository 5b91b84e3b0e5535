//! The program loader: frames from the serial line become writes through the host port, while every
//! hart waits before its first instruction. docs/fpga.md has the bytes.
//!
//! A circuit and not a program in a ROM: it needs no place in the address map, it works whatever a program
//! has done to the machine, and the harts meet the same memory as in simulation.

use hdl::{
    Bits, Bundle, Enum, HwEnum, Mem, Module, Sig, Stream, cat, hardware, index_width, input, lit,
    memory, output, ports, reg, set_when, switch, when,
};
use units::bus::HostRequest;
use units::geometry::{ADDRESS_BITS, Geometry, WORD_BITS};

use super::crc::{CRC_BITS, CRC_RIGHT, CRC_START, crc_of_byte};

/// How every frame begins, in both directions.
const SYNC: [u8; 2] = [0xb0, 0x07];
/// Kinds of frames to the board.
const RESET: u8 = 1;
const WRITE: u8 = 2;
const CLEAR: u8 = 3;
const GO: u8 = 4;
/// Kinds of frames from the board.
const DONE: u8 = 1;
const HELLO: u8 = 2;

/// Bytes of a frame between sync and payload: kind, words of payload, address.
const HEAD_BYTES: usize = 6;
/// Words that a frame may have.
const FRAME_WORDS: usize = 256;
/// Bytes of the answer to a frame: sync, kind, the checksum of the frame.
const ANSWER_BYTES: usize = 7;

/// Takes frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Loader {
    /// The caches of the machine: the host port is a line wide.
    pub geometry: Geometry,
    /// What the board says of itself after reset, whole: see [`hello_frame`].
    pub hello: Vec<u8>,
    /// Silence of 2 to this many cycles ends a frame that is not whole.
    pub patience_bits: usize,
}

/// Ports of [`Loader`].
#[derive(Clone, Debug, Bundle)]
pub struct LoaderIo {
    /// A byte arrives in this cycle.
    pub received_valid: Sig,
    /// The byte; valid with `received_valid`.
    pub received: Sig,
    /// A byte to send over the serial line.
    pub send: Stream<Sig>,
    /// A write to memory, through the host port.
    pub host_request: Stream<HostRequest>,
    /// The write is done; the payload is not used.
    pub host_response: Stream<Sig>,
    /// The harts may run; 0 from reset until a GO frame.
    pub run: Sig,
    /// Requests a reset of the whole design, including this unit; 1 for one cycle.
    pub restart: Sig,
}

/// What the loader does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
enum Phase {
    /// Says what board this is.
    Hello,
    /// Waits for the first byte of a frame.
    First,
    /// Waits for the second.
    Second,
    /// Takes kind, length and address.
    Head,
    /// Takes the payload.
    Payload,
    /// Takes the checksum.
    Check,
    /// The frame is whole: does what it says.
    Begin,
    /// Writes a word.
    Ask,
    /// Waits until it is written.
    Await,
    /// Says that it is done.
    Answer,
}

/// Turns frames from the serial line into writes to memory. An incomplete or damaged frame has no
/// effect. While the harts run, only a reset frame has one.
#[hardware]
impl Module for Loader {
    type Io = LoaderIo;

    fn name(&self) -> String {
        let hash = crc32fast::hash(&self.hello);
        format!("loader_l{}_{}_{hash:08x}", self.geometry.line, self.patience_bits)
    }

    fn build(&self) -> LoaderIo {
        let io = self.ports();
        let phase = reg(Phase::shape()).reset(Phase::Hello);
        let run = reg(1).reset(0);
        io.run.set(run);
        let frame = frame(&io);
        let task = task(&frame);
        let speech = self.speech(&io, phase);
        self.write_memory(&io, phase, &task);
        let given_up = self.silence(&io, phase);

        io.restart.set(phase.is(Phase::Begin) & frame.kind.eq(RESET));
        switch(phase, |phase_is| {
            phase_is.case(Phase::Hello, || self.say_hello(&io, phase, &speech));
            phase_is.case(Phase::First, || {
                when(io.received_valid & io.received.eq(SYNC[0]), || phase.set(Phase::Second));
            });
            phase_is.case(Phase::Second, || take_sync(&io, phase, &frame));
            phase_is.case(Phase::Head, || take_head(&io, phase, &frame));
            phase_is.case(Phase::Payload, || take_payload(&io, phase, &frame));
            phase_is.case(Phase::Check, || take_check(&io, phase, &frame, &task));
            phase_is.case(Phase::Begin, || begin(phase, run, &frame, &task, &speech));
            phase_is.case(Phase::Ask, || ask(&io, phase, &task));
            phase_is.case(Phase::Await, || {
                when(io.host_response.valid, || phase.set(Phase::Ask));
            });
            phase_is.case(Phase::Answer, || say_answer(&io, phase, run, frame.kind, &speech));
        });
        when(given_up, || phase.set(Phase::First));
        io
    }
}

/// What has arrived of a frame.
struct Frame {
    head: Sig,
    /// The kind of the frame; valid from the payload on, as are `words` and `address`.
    kind: Sig,
    /// The words of payload.
    words: Sig,
    /// The address in the head.
    address: Sig,
    /// The checksum that arrived.
    check: Sig,
    /// The checksum of the bytes before this one.
    crc: Sig,
    /// The checksum with the byte that arrives.
    crc_next: Sig,
    /// The bytes that have arrived of this part of the frame.
    taken: Sig,
    payload: Mem,
}

/// What the frame asks for, and how far it is done.
struct Task {
    /// The address of the next word to write.
    place: Sig,
    /// The words still to write.
    left: Sig,
    /// The word of the payload to read.
    index: Sig,
    /// The word that was at `index` in the cycle before.
    word: Sig,
    /// The frame clears memory.
    clears: Sig,
}

/// What the loader sends.
struct Speech {
    /// The byte of the hello frame to send.
    position: Sig,
    /// The bytes of the answer still to send, the next one lowest.
    answer: Sig,
    /// Number of bytes of the answer still to send.
    answers_left: Sig,
}

/// The registers of a frame.
#[hardware]
fn frame(io: &LoaderIo) -> Frame {
    let head = reg(8 * HEAD_BYTES);
    let kind = head.trunc(8);
    let words = head.bits(8..16);
    let address = head.bits(16..);
    /// The checksum that arrived with the frame.
    let check = reg(CRC_BITS);
    let crc = reg(CRC_BITS);
    /// How many bytes of this part of the frame have arrived.
    let taken = reg(index_width(4 * FRAME_WORDS)).reset(0);
    let payload = memory(FRAME_WORDS, WORD_BITS);
    let crc_next = crc_of_byte(crc, io.received);
    Frame { head, kind, words, address, check, crc, crc_next, taken, payload }
}

/// The registers of what a frame asks for.
#[hardware]
fn task(frame: &Frame) -> Task {
    /// The address of the next word to write.
    let place = reg(ADDRESS_BITS);
    /// The words still to write.
    let left = reg(ADDRESS_BITS);
    /// The word of the payload to read; 0 from the first byte of the checksum on.
    let index = reg(frame.payload.addr_width());
    let word = frame.payload.read_sync(index, lit(1, 1));
    let clears = frame.kind.eq(CLEAR);
    Task { place, left, index, word, clears }
}

#[hardware]
impl Frame {
    /// Counts a byte; after the last of `bytes` goes on to `next`.
    fn take(&self, phase: Enum<Phase>, bytes: Sig, next: Phase) {
        self.taken.set(self.taken + 1);
        self.crc.set(self.crc_next);
        when(self.taken.eq(bytes - 1), || {
            self.taken.set(0);
            phase.set(next);
        });
    }

    /// A number of bytes, as wide as the count of them.
    fn counted(&self, bytes: usize) -> Sig {
        lit(self.taken.width(), bytes)
    }
}

/// Second: takes the second byte of the sync.
fn take_sync(io: &LoaderIo, phase: Enum<Phase>, frame: &Frame) {
    let received = io.received;
    frame.crc.set(CRC_START);
    frame.taken.set(0);
    when(io.received_valid, || {
        when(received.eq(SYNC[1]), || phase.set(Phase::Head))
            .elsewhen(received.ne(SYNC[0]), || phase.set(Phase::First));
    });
}

/// Head: takes a byte of the head.
fn take_head(io: &LoaderIo, phase: Enum<Phase>, frame: &Frame) {
    let (received, head, taken) = (io.received, frame.head, frame.taken);
    when(io.received_valid, || {
        head.set(cat([received, head.bits(8..)]));
        frame.take(phase, frame.counted(HEAD_BYTES), Phase::Payload);
        // The second byte, which is the length, has moved down by then.
        when(taken.eq(HEAD_BYTES - 1) & head.bits(16..24).eq(0), || {
            phase.set(Phase::Check);
        });
    });
}

/// Payload: takes a byte of the payload.
#[hardware]
fn take_payload(io: &LoaderIo, phase: Enum<Phase>, frame: &Frame) {
    let (received, taken) = (io.received, frame.taken);
    when(io.received_valid, || {
        let byte_lane = taken.trunc(2);
        let mask = cat((0..4).rev().map(|other: u64| byte_lane.eq(other)));
        frame.payload.write_masked(taken.bits(2..), received.repeat(4), mask);
        frame.take(phase, cat([frame.words, lit(2, 0)]), Phase::Check);
    });
}

/// Check: takes a byte of the checksum; a frame whose checksum is wrong is dropped.
fn take_check(io: &LoaderIo, phase: Enum<Phase>, frame: &Frame, task: &Task) {
    let (received, check, taken) = (io.received, frame.check, frame.taken);
    task.index.set(0);
    task.place.set(frame.address);
    when(io.received_valid, || {
        check.set(cat([received, check.bits(8..)]));
        frame.take(phase, frame.counted(CRC_BITS / 8), Phase::Begin);
        when(taken.eq(CRC_BITS / 8 - 1) & frame.crc_next.ne(CRC_RIGHT), || {
            phase.set(Phase::First);
        });
    });
}

/// Begin: the frame is whole. While the harts run it has no effect here.
fn begin(phase: Enum<Phase>, run: Sig, frame: &Frame, task: &Task, speech: &Speech) {
    let (kind, clears) = (frame.kind, task.clears);
    speech.answer.set(cat([frame.check, lit(8, DONE), lit(8, SYNC[1]), lit(8, SYNC[0])]));
    speech.answers_left.set(ANSWER_BYTES);
    task.left.set(clears.mux(task.word, frame.words.zext(ADDRESS_BITS)));
    phase.set(Phase::First);
    when(!run, || {
        when(kind.eq(WRITE) | clears, || phase.set(Phase::Ask));
        when(kind.eq(GO), || phase.set(Phase::Answer));
    });
}

/// Ask: writes the next word, if one is left.
fn ask(io: &LoaderIo, phase: Enum<Phase>, task: &Task) {
    let Task { place, left, index, .. } = *task;
    when(left.eq(0), || phase.set(Phase::Answer));
    when(io.host_request.fires(), || {
        place.set(place + 4);
        index.set(index + 1);
        left.set(left - 1);
        phase.set(Phase::Await);
    });
}

/// Answer: sends a byte of the answer; after the last one, GO lets the harts run.
fn say_answer(io: &LoaderIo, phase: Enum<Phase>, run: Sig, kind: Sig, speech: &Speech) {
    let Speech { answer, answers_left, .. } = *speech;
    when(io.send.fires(), || {
        answer.set(answer >> 8);
        answers_left.set(answers_left - 1);
        when(answers_left.eq(1), || {
            phase.set(Phase::First);
            set_when(kind.eq(GO), run, 1);
        });
    });
}

#[hardware]
impl Loader {
    fn ports(&self) -> LoaderIo {
        ports(LoaderIo {
            received_valid: input(1),
            received: input(8),
            send: Stream::output(8),
            host_request: Stream::output(HostRequest::shape(self.geometry)),
            host_response: Stream::input(self.geometry.line_bits()),
            run: output(1),
            restart: output(1),
        })
    }

    /// Sends the hello frame after reset, and answers.
    fn speech(&self, io: &LoaderIo, phase: Enum<Phase>) -> Speech {
        let hello = memory(self.hello.len(), 8).init(rows(&self.hello));
        let position = reg(hello.addr_width()).reset(0);
        let hello_byte = hello.read_sync(position, lit(1, 1));
        /// `hello_byte` is the one at `position`.
        let shown = reg(1).reset(0);
        let answer = reg(8 * ANSWER_BYTES);
        let answers_left = reg(index_width(ANSWER_BYTES + 1)).reset(0);
        let says_hello = phase.is(Phase::Hello);
        shown.set(says_hello & !io.send.fires());
        io.send.valid.set((says_hello & shown) | phase.is(Phase::Answer));
        io.send.payload.set(says_hello.mux(hello_byte, answer.trunc(8)));
        Speech { position, answer, answers_left }
    }

    /// The host port: writes a word in its lane of the line.
    fn write_memory(&self, io: &LoaderIo, phase: Enum<Phase>, task: &Task) {
        let Task { place, left, word, clears, .. } = *task;
        let request = io.host_request;
        let line_words = self.geometry.words();
        let offset_bits = self.geometry.offset_bits();
        let lane = place.bits(2..offset_bits);
        request.valid.set(phase.is(Phase::Ask) & left.ne(0));
        request.payload.write.set(1);
        request.payload.address.set(cat([place.bits(offset_bits..), lit(offset_bits, 0)]));
        request.payload.data.set(clears.mux(lit(WORD_BITS, 0), word).repeat(line_words));
        let lanes = (0..line_words).rev().map(|other| lane.eq(other).repeat(WORD_BITS / 8));
        request.payload.mask.set(cat(lanes.collect::<Vec<_>>()));
        io.host_response.ready.set(1);
    }

    /// Whether the line was silent for too long in the middle of a frame, which is then dropped.
    fn silence(&self, io: &LoaderIo, phase: Enum<Phase>) -> Sig {
        let silence = reg(self.patience_bits).reset(0);
        silence.set(io.received_valid.mux(lit(self.patience_bits, 0), silence + 1));
        let arriving = [Phase::Second, Phase::Head, Phase::Payload, Phase::Check];
        let arriving = arriving.map(|each| phase.is(each)).into_iter().reduce(|a, b| a | b);
        let given_up = arriving.unwrap_or(lit(1, 0)) & silence.all();
        given_up
    }

    /// Hello: sends the next byte.
    fn say_hello(&self, io: &LoaderIo, phase: Enum<Phase>, speech: &Speech) {
        let position = speech.position;
        when(io.send.fires(), || {
            position.set(position + 1);
            when(position.eq(self.hello.len() - 1), || phase.set(Phase::First));
        });
    }
}

/// The frame in which a board says what it is: its description as TOML.
pub fn hello_frame(description: &str) -> Vec<u8> {
    let length = u16::try_from(description.len()).expect("a description is far below 64 KiB");
    let mut body = vec![HELLO];
    body.extend(length.to_le_bytes());
    body.extend(description.bytes());
    let check = crc32fast::hash(&body);
    [&SYNC[..], &body, &check.to_le_bytes()].concat()
}

fn rows(bytes: &[u8]) -> Vec<Bits> {
    bytes.iter().map(|byte| Bits::truncated(8, u128::from(*byte))).collect()
}

#[cfg(test)]
pub(super) mod tests;
