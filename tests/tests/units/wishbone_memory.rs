//! The Wishbone bridge of the memory port against its model: lines in random order, a slave that takes its time and
//! fails now and then.

use golden::bridge::LineBurst;
use kit::Dice;
use units::bridges::{CLASSIC, END_OF_BURST, INCREMENTING, WishboneMemory};

use crate::bridges::{self, PATIENCE, Surrounding, bytes, geometry, noise, set_bytes};
use crate::simulators::{Dut, Subject};

/// A line that is to be moved.
struct Line {
    burst: LineBurst,
    /// What is written, if it is.
    write: Option<Vec<u8>>,
}

/// The machine on one side and memory on the other.
struct Around {
    line: usize,
    word: usize,
    /// What the machine offers.
    offered: Option<Line>,
    /// What the bridge has taken and not finished; the words that have moved.
    current: Option<(Line, Vec<Option<Vec<u8>>>)>,
    /// The line that the bridge must give.
    answer: Option<Vec<u8>>,
    first_error: Option<u32>,
    idle: usize,
    counts: [u64; 4],
}

impl Around {
    fn new(line: usize, word: usize) -> Self {
        let (offered, current, answer) = (None, None, None);
        let (first_error, idle, counts) = (None, 0, [0; 4]);
        Self { line, word, offered, current, answer, first_error, idle, counts }
    }

    fn offer(&mut self, dut: &mut Dut, dice: &mut Dice) {
        if self.offered.is_none() && dice.chance(60) {
            let address = dice.word() & !(self.line as u32 - 1);
            let write = dice.chance(50).then(|| noise(dice, self.line));
            let burst = LineBurst { address, line: self.line, word: self.word };
            self.offered = Some(Line { burst, write });
        }
        dut.set("request_valid", self.offered.is_some().into());
        let junk = noise(dice, self.line);
        if let Some(Line { burst, write }) = &self.offered {
            dut.set("request_payload_write", write.is_some().into());
            dut.set("request_payload_address", burst.address.into());
            set_bytes(dut, "request_payload_data", write.as_ref().unwrap_or(&junk));
        }
    }

    /// The slave's side of this cycle: what it answers, if it does, and whether that is an error.
    fn serve(&mut self, dut: &mut Dut, dice: &mut Dice) -> Option<(Vec<u8>, bool)> {
        let (cyc, stb) = (dut.is("m_wb_cyc"), dut.is("m_wb_stb"));
        assert_eq!(cyc, stb, "nothing is asked for outside a cycle, and nothing pauses in it");
        assert!(cyc || self.current.is_none() || self.idle < PATIENCE, "a line is not moved");
        self.idle = if cyc || self.current.is_none() { 0 } else { self.idle + 1 };
        let ends = cyc && dice.chance(55);
        let fails = ends && dice.chance(4);
        let data = noise(dice, self.word);
        dut.set("m_wb_ack", (ends && !fails).into());
        dut.set("m_wb_err", fails.into());
        set_bytes(dut, "m_wb_dat_r", &data);
        if cyc {
            self.check_access(dut);
        }
        ends.then_some((data, fails))
    }

    fn check_access(&self, dut: &mut Dut) {
        let Some((Line { burst, write }, moved)) = &self.current else {
            panic!("an access that nobody asked for");
        };
        let addresses = burst.addresses();
        let n = moved.len();
        let is_last = n + 1 == addresses.len();
        let cti = match (addresses.len(), is_last) {
            (1, _) => CLASSIC,
            (_, false) => INCREMENTING,
            (_, true) => END_OF_BURST,
        };
        assert_eq!(dut.get("m_wb_adr"), u64::from(addresses[n]), "word {n}");
        assert_eq!(dut.is("m_wb_we"), write.is_some());
        assert_eq!(dut.get("m_wb_sel"), (1 << self.word) - 1, "whole words");
        assert_eq!((dut.get("m_wb_cti"), dut.get("m_wb_bte")), (cti, 0), "word {n}");
        if let Some(line) = write {
            assert_eq!(bytes(dut, "m_wb_dat_w", self.word), burst.words(line)[n], "word {n}");
        }
    }

    fn moved(&mut self, data: Vec<u8>, fails: bool) {
        let Some((line, moved)) = &mut self.current else { panic!("nothing was to be moved") };
        let address = line.burst.addresses()[moved.len()];
        if fails {
            self.first_error.get_or_insert(address);
            self.counts[2] += 1;
        }
        moved.push((!fails).then_some(data));
        if moved.len() < line.burst.addresses().len() {
            return;
        }
        match line.write {
            Some(_) => self.counts[0] += 1,
            None => {
                self.counts[1] += 1;
                self.answer = Some(line.burst.line(moved));
            }
        }
        self.current = None;
    }
}

impl Surrounding for Around {
    fn cycle(&mut self, dut: &mut Dut, dice: &mut Dice) {
        self.offer(dut, dice);
        dut.set("response_ready", u64::from(dice.chance(50)));
        let served = self.serve(dut, dice);

        assert_eq!(dut.is("error_seen"), self.first_error.is_some());
        if let Some(address) = self.first_error {
            assert_eq!(dut.get("error_address"), u64::from(address), "the first of all errors");
        }
        let gives = dut.is("response_valid");
        if gives {
            let answer = self.answer.as_ref().expect("a line that nobody asked for");
            assert_eq!(&bytes(dut, "response_payload", self.line), answer);
        } else {
            assert!(self.answer.is_none(), "the line is given at once");
        }
        let takes = dut.is("request_ready") && self.offered.is_some();
        if takes {
            assert!(self.current.is_none() && self.answer.is_none(), "one line at a time");
        }
        if gives && dut.is("response_ready") {
            self.answer = None;
        }
        self.counts[3] += u64::from(gives && !dut.is("response_ready"));
        if let Some((data, fails)) = served {
            self.moved(data, fails);
        }
        if takes {
            self.current = self.offered.take().map(|line| (line, Vec::new()));
        }
    }

    fn forget(&mut self) {
        let counts = self.counts;
        *self = Self { counts, ..Self::new(self.line, self.word) };
    }

    fn happened(&self) -> Vec<(&'static str, u64)> {
        let what = ["lines written", "lines read", "errors", "answers that wait"];
        what.into_iter().zip(self.counts).collect()
    }
}

#[test]
fn lines_move_as_the_model_says_whatever_the_slave_does() {
    for (line, bits) in [(8, 64), (8, 32), (32, 32), (64, 64)] {
        let unit = Subject::of(WishboneMemory { geometry: geometry(line), data_bits: bits });
        bridges::run(&unit, line as u64, || Around::new(line, bits / 8));
    }
}
