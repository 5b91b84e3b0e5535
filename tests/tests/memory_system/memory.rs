//! The memory behind the memory port: a map of lines, with an answer after some cycles.

use std::collections::HashMap;

use cosim::Model;
use kit::Dice;
use kit::random::mixed;

use crate::ports::{Ports, from_bytes, to_bytes};

/// What memory holds where nothing was written.
pub fn initial(address: u32) -> u32 {
    mixed(u64::from(address >> 2)) as u32
}

pub struct Memory {
    line: usize,
    lines: HashMap<u32, Vec<u8>>,
    /// The answer that is due, and in how many cycles.
    answer: Option<(u64, Vec<u8>)>,
    latency: u64,
    dice: Dice,
}

impl Memory {
    pub fn new(line: usize, latency: u64, seed: u64) -> Memory {
        Memory { line, lines: HashMap::new(), answer: None, latency, dice: Dice::new(seed) }
    }

    /// The line at an address.
    pub fn stored(&self, address: u32) -> Vec<u8> {
        let words = (address..).step_by(4).take(self.line / 4);
        let at_first = || words.flat_map(|word| initial(word).to_le_bytes()).collect();
        self.lines.get(&address).cloned().unwrap_or_else(at_first)
    }

    pub fn drive(&mut self, dut: &mut Model, ports: &Ports) {
        let busy = self.answer.is_some();
        dut.set(ports.memory_request_ready, u64::from(!busy && self.dice.chance(80)));
        let due = self.answer.as_ref().filter(|(cycles, _)| *cycles == 0);
        dut.set(ports.memory_response_valid, u64::from(due.is_some()));
        if let Some((_, bytes)) = due {
            dut.set_wide(ports.memory_response_payload, &from_bytes(bytes));
        }
    }

    pub fn sample(&mut self, dut: &Model, ports: &Ports) {
        let asks = dut.get(ports.memory_request_valid) == 1;
        assert!(!(asks && self.answer.is_some()), "memory is asked while it owes an answer");
        match &mut self.answer {
            Some((0, _)) if dut.get(ports.memory_response_ready) == 1 => self.answer = None,
            Some((cycles, _)) => *cycles = cycles.saturating_sub(1),
            None => {}
        }
        if !asks || dut.get(ports.memory_request_ready) == 0 {
            return;
        }
        let address = dut.get(ports.memory_request_address) as u32;
        assert_eq!(address as usize % self.line, 0, "memory is asked for whole lines");
        if dut.get(ports.memory_request_write) == 1 {
            self.lines.insert(address, to_bytes(dut.get_wide(ports.memory_request_data)));
        } else {
            let cycles = 1 + self.dice.below(self.latency);
            self.answer = Some((cycles, self.stored(address)));
        }
    }
}
