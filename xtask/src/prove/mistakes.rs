//! Hardware with a mistake in it: does its proof notice?

use super::columns;
use super::job::Job;
use super::sby::{Failing, Solver, Verdict};
use crate::assurance::{self, Noticed};
use crate::failure::Failure;
use crate::out;
use crate::progress::Progress;
use units::proofs::{MISTAKES, Mistake, Proof};

/// Makes the mistakes of these proofs, one after the other.
pub fn run(proofs: &[&'static Proof], solver: &Solver) -> Result<(), Failure> {
    let progress = Progress::new();
    let mut found = Vec::new();
    for mistake in MISTAKES {
        let Some(proof) = proofs.iter().find(|proof| proof.name == mistake.proof) else { continue };
        let task = progress.task(mistake.what);
        task.step("searching for a counterexample");
        let verdict = solver.search(&Job::mistaken(proof, mistake)?)?;
        let noticed = notice(mistake, verdict);
        task.ended(if noticed.is_ok() { "noticed" } else { "NOT NOTICED" });
        found.push((mistake, noticed));
    }
    let rows = found.iter().map(|(mistake, noticed)| {
        let said = match noticed {
            Ok(failing) => failing.to_string(),
            Err(why) => why.clone(),
        };
        [mistake.what.to_owned(), mistake.proof.to_owned(), said]
    });
    out::line(columns(["mistake", "proof", "result"], rows).trim_end())?;
    let missed = found.iter().filter(|(_, noticed)| noticed.is_err()).count();
    let all = found.len();
    write_down(found)?;
    match missed {
        0 => Ok(()),
        _ => Err(Failure::failed(format!(
            "{missed} of {all} mistakes are not noticed as they should"
        ))),
    }
}

/// What a proof says of a mistake, if it is what it should say: the property fails, with a waveform.
fn notice(mistake: &Mistake, verdict: Verdict) -> Result<Failing, String> {
    let Verdict::Failed(failing) = verdict else { return Err("NOT NOTICED".into()) };
    if !failing.properties.iter().any(|property| property == mistake.fails) {
        return Err(format!("NOT NOTICED by `{}`: {failing}", mistake.fails));
    }
    match failing.trace {
        Some(_) => Ok(failing),
        None => Err(format!("NOTICED without a waveform: {failing}")),
    }
}

fn write_down(found: Vec<(&Mistake, Result<Failing, String>)>) -> Result<(), Failure> {
    assurance::update(|records| {
        records.retain(|what, _| MISTAKES.iter().any(|mistake| mistake.what == what));
        for (mistake, noticed) in found {
            let what = mistake.what.to_owned();
            match noticed {
                Ok(Failing { properties, cycle, .. }) => {
                    let proof = mistake.proof.to_owned();
                    records.insert(what, Noticed { proof, properties, cycles: cycle });
                }
                Err(_) => {
                    records.remove(&what);
                }
            }
        }
    })?;
    out::line(assurance::write()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::job::Source;
    use units::proofs::PROOFS;

    #[test]
    fn every_mistake_is_one_change_of_its_proofs_hardware() {
        let mut wrong = String::new();
        for mistake in MISTAKES {
            let proof = PROOFS.iter().find(|proof| proof.name == mistake.proof);
            let source = Source::of(proof.expect("a proof of that name")).unwrap();
            let whole = source.key();
            match source.with(mistake) {
                Err(failure) => wrong += &format!("{failure}\n"),
                Ok(changed) => assert_ne!(changed.key(), whole, "{}", mistake.what),
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }

    #[test]
    fn every_proof_has_a_mistake_that_it_notices() {
        for proof in PROOFS {
            let name = proof.name;
            assert!(MISTAKES.iter().any(|mistake| mistake.proof == name), "{name} has none");
        }
    }

    #[test]
    fn a_mistake_counts_as_noticed_if_its_property_fails_with_a_waveform() {
        let mistake = &MISTAKES[0];
        let failing = |name: &str, trace: Option<&str>| {
            let properties = vec!["other".into(), name.into()];
            let trace = trace.map(Into::into);
            Verdict::Failed(Failing { properties, trace, ..Failing::default() })
        };
        assert!(notice(mistake, failing(mistake.fails, Some("trace.vcd"))).is_ok());
        assert!(notice(mistake, failing(mistake.fails, None)).is_err());
        assert!(notice(mistake, failing("another", Some("trace.vcd"))).is_err());
        assert!(notice(mistake, Verdict::Proved).is_err());
    }
}
