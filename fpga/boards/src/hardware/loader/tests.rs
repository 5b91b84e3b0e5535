use super::*;
use border::map;
use hdl::Simulator;
use std::collections::BTreeMap;

const RAM: u32 = map::RAM.base;

const LINE: usize = 16;

/// A loader with memory behind it.
struct Bench {
    sim: Simulator,
    io: LoaderIo,
    memory: BTreeMap<u64, u32>,
    writes: usize,
    said: Vec<u8>,
    restarted: bool,
}

impl Bench {
    fn new() -> Self {
        let geometry = Geometry { ways: 1, sets: 8, line: LINE };
        let hello = hello_frame("board = \"bench\"");
        let (mut sim, io) = Simulator::of(Loader { geometry, hello, patience_bits: 8 }).unwrap();
        sim.reset();
        Self { sim, io, memory: BTreeMap::new(), writes: 0, said: Vec::new(), restarted: false }
    }

    fn step(&mut self) {
        let LoaderIo { send, host_request, host_response, restart, .. } = &self.io;
        let sim = &mut self.sim;
        sim.set(send.ready, 1);
        sim.set(host_request.ready, 1);
        if sim.get(send.valid) == 1 {
            self.said.push(sim.get(send.payload) as u8);
        }
        self.restarted |= sim.get(*restart) == 1;
        let asked = sim.get(host_request.valid) == 1;
        if asked {
            let address = sim.get(host_request.payload.address);
            let mask = sim.get(host_request.payload.mask);
            let data = sim.get_bits(host_request.payload.data);
            for word in 0..LINE / 4 {
                if mask >> (4 * word) & 15 == 15 {
                    let half = data.words()[word / 2] >> (32 * (word % 2));
                    self.memory.insert(address + 4 * word as u64, half as u32);
                }
            }
            self.writes += 1;
        }
        sim.step();
        sim.set(host_response.valid, u64::from(asked));
    }

    fn rest(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| self.step());
    }

    fn hear(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.sim.set(self.io.received_valid, 1);
            self.sim.set(self.io.received, u64::from(*byte));
            self.step();
            self.sim.set(self.io.received_valid, 0);
            self.rest(3);
        }
    }

    /// What was said since the last time, after it had time to say it.
    fn answers(&mut self) -> Vec<u8> {
        self.rest(200);
        std::mem::take(&mut self.said)
    }

    fn runs(&mut self) -> bool {
        self.sim.get(self.io.run) == 1
    }
}

fn frame(kind: u8, address: u32, words: &[u32]) -> Vec<u8> {
    let mut body = vec![kind, words.len() as u8];
    body.extend(address.to_le_bytes());
    words.iter().for_each(|word| body.extend(word.to_le_bytes()));
    let check = crc32fast::hash(&body);
    [&SYNC[..], &body, &check.to_le_bytes()].concat()
}

/// What the loader answers.
pub(in crate::hardware) fn done(frame: &[u8]) -> Vec<u8> {
    [&SYNC[..], &[DONE], &frame[frame.len() - 4..]].concat()
}

#[test]
fn a_program_is_written_word_by_word_and_then_runs() {
    let mut bench = Bench::new();
    assert_eq!(bench.answers(), hello_frame("board = \"bench\""));
    let words: Vec<u32> = (0..255).map(|word| 0x1234_5678 ^ word << 8).collect();
    let write = frame(WRITE, 0x8000_0104, &words);
    bench.hear(&write);
    bench.rest(2000);
    assert_eq!(bench.answers(), done(&write));
    let expected: BTreeMap<u64, u32> = (0x8000_0104..).step_by(4).zip(words).collect();
    assert_eq!(bench.memory, expected);
    assert_eq!(std::mem::take(&mut bench.writes), 255);
    let clear = frame(CLEAR, 0x8000_0108, &[11]);
    bench.hear(&clear);
    assert_eq!(bench.answers(), done(&clear));
    let cleared = bench.memory.iter().filter(|(_, word)| **word == 0).map(|(place, _)| *place);
    assert_eq!(
        cleared.collect::<Vec<_>>(),
        (0x8000_0108..0x8000_0134).step_by(4).collect::<Vec<_>>()
    );
    assert_eq!(bench.writes, 11);
    let nothing = frame(CLEAR, RAM, &[0]);
    bench.hear(&nothing);
    assert_eq!(bench.answers(), done(&nothing));
    assert_eq!(bench.memory.len(), 255);
    assert!(!bench.runs());
    let go = frame(GO, 0, &[]);
    bench.hear(&go);
    assert_eq!(bench.answers(), done(&go));
    assert!(bench.runs());
}

#[test]
fn damaged_frames_leave_no_trace() {
    let mut bench = Bench::new();
    bench.answers();
    let good = frame(WRITE, RAM, &[1, 2]);
    for place in 2..good.len() {
        let mut bad = good.clone();
        bad[place] ^= 0x10;
        bench.hear(&bad);
        // A damaged length waits for more; silence ends that.
        bench.rest(300);
        assert_eq!(bench.answers(), [0; 0], "byte {place}");
        assert!(bench.memory.is_empty(), "byte {place}");
    }
    bench.hear(b"\xb0\xb0\x00noise\xb0");
    bench.hear(&good);
    assert_eq!(bench.answers(), done(&good));
    assert!(!bench.restarted);
}

#[test]
fn while_the_harts_run_only_a_reset_counts() {
    let mut bench = Bench::new();
    bench.hear(&[]);
    bench.answers();
    bench.hear(&frame(GO, 0, &[]));
    bench.answers();
    bench.hear(&frame(WRITE, RAM, &[1]));
    bench.hear(&frame(GO, 0, &[]));
    assert_eq!(bench.answers(), [0; 0]);
    assert!(bench.memory.is_empty());
    bench.hear(&frame(RESET, 0, &[]));
    assert!(bench.restarted);
}

/// The frame that starts the harts.
pub(in crate::hardware) const GO_FRAME: &[u8] = b"\xb0\x07\x04\x00\x00\x00\x00\x00\xb5\xe3\x53\x2a";

/// A frame that writes words.
pub(in crate::hardware) fn write_frame(address: u32, words: &[u32]) -> Vec<u8> {
    frame(WRITE, address, words)
}

#[test]
fn the_frame_that_starts_the_harts_has_the_bytes_of_the_book() {
    assert_eq!(frame(GO, 0, &[]), GO_FRAME);
}
