//! A set that was found on the golden machine, on the simulated hardware.
//!
//! A schedule takes a good part of a second, so what was run is kept in blocks and more can be run another time.

use super::measure::{Program, compile};
use cosim::Builder;
use crosstalk::breakpoint::{File, Places, Set};
use crosstalk::hunt::sources::Opening;
use crosstalk::hunt::{FailIf, HuntError, Level, On, Setup, Source};
use crosstalk::repro::{Bench, Check, Hunted, Journal, Opposite, Proof, Rate, elsewhere};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Mutex;

/// What was measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OnRtl {
    /// What decides it: machine and program.
    pub key: String,
    /// How many schedules of each order were asked for.
    pub schedules: u64,
    /// The waits of the entries, in cycles.
    pub waits: Vec<u32>,
    /// Under the set: as configured, and with the least perturbation.
    pub forced: Vec<Rate>,
    /// Under the opposite order.
    pub opposite: Vec<Rate>,
    /// Without breakpoints.
    pub unaided: Vec<Rate>,
    /// Both halves hold.
    pub confirmed: bool,
    /// The first half holds.
    pub reproduced: bool,
    /// The fixed twin under the set; or why it could not be tried.
    pub fixed: Result<Rate, String>,
}

impl OnRtl {
    /// The opposite order where it shows least.
    pub fn opposed(&self) -> Opposite {
        let all = self.opposite.iter().map(|rate| Opposite::of(rate, self.schedules));
        let worst = all.max_by_key(|opposite| match opposite {
            Opposite::NeverFails => 0,
            Opposite::NotForced => 1,
            Opposite::Fails => 2,
        });
        worst.unwrap_or(Opposite::NotForced)
    }
}

/// The hardware with a program.
pub struct Hardware {
    source: Box<dyn Source>,
    /// What decides its runs.
    pub key: String,
}

impl Hardware {
    /// Opens it.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn with(program: &Program) -> Result<Self, HuntError> {
        let mut setup = Setup::new(config::Config::default());
        setup.config.harts = program.harts;
        let builder = Builder::for_workspace();
        let opening = Opening { subject: &program.subject, setup: &setup, builder: &builder };
        let source = On::default().open(&opening)?;
        let key = format!("{} {}", source.probe_identity()?, program.elf());
        Ok(Self { source, key })
    }

    /// So many schedules of each order, and of the fixed twin.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn measure(
        &self,
        program: &Program,
        hunted: &Hunted<'_>,
        proof: &Proof,
        schedules: u64,
        folder: &Path,
    ) -> Result<OnRtl, HuntError> {
        let folder = folder.join("rtl");
        let there = hunted.on(&*self.source, &[])?;
        let journal = Mutex::new(Journal::open(&folder, &there.identity()?)?);
        let benches = there
            .levels()
            .into_iter()
            .map(|level| -> Bench<'_> { there.bench(level).with_journal(&journal) });
        let benches: Vec<_> = benches.collect();
        let forced = elsewhere(&there, &benches, &proof.candidate, proof.by, schedules)?;
        let set = &forced.candidate.forced;
        let file = folder.join("breakpoints.toml");
        let text = File::text(set, &there.places, &program.facts()).map_err(HuntError::Refused)?;
        std::fs::write(&file, text).map_err(|error| HuntError::Refused(error.to_string()))?;
        let fixed = fixed(program, &file, &there, schedules, &folder.join("fixed"))?;
        Ok(OnRtl {
            key: self.key.clone(),
            schedules,
            waits: set.entries.iter().map(|entry| entry.wait).collect(),
            confirmed: forced.is_reproduced() && forced.is_confirmed(),
            reproduced: forced.is_reproduced(),
            forced: forced.forced,
            opposite: forced.opposite,
            unaided: forced.unaided,
            fixed,
        })
    }
}

/// The fixed twin under the set of a file. A location that is gone is no error: nothing can be tried.
fn fixed(
    program: &Program,
    file: &Path,
    broken: &Hunted<'_>,
    schedules: u64,
    folder: &Path,
) -> Result<Result<Rate, String>, HuntError> {
    let twin = program.of(compile(program.bug, vec!["-DFIXED".into()])?);
    let refused = |what: String| HuntError::Refused(what);
    let file = File::read(file).map_err(|error| refused(error.to_string()))?;
    let set: Set = match Check::set(&file, &twin.subject) {
        Err(why) => return Ok(Err(why.to_string())),
        Ok(set) => set,
    };
    let hardware = Hardware::with(&twin)?;
    let there = Hunted {
        source: &*hardware.source,
        rule: &FailIf::Exit,
        signature: broken.signature.clone(),
        failing: Vec::new(),
        passing: Vec::new(),
        places: Places::read(twin.subject.elf(), &twin.subject.sources).map_err(refused)?,
        elf: twin.subject.hash(),
        fresh: broken.fresh,
    };
    let journal = Mutex::new(Journal::open(folder, &there.identity()?)?);
    let bench = there.bench(Level::CONFIGURED).with_journal(&journal);
    Ok(Ok(bench.rate(&set, schedules)?))
}
