//! The machine as a board builder takes it: memory behind a bridge, programs loaded and served over a bus.
//!
//! A threaded program runs from reset to its exit. The host of these tests knows the machine through its buses
//! alone: it polls `tohost` there, reads what the program wants to print, and answers.

mod axi4;
mod wishbone;

use std::convert::Infallible;
use std::ops::Range;

use border::clint;
use border::map::RAM;
use border::tohost::{Output, serve};
use border::{Doing, End, Place, Program, Stop, Target, Whereabouts};
use config::Config;
use cosim::{Builder, Model, ModelSource, Speed};
use kit::Dice;

use crosstalk_tests::machine::setup;

/// Cycles between two looks at `tohost`.
const POLL: u64 = 400;
/// More cycles than the program takes.
const LIMIT: u64 = 3_000_000;
/// Cycles in which an access over a bus must end.
const PATIENCE: u64 = 10_000;
/// Bytes of a word of the buses here.
const WORD: usize = 4;

/// One kind of bus: memory on one side, a master on the other.
trait Buses {
    /// Answers the machine's requests to memory: what is on the wires for the cycle to come.
    fn serve_memory(&mut self, model: &mut Model, ram: &mut [u8], dice: &mut Dice);
    /// Puts an access on the bus to the machine.
    fn begin(&mut self, model: &mut Model, address: u32, write: Option<[u8; WORD]>);
    /// The word that was read, if the access ends at the next clock edge.
    fn ends(&mut self, model: &Model) -> Option<[u8; WORD]>;
    /// Takes off the bus what was taken at the edge, and all of an access that has ended.
    fn after_edge(&mut self, model: &mut Model);
}

/// A machine in simulation, with its memory and its host.
struct Machine<B> {
    model: Model,
    buses: B,
    ram: Vec<u8>,
    dice: Dice,
    harts: usize,
    cycles: u64,
    watched: Option<Place>,
    serial: Vec<u8>,
}

impl<B: Buses> Machine<B> {
    fn new(config: &Config, top: &str, program: &Program, buses: B) -> Self {
        let design = units::design(config, top).unwrap_or_else(|error| panic!("{error}"));
        let mut source = ModelSource::of(&design);
        source.options.speed = Speed::Run;
        source.options.assertions = true;
        let library = Builder::for_workspace().library(&source);
        let mut model = library.unwrap_or_else(|error| panic!("{error}")).model();
        let mut ram = vec![0; config.simulation.ram_bytes as usize];
        for segment in &program.segments {
            let start = (segment.address - RAM.base) as usize;
            ram[start..start + segment.bytes.len()].copy_from_slice(&segment.bytes);
        }
        model.poke("rst", 1u64);
        model.poke("run", 1u64);
        model.poke("ram_last", RAM.base + (ram.len() as u32 - 1));
        model.poke("uart_tx_ready", 1u64);
        model.tick().expect("no assertion");
        model.poke("rst", 0u64);
        let (dice, harts) = (Dice::new(1), config.harts as usize);
        Self { model, buses, ram, dice, harts, cycles: 0, watched: None, serial: Vec::new() }
    }

    /// One cycle.
    fn tick(&mut self) {
        self.buses.serve_memory(&mut self.model, &mut self.ram, &mut self.dice);
        self.model.eval().expect("no assertion");
        if self.model.peek("uart_tx_valid") == 1 {
            self.serial.push(self.model.peek("uart_tx_payload") as u8);
        }
        self.model.tick().expect("no assertion");
        self.cycles += 1;
    }

    /// An access of the host to a word: what was read.
    fn access(&mut self, address: u32, write: Option<[u8; WORD]>) -> [u8; WORD] {
        self.buses.begin(&mut self.model, address, write);
        for _ in 0..PATIENCE {
            self.model.eval().expect("no assertion");
            let done = self.buses.ends(&self.model);
            self.tick();
            self.buses.after_edge(&mut self.model);
            if let Some(word) = done {
                return word;
            }
        }
        panic!("the access to {address:#x} does not end");
    }
}

impl<B: Buses> Target for Machine<B> {
    type Error = Infallible;

    const TIME_UNIT: &'static str = "cycle";

    fn harts(&self) -> usize {
        self.harts
    }

