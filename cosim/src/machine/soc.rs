//! One machine in simulation: the model, the memory behind it and the host beside it.
//!
//! A cycle reads only the ports that may need a response: the memory port, the watched word and the
//! serial line. All other exports are decoded on demand, by [`Soc::observe`].

use border::map::RAM;
use config::{Config, Perturbation};
use golden::memory::Watched;

use super::export::{Observed, Wait};
use super::ports::{HartPorts, Ports};
use super::{MachineError, Ram};
use crate::{Library, Model};

/// The longest line, in 64-bit words.
pub(super) const LINE_WORDS: usize = 32;

/// A read that memory has accepted and not yet answered.
#[derive(Clone, Copy, Debug)]
struct Pending {
    address: u32,
    /// First cycle of the answer.
    due: u64,
}

/// A host access to the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostAccess {
    /// Write if true, read if false.
    pub write: bool,
    /// Address of the line, or of the device register.
    pub address: u32,
    /// Byte enables of the line.
    pub mask: [u64; LINE_WORDS / 8],
    /// Data to write, in the low words.
    pub data: [u64; LINE_WORDS],
}

/// State of the host's access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HostState {
    Idle,
    Offered,
    Taken,
}

/// Events of one cycle that may need a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tick {
    /// A write to the watched word.
    pub watched: Option<Watched>,
    /// A byte from the serial line.
    pub sent: Option<u8>,
}

/// A machine with its memory.
pub struct Soc {
    model: Model,
    ports: Ports,
    ram: Ram,
    line_words: usize,
    latency: u64,
    pending: Option<Pending>,
    answering: bool,
    host: HostState,
    host_answer: [u64; LINE_WORDS],
    received: Option<u8>,
}

impl Soc {
    /// A machine after reset with its harts held; [`Self::run`] releases them.
    ///
    /// # Errors
    /// If the model was not built for this configuration, or a check fails during reset.
    pub fn new(library: &Library, config: &Config, ram: Ram) -> Result<Self, MachineError> {
        let ports = Ports::of(library, config)
            .map_err(|port| MachineError::Port { top: library.top().to_owned(), port })?;
        let mut soc = Self {
            model: library.model(),
            ports,
            ram,
            line_words: config.l1.line as usize / 8,
            latency: u64::from(config.simulation.memory_latency.max(1)),
            pending: None,
            answering: false,
            host: HostState::Idle,
            host_answer: [0; LINE_WORDS],
            received: None,
        };
        let last = RAM.base + (soc.ram.bytes() - 1);
        soc.model.set(soc.ports.ram_last, u64::from(last));
        soc.model.set(soc.ports.memory.stream.ready, 1);
        soc.model.set(soc.ports.host_response.ready, 1);
        soc.model.set(soc.ports.uart_tx.ready, 1);
        soc.perturb(config.simulation.seed, &config.simulation.perturbation);
        soc.model.set(soc.ports.rst, 1);
        soc.model.tick()?;
        soc.model.set(soc.ports.rst, 0);
        Ok(soc)
    }

    /// Sets the schedule's seed and settings; seed 0 disables perturbation.
    pub fn perturb(&mut self, seed: u64, bounds: &Perturbation) {
        let ports = self.ports.perturbation;
        self.model.set(ports.seed, seed);
        for (port, setting) in [
            (ports.chance, bounds.chance),
            (ports.burst, bounds.burst),
            (ports.max_stall, bounds.max_stall),
            (ports.max_passes, bounds.max_passes),
            (ports.rest_chance, bounds.rest_chance),
            (ports.max_rest, bounds.max_rest),
            (ports.max_hold, bounds.max_hold),
            (ports.changes, bounds.changes),
            (ports.change_range, bounds.change_range),
        ] {
            self.model.set(port, u64::from(setting));
        }
    }

    /// Releases the harts, or holds those that have not started.
    pub fn run(&mut self, run: bool) {
        self.model.set(self.ports.run, u64::from(run));
    }

    /// Watches the word at `address`, starting with the next cycle.
    pub fn watch(&mut self, address: u32) {
        self.model.set(self.ports.watch_address, u64::from(address));
    }

    /// Sends a byte to the serial line; the previous one must have been accepted.
    pub fn send(&mut self, byte: u8) {
        self.model.set(self.ports.uart_rx_byte, u64::from(byte));
        self.model.set(self.ports.uart_rx.valid, 1);
        self.received = Some(byte);
    }

    /// The byte offered to the serial port and not yet accepted.
    pub fn sending(&self) -> Option<u8> {
        self.received
    }

    /// Offers an access to the bus; the previous one must be complete.
    pub fn offer(&mut self, access: &HostAccess) {
        let host = self.ports.host;
        self.model.set(host.write, u64::from(access.write));
        self.model.set(host.address, u64::from(access.address));
        self.model.set_wide(host.data, &access.data[..self.line_words]);
        let mask_words = self.line_words.div_ceil(8);
        self.model.set_wide(self.ports.host_mask, &access.mask[..mask_words]);
        self.model.set(host.stream.valid, 1);
        self.host = HostState::Offered;
    }

    /// The answer to the host's access, once available.
    pub fn answer(&self) -> Option<&[u64]> {
        (self.host == HostState::Idle).then_some(&self.host_answer[..self.line_words])
    }

