//! The AXI4 bridge of the memory port against its model: lines in random order, a slave whose channels each take their
//! time and fail now and then.

use golden::bridge::LineBurst;
use kit::Dice;
use units::bridges::Axi4Memory;

use crate::bridges::{self, Held, Surrounding, bytes, geometry, noise, set_bytes};
use crate::simulators::{Dut, Subject};

/// A code of an error, and of none.
const SLAVE_ERROR: u64 = 2;
const OKAY: u64 = 0;
/// A burst that goes upwards.
const INCREMENTING: u64 = 1;
/// Cycles after which a line must have moved although the slave does nothing but wait.
const PATIENCE: usize = 8;

/// A line that is to be moved.
struct Line {
    burst: LineBurst,
    /// What is written, if it is.
    write: Option<Vec<u8>>,
}

/// How far a line is.
#[derive(Default)]
struct Progress {
    /// Its address was taken.
    addressed: bool,
    /// The words that have moved; `None` for one that failed.
    moved: Vec<Option<Vec<u8>>>,
}

/// The machine on one side and memory on the other.
#[derive(Default)]
struct Around {
    line: usize,
    word: usize,
    offered: Option<Line>,
    current: Option<(Line, Progress)>,
    answer: Option<Vec<u8>>,
    first_error: Option<u32>,
    /// The word that is on the read channel, and whether it is an error.
    reading: Option<(Vec<u8>, bool)>,
    /// The response that is on its channel, an error or none.
    responding: Option<bool>,
    held: [Held; 3],
    idle: usize,
    counts: [u64; 5],
}

impl Around {
    fn new(line: usize, word: usize) -> Self {
        Self { line, word, ..Self::default() }
    }

    fn words(&self) -> usize {
        self.line / self.word
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
        dut.set("response_ready", u64::from(dice.chance(50)));
    }

    /// The slave's side of this cycle.
    fn serve(&mut self, dut: &mut Dut, dice: &mut Dice) {
        for ready in ["awready", "wready", "arready"] {
            dut.set(&format!("m_axi_{ready}"), u64::from(dice.chance(50)));
        }
        let words = self.words();
        if let Some((Line { write, .. }, progress)) = &self.current {
            let may_go_on = progress.addressed && dice.chance(50);
            let fails = dice.chance(5);
            match write {
                None if self.reading.is_none() && may_go_on && progress.moved.len() < words => {
                    self.reading = Some((noise(dice, self.word), fails));
                }
                Some(_)
                    if self.responding.is_none() && may_go_on && progress.moved.len() == words =>
                {
                    self.responding = Some(fails);
                }
                _ => {}
            }
        }
        let moved = self.current.as_ref().map_or(0, |(_, progress)| progress.moved.len());
        dut.set("m_axi_rvalid", self.reading.is_some().into());
        dut.set("m_axi_rlast", u64::from(self.reading.is_some() && moved + 1 == words));
        let fails = self.reading.as_ref().is_some_and(|(_, fails)| *fails);
        dut.set("m_axi_rresp", if fails { SLAVE_ERROR } else { OKAY });
        let junk = noise(dice, self.word);
        let data = self.reading.as_ref().map_or(&junk, |(data, _)| data);
        set_bytes(dut, "m_axi_rdata", data);
        dut.set("m_axi_bvalid", self.responding.is_some().into());
        dut.set("m_axi_bresp", if self.responding == Some(true) { SLAVE_ERROR } else { OKAY });
        dut.set("m_axi_rid", 0);
        dut.set("m_axi_bid", 0);
    }

    /// Checks an address that is offered.
    fn check_address(&self, dut: &mut Dut, channel: &str) {
        let Some((Line { burst, write }, progress)) = &self.current else {
            panic!("a burst that nobody asked for");
        };
        assert_eq!(write.is_some(), channel == "aw");
        assert!(!progress.addressed, "one burst for a line");
        let mut get = |field: &str| dut.get(&format!("m_axi_{channel}{field}"));
        assert_eq!(get("addr"), u64::from(burst.address));
        assert_eq!(get("len"), self.words() as u64 - 1);
        assert_eq!(1 << get("size"), self.word, "the full width");
        assert_eq!((get("burst"), get("lock"), get("id")), (INCREMENTING, 0, 0));
    }