    fn ram(&self) -> Range<u64> {
        let start = u64::from(RAM.base);
        start..start + self.ram.len() as u64
    }

    fn time(&self) -> u64 {
        self.cycles
    }

    fn watch(&mut self, place: Place) -> Result<(), Infallible> {
        self.watched = Some(place);
        Ok(())
    }

    fn run(&mut self, limit: u64) -> Result<Stop, Infallible> {
        let Place { address, .. } = self.watched.expect("`tohost` is watched");
        while self.cycles < limit {
            (0..POLL).for_each(|_| self.tick());
            let low = u32::from_le_bytes(self.access(address, None));
            let high = u32::from_le_bytes(self.access(address + 4, None));
            if low != 0 {
                let word = u64::from(high) << 32 | u64::from(low);
                return Ok(Stop::Told { hart: 0, word, time: self.cycles });
            }
        }
        Ok(Stop::Limit)
    }

    fn acknowledge(&mut self) -> Result<(), Infallible> {
        let Place { address, .. } = self.watched.expect("`tohost` is watched");
        self.write(address, 0)
    }

    fn take_serial(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.serial)
    }

    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), Infallible> {
        for (byte, at) in bytes.iter_mut().zip(address..) {
            let word = self.access(at & !(WORD as u32 - 1), None);
            *byte = word[at as usize % WORD];
        }
        Ok(())
    }

    fn write(&mut self, address: u32, value: u64) -> Result<(), Infallible> {
        let halves = [(value >> 32) as u32, value as u32];
        for (half, offset) in halves.into_iter().zip([4, 0]) {
            self.access(address + offset, Some(half.to_le_bytes()));
        }
        Ok(())
    }

    fn device(&mut self, address: u32) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(self.access(address, None)))
    }

    fn set_device(&mut self, address: u32, value: u32) -> Result<(), Infallible> {
        self.access(address, Some(value.to_le_bytes()));
        Ok(())
    }

    fn whereabouts(&self, _: usize) -> Result<Whereabouts, Infallible> {
        // No bus shows it.
        Ok(Whereabouts { pc: 0, doing: Doing::Running })
    }
}

/// Runs a threaded program on the machine `top`, and compares what it prints with what it prints elsewhere.
fn runs_a_program(keys: &str, top: &str, buses: impl Buses) {
    let text = format!("harts = 2\n{keys}\nsimulation.ram_bytes = 1048576");
    let config: Config = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let program = setup::threaded("ping_pong", &config, |_| ());
    let mut machine = Machine::new(&config, top, &program, buses);
    machine.watch(program.tohost().expect("it has a `tohost`")).expect("it is watched");
    let (mut console, mut errors) = (Vec::new(), Vec::new());
    let mut output = Output::new(&mut console, &mut errors);
    let ended = serve(&mut machine, &program, LIMIT, &mut output).expect("every word is right");
    assert_eq!(ended.end, End::Exit { code: 0 }, "after {} cycles", ended.time);
    assert!(!output.records.is_empty(), "the firmware has sent its records");
    assert_eq!(String::from_utf8(console).expect("text"), rallies());
    assert_eq!(errors, b"");
    let time = machine.device(clint::Word::Mtime.address(0)).expect("a device is there");
    assert!(u64::from(time) > ended.time / 2, "`mtime` counts: {time}");
    assert_eq!(machine.model.peek("memory_error_seen"), 0);
}

/// What `ping_pong` prints.
fn rallies() -> String {
    let mut ball = 0;
    let mut text = String::new();
    for _ in 0..10 {
        ball = ball % 1000 + 7;
        text += &format!("ping {ball}, ");
        ball = ball * 3 + 1;
        text += &format!("pong {}\n", ball % 1000);
    }
    text + "left over: 1\n"
}

#[test]
fn a_program_runs_with_its_memory_on_a_wishbone_bus() {
    let buses = wishbone::Wishbone::default();
    runs_a_program("bridge.wishbone_bits = 32", "soc_wishbone", buses);
}

#[test]
fn a_program_runs_with_its_memory_on_an_axi4_bus() {
    runs_a_program("bridge.axi4_bits = 32", "soc_axi4", axi4::Axi4::default());
}
