//! What was found on the golden machine, forced on the simulated hardware.

use super::super::failure::Failure;
use super::super::machine::builder;
use super::{Args, write_set};
use crate::hunt::{HuntError, On, Recorded};
use crate::repro::{Bench, Hunted, Journal, Progress, Proof, Rate, SURE, elsewhere};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What came of it.
pub enum Tried {
    /// It was forced.
    Done(Box<Proof>),
    /// There is no such machine here.
    Missing(String),
}

/// The same as part of an answer.
#[derive(Serialize)]
pub struct Document {
    on: &'static str,
    reproduced: bool,
    confirmed: bool,
    /// The longest wait of each entry, in cycles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waits: Vec<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forced: Vec<Rate>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    opposite: Vec<Rate>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unaided: Vec<Rate>,
    /// The set with its waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Why it could not be tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

/// The hardware, if what a hunt's folder shows is to be tried there: hunts of both machines are, unless `--on` names one.
pub fn wanted(args: &Args, recorded: &Recorded) -> Option<On> {
    let other = On::default();
    (recorded.both && args.on.is_none() && recorded.on != other).then_some(other)
}

/// Forces a set that was found, and its opposite order.
pub fn tried(
    args: &Args,
    recorded: &Recorded,
    hunted: &Hunted<'_>,
    proof: &Proof,
    on: On,
    step: &Progress<'_>,
) -> Result<Tried, Failure> {
    let (source, entries) = match recorded.beside(on, &builder()) {
        Err(HuntError::Machine(why)) => return Ok(Tried::Missing(why.to_string())),
        opened => opened?,
    };
    let there = hunted.on(&*source, &entries)?;
    let journal = Mutex::new(Journal::open(&folder(recorded, on), &there.identity()?)?);
    let benches = there.levels().into_iter().map(|level| -> Bench<'_> {
        there.bench(level).with_journal(&journal).with_progress(step)
    });
    let benches: Vec<_> = benches.collect();
    let schedules = args.schedules.unwrap_or(SURE);
    let proof = elsewhere(&there, &benches, &proof.candidate, proof.by, schedules)?;
    Ok(Tried::Done(Box::new(proof)))
}

fn folder(recorded: &Recorded, on: On) -> PathBuf {
    recorded.hunt.join("repro").join(on.name())
}

impl Document {
    /// Of what came of it; writes the set that was forced.
    pub fn of(
        tried: &Tried,
        recorded: &Recorded,
        hunted: &Hunted<'_>,
        on: On,
    ) -> Result<Self, Failure> {
        let proof = match tried {
            Tried::Missing(why) => return Ok(Self::missing(on, why)),
            Tried::Done(proof) => proof,
        };
        let set = &proof.candidate.forced;
        let path: &Path = &folder(recorded, on);
        Ok(Self {
            on: on.name(),
            reproduced: proof.is_reproduced(),
            confirmed: proof.is_reproduced() && proof.is_confirmed(),
            waits: set.entries.iter().map(|entry| entry.wait).collect(),
            forced: proof.forced.clone(),
            opposite: proof.opposite.clone(),
            unaided: proof.unaided.clone(),
            file: Some(write_set(set, recorded, hunted, path)?),
            missing: None,
        })
    }

    fn missing(on: On, why: &str) -> Self {
        Self {
            on: on.name(),
            reproduced: false,
            confirmed: false,
            waits: Vec::new(),
            forced: Vec::new(),
            opposite: Vec::new(),
            unaided: Vec::new(),
            file: None,
            missing: Some(why.to_owned()),
        }
    }
}