    /// What moves on the channels at the end of this cycle.
    fn channels(&mut self, dut: &mut Dut) {
        let words = self.words();
        let aw = ["m_axi_awaddr", "m_axi_awlen", "m_axi_awsize"];
        let aw = self.held[0].moves(dut, "m_axi_awvalid", "m_axi_awready", &aw);
        let w = ["m_axi_wdata", "m_axi_wstrb", "m_axi_wlast"];
        let w = self.held[1].moves(dut, "m_axi_wvalid", "m_axi_wready", &w);
        let ar = ["m_axi_araddr", "m_axi_arlen", "m_axi_arsize"];
        let ar = self.held[2].moves(dut, "m_axi_arvalid", "m_axi_arready", &ar);
        for (channel, valid) in [("aw", "m_axi_awvalid"), ("ar", "m_axi_arvalid")] {
            if dut.is(valid) {
                self.check_address(dut, channel);
            }
        }
        let r = self.reading.is_some() && dut.is("m_axi_rready");
        let b = self.responding.is_some() && dut.is("m_axi_bready");
        let quiet = !["m_axi_awvalid", "m_axi_wvalid", "m_axi_arvalid"].iter().any(|v| dut.is(v));
        let Some((Line { burst, write }, progress)) = &mut self.current else {
            assert!(quiet, "a channel speaks although nothing is to be moved");
            return;
        };
        if w {
            let n = progress.moved.len();
            let line = write.as_ref().expect("data of a read");
            assert!(n < words, "more words than the line has");
            assert_eq!(bytes(dut, "m_axi_wdata", self.word), burst.words(line)[n], "word {n}");
            assert!(
                dut.get_wide("m_axi_wstrb").iter().map(|w| w.count_ones()).sum::<u32>() as usize
                    == self.word
            );
            assert_eq!(dut.is("m_axi_wlast"), n + 1 == words, "word {n}");
            self.counts[4] += u64::from(!progress.addressed);
            progress.moved.push(None);
        }
        if aw || ar {
            progress.addressed = true;
        }
        let mut fails = None;
        if r && let Some((data, failed)) = self.reading.take() {
            let address = burst.addresses()[progress.moved.len()];
            fails = failed.then_some(address);
            progress.moved.push((!failed).then_some(data));
        }
        if b {
            fails = (self.responding.take() == Some(true)).then_some(burst.address);
        }
        if let Some(address) = fails {
            self.first_error.get_or_insert(address);
            self.counts[2] += 1;
        }
        let all = progress.moved.len() == words;
        if write.is_some() && b {
            self.counts[0] += 1;
            self.current = None;
        } else if write.is_none() && all {
            self.counts[1] += 1;
            self.answer = Some(burst.line(&progress.moved));
            self.current = None;
        }
    }
}

impl Surrounding for Around {
    fn cycle(&mut self, dut: &mut Dut, dice: &mut Dice) {
        self.offer(dut, dice);
        self.serve(dut, dice);
        assert_eq!(dut.is("error_seen"), self.first_error.is_some());
        if let Some(address) = self.first_error {
            assert_eq!(dut.get("error_address"), u64::from(address), "the first of all errors");
        }
        let gives = dut.is("response_valid");
        let given = gives && dut.is("response_ready");
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
        self.counts[3] += u64::from(gives && !given);
        let waits = self.current.is_some() && self.reading.is_none() && self.responding.is_none();
        self.channels(dut);
        if given {
            self.answer = None;
        }
        let speaks = ["m_axi_awvalid", "m_axi_wvalid", "m_axi_arvalid"].iter().any(|v| dut.is(v));
        let addressed = self.current.as_ref().is_some_and(|(_, progress)| progress.addressed);
        self.idle = if waits && !speaks && !addressed { self.idle + 1 } else { 0 };
        assert!(self.idle < PATIENCE, "a line is not moved");
        if takes {
            self.current = self.offered.take().map(|line| (line, Progress::default()));
        }
    }

    fn forget(&mut self) {
        let counts = self.counts;
        *self = Self { counts, ..Self::new(self.line, self.word) };
    }

    fn happened(&self) -> Vec<(&'static str, u64)> {
        let what = ["lines written", "lines read", "errors", "answers that wait", "data first"];
        what.into_iter().zip(self.counts).collect()
    }
}

#[test]
fn lines_move_as_the_model_says_whatever_the_slave_does() {
    for (line, bits) in [(8, 64), (8, 32), (32, 64), (64, 128)] {
        let unit = Subject::of(Axi4Memory { geometry: geometry(line), data_bits: bits });
        bridges::run(&unit, line as u64, || Around::new(line, bits / 8));
    }
}
