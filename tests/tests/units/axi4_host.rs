//! The AXI4 bridge of the host port against its model: bursts of every kind, size and place, reads and writes at once,
//! a machine that takes its time.

use border::map::{CLINT, MONITORS, RAM, UART};
use golden::bridge::{Axi4Burst, BurstKind, BusAccess, HostAccess};
use kit::Dice;
use units::bridges::Axi4Host;

use crate::bridges::{self, Held, Host, Surrounding, bytes, geometry, noise, set_bits, set_bytes};
use crate::simulators::{Dut, Subject};

const RAM_LAST: u32 = RAM.base + 0xffff;
/// Cycles in which a burst must get on, beside those in which it waits for somebody else.
const PATIENCE: usize = 6;
/// The codes of responses.
const OKAY: u64 = 0;
const SLAVE_ERROR: u64 = 2;
const DECODE_ERROR: u64 = 3;

/// A burst that a master asks for.
struct Burst {
    id: u64,
    of: Axi4Burst,
    /// What is written, word by word, with the bytes that are meant; of a read nothing.
    writes: Option<Vec<(Vec<u8>, Vec<bool>)>>,
}

/// A burst that is served.
struct Served {
    burst: Burst,
    /// Words that are done.
    done: u32,
    /// The word under way was asked for: the answer to come.
    asked: Option<Vec<u8>>,
    /// What was read of the word under way, once the machine has answered.
    read: Option<Vec<u8>>,
    /// The first error of a burst of writes.
    response: u64,
}

/// A master on one side and the machine on the other.
struct Around {
    line: usize,
    width: usize,
    host: Host,
    /// What is on the address channels: a write, a read.
    offered: [Option<Burst>; 2],
    served: Option<Served>,
    /// The word to write is on its channel.
    gives: bool,
    held: [Held; 2],
    waited: usize,
    counts: [u64; 7],
}

impl Around {
    fn new(line: usize, width: usize) -> Self {
        let host = Host::new(line);
        let (offered, served, gives) = ([None, None], None, false);
        let (held, waited, counts) = (Default::default(), 0, [0; 7]);
        Self { line, width, host, offered, served, gives, held, waited, counts }
    }

    fn burst(&self, dice: &mut Dice, write: bool) -> Burst {
        let near = |base: u32, dice: &mut Dice| base + dice.below(0x80u32);
        let address = match dice.below(8u32) {
            0 => near(CLINT.base, dice),
            1 => near(UART.base, dice),
            2 => near(MONITORS.base, dice),
            3 => near(RAM_LAST - 0x3f, dice),
            4 => near(0x4000_0000, dice),
            _ => near(RAM.base, dice),
        };
        let size = 1 << dice.below(self.width.ilog2() + 1);
        let kinds = [BurstKind::Fixed, BurstKind::Incrementing, BurstKind::Wrapping];
        let kind = dice.one_of(&kinds);
        let words = match kind {
            BurstKind::Wrapping => dice.one_of(&[2, 4, 8, 16]),
            BurstKind::Fixed => 1 + dice.below(16u32),
            // As long as it stays in its block of 4 KiB.
            BurstKind::Incrementing if dice.one_in(20) => 100,
            BurstKind::Incrementing => 1 + dice.below(8u32),
        };
        // A burst that wraps begins where a word does.
        let address = if kind == BurstKind::Wrapping { address & !(size - 1) } else { address };
        let of = Axi4Burst { address, words, size, kind };
        let writes = write.then(|| {
            let word = |n| {
                let lanes = of.lanes(n, self.width as u32);
                let all = dice.chance(70);
                let meant = lanes.iter().map(|lane| *lane && (all || dice.chance(50))).collect();
                (noise(dice, self.width), meant)
            };
            (0..words).map(word).collect()
        });
        Burst { id: dice.below(16u64), of, writes }
    }

