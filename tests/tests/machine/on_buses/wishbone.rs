//! Wishbone: a memory that takes its time, and a master that waits.

use border::map::RAM;
use cosim::Model;
use kit::Dice;

use super::{Buses, WORD};

/// Both sides of the machine.
#[derive(Default)]
pub struct Wishbone {
    /// The access of the master ends at the next edge.
    ends: bool,
}

impl Buses for Wishbone {
    fn serve_memory(&mut self, model: &mut Model, ram: &mut [u8], dice: &mut Dice) {
        // What is asked for comes from registers: it does not depend on the answer.
        model.poke("m_wb_ack", 0u64);
        model.eval().expect("no assertion");
        let asked = model.peek("m_wb_cyc") & model.peek("m_wb_stb") == 1;
        if !asked || dice.one_in(3) {
            return;
        }
        let at = (model.peek("m_wb_adr") as u32 - RAM.base) as usize;
        let word = &mut ram[at..at + WORD];
        if model.peek("m_wb_we") == 1 {
            let data = (model.peek("m_wb_dat_w") as u32).to_le_bytes();
            let sel = model.peek("m_wb_sel");
            (0..WORD).filter(|lane| sel >> lane & 1 == 1).for_each(|lane| word[lane] = data[lane]);
        } else {
            let data = u32::from_le_bytes(word.try_into().expect("a word"));
            model.poke("m_wb_dat_r", data);
        }
        model.poke("m_wb_ack", 1u64);
    }

    fn begin(&mut self, model: &mut Model, address: u32, write: Option<[u8; WORD]>) {
        model.poke("s_wb_cyc", 1u64);
        model.poke("s_wb_stb", 1u64);
        model.poke("s_wb_we", u64::from(write.is_some()));
        model.poke("s_wb_adr", address);
        model.poke("s_wb_dat_w", u32::from_le_bytes(write.unwrap_or_default()));
        model.poke("s_wb_sel", 15u64);
    }

    fn ends(&mut self, model: &Model) -> Option<[u8; WORD]> {
        assert_eq!(model.peek("s_wb_err"), 0, "there is something at every address asked for");
        self.ends = model.peek("s_wb_ack") == 1;
        self.ends.then(|| (model.peek("s_wb_dat_r") as u32).to_le_bytes())
    }

    fn after_edge(&mut self, model: &mut Model) {
        if std::mem::take(&mut self.ends) {
            model.poke("s_wb_cyc", 0u64);
            model.poke("s_wb_stb", 0u64);
        }
    }
}
