//! A simulated board at a pseudo-terminal: what the design drives bit by bit on its serial pins is bytes on the
//! other side, and back.

use boards::chip::{Chip, Pins};
use cosim::{Builder, Model, ModelSource, PortId, Speed};
use record::{Access, Ctx, Edge, EdgeKind, Hart, Pc, Time, Total, Totals};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};

/// As few as the receiver needs: a test is over sooner.
const CYCLES_PER_BIT: usize = 2;
/// The clock of the ULX3S.
const CLOCK_HZ: u64 = 25_000_000;

/// A pseudo-terminal, set up as a serial line is.
pub struct Terminal {
    /// Our end.
    pub near: File,
    /// The other end's device.
    pub path: PathBuf,
    /// Held open, so that the line does not end between one tool and the next.
    far: File,
}

impl Terminal {
    pub fn open() -> Self {
        let near: OwnedFd =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&near).expect("a pseudo-terminal is ours");
        unlockpt(&near).expect("a pseudo-terminal can be opened");
        let path = PathBuf::from(
            ptsname(&near, Vec::new()).expect("it has a name").into_string().expect("ASCII"),
        );
        let far = OpenOptions::new().read(true).write(true).open(&path).expect("the other end");
        let mut settings = tcgetattr(&far).expect("it is a terminal");
        settings.make_raw();
        tcsetattr(&far, OptionalActions::Now, &settings).expect("it can be raw");
        Self { near: near.into(), path, far }
    }

    /// Closes the line on our side, with nobody left there.
    pub fn close(self) {
        drop(self.near);
        drop(self.far);
    }
}

/// A board under simulation.
pub struct SimulatedBoard {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Seen>,
}

/// What was seen of it.
pub struct Seen {
    /// The edges that its tap showed since the last reset.
    pub edges: Vec<Total>,
    /// How many cycles.
    pub cycles: u64,
}

impl SimulatedBoard {
    /// Switches a ULX3S on, once there is a model of it.
    pub fn on(terminal: &Terminal) -> Self {
        let near = terminal.near.try_clone().expect("a second handle");
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let heard = listen(terminal.near.try_clone().expect("a third handle"));
        let model = model();
        let thread = thread::spawn(move || simulate(model, near, &heard, &stopped));
        Self { stop, thread }
    }

    /// Switches it off.
    pub fn off(self) -> Seen {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("the simulation does not fail")
    }
}

/// Bytes as they come, from a thread that waits for them.
fn listen(mut near: File) -> Receiver<u8> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count) = near.read(&mut buffer) {
            if buffer[..count].iter().any(|byte| sender.send(*byte).is_err()) {
                return;
            }
        }
    });
    receiver
}

fn model() -> Model {
    let computer = boards::board::ulx3s(CLOCK_HZ, CYCLES_PER_BIT);
    let design = hdl::elaborate(computer).expect("a legal circuit");
    let mut source = ModelSource::of(&design);
    source.options.speed = Speed::Run;
    Builder::for_workspace().library(&source).expect("the board can be built").model()
}

fn simulate(mut model: Model, mut near: File, heard: &Receiver<u8>, stop: &AtomicBool) -> Seen {
    let ports = Ports::of(&model);
    let mut chip = Chip::new(CLOCK_HZ);
    let mut incoming = Incoming::default();
    let mut outgoing = Outgoing::default();
    let mut totals = Totals::default();
    // As the pads do: reset at power-up, and when the design asks for it.
    let mut reset = true;
    while !stop.load(Ordering::Relaxed) {
        model.set(ports.rst, u64::from(reset));
        model.set(ports.serial_in, u64::from(incoming.level(heard)));
        model.tick().expect("the design does not complain");
        if reset {
            chip = Chip::new(CLOCK_HZ);
            totals = Totals::default();
            reset = false;
            continue;
        }
        reset = model.get(ports.restart) == 1;
        let seen = Pins {
            command: model.get(ports.command) as u8,
            bank: model.get(ports.bank) as u8,
            address: model.get(ports.address) as u16,
            data: (model.get(ports.data_drive) == 1).then(|| model.get(ports.data_out) as u16),
        };
        let data = chip.cycle(seen).unwrap_or_else(|what| panic!("the memory chip: {what}"));
        model.set(ports.data_in, u64::from(data));
        if let Some(byte) = outgoing.level(model.get(ports.serial_out) == 1) {
            near.write_all(&[byte]).expect("somebody listens");
        }
        if model.get(ports.tap_valid) == 1 && model.get(ports.tap_lost) == 0 {
            totals.add(&Total::from(ports.edge(&model)));
        }
    }
    Seen { edges: totals.into_sorted(), cycles: model.cycle() }
}

