//! Loads programs into the machine: frames from the serial line become writes through the host port,
//! while every hart waits before its first instruction. docs/fpga.md has the bytes.
//!
//! A circuit and not a program in a ROM: it needs no place in the address map, it works whatever a program
//! has done to the machine, and the harts meet the same memory as in simulation.

use hdl::{
    Bits, Bundle, HwEnum, Module, Sig, Stream, cat, hardware, index_width, input, lit, memory,
    output, ports, reg, set_when, switch, when,
};
use units::bus::HostRequest;
use units::geometry::{ADDRESS_BITS, Geometry, WORD_BITS};

use super::crc::{CRC_BITS, CRC_RIGHT, CRC_START, crc_of_byte};

/// First bytes of every frame, in both directions.
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
/// Maximum words of a frame.
const FRAME_WORDS: usize = 256;
/// Bytes of the answer to a frame: sync, kind, the checksum of the frame.
const ANSWER_BYTES: usize = 7;

/// Receives frames and writes them to memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Loader {
    /// Cache geometry: the host port is one line wide.
    pub geometry: Geometry,
    /// The complete frame sent after reset; see [`hello_frame`].
    pub hello: Vec<u8>,
    /// Timeout of an incomplete frame, as a power of two of cycles.
    pub patience_bits: usize,
}

/// Ports of [`Loader`].
#[derive(Clone, Debug, Bundle)]
pub struct LoaderIo {
    /// High when a byte arrives in this cycle.
    pub received_valid: Sig,
    /// The byte received.
    pub received: Sig,
    /// Bytes to send.
    pub send: Stream<Sig>,
    /// Writes to memory.
    pub host_request: Stream<HostRequest>,
    /// Responses to the writes.
    pub host_response: Stream<Sig>,
    /// Releases the harts.
    pub run: Sig,
    /// Resets everything, including this unit.
    pub restart: Sig,
}

/// State of the loader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
enum Phase {
    /// Sends the board's description.
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
    /// The frame is complete: starts its command.
    Begin,
    /// Writes a word.
    Ask,
    /// Waits until it is written.
    Await,
    /// Sends the answer.
    Answer,
}

/// Frames in, words of memory out. A frame takes effect when its checksum is valid; an incomplete or
/// damaged one is ignored. While the harts run, only a reset takes effect.
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
        let received = io.received;

        // The frame received so far.
        let head = reg(8 * HEAD_BYTES);
        let kind = head.trunc(8);
        let words = head.bits(8..16);
        let address = head.bits(16..);
        /// The checksum received.
        let check = reg(CRC_BITS);
        let crc = reg(CRC_BITS);
        /// Bytes received of the current part.
        let taken = reg(index_width(4 * FRAME_WORDS)).reset(0);
        let payload = memory(FRAME_WORDS, WORD_BITS);
        let crc_next = crc_of_byte(crc, received);

        // The write in progress.
        /// Address of the word being written.
        let place = reg(ADDRESS_BITS);
        /// Words still to be written.
        let left = reg(ADDRESS_BITS);
        /// Index of the payload word being read; 0 since the checksum began.
        let index = reg(payload.addr_width());
        let word = payload.read_sync(index, lit(1, 1));
        let clears = kind.eq(CLEAR);

        // Bytes sent.
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

        // The host port.
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

        // An incomplete frame is dropped.
        let silence = reg(self.patience_bits).reset(0);
        silence.set(io.received_valid.mux(lit(self.patience_bits, 0), silence + 1));
        let arriving = [Phase::Second, Phase::Head, Phase::Payload, Phase::Check];
        let arriving = arriving.map(|each| phase.is(each)).into_iter().reduce(|a, b| a | b);
        let given_up = arriving.unwrap_or(lit(1, 0)) & silence.all();

        io.restart.set(phase.is(Phase::Begin) & kind.eq(RESET));
        let takes = |bytes: Sig, next: Phase| {
            taken.set(taken + 1);
            crc.set(crc_next);
            when(taken.eq(bytes - 1), || {
                taken.set(0);
                phase.set(next);
            });
        };
        let counted = |bytes: usize| lit(taken.width(), bytes);
        switch(phase, |phase_is| {
            phase_is.case(Phase::Hello, || {
                when(io.send.fires(), || {
                    position.set(position + 1);
                    when(position.eq(self.hello.len() - 1), || phase.set(Phase::First));
                });
            });
            phase_is.case(Phase::First, || {
                when(io.received_valid & received.eq(SYNC[0]), || phase.set(Phase::Second));
            });
            phase_is.case(Phase::Second, || {
                crc.set(CRC_START);
                taken.set(0);
                when(io.received_valid, || {
                    when(received.eq(SYNC[1]), || phase.set(Phase::Head))
                        .elsewhen(received.ne(SYNC[0]), || phase.set(Phase::First));
                });
            });
            phase_is.case(Phase::Head, || {
                when(io.received_valid, || {
                    head.set(cat([received, head.bits(8..)]));
                    takes(counted(HEAD_BYTES), Phase::Payload);
                    // The second byte, which is the length, has moved down by then.
                    when(taken.eq(HEAD_BYTES - 1) & head.bits(16..24).eq(0), || {
                        phase.set(Phase::Check);
                    });
                });
            });
            phase_is.case(Phase::Payload, || {
                when(io.received_valid, || {
                    let byte_lane = taken.trunc(2);
                    let mask = cat((0..4).rev().map(|other: u64| byte_lane.eq(other)));
                    payload.write_masked(taken.bits(2..), received.repeat(4), mask);
                    takes(cat([words, lit(2, 0)]), Phase::Check);
                });
            });
            phase_is.case(Phase::Check, || {
                index.set(0);
                place.set(address);
                when(io.received_valid, || {
                    check.set(cat([received, check.bits(8..)]));
                    takes(counted(CRC_BITS / 8), Phase::Begin);
                    when(taken.eq(CRC_BITS / 8 - 1) & crc_next.ne(CRC_RIGHT), || {
                        phase.set(Phase::First);
                    });
                });
            });
            phase_is.case(Phase::Begin, || {
                answer.set(cat([check, lit(8, DONE), lit(8, SYNC[1]), lit(8, SYNC[0])]));
                answers_left.set(ANSWER_BYTES);
                left.set(clears.mux(word, words.zext(ADDRESS_BITS)));
                phase.set(Phase::First);
                when(!run, || {
                    when(kind.eq(WRITE) | clears, || phase.set(Phase::Ask));
                    when(kind.eq(GO), || phase.set(Phase::Answer));
                });
            });
            phase_is.case(Phase::Ask, || {
                when(left.eq(0), || phase.set(Phase::Answer));
                when(request.fires(), || {
                    place.set(place + 4);
                    index.set(index + 1);
                    left.set(left - 1);
                    phase.set(Phase::Await);
                });
            });
            phase_is.case(Phase::Await, || {
                when(io.host_response.valid, || phase.set(Phase::Ask));
            });
            phase_is.case(Phase::Answer, || {
                when(io.send.fires(), || {
                    answer.set(answer >> 8);
                    answers_left.set(answers_left - 1);
                    when(answers_left.eq(1), || {
                        phase.set(Phase::First);
                        set_when(kind.eq(GO), run, 1);
                    });
                });
            });
        });
        when(given_up, || phase.set(Phase::First));
        io
    }
}

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
}

/// The frame with a board's description as TOML.
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
