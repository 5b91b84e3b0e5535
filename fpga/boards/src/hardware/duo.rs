//! Two requesters on the machine's own caches, bus and monitors, where there is no room for harts: a board of
//! this size shows that the monitor works in it.

use config::Config;
use hdl::{Bundle, Module, Sig, cat, hardware, memory, output, ports, reg, set_when, when};
use units::data_port::AccessOp;
use units::memory_system::MemorySystem;
use units::observer::{Each, Opaque};
use units::soc::Soc;

use super::clerk::Clerk;
use super::serial::SerialTransmitter;
use super::talker::{Step, Talker};

/// Lines of the memory behind the caches.
const MEMORY_LINES: usize = 256;

/// Two requesters.
#[derive(Clone, Debug, PartialEq)]
pub struct Duo {
    /// The board's name.
    pub board: String,
    /// The machine; its memory is a block RAM.
    pub config: Config,
    /// Number of times each requester repeats its accesses.
    pub rounds: usize,
    /// Clock cycles per bit of the serial line.
    pub cycles_per_bit: usize,
    /// Pause between runs, as a power of two of cycles.
    pub pause_bits: usize,
}

/// Ports of [`Duo`].
#[derive(Clone, Debug, Bundle)]
pub struct DuoIo {
    /// The serial line from the board; 1 when idle.
    pub serial_out: Sig,
    /// LEDs: the requesters run (bit 0), each requester is done (bits 1 and 2).
    pub leds: Sig,
    /// Requests a reset of the whole design: the run has been sent, and the next one begins.
    pub restart: Sig,
    /// What the observers of coherence export, for simulation; a board leaves it open.
    #[bundle(flat)]
    pub observed: Each<Opaque>,
}

/// A producer fills three words and counts them; a consumer reads them and counts too.
fn scripts() -> Vec<Vec<Step>> {
    let step = |op, place| Step { op, place };
    use AccessOp::{Amo, Load, Store};
    vec![
        vec![
            step(Store, 0),
            step(Store, 2),
            // The other word of the line that the consumer stores to: they share it and no data.
            step(Store, 5),
            step(Amo, 6),
            step(Load, 8),
            step(Load, 0),
        ],
        vec![
            step(Load, 6),
            step(Load, 0),
            step(Load, 2),
            step(Store, 4),
            step(Amo, 8),
            step(Store, 0),
        ],
    ]
}

/// The requesters make their accesses; when the run has been sent there is a pause, and it starts again.
#[hardware]
impl Module for Duo {
    type Io = DuoIo;

    fn name(&self) -> String {
        format!("duo_{}", self.board)
    }

    fn build(&self) -> DuoIo {
        let memory_system = MemorySystem::from_config(&self.config).expect("boards have machines");
        let memory_system = MemorySystem { perturbed: false, ..memory_system };
        let io = ports(DuoIo {
            serial_out: output(1),
            leds: output(3),
            restart: output(1),
            observed: output(memory_system.observers.export()),
        });
        let line_bits = memory_system.geometry.line_bits();
        let offset_bits = memory_system.geometry.offset_bits();
        let observers = memory_system.observers.clone();
        let core = Talker { scripts: scripts(), rounds: self.rounds, line_bits, observers };
        let soc = Soc { memory_system, core }.instance();
        let clerk = Clerk { config: self.config.clone() }.instance();
        let transmitter = SerialTransmitter { cycles_per_bit: self.cycles_per_bit }.instance();

        // Memory: a line a cycle.
        let lines = memory(MEMORY_LINES, line_bits);
        let request = soc.outside.memory_request;
        let response = soc.outside.memory_response;
        let index = request.payload.address.bits(offset_bits..offset_bits + lines.addr_width());
        request.ready.set(1);
        let reads = request.fires() & !request.payload.write;
        let line = lines.read_sync(index, reads);
        let answer = reg(1).reset(0);
        when(request.fires() & request.payload.write, || lines.write(index, request.payload.data));
        set_when(response.fires(), answer, 0);
        set_when(reads, answer, 1);
        response.valid.set(answer);
        response.payload.set(line);
        soc.ram_last.set(border::map::RAM.base + (MEMORY_LINES << offset_bits) as u32 - 1);

        // The clerk is the host, and has the serial line.
        soc.outside.host_request.connect(&clerk.host_request);
        clerk.host_response.connect(&soc.outside.host_response);
        transmitter.bytes.connect(&clerk.send);
        io.serial_out.set(transmitter.line);
        soc.run.set(clerk.run);
        let done: Vec<Sig> = soc.rvfi.0.iter().map(|talked| talked.done).collect();
        clerk.done.set(cat(done.clone()).all());
        io.leds.set(cat([done[1], done[0], clerk.run]));
        let pause = reg(self.pause_bits).reset(0);
        set_when(clerk.finished, pause, pause + 1);
        io.restart.set(pause.all());

        soc.outside.uart_tx.ready.set(1);
        soc.outside.uart_rx.valid.set(0);
        soc.outside.uart_rx.payload.set(0);
        soc.outside.watch.address.set(0);
        io.observed.drive(&soc.outside.observed);
        io
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hardware::serial::tests::bytes;
    use hdl::Simulator;
    use record::{Item, StreamReader};
    use units::monitors::Tap;

    const CYCLES_PER_BIT: usize = 2;

    #[test]
    fn every_edge_leaves_as_the_record_stream() {
        let duo = Duo {
            rounds: 3,
            cycles_per_bit: CYCLES_PER_BIT,
            pause_bits: 6,
            ..crate::board::hx8k(12_000_000)
        };
        let (mut sim, io) = Simulator::of(duo).unwrap();
        sim.reset();
        let tap: Tap = io.observed.get("tap").expect("it has monitors").get();
        let (mut levels, mut taps) = (Vec::new(), Vec::new());
        for cycle in 0.. {
            assert!(cycle < 200_000, "it does not end");
            levels.push(sim.get(io.serial_out) == 1);
            if sim.get(tap.valid) == 1 {
                assert_eq!(sim.get(tap.lost), 0);
                let units::metadata::Edge { source, sink, kind } = tap.edge;
                let ends = [source.pc, sink.pc, source.ctx, sink.ctx];
                let harts = [source.hart, sink.hart].map(|hart| hart.expect("there are two"));
                let all = ends.into_iter().chain(harts).chain([kind.sig()]);
                taps.push(all.map(|sig| sim.get(sig)).collect::<Vec<u64>>());
            }
            if sim.get(io.restart) == 1 {
                break;
            }
            sim.step();
        }
        let mut edges = Vec::new();
        let mut whole = false;
        for item in StreamReader::new(&*bytes(&levels, CYCLES_PER_BIT)) {
            match item {
                Item::Header(header) => assert_eq!((header.harts, header.pc_bits), (2, 16)),
                Item::Records(records) => edges.extend(records.iter().map(|total| {
                    let record::Edge { source, sink, kind } = total.edge;
                    let ends = [source.pc.0, sink.pc.0, source.ctx.0.into(), sink.ctx.0.into()];
                    let harts = [source.hart.0.into(), sink.hart.0.into(), kind as u64];
                    [&ends[..], &harts].concat()
                })),
                Item::Lost(_, lost) => assert_eq!(lost, 0),
                Item::End { whole: all, .. } => whole = all,
                Item::Damage(damage) => panic!("{damage:?}"),
            }
        }
        assert!(whole);
        assert!(edges.len() > 20, "they communicate: {}", edges.len());
        // Each hart's table is read by itself.
        for list in [&mut edges, &mut taps] {
            list.sort_by_key(|edge| edge[5]);
        }
        assert_eq!(edges, taps);
    }
}