    /// Number of cycles run, including reset.
    pub fn cycle(&self) -> u64 {
        self.model.cycle()
    }

    /// Bytes in a line.
    pub fn line_bytes(&self) -> u32 {
        (self.line_words * 8) as u32
    }

    /// Memory behind the caches.
    pub fn ram(&self) -> &Ram {
        &self.ram
    }

    /// The addresses of RAM.
    pub fn ram_range(&self) -> std::ops::Range<u64> {
        u64::from(RAM.base)..u64::from(RAM.base) + u64::from(self.ram.bytes())
    }

    /// The model itself, for waveforms and coverage.
    pub fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    /// One cycle.
    ///
    /// # Errors
    /// If the design complains.
    #[inline]
    pub fn tick(&mut self) -> Result<Tick, MachineError> {
        let cycle = self.model.cycle();
        if let Some(Pending { address, due }) = self.pending
            && due == cycle
        {
            let line = self.ram.line(address, self.line_words);
            self.model.set_wide(self.ports.memory_response_data, line);
            self.model.set(self.ports.memory_response.valid, 1);
            self.answering = true;
        }
        self.model.tick()?;
        self.serve_memory(cycle);
        if self.host != HostState::Idle {
            self.serve_host();
        }
        if self.received.is_some() && self.model.get(self.ports.uart_rx.ready) != 0 {
            self.model.set(self.ports.uart_rx.valid, 0);
            self.received = None;
        }
        let mut tick = Tick::default();
        if self.model.get(self.ports.watch_valid) != 0 {
            tick.watched = Some(Watched {
                hart: self.model.get(self.ports.watch_hart) as u8,
                data: self.model.get(self.ports.watch_data) as u32,
            });
        }
        if self.model.get(self.ports.uart_tx.valid) != 0 {
            tick.sent = Some(self.model.get(self.ports.uart_tx_byte) as u8);
        }
        Ok(tick)
    }

    #[inline]
    fn serve_memory(&mut self, cycle: u64) {
        if self.answering {
            if self.model.get(self.ports.memory_response.ready) != 0 {
                self.answering = false;
                self.pending = None;
                self.model.set(self.ports.memory_response.valid, 0);
                self.model.set(self.ports.memory.stream.ready, 1);
            }
        } else if self.pending.is_none() && self.model.get(self.ports.memory.stream.valid) != 0 {
            let address = self.model.get(self.ports.memory.address) as u32;
            if self.model.get(self.ports.memory.write) != 0 {
                self.ram.set_line(address, self.model.get_wide(self.ports.memory.data));
            } else {
                self.pending = Some(Pending { address, due: cycle + self.latency });
                self.model.set(self.ports.memory.stream.ready, 0);
            }
        }
    }

    fn serve_host(&mut self) {
        if self.host == HostState::Offered && self.model.get(self.ports.host.stream.ready) != 0 {
            self.model.set(self.ports.host.stream.valid, 0);
            self.host = HostState::Taken;
        } else if self.host == HostState::Taken
            && self.model.get(self.ports.host_response.valid) != 0
        {
            let answer = self.model.get_wide(self.ports.host_response_data);
            self.host_answer[..answer.len()].copy_from_slice(answer);
            self.host = HostState::Idle;
        }
    }

    /// The exports of the cycle just finished.
    #[inline]
    pub fn observe(&self) -> Observed<'_> {
        Observed::new(&self.model, &self.ports)
    }

    /// Number of instructions that all harts have retired, except those of the last few cycles. Two reads
    /// show whether any hart made progress in between, without observing every cycle.
    pub fn ended(&self) -> u64 {
        let order = |hart: &HartPorts| self.model.get(hart.rvfi.order);
        self.ports.harts.iter().map(order).fold(0, u64::wrapping_add)
    }

    /// What a hart is executing or waiting for.
    pub fn wait(&self, hart: usize) -> Wait {
        self.observe().wait(hart)
    }

    /// Reads the current 32-bit word at an address, in RAM (coherently) or of a device: runs the machine
    /// until the bus has answered.
    ///
    /// # Errors
    /// If a check in the design fails, or the bus does not answer.
    pub fn peek_word(&mut self, address: u32) -> Result<u32, MachineError> {
        const LONGEST: u64 = 1 << 16;
        let in_ram = self.ram_range().contains(&u64::from(address));
        // RAM answers with a line; a device with the word itself, in the low bits.
        let in_line = if in_ram { address & (self.line_bytes() - 1) } else { 0 };
        self.offer(&HostAccess {
            write: false,
            address: address - in_line,
            mask: [0; LINE_WORDS / 8],
            data: [0; LINE_WORDS],
        });
        let start = self.cycle();
        while self.answer().is_none() {
            self.tick()?;
            let waited = self.cycle() - start;
            if waited > LONGEST {
                return Err(MachineError::NoAnswer { cycle: self.cycle(), waited });
            }
        }
        Ok((self.host_answer[in_line as usize / 8] >> (in_line % 8 * 8)) as u32)
    }

    /// Number of harts.
    pub fn harts(&self) -> usize {
        self.ports.harts.len()
    }
}
