//! A machine on a board: the SoC, a memory chip, a serial line, and the loader between them.

use config::Config;
use hdl::{Bundle, Module, Sig, Stream, cat, connect, hardware, input, lit, output, ports, wire};
use units::core::HartCore;
use units::memory_system::MemorySystem;
use units::observer::{Each, Opaque};
use units::soc::Soc;

use super::loader::{Loader, hello_frame};
use super::patient::PatientCore;
use super::sdram::{Sdram, SdramPins};
use super::serial::{SerialReceiver, SerialTransmitter};

/// The first address of RAM.
const RAM: u32 = border::map::RAM.base;
/// Bytes of the receive queue.
const RECEIVE_QUEUE: usize = 16;
/// Timeout of an incomplete frame to the loader, in bits of the serial line, as a power of two.
const PATIENCE_BITS_LOG: usize = 14;

/// A machine on a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Computer {
    /// The board's name.
    pub board: String,
    /// The machine; its memory is the chip.
    pub config: Config,
    /// Clock frequency.
    pub clock_hz: u64,
    /// Clock cycles per bit of the serial line.
    pub cycles_per_bit: usize,
}

/// Ports of [`Computer`].
#[derive(Clone, Debug, Bundle)]
pub struct ComputerIo {
    /// The serial line to the board, asynchronous; 1 when idle.
    pub serial_in: Sig,
    /// The serial line from the board; 1 when idle.
    pub serial_out: Sig,
    /// The pins of the memory chip.
    pub sdram: SdramPins,
    /// LEDs: the harts run (bit 0), memory is ready (1), receiving (2), sending (3).
    pub leds: Sig,
    /// Requests a reset of the whole design, for one cycle.
    pub restart: Sig,
    /// What the observers of coherence export, for simulation; a board leaves it open.
    #[bundle(flat)]
    pub observed: Each<Opaque>,
}

impl Computer {
    /// The board's description: name, clock, and configuration of the machine.
    pub fn description(&self) -> String {
        let Computer { board, clock_hz, .. } = self;
        let machine = self.config.canonical().replace("\n[", "\n[machine.");
        format!("board = \"{board}\"\nclock_hz = {clock_hz}\n[machine]\n{machine}")
    }

    fn memory_system(&self) -> MemorySystem {
        let memory_system = MemorySystem::from_config(&self.config).expect("boards have machines");
        MemorySystem { perturbed: false, ..memory_system }
    }

    fn ports(&self, memory_system: &MemorySystem) -> ComputerIo {
        ports(ComputerIo {
            serial_in: input(1),
            serial_out: output(1),
            sdram: SdramPins::of_controller(),
            leds: output(4),
            restart: output(1),
            observed: output(memory_system.observers.export()),
        })
    }
}

/// A program is loaded over the serial line into the memory chip; then the harts run and use the line.
#[hardware]
impl Module for Computer {
    type Io = ComputerIo;

    fn name(&self) -> String {
        format!("computer_{}", self.board)
    }

    fn build(&self) -> ComputerIo {
        let Computer { clock_hz, cycles_per_bit, .. } = *self;
        let memory_system = self.memory_system();
        let geometry = memory_system.geometry;
        let io = self.ports(&memory_system);
        let core = PatientCore(HartCore::from_config(&self.config));
        let soc = Soc { memory_system, core }.instance();
        let sdram = Sdram { geometry, clock_hz }.instance();
        let patience_bits = PATIENCE_BITS_LOG + cycles_per_bit.ilog2() as usize;
        let hello = hello_frame(&self.description());
        let loader = Loader { geometry, hello, patience_bits }.instance();
        let receiver = SerialReceiver { cycles_per_bit }.instance();
        let transmitter = SerialTransmitter { cycles_per_bit }.instance();

        // Memory.
        sdram.request.connect(&soc.outside.memory_request);
        soc.outside.memory_response.connect(&sdram.response);
        connect(&io.sdram, &sdram.pins);
        soc.ram_last.set(lit(32, RAM + (self.config.simulation.ram_bytes - 1)));

        // The serial line: the loader listens all the time, programs once they run.
        receiver.line.set(io.serial_in);
        io.serial_out.set(transmitter.line);
        loader.received_valid.set(receiver.valid);
        loader.received.set(receiver.data);
        let received =
            Stream { valid: receiver.valid & loader.run, ready: wire(1), payload: receiver.data };
        soc.outside.uart_rx.connect(&received.queue(RECEIVE_QUEUE));
        let tells = loader.send;
        let prints = soc.outside.uart_tx;
        transmitter.bytes.valid.set(tells.valid | prints.valid);
        transmitter.bytes.payload.set(tells.valid.mux(tells.payload, prints.payload));
        tells.ready.set(transmitter.bytes.ready);
        prints.ready.set(transmitter.bytes.ready & !tells.valid);

        // The loader is the host.
        soc.outside.host_request.connect(&loader.host_request);
        loader.host_response.connect(&soc.outside.host_response);
        soc.run.set(loader.run);
        io.restart.set(loader.restart);

        soc.outside.watch.address.set(0);
        io.observed.drive(&soc.outside.observed);
        io.leds.set(cat([!transmitter.line, !io.serial_in, sdram.ready, loader.run]));
        io
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::Chip;
    use crate::hardware::loader::tests::{GO_FRAME, done, write_frame};
    use crate::hardware::sdram::tests::seen;
    use crate::hardware::serial::tests::{bytes, levels};
    use hdl::Simulator;

    const CYCLES_PER_BIT: usize = 2;
    /// Slow, so that the memory is awake after few cycles.
    const CLOCK_HZ: u64 = 8_000_000;

    /// The board hears this line for so many cycles; what it says.
    fn said(line: &[bool]) -> Vec<u8> {
        let computer = crate::board::ulx3s(CLOCK_HZ, CYCLES_PER_BIT);
        let (mut sim, io) = Simulator::of(computer).unwrap();
        sim.reset();
        let mut chip = Chip::new(CLOCK_HZ);
        let mut out = Vec::new();
        for level in line {
            sim.set(io.serial_in, u64::from(*level));
            out.push(sim.get(io.serial_out) == 1);
            let data = chip.cycle(seen(&mut sim, &io.sdram)).unwrap();
            sim.step();
            sim.set(io.sdram.data_in, u64::from(data));
        }
        bytes(&out, CYCLES_PER_BIT)
    }

    #[test]
    fn a_program_that_came_over_the_line_prints_on_it() {
        // lui t0, 0x10000; csrr t1, mhartid; addi t1, t1, 'A'; sb t1, 0(t0); j .
        let program = [0x1000_02b7, 0xf140_2373, 0x0413_0313, 0x0062_8023, 0x0000_006f];
        let hello = hello_frame(&crate::board::ulx3s(CLOCK_HZ, CYCLES_PER_BIT).description());
        let write = write_frame(RAM, &program);
        let mut line = vec![true; 12 * CYCLES_PER_BIT * (hello.len() + 1)];
        for frame in [&write, GO_FRAME] {
            line.extend(levels(frame, CYCLES_PER_BIT));
            line.extend([true; 2000]);
        }
        let said = said(&line);
        let expected = [&hello[..], &done(&write), &done(GO_FRAME)].concat();
        let (answers, printed) = said.split_at(expected.len());
        assert_eq!(answers, expected);
        // Whichever comes first; a byte that finds no room is dropped.
        assert!(printed.starts_with(b"A") || printed.starts_with(b"B"), "{printed:?}");
    }
}
