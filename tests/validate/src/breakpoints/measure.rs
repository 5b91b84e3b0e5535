//! A program with a bug, from its failing runs to a set of breakpoints, and what the hardware makes of that.

use super::rtl::{Hardware, OnRtl};
use crate::measure::MeasureError;
use crate::store;
use cosim::Builder;
use crosstalk::breakpoint::{File, RunFacts, Set};
use crosstalk::hunt::sources::Opening;
use crosstalk::hunt::{
    Collection, Collector, FailIf, FirstLook, Goal, HuntError, On, Search, Setup, Source, Subject,
};
use crosstalk::repro::{Check, Hunted, Journal, Opposite, Proof, Proved, Rate, prove};
use firmware::Build;
use firmware::bugs::Bug;
use kit::file::write_atomic;
use kit::numbers::hex;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Mutex;

/// Runs of each label that are looked for.
const WANTED: u32 = 25;
/// Schedules of the fixed twin under the set, on the golden machine.
const FIXED: u64 = 299;
/// What decides which sets are tried, beside program and machine.
const METHOD: [&str; 4] =
    ["host/evidence/src", "host/src/breakpoint", "host/src/hunt", "host/src/repro"];

/// What was measured of a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reproduced {
    /// What decides it on the golden machine: that machine, the program and the method.
    key: String,
    /// The program's name.
    pub name: String,
    /// Schedules that failed while looking for failures, of so many.
    pub hunted: (u64, u64),
    /// The set and its rates; or, if none was found, the best rate.
    pub found: Result<Found, Rate>,
    /// The set on the hardware, if that was asked for.
    pub rtl: Option<OnRtl>,
}

/// A set that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    /// The places of each entry, in order.
    pub places: Vec<Vec<String>>,
    /// Options of the set, in words.
    pub options: String,
    /// Under the set.
    pub forced: Rate,
    /// Under the opposite order.
    pub opposite: Rate,
    /// Without breakpoints.
    pub unaided: Rate,
    /// The fixed twin: schedules that failed under the set, of so many; or why it could not be tried.
    pub fixed: Result<(u64, u64), String>,
}

impl Found {
    /// What the opposite order shows.
    pub fn opposed(&self) -> Opposite {
        Opposite::of(&self.opposite, crosstalk::repro::SURE)
    }
}

/// A program, compiled.
pub struct Program {
    /// Which one.
    pub bug: &'static Bug,
    /// What it was compiled to.
    pub subject: Subject,
    /// Harts of its machine.
    pub harts: u32,
}

impl Program {
    /// Another form of the same program.
    pub fn of(&self, subject: Subject) -> Self {
        Self { bug: self.bug, subject, harts: self.harts }
    }

    /// Its hash.
    pub fn elf(&self) -> String {
        hex(&self.subject.hash())
    }

    /// What a breakpoint file says of it.
    pub fn facts(&self) -> RunFacts {
        RunFacts {
            program: self.bug.name.to_owned(),
            elf: Some(self.elf()),
            arguments: Vec::new(),
            harts: Some(self.harts),
            fail_if: None,
        }
    }

    fn on_golden(&self) -> Result<Box<dyn Source>, HuntError> {
        let mut setup = Setup::new(config::Config::default());
        setup.config.harts = self.harts;
        let builder = Builder::for_workspace();
        golden()?.open(&Opening { subject: &self.subject, setup: &setup, builder: &builder })
    }
}

fn golden() -> Result<On, HuntError> {
    let none = || HuntError::Refused("the golden machine is not available".to_owned());
    On::named("golden").ok_or_else(none)
}

/// Compiles a program, without copies of a statement: a breakpoint is at one instruction, and a fix changes what is unrolled.
///
/// # Errors
/// If it does not compile.
pub fn compile(bug: &Bug, flags: Vec<OsString>) -> Result<Subject, HuntError> {
    let mut flags = flags;
    flags.push("-fno-unroll-loops".into());
    let build = Build { files: bug.sources(), flags };
    Subject::compile(bug.name, &build).map(|(subject, _)| subject)
}

