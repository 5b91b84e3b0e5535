//! What happens within a cycle and at its end: values settle, then state moves on.

use super::Simulator;
use super::program::{Program, WritePort};
use crate::bits::words_for;
use crate::limbs;

impl Simulator {
    /// State, an input or a memory has changed.
    pub(super) fn touch(&mut self) {
        self.stale = true;
        self.cold_stale = true;
    }

    /// Brings all values up to date that outputs, state or properties depend on.
    pub(super) fn settle(&mut self) {
        if self.stale {
            self.program.run(&self.program.hot, &mut self.words, &self.contents);
            self.stale = false;
        }
    }

    /// Brings the other values up to date.
    pub(super) fn settle_cold(&mut self) {
        if self.cold_stale {
            self.program.run(&self.program.cold, &mut self.words, &self.contents);
            self.cold_stale = false;
        }
    }

    /// The clock edge: memories are written and all state takes its next value at once.
    pub(super) fn edge(&mut self) {
        let Program { writes, next, resets, memories, .. } = &self.program;
        for port in writes {
            if port.enable.is_some_and(|enable| self.words[enable as usize] == 0) {
                continue;
            }
            let addr = self.words[port.addr as usize];
            if let Some(row) = memories[port.memory as usize].at(addr) {
                write(port, &mut self.contents[row], &self.words);
            }
        }
        for (to, &from) in self.next.iter_mut().zip(next) {
            *to = self.words[from as usize];
        }
        self.words[..self.next.len()].copy_from_slice(&self.next);
        if self.in_reset {
            for &(place, value) in resets {
                self.words[place as usize] = value;
            }
        }
        self.touch();
    }
}

/// Writes the lanes of a row that the mask allows.
fn write(port: &WritePort, row: &mut [u64], words: &[u64]) {
    let data = &words[port.data as usize..port.data as usize + words_for(port.width)];
    let Some((mask, lane)) = port.mask else {
        row.copy_from_slice(data);
        return;
    };
    let lanes = port.width / lane;
    let mask = &words[mask as usize..mask as usize + words_for(lanes)];
    for index in (0..lanes).filter(|&index| limbs::bit(mask, index.into())) {
        limbs::copy_bits(row, data, index * lane, lane);
    }
}
