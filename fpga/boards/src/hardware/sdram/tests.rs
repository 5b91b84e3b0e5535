use super::*;
use crate::chip::{Chip, Pins};
use border::map;
use hdl::{Bits, Simulator};

const RAM: u64 = map::RAM.base as u64;

/// A controller with its chip.
struct Bench {
    sim: Simulator,
    io: SdramIo,
    chip: Chip,
    line: usize,
}

impl Bench {
    fn new(line: usize, clock_hz: u64) -> Self {
        let geometry = Geometry { ways: 1, sets: 8, line };
        let (mut sim, io) = Simulator::of(Sdram { geometry, clock_hz }).unwrap();
        sim.reset();
        Self { sim, io, chip: Chip::new(clock_hz), line }
    }

    /// One cycle; the line that was answered in it.
    fn step(&mut self) -> Option<Vec<u64>> {
        let SdramIo { pins, response, .. } = &self.io;
        let sim = &mut self.sim;
        let seen = seen(sim, pins);
        sim.set(response.ready, 1);
        let answer =
            (sim.get(response.valid) == 1).then(|| sim.get_bits(response.payload).words().to_vec());
        let next = self.chip.cycle(seen).unwrap_or_else(|what| panic!("{what}"));
        sim.step();
        sim.set(pins.data_in, u64::from(next));
        answer
    }

    /// A request until it is taken, and a read until it is answered.
    fn ask(&mut self, write: Option<&[u64]>, address: u64) -> Vec<u64> {
        let request = self.io.request;
        let bits = 8 * self.line as u32;
        self.sim.set(request.valid, 1);
        self.sim.set(request.payload.write, u64::from(write.is_some()));
        self.sim.set(request.payload.address, address);
        if let Some(data) = write {
            self.sim.set_bits(request.payload.data, &Bits::from_words(bits, data));
        }
        for _ in 0..100_000 {
            let taken = self.sim.get(request.ready) == 1;
            self.step();
            if taken {
                break;
            }
        }
        self.sim.set(request.valid, 0);
        if write.is_some() {
            return Vec::new();
        }
        for _ in 0..1000 {
            if let Some(line) = self.step() {
                return line;
            }
        }
        panic!("a read is not answered");
    }
}

#[test]
fn lines_come_back_and_the_chip_is_treated_as_it_wants() {
    for (line, clock_hz) in [(32, 25_000_000), (8, 12_000_000), (64, 100_000_000)] {
        let mut bench = Bench::new(line, clock_hz);
        let words = line / 8;
        // Neighbors in a row, in other banks and rows, and the last line of all.
        let top = (32 << 20) - line as u64;
        let places = [0, line as u64, 1 << 10, 3 << 10, 1 << 12, 5 << 20, top];
        let content = |place: u64, round: u64| -> Vec<u64> {
            (0..words as u64)
                .map(|word| (place << 20 ^ round << 8 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .collect()
        };
        for round in 0..3 {
            for place in places {
                bench.ask(Some(&content(place, round)), RAM + place);
            }
            for place in places {
                assert_eq!(
                    bench.ask(None, RAM + place),
                    content(place, round),
                    "{line} {place:#x}"
                );
            }
            // Refreshes go on while nobody asks.
            (0..20_000).for_each(|_| {
                bench.step();
            });
        }
        assert_eq!(bench.sim.get(bench.io.ready), 1);
    }
}

/// What the chip sees in this cycle.
pub(in crate::hardware) fn seen(sim: &mut Simulator, pins: &SdramPins) -> Pins {
    let driven = sim.get(pins.data_drive) == 1;
    Pins {
        command: sim.get(pins.command) as u8,
        bank: sim.get(pins.bank) as u8,
        address: sim.get(pins.address) as u16,
        data: driven.then_some(sim.get(pins.data_out) as u16),
    }
}
