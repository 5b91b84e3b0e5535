//! Programs on the golden machine alone, with the host's side of `tohost`.

use std::collections::BTreeMap;

use border::tohost::{self, Output};
use border::{End, Program, Target};
use config::Config;
use golden::Edge;
use golden::machine::{Machine, Segment};
use golden::memory::{Parameters, Tap};

use crate::common;

/// What came out of a run.
pub struct Finished {
    /// How it stopped.
    pub stop: End,
    /// By descriptor: 1 console, 2 errors, 3 records, 4 bare edges.
    pub sent: BTreeMap<u32, Vec<u8>>,
    /// Everything sent to the serial port.
    pub uart: Vec<u8>,
    /// The edges that the hardware made, lost ones too.
    pub taps: Vec<Tap>,
}

impl Finished {
    /// What went to a descriptor, as text.
    pub fn text(&self, descriptor: u32) -> String {
        String::from_utf8_lossy(self.sent.get(&descriptor).map_or(&[], Vec::as_slice)).into_owned()
    }

    /// Every edge that arrived, in the order of arrival.
    pub fn received(&self) -> Vec<Edge> {
        common::received(self.sent.get(&3).expect("records were sent"))
    }

    /// Checks that what arrived is what the hardware made, less what its tables lost, and that the
    /// losses were counted. Gives how many those were.
    pub fn check_edges(&self, what: &str) -> u64 {
        let mut expected: Vec<_> =
            self.taps.iter().filter(|tap| !tap.lost).map(|tap| tap.edge).collect();
        let mut received = self.received();
        let lost = self.record().lost_edges();
        assert_eq!(received.len() as u64 + lost, self.taps.len() as u64, "{what}");
        expected.sort();
        received.sort();
        assert_eq!(received, expected, "{what}");
        lost
    }

    /// The recorded run; panics with the reader's reason.
    pub fn record(&self) -> record::Run {
        let bytes = self.sent.get(&3).expect("records were sent");
        record::Run::read(bytes.as_slice()).expect("a sound record")
    }
}

/// Where the segments that are loaded lie in memory.
pub fn segments(program: &Program) -> Vec<std::ops::Range<u32>> {
    program.segments.iter().map(|one| one.address..one.address + one.size).collect()
}

/// Runs a linked program until it exits, deadlocks or has executed `limit` instructions.
pub fn run(program: &Program, config: &Config, seed: u64, limit: u64) -> Finished {
    observe(program, config, seed, limit, |_| ()).1
}

/// The same on a machine that `prepare` has changed; gives the machine as the run left it, too.
pub fn observe(
    program: &Program,
    config: &Config,
    seed: u64,
    limit: u64,
    prepare: impl FnOnce(&mut Machine),
) -> (Machine, Finished) {
    let parameters = Parameters::of(config).expect("a configuration that is modelled");
    let mut machine = Machine::new(&parameters, seed);
    for segment in &program.segments {
        let segment = Segment { address: segment.address, bytes: &segment.bytes };
        machine.load(segment).expect("it fits");
    }
    Target::watch(&mut machine, program.tohost().expect("a tohost")).expect("it can watch");
    prepare(&mut machine);
    let (mut console, mut errors) = (Vec::new(), Vec::new());
    let mut output = Output::new(&mut console, &mut errors);
    let ended = tohost::serve(&mut machine, program, limit, &mut output);
    let stop = ended.unwrap_or_else(|error| panic!("{error}")).end;
    let Output { records, bare_edges, .. } = output;
    let uart = machine.console().to_vec();
    // What came through the serial port stands in the console's text too.
    let sent = [(1, console), (2, errors), (3, records), (4, bare_edges)];
    let sent = sent.into_iter().filter(|(_, bytes)| !bytes.is_empty()).collect();
    let taps = machine.taps().to_vec();
    (machine, Finished { stop, sent, uart, taps })
}