struct Ports {
    rst: PortId,
    serial_in: PortId,
    serial_out: PortId,
    restart: PortId,
    command: PortId,
    bank: PortId,
    address: PortId,
    data_out: PortId,
    data_drive: PortId,
    data_in: PortId,
    tap_valid: PortId,
    tap_lost: PortId,
    /// pc, context, time and hart.
    source: [PortId; 4],
    sink: [PortId; 4],
    kind: PortId,
}

impl Ports {
    fn of(model: &Model) -> Self {
        let port =
            |name: &str| model.port(name).unwrap_or_else(|| panic!("the board has `{name}`"));
        let end = |end: &str| {
            ["pc", "ctx", "time", "hart"].map(|part| port(&format!("tap_edge_{end}_{part}")))
        };
        Self {
            rst: port("rst"),
            serial_in: port("serial_in"),
            serial_out: port("serial_out"),
            restart: port("restart"),
            command: port("sdram_command"),
            bank: port("sdram_bank"),
            address: port("sdram_address"),
            data_out: port("sdram_data_out"),
            data_drive: port("sdram_data_drive"),
            data_in: port("sdram_data_in"),
            tap_valid: port("tap_valid"),
            tap_lost: port("tap_lost"),
            source: end("source"),
            sink: end("sink"),
            kind: port("tap_edge_kind"),
        }
    }

    fn edge(&self, model: &Model) -> Edge {
        let access = |ports: [PortId; 4]| {
            let [pc, ctx, time, hart] = ports.map(|port| model.get(port));
            Access { pc: Pc(pc), ctx: Ctx(ctx as u32), time: Time(time), hart: Hart(hart as u8) }
        };
        let kind = match model.get(self.kind) {
            0 => EdgeKind::Raw,
            1 => EdgeKind::Waw,
            _ => EdgeKind::Memory,
        };
        Edge { source: access(self.source), sink: access(self.sink), kind }
    }
}

/// Bytes to the board, as levels of its pin.
#[derive(Default)]
struct Incoming {
    /// Start, data and stop, lowest bit first; ones follow.
    bits: u16,
    left: usize,
}

impl Incoming {
    fn level(&mut self, heard: &Receiver<u8>) -> bool {
        if self.left == 0 {
            match heard.try_recv() {
                Ok(byte) => {
                    (self.bits, self.left) = (0x200 | u16::from(byte) << 1, 10 * CYCLES_PER_BIT)
                }
                Err(_) => return true,
            }
        }
        let bit = 10 - self.left.div_ceil(CYCLES_PER_BIT);
        self.left -= 1;
        self.bits >> bit & 1 == 1
    }
}

/// Levels of the board's pin, as bytes.
#[derive(Default)]
struct Outgoing {
    /// Cycles since the start bit began.
    since: Option<usize>,
    byte: u8,
}

impl Outgoing {
    fn level(&mut self, level: bool) -> Option<u8> {
        let since = match (self.since, level) {
            (None, true) => return None,
            (None, false) => 0,
            (Some(since), _) => since + 1,
        };
        self.since = Some(since);
        if since % CYCLES_PER_BIT != CYCLES_PER_BIT / 2 {
            return None;
        }
        match since / CYCLES_PER_BIT {
            0 => None,
            9 => {
                self.since = None;
                // Without a stop bit it was cut off by a reset.
                level.then_some(self.byte)
            }
            _ => {
                self.byte = self.byte >> 1 | u8::from(level) << 7;
                None
            }
        }
    }
}
