//! Runs the golden machine in lockstep with the hardware.

use border::Program;
use config::Config;
use golden::breakpoint::Events;
use golden::isa::Retired;
use golden::machine::{
    BreakpointExports, CycleExports, Disagreement, Final, Follower, HostRequest, Segment, Witness,
};
use golden::memory::{Hit, Parameters, Watched};

use super::export::Observed;
use super::soc::HostAccess;
use super::{MachineError, Ram};

/// Compares every export of the machine with the golden machine.
pub(super) struct Lockstep {
    follower: Follower,
    hits: Vec<Option<Hit>>,
    retired: Vec<Option<Retired>>,
    /// At breakpoints; empty without any.
    events: Vec<Events>,
}

impl Lockstep {
    /// A golden machine with the same memory.
    pub fn new(config: &Config, program: &Program, ram: &Ram) -> Result<Self, MachineError> {
        let mut follower = Follower::new(&Parameters::of(config)?);
        let mut load = |address: u32, bytes: &[u8]| {
            let segment = Segment { address, bytes };
            follower.load(segment).map_err(|error| MachineError::Config(error.to_string()))
        };
        for segment in &program.segments {
            load(segment.address, &segment.bytes)?;
        }
        // The jump from the reset vector to the entry, and words patched by a test.
        for (address, word) in ram.patches() {
            load(address, &word.to_le_bytes())?;
        }
        if let Some(tohost) = program.tohost() {
            follower.watch(tohost.address);
        }
        let harts = config.harts as usize;
        let events = if config.breakpoints.is_off() { 0 } else { harts };
        Ok(Self {
            follower,
            hits: vec![None; harts],
            retired: vec![None; harts],
            events: vec![Events::default(); events],
        })
    }

    /// Compares one cycle; `cycle` counts from the first after reset.
    pub fn cycle(
        &mut self,
        cycle: u64,
        observed: &Observed<'_>,
        watched: Option<Watched>,
    ) -> Result<(), Disagreement> {
        for (hart, hit) in self.hits.iter_mut().enumerate() {
            *hit = observed.hit(hart);
        }
        for (hart, record) in self.retired.iter_mut().enumerate() {
            *record = observed.retired(hart);
        }
        let (bus, tap) = (observed.bus(), observed.tap());
        let breakpoints = self.breakpoints(observed);
        let (hits, retired) = (&self.hits, &self.retired);
        let breakpoints = breakpoints.map(|(ended, cleared)| BreakpointExports {
            events: &self.events,
            ended,
            cleared,
        });
        let exports = CycleExports { cycle, bus, tap, hits, retired, watched, breakpoints };
        self.follower.cycle(&exports)
    }

    /// Reads what happens at breakpoints: the harts whose visits end, and the entries that are written.
    fn breakpoints(&mut self, observed: &Observed<'_>) -> Option<(u32, u32)> {
        let mut ended = 0;
        for (hart, events) in self.events.iter_mut().enumerate() {
            *events = observed.breakpoint(hart);
            ended |= u32::from(observed.visit_ends(hart)) << hart;
        }
        let cleared = observed.breakpoints_cleared();
        let happens = self.events.iter().any(|events| events.events != 0);
        (happens || ended | cleared != 0).then_some((ended, cleared))
    }

    /// Announces a host access.
    pub fn request(&mut self, access: &HostAccess, line_bytes: usize) {
        let address = access.address;
        self.follower.host_request(match access.write {
            false => HostRequest::Read { address },
            true => HostRequest::Write {
                address,
                data: access.data.iter().flat_map(|w| w.to_le_bytes()).take(line_bytes).collect(),
                mask: (0..line_bytes)
                    .map(|at| access.mask[at / 64] >> (at % 64) & 1 != 0)
                    .collect(),
            },
        });
    }

    /// Compares the answer to a host access.
    pub fn answer(&mut self, answer: &[u64]) -> Result<(), Disagreement> {
        let bytes: Vec<u8> = answer.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.follower.host_response(&bytes)
    }

    /// Records the data accesses to memory in the golden machine's order.
    pub fn keep_accesses(&mut self) {
        self.follower.keep_accesses();
    }

    /// Shows every instruction to a witness, in the golden machine's order.
    pub fn show(&mut self, witness: Witness) {
        self.follower.show(witness);
    }

    /// Compares what is still pending at the end of the run.
    pub fn finish(self) -> Result<Final, Disagreement> {
        self.follower.finish()
    }
}