    fn drive_address(&mut self, dut: &mut Dut, dice: &mut Dice, write: bool) {
        let channel = if write { "s_axi_aw" } else { "s_axi_ar" };
        let place = usize::from(!write);
        if self.offered[place].is_none() && dice.chance(30) {
            self.offered[place] = Some(self.burst(dice, write));
        }
        let mut set = |field: &str, value: u64| dut.set(&format!("{channel}{field}"), value);
        set("valid", self.offered[place].is_some().into());
        let Some(Burst { id, of, .. }) = &self.offered[place] else { return };
        set("id", *id);
        set("addr", of.address.into());
        set("len", u64::from(of.words) - 1);
        set("size", of.size.trailing_zeros().into());
        let kind = match of.kind {
            BurstKind::Fixed => 0,
            BurstKind::Incrementing => 1,
            BurstKind::Wrapping => 2,
        };
        set("burst", kind);
        for (field, bits) in [("lock", 1), ("cache", 4), ("prot", 3), ("qos", 4)] {
            set(field, dice.below(1u64 << bits));
        }
    }

    fn drive(&mut self, dut: &mut Dut, dice: &mut Dice) {
        dut.set("ram_last", RAM_LAST.into());
        self.drive_address(dut, dice, true);
        self.drive_address(dut, dice, false);
        let next = self.served.as_ref().and_then(|served| {
            let writes = served.burst.writes.as_ref()?;
            let n = served.done as usize;
            // Once taken, a word is not offered again while the machine works on it.
            let waits = served.asked.is_none() && n < writes.len();
            waits.then(|| (writes[n].clone(), n + 1 == writes.len()))
        });
        self.gives = next.is_some() && (self.gives || dice.chance(60));
        dut.set("s_axi_wvalid", self.gives.into());
        if let Some(((data, meant), is_last)) = next {
            set_bytes(dut, "s_axi_wdata", &data);
            set_bits(dut, "s_axi_wstrb", &meant);
            dut.set("s_axi_wlast", is_last.into());
        }
        dut.set("s_axi_bready", u64::from(dice.chance(50)));
        dut.set("s_axi_rready", u64::from(dice.chance(50)));
        self.host.drive(dut, dice);
    }

    /// The access of the word under way.
    fn access(&self, served: &Served) -> BusAccess {
        let n = served.done;
        let address = served.burst.of.address_of(n);
        match &served.burst.writes {
            Some(writes) => {
                let (data, meant) = writes[n as usize].clone();
                BusAccess { data: Some(data), address, bytes: meant }
            }
            None => {
                let bytes = served.burst.of.lanes(n, self.width as u32);
                BusAccess { data: None, address, bytes }
            }
        }
    }

    /// The machine's side of this cycle.
    fn machine(&mut self, dut: &mut Dut, dice: &mut Dice) {
        let taken = self.host.takes(dut, dice);
        let heard = self.host.is_heard(dut);
        let Some(mut served) = self.served.take() else {
            assert!(taken.is_none(), "the machine is asked for nothing");
            return;
        };
        if heard {
            let answer = served.asked.take().expect("an answer to nothing");
            self.waited = 0;
            if served.burst.writes.is_some() {
                served.done += 1;
            } else {
                served.read = Some(answer);
            }
        }
        if let Some((asked, answer)) = taken {
            assert!(served.asked.is_none() && served.read.is_none(), "one word at a time");
            let access = self.access(&served);
            assert_eq!(asked, access.at_host(self.line, RAM_LAST), "{access:x?}");
            served.asked = Some(answer);
            self.counts[match asked {
                HostAccess::Register { .. } => 0,
                _ => 1,
            }] += 1;
        }
        self.served = Some(served);
    }

    /// A word of a burst of writes is taken at the end of this cycle.
    fn word_taken(&mut self) {
        self.gives = false;
        self.waited = 0;
        let Some(mut served) = self.served.take() else { panic!("data of no burst") };
        if served.asked.is_none() {
            let access = self.access(&served);
            let error = match access.at_host(self.line, RAM_LAST) {
                HostAccess::Nothing => OKAY,
                HostAccess::Vacant => DECODE_ERROR,
                HostAccess::Refused => SLAVE_ERROR,
                _ => panic!("{access:x?} did not reach the machine"),
            };
            if served.response == OKAY {
                served.response = error;
            }
            served.done += 1;
        }
        self.served = Some(served);
    }

