//! What the tests of the bridges share: bytes on wide ports, streams that must not be withdrawn, and the machine's
//! host port.

use golden::bridge::HostAccess;
use kit::Dice;
use units::geometry::Geometry;

use crate::simulators::{Dut, Subject};

/// Cycles of each configuration under Verilator.
const CYCLES: usize = 60_000;
/// Cycles of each configuration in the native simulator, which is the slower one.
const NATIVE_CYCLES: usize = 6_000;
/// One cycle of this many is a reset.
const RESETS: usize = 1_500;
/// Cycles after which somebody who has something to do must have begun.
pub const PATIENCE: usize = 4;

/// A surrounding that drives a bridge and knows what it must do.
pub trait Surrounding {
    /// Drives one cycle, checks what is seen in it, and takes note of what happens at its end.
    fn cycle(&mut self, dut: &mut Dut, dice: &mut Dice);
    /// Begins anew, after a reset.
    fn forget(&mut self);
    /// How often each thing happened that must happen.
    fn happened(&self) -> Vec<(&'static str, u64)>;
}

/// Runs a bridge in its surroundings for many cycles, on both simulators, with resets in between.
pub fn run<S: Surrounding>(subject: &Subject, seed: u64, surrounding: impl Fn() -> S) {
    subject.each(|dut| {
        let mut dice = Dice::new(seed);
        let mut around = surrounding();
        let cycles = if dut.is_native() { NATIVE_CYCLES } else { CYCLES };
        for _ in 0..cycles {
            if dice.one_in(RESETS) {
                dut.reset();
                around.forget();
            }
            around.cycle(dut, &mut dice);
            dut.step();
        }
        for (what, times) in around.happened() {
            assert!(times > 10, "seed {seed}: {what}: only {times} times in {cycles} cycles");
        }
    });
}

/// A data cache with lines of so many bytes; the bridges look at nothing else of it.
pub fn geometry(line: usize) -> Geometry {
    Geometry { ways: 1, sets: 2, line }
}

/// The words of a port that holds these bytes.
pub fn words(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| {
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(eight)
    };
    bytes.chunks(8).map(word).collect()
}

/// The bytes on a port.
pub fn bytes(dut: &mut Dut, port: &str, count: usize) -> Vec<u8> {
    let words = dut.get_wide(port);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes[..count].to_vec()
}

/// Sets a port to these bytes.
pub fn set_bytes(dut: &mut Dut, port: &str, bytes: &[u8]) {
    dut.set_wide(port, &words(bytes));
}

/// Sets a port to these bits, lowest first.
pub fn set_bits(dut: &mut Dut, port: &str, bits: &[bool]) {
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
    set_bytes(dut, port, &bits.chunks(8).map(byte).collect::<Vec<_>>());
}

/// The bits on a port, lowest first.
pub fn bits(dut: &mut Dut, port: &str, count: usize) -> Vec<bool> {
    let words = dut.get_wide(port);
    (0..count).map(|bit| words[bit / 64] >> (bit % 64) & 1 == 1).collect()
}

/// So many random bytes.
pub fn noise(dice: &mut Dice, count: usize) -> Vec<u8> {
    (0..count).map(|_| dice.roll() as u8).collect()
}

/// A channel on which what was offered stays until it is taken.
#[derive(Default)]
pub struct Held {
    offered: Option<Vec<Vec<u64>>>,
}

impl Held {
    /// Checks this cycle of a channel; gives whether something moves.
    #[track_caller]
    pub fn moves(&mut self, dut: &mut Dut, valid: &str, ready: &str, payload: &[&str]) -> bool {
        let is_valid = dut.is(valid);
        let shown: Vec<Vec<u64>> = payload.iter().map(|port| dut.get_wide(port)).collect();
        if let Some(offered) = &self.offered {
            assert!(is_valid, "{valid} was withdrawn");
            assert_eq!(&shown, offered, "{payload:?} changed before it was taken");
        }
        let moves = is_valid && dut.is(ready);
        self.offered = (is_valid && !moves).then_some(shown);
        moves
    }
}

/// The machine behind its host port: it takes a request when it likes, and answers when it likes.
pub struct Host {
    line: usize,
    held: Held,
    /// What it will answer.
    answer: Option<Vec<u8>>,
    /// The answer is on the port.
    offers: bool,
}

impl Host {
    pub fn new(line: usize) -> Self {
        Self { line, held: Held::default(), answer: None, offers: false }
    }

    /// Drives the machine's side of this cycle.
    pub fn drive(&mut self, dut: &mut Dut, dice: &mut Dice) {
        dut.set("host_request_ready", u64::from(self.answer.is_none() && dice.chance(60)));
        self.offers |= self.answer.is_some() && dice.chance(40);
        dut.set("host_response_valid", self.offers.into());
        let shown = self.answer.clone().filter(|_| self.offers);
        let shown = shown.unwrap_or_else(|| noise(dice, self.line));
        set_bytes(dut, "host_response_payload", &shown);
    }

    /// The request that it takes at the end of this cycle, and with what it will be answered.
    pub fn takes(&mut self, dut: &mut Dut, dice: &mut Dice) -> Option<(HostAccess, Vec<u8>)> {
        let payload = ["write", "address", "data", "mask"];
        let payload = payload.map(|field| format!("host_request_payload_{field}"));
        let mut ports: Vec<&str> = payload.iter().map(String::as_str).collect();
        // What a read would write is nobody's business.
        ports.truncate(if dut.is("host_request_payload_write") { 4 } else { 2 });
        let moves = self.held.moves(dut, "host_request_valid", "host_request_ready", &ports);
        if !moves {
            return None;
        }
        let address = dut.get("host_request_payload_address") as u32;
        let write = dut.is("host_request_payload_write");
        let data = bytes(dut, "host_request_payload_data", self.line);
        let mask = bits(dut, "host_request_payload_mask", self.line);
        let asked = if address >> 31 == 0 {
            let word = u32::from_le_bytes([0, 1, 2, 3].map(|byte| data[byte]));
            HostAccess::Register { address, word: write.then_some(word) }
        } else {
            let writes = data.iter().zip(&mask).map(|(byte, is_meant)| is_meant.then_some(*byte));
            HostAccess::Line { address, writes: if write { writes.collect() } else { vec![] } }
        };
        let answer = noise(dice, self.line);
        self.answer = Some(answer.clone());
        Some((asked, answer))
    }

    /// Whether its answer is taken at the end of this cycle.
    pub fn is_heard(&mut self, dut: &mut Dut) -> bool {
        let heard = self.offers && dut.is("host_response_ready");
        if heard {
            self.answer = None;
            self.offers = false;
        }
        heard
    }
}
