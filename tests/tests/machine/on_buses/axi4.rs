//! AXI4: a memory whose channels each take their time, and a master that waits.

use border::map::RAM;
use cosim::Model;
use kit::Dice;

use super::{Buses, WORD};

/// A burst to memory.
struct Burst {
    address: usize,
    words_left: u64,
}

/// The channels of the master, by how their names begin.
const CHANNELS: [&str; 3] = ["aw", "w", "ar"];

/// Both sides of the machine.
#[derive(Default)]
pub struct Axi4 {
    write: Option<Burst>,
    read: Option<Burst>,
    /// A response to a write is owed.
    owes: bool,
    /// On which of its channels the master offers something, and what is taken at the next edge.
    offers: [bool; 3],
    taken: [bool; 3],
    /// What moves on memory's channels at the next edge, if it is there: write address, data, read address.
    ready: [bool; 3],
    /// What is offered to the machine: a word, a response.
    offered: [bool; 2],
}

impl Axi4 {
    /// What has moved at the edge before.
    fn moved(&mut self, model: &mut Model, ram: &mut [u8]) {
        let fires = |valid: &str, ready: bool| ready && model.peek(valid) == 1;
        let aw = fires("m_axi_awvalid", self.ready[0]);
        let w = fires("m_axi_wvalid", self.ready[1]);
        let ar = fires("m_axi_arvalid", self.ready[2]);
        let r = fires("m_axi_rready", self.offered[0]);
        let b = fires("m_axi_bready", self.offered[1]);
        let burst = |model: &Model, channel: &str| Burst {
            address: (model.peek(&format!("m_axi_{channel}addr")) as u32 - RAM.base) as usize,
            words_left: model.peek(&format!("m_axi_{channel}len")) + 1,
        };
        if aw {
            self.write = Some(burst(model, "aw"));
        }
        if ar {
            self.read = Some(burst(model, "ar"));
        }
        if w {
            let Some(burst) = &mut self.write else { panic!("data before its address") };
            let data = (model.peek("m_axi_wdata") as u32).to_le_bytes();
            ram[burst.address..burst.address + WORD].copy_from_slice(&data);
            burst.address += WORD;
            burst.words_left -= 1;
            assert_eq!(model.peek("m_axi_wlast") == 1, burst.words_left == 0);
            if burst.words_left == 0 {
                self.write = None;
                self.owes = true;
            }
        }
        if r && let Some(burst) = &mut self.read {
            burst.address += WORD;
            burst.words_left -= 1;
            self.read.take_if(|burst| burst.words_left == 0);
        }
        self.owes &= !b;
    }
}

impl Buses for Axi4 {
    fn serve_memory(&mut self, model: &mut Model, ram: &mut [u8], dice: &mut Dice) {
        model.eval().expect("no assertion");
        let free = self.write.is_none() && self.read.is_none() && !self.owes;
        self.ready = [free && dice.chance(60), self.write.is_some() && dice.chance(60), free];
        self.offered[0] &= self.read.is_some();
        self.offered[0] |= self.read.is_some() && dice.chance(60);
        self.offered[1] = self.owes;
        for (port, value) in ["awready", "wready", "arready"].iter().zip(self.ready) {
            model.poke(&format!("m_axi_{port}"), u64::from(value));
        }
        model.poke("m_axi_rvalid", u64::from(self.offered[0]));
        model.poke("m_axi_bvalid", u64::from(self.offered[1]));
        if let Some(Burst { address, words_left }) = self.read {
            let word = ram[address..address + WORD].try_into().expect("a word");
            model.poke("m_axi_rdata", u32::from_le_bytes(word));
            model.poke("m_axi_rlast", u64::from(words_left == 1));
        }
        model.eval().expect("no assertion");
        self.moved(model, ram);
    }

    fn begin(&mut self, model: &mut Model, address: u32, write: Option<[u8; WORD]>) {
        let channel = if write.is_some() { "aw" } else { "ar" };
        self.offers = [write.is_some(), write.is_some(), write.is_none()];
        for (field, value) in [("addr", u64::from(address)), ("len", 0), ("size", 2), ("burst", 1)]
        {
            model.poke(&format!("s_axi_{channel}{field}"), value);
        }
        for (channel, offered) in CHANNELS.iter().zip(self.offers) {
            model.poke(&format!("s_axi_{channel}valid"), u64::from(offered));
        }
        model.poke("s_axi_wdata", u32::from_le_bytes(write.unwrap_or_default()));
        model.poke("s_axi_wstrb", 15u64);
        model.poke("s_axi_wlast", 1u64);
        model.poke("s_axi_bready", 1u64);
        model.poke("s_axi_rready", 1u64);
    }

    fn ends(&mut self, model: &Model) -> Option<[u8; WORD]> {
        for (place, channel) in CHANNELS.iter().enumerate() {
            let ready = model.peek(&format!("s_axi_{channel}ready")) == 1;
            self.taken[place] = self.offers[place] && ready;
        }
        if model.peek("s_axi_bvalid") == 1 {
            assert_eq!(model.peek("s_axi_bresp"), 0);
            return Some([0; WORD]);
        }
        (model.peek("s_axi_rvalid") == 1).then(|| {
            assert_eq!((model.peek("s_axi_rresp"), model.peek("s_axi_rlast")), (0, 1));
            (model.peek("s_axi_rdata") as u32).to_le_bytes()
        })
    }

    fn after_edge(&mut self, model: &mut Model) {
        for (place, channel) in CHANNELS.iter().enumerate() {
            if std::mem::take(&mut self.taken[place]) {
                self.offers[place] = false;
                model.poke(&format!("s_axi_{channel}valid"), 0u64);
            }
        }
    }
}