/// Measures a program; with `schedules` above 0, so many of each order on the hardware too. `folder` keeps what was measured, so that it
/// can go on another time.
///
/// # Errors
/// If the program does not compile, never fails, or a machine is at fault.
pub fn measure(
    bug: &'static Bug,
    folder: &Path,
    schedules: u64,
) -> Result<Reproduced, MeasureError> {
    let wrong = |error| MeasureError::Hunt { name: bug.name.to_owned(), error };
    let subject = compile(bug, Vec::new()).map_err(wrong)?;
    let look = FirstLook::at(&subject, &Setup::new(config::Config::default()), true);
    let program = Program { bug, harts: look.map_err(wrong)?.harts, subject };
    let source = program.on_golden().map_err(wrong)?;
    let identity = source.identity().map_err(wrong)?;
    let key = format!("{identity} {} {}", program.elf(), store::of_files(&METHOD)?);
    let path = folder.join("result.json");
    let known = std::fs::read(&path).ok();
    let known = known.and_then(|text| serde_json::from_slice::<Reproduced>(&text).ok());
    let known = known.filter(|known| known.key == key);
    if let Some(known) = known.as_ref().filter(|known| schedules == 0 || known.found.is_err()) {
        return Ok(known.clone());
    }
    let hardware = (schedules > 0).then(|| Hardware::with(&program)).transpose().map_err(wrong)?;
    let has = |rtl: &OnRtl| {
        rtl.schedules >= schedules && hardware.as_ref().is_some_and(|one| one.key == rtl.key)
    };
    if let Some(known) = known.as_ref().filter(|known| known.rtl.as_ref().is_some_and(has)) {
        return Ok(known.clone());
    }
    let (mut measured, proved) = prepared(&program, &*source, folder, key).map_err(wrong)?;
    if let (Some(hardware), Some((hunted, proof))) = (hardware, proved) {
        let rtl = hardware.measure(&program, &hunted, &proof, schedules, folder);
        measured.rtl = Some(rtl.map_err(wrong)?);
    }
    write_atomic(&path, &serde_json::to_vec(&measured).unwrap_or_default())?;
    Ok(measured)
}

/// What is known of a set that was found.
type Proven<'a> = (Hunted<'a>, Box<Proof>);

/// Looks for failures and for a set; what is in the folder is not run again.
fn prepared<'a>(
    program: &Program,
    source: &'a dyn Source,
    folder: &Path,
    key: String,
) -> Result<(Reproduced, Option<Proven<'a>>), HuntError> {
    let collection = collected(source, folder)?;
    let hunted = Hunted::of(source, &FailIf::Exit, &program.subject, &collection.entries)?;
    let journal = Mutex::new(Journal::open(folder, &hunted.identity()?)?);
    let bench = hunted.bench(hunted.level()).with_journal(&journal);
    let (found, proof) = match prove(&hunted, &[bench])? {
        Proved::Nothing { best, .. } => (Err(best.map(|(_, rate)| rate).unwrap_or_default()), None),
        Proved::Found(proof) => {
            let set = &proof.candidate.forced;
            let text = File::text(set, &hunted.places, &program.facts());
            let file = folder.join("breakpoints.toml");
            write_atomic(&file, text.map_err(HuntError::Refused)?.as_bytes())?;
            let twin = program.of(compile(program.bug, vec!["-DFIXED".into()])?);
            (Ok(of_proof(&proof, &hunted, fixed(&file, &twin))), Some(proof))
        }
    };
    let (failed, runs) = (collection.failing() as u64, collection.entries.len() as u64);
    let name = program.bug.name.to_owned();
    let measured = Reproduced { key, name, hunted: (failed, runs), found, rtl: None };
    Ok((measured, proof.map(|proof| (hunted, proof))))
}

fn collected(source: &dyn Source, folder: &Path) -> Result<Collection, HuntError> {
    let wanted = Goal { failing: WANTED, passing: WANTED, ..Goal::default() };
    let collector = Collector {
        source,
        fail_if: &FailIf::Exit,
        goal: Search::One(golden()?).goals(wanted, None).0,
        folder: &folder.join("runs"),
        progress: &|_| (),
    };
    collector.collect()
}

/// The fixed twin under the set of a file.
fn fixed(file: &Path, twin: &Program) -> Result<(u64, u64), String> {
    let file = File::read(file).map_err(|error| error.to_string())?;
    let set = Check::set(&file, &twin.subject).map_err(|error| error.to_string())?;
    let source = twin.on_golden().map_err(|error| error.to_string())?;
    let (source, rule) = (&*source, &FailIf::Exit);
    let check = Check { source, rule, set, first: 1 << 32, schedules: FIXED };
    let checked = check.run(&|_| ()).map_err(|error| error.to_string())?;
    Ok((checked.failed, checked.runs))
}

fn of_proof(proof: &Proof, hunted: &Hunted<'_>, fixed: Result<(u64, u64), String>) -> Found {
    let set: &Set = &proof.candidate.forced;
    let name = |pc: u32| hunted.places.name(pc, false);
    let places = set.entries.iter().map(|entry| entry.parties.iter().map(|p| name(p.pc)).collect());
    let mut options = Vec::new();
    let mut option = |is: bool, what: String| {
        if is && !options.contains(&what) {
            options.push(what);
        }
    };
    for entry in &set.entries {
        option(entry.until.is_some(), "until".into());
        option(entry.after.is_some(), "after".into());
        option(entry.bound > 0, format!("bound {}", entry.bound));
        option(entry.region.is_some(), "lock held".into());
        option(entry.parties.iter().any(|party| party.skip > 0), "skip".into());
        option(true, format!("wait {}", entry.wait));
    }
    let first = |rates: &[Rate]| rates.first().copied().unwrap_or_default();
    Found {
        places: places.collect(),
        options: options.join(", "),
        forced: first(&proof.forced),
        opposite: first(&proof.opposite),
        unaided: first(&proof.unaided),
        fixed,
    }
}