    /// Checks the word that is given to a reader.
    fn check_read(&self, dut: &mut Dut) {
        let served = self.served.as_ref().expect("a word that nobody asked for");
        let access = self.access(served);
        let asked = access.at_host(self.line, RAM_LAST);
        let is_last = served.done + 1 == served.burst.of.words;
        assert_eq!(dut.get("s_axi_rid"), served.burst.id);
        assert_eq!(dut.is("s_axi_rlast"), is_last);
        let response = match asked {
            HostAccess::Vacant => DECODE_ERROR,
            HostAccess::Refused => SLAVE_ERROR,
            _ => OKAY,
        };
        assert_eq!(dut.get("s_axi_rresp"), response, "{access:x?}");
        if response == OKAY {
            let answer = served.read.as_ref().expect("the machine has not answered");
            let word = bytes(dut, "s_axi_rdata", self.width);
            for (lane, byte) in access.read(&asked, answer) {
                assert_eq!(word[lane], byte, "lane {lane} of {access:x?}");
            }
        }
    }
}

impl Surrounding for Around {
    fn cycle(&mut self, dut: &mut Dut, dice: &mut Dice) {
        self.drive(dut, dice);
        let takes = ["s_axi_aw", "s_axi_ar"].map(|channel| {
            dut.is(&format!("{channel}ready")) && dut.is(&format!("{channel}valid"))
        });
        assert!(!(takes[0] && takes[1]), "one burst at a time");
        assert!(self.served.is_none() || !(takes[0] || takes[1]), "one burst at a time");
        let r = ["s_axi_rid", "s_axi_rdata", "s_axi_rresp", "s_axi_rlast"];
        let gives = self.held[0].moves(dut, "s_axi_rvalid", "s_axi_rready", &r);
        let b = ["s_axi_bid", "s_axi_bresp"];
        let responds = self.held[1].moves(dut, "s_axi_bvalid", "s_axi_bready", &b);
        if dut.is("s_axi_rvalid") {
            self.check_read(dut);
        }
        if dut.is("s_axi_bvalid") {
            let served = self.served.as_ref().expect("a response to nothing");
            assert_eq!(served.done, served.burst.of.words, "all words were written");
            assert_eq!(dut.get("s_axi_bid"), served.burst.id);
            assert_eq!(dut.get("s_axi_bresp"), served.response);
        }
        let idle = !dut.is("s_axi_rvalid") && !dut.is("s_axi_bvalid");
        let takes_word = self.gives && dut.is("s_axi_wready");
        assert!(self.gives || !dut.is("s_axi_wready"), "ready only for what is there");
        self.machine(dut, dice);
        if takes_word {
            self.word_taken();
        }
        let works = self.served.as_ref().is_some_and(|served| {
            let waits_for_word =
                served.burst.writes.is_some() && served.done < served.burst.of.words && !self.gives;
            served.asked.is_none() && !waits_for_word && idle && !dut.is("host_request_valid")
        });
        self.waited = if works { self.waited + 1 } else { 0 };
        assert!(self.waited < PATIENCE, "a burst does not get on");
        if gives && let Some(served) = &mut self.served {
            served.done += 1;
            served.read = None;
            if served.done == served.burst.of.words {
                self.counts[2] += u64::from(served.burst.of.words > 1);
                self.served = None;
            }
        }
        if responds && let Some(served) = self.served.take() {
            self.counts[3] += u64::from(served.burst.of.words > 1);
            self.counts[4] += u64::from(served.response != OKAY);
        }
        let both = self.offered.iter().all(Option::is_some);
        for (place, taken) in takes.into_iter().enumerate() {
            if let Some(burst) = self.offered[place].take_if(|_| taken) {
                self.counts[5 + place] += u64::from(both);
                let (done, asked, read, response) = (0, None, None, OKAY);
                self.served = Some(Served { burst, done, asked, read, response });
                self.waited = 0;
            }
        }
    }

    fn forget(&mut self) {
        let counts = self.counts;
        *self = Self { counts, ..Self::new(self.line, self.width) };
    }

    fn happened(&self) -> Vec<(&'static str, u64)> {
        let what = [
            "registers",
            "memory",
            "long reads",
            "long writes",
            "writes that failed",
            "writes before reads",
            "reads before writes",
        ];
        what.into_iter().zip(self.counts).collect()
    }
}

#[test]
fn bursts_reach_the_machine_as_the_model_says() {
    for (line, bits) in [(8, 64), (8, 32), (32, 64), (64, 128)] {
        let unit = Subject::of(Axi4Host { geometry: geometry(line), data_bits: bits });
        bridges::run(&unit, line as u64 + bits as u64, || Around::new(line, bits / 8));
    }
}
