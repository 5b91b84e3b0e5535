//! The Wishbone bridge of the host port against its model: accesses of every kind to every place, a machine that takes
//! its time.

use border::map::{CLINT, MONITORS, RAM, UART};
use golden::bridge::{BusAccess, HostAccess};
use kit::Dice;
use units::bridges::WishboneHost;

use crate::bridges::{
    self, Host, PATIENCE, Surrounding, bytes, geometry, noise, set_bits, set_bytes,
};
use crate::simulators::{Dut, Subject};

const RAM_LAST: u32 = RAM.base + 0xffff;

/// What has become of the access.
enum State {
    /// The machine has not been asked.
    Begun,
    /// The machine was asked; the answer to come.
    Asked(Vec<u8>),
    /// The machine has answered so.
    Answered(Vec<u8>),
}

/// A master on one side and the machine on the other.
struct Around {
    word: usize,
    line: usize,
    host: Host,
    current: Option<(BusAccess, State)>,
    waited: usize,
    counts: [u64; 5],
}

impl Around {
    fn new(line: usize, word: usize) -> Self {
        Self { word, line, host: Host::new(line), current: None, waited: 0, counts: [0; 5] }
    }

    fn access(&self, dice: &mut Dice) -> BusAccess {
        let near = |base: u32, dice: &mut Dice| base + dice.below(0x40u32);
        let address = match dice.below(8u32) {
            0 => near(CLINT.base, dice),
            1 => near(UART.base, dice),
            2 => near(MONITORS.base, dice),
            3 => dice.word(),
            4 => near(RAM_LAST - 0x1f, dice),
            _ => near(RAM.base, dice),
        };
        let lanes = |dice: &mut Dice| match dice.below(4u32) {
            0 => vec![true; self.word],
            1 => {
                let register = dice.below(self.word / 4);
                (0..self.word).map(|lane| lane / 4 == register).collect()
            }
            2 => (0..self.word).map(|lane| lane == 0).collect(),
            _ => (0..self.word).map(|_| dice.chance(30)).collect(),
        };
        let bytes = lanes(dice);
        let data = dice.chance(50).then(|| noise(dice, self.word));
        BusAccess { data, address: address & !(self.word as u32 - 1), bytes }
    }

    fn drive(&mut self, dut: &mut Dut, dice: &mut Dice) {
        if self.current.is_none() && dice.chance(70) {
            self.current = Some((self.access(dice), State::Begun));
            self.waited = 0;
        }
        dut.set("ram_last", RAM_LAST.into());
        dut.set("s_wb_cyc", u64::from(self.current.is_some() || dice.chance(20)));
        dut.set("s_wb_stb", self.current.is_some().into());
        dut.set("s_wb_cti", dice.below(8u64));
        dut.set("s_wb_bte", dice.below(4u64));
        let junk = noise(dice, self.word);
        if let Some((access, _)) = &self.current {
            dut.set("s_wb_we", access.data.is_some().into());
            dut.set("s_wb_adr", access.address.into());
            set_bytes(dut, "s_wb_dat_w", access.data.as_ref().unwrap_or(&junk));
            set_bits(dut, "s_wb_sel", &access.bytes);
        }
        self.host.drive(dut, dice);
    }

    /// The access ends in this cycle.
    fn ends(&mut self, dut: &mut Dut, failed: bool) {
        let Some((access, state)) = self.current.take() else { panic!("nothing was asked for") };
        let asked = access.at_host(self.line, RAM_LAST);
        let answer = match (&asked, state) {
            (HostAccess::Vacant | HostAccess::Refused, State::Begun) => {
                assert!(failed, "{access:x?} must fail");
                self.counts[if asked == HostAccess::Vacant { 0 } else { 1 }] += 1;
                return;
            }
            (HostAccess::Nothing, State::Begun) => Vec::new(),
            (HostAccess::Register { .. } | HostAccess::Line { .. }, State::Answered(answer)) => {
                answer
            }
            _ => panic!("{access:x?} ended before the machine had answered"),
        };
        assert!(!failed, "{access:x?} must not fail");
        match asked {
            HostAccess::Register { .. } => self.counts[2] += 1,
            HostAccess::Line { .. } => self.counts[3] += 1,
            _ => self.counts[4] += 1,
        }
        if access.data.is_none() && asked != HostAccess::Nothing {
            let word = bytes(dut, "s_wb_dat_r", self.word);
            for (lane, byte) in access.read(&asked, &answer) {
                assert_eq!(word[lane], byte, "lane {lane} of {access:x?}");
            }
        }
    }
}

impl Surrounding for Around {
    fn cycle(&mut self, dut: &mut Dut, dice: &mut Dice) {
        self.drive(dut, dice);
        let (ack, err) = (dut.is("s_wb_ack"), dut.is("s_wb_err"));
        assert!(!(ack && err));
        let taken = self.host.takes(dut, dice);
        let heard = self.host.is_heard(dut);
        self.waited += 1;
        match (&mut self.current, taken) {
            (Some((access, state @ State::Begun)), Some((asked, answer))) => {
                assert_eq!(asked, access.at_host(self.line, RAM_LAST), "{access:x?}");
                *state = State::Asked(answer);
            }
            (_, Some((asked, _))) => panic!("the machine is asked for nothing: {asked:x?}"),
            (Some((_, state)), None) => {
                if let State::Asked(answer) = state
                    && heard
                {
                    *state = State::Answered(std::mem::take(answer));
                    self.waited = 0;
                }
            }
            (None, None) => {}
        }
        if ack || err {
            self.ends(dut, err);
        } else if let Some((access, state)) = &self.current {
            let asked = access.at_host(self.line, RAM_LAST);
            let asks = matches!(asked, HostAccess::Register { .. } | HostAccess::Line { .. });
            let waits = asks && !matches!(state, State::Answered(_));
            assert!(waits || self.waited < PATIENCE, "{access:x?} does not end");
        }
    }

    fn forget(&mut self) {
        let counts = self.counts;
        *self = Self { counts, ..Self::new(self.line, self.word) };
    }

    fn happened(&self) -> Vec<(&'static str, u64)> {
        let what = ["vacant", "refused", "registers", "memory", "no byte"];
        what.into_iter().zip(self.counts).collect()
    }
}

#[test]
fn accesses_reach_the_machine_as_the_model_says() {
    for (line, bits) in [(8, 64), (8, 32), (32, 32), (32, 64)] {
        let unit = Subject::of(WishboneHost { geometry: geometry(line), data_bits: bits });
        bridges::run(&unit, line as u64 + bits as u64, || Around::new(line, bits / 8));
    }
}
