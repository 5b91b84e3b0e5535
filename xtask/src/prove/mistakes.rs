//! Checks that proofs detect injected mistakes.

use super::columns;
use super::job::Job;
use super::sby::{Failing, Solver, Verdict};
use crate::assurance::{self, Noticed, Records};
use crate::failure::Failure;
use crate::out;
use crate::progress::Progress;
use units::proofs::{Mistake, Proof, all_mistakes};

/// Injects the mistakes of these proofs, one after the other. A mistake already detected is skipped, unless
/// something has changed or `again` is set.
pub fn run(proofs: &[&'static Proof], again: bool, solver: &Solver) -> Result<(), Failure> {
    let progress = Progress::new();
    let known: Records<Noticed> = assurance::records()?;
    let mut said = Vec::new();
    let mut missed = 0;
    for mistake in all_mistakes() {
        let Some(proof) = proofs.iter().find(|proof| proof.name == mistake.proof) else { continue };
        let job = Job::mistaken(proof, mistake)?;
        let result = match known.get(mistake.what).filter(|noticed| noticed.key == job.key) {
            Some(noticed) if !again => format!("{}, unchanged since", shown(noticed)),
            _ => {
                let task = progress.task(mistake.what);
                task.step("searching for a counterexample");
                let noticed = notice(mistake, &job.key, solver.search(&job)?);
                task.ended(if noticed.is_ok() { "noticed" } else { "NOT NOTICED" });
                write_down(mistake, noticed.as_ref().ok())?;
                missed += usize::from(noticed.is_err());
                noticed.map_or_else(|why| why, |noticed| shown(&noticed))
            }
        };
        said.push([mistake.what.to_owned(), mistake.proof.to_owned(), result]);
    }
    let all = said.len();
    out::line(columns(["mistake", "proof", "result"], said.into_iter()).trim_end())?;
    out::line(assurance::write()?)?;
    match missed {
        0 => Ok(()),
        _ => {
            Err(Failure::failed(format!("{missed} of {all} mistakes are not detected as expected")))
        }
    }
}

fn shown(noticed: &Noticed) -> String {
    format!("{} in cycle {}", noticed.properties.join(", "), noticed.cycle)
}

/// Checks that the verdict is the expected one: the property fails, with a waveform.
fn notice(mistake: &Mistake, key: &str, verdict: Verdict) -> Result<Noticed, String> {
    let Verdict::Failed(failing) = verdict else { return Err("NOT NOTICED".into()) };
    if !failing.properties.iter().any(|property| property.starts_with(mistake.fails)) {
        return Err(format!("NOT NOTICED by `{}`: {failing}", mistake.fails));
    }
    if failing.trace.is_none() {
        return Err(format!("NOTICED without a waveform: {failing}"));
    }
    let Failing { properties, cycle, .. } = failing;
    Ok(Noticed { proof: mistake.proof.to_owned(), properties, cycle, key: key.to_owned() })
}

/// Records each result at once, so that nothing is lost when the command is stopped.
fn write_down(mistake: &Mistake, noticed: Option<&Noticed>) -> Result<(), Failure> {
    assurance::update(|records| {
        records.retain(|what, _| all_mistakes().any(|mistake| mistake.what == what));
        records.remove(mistake.what);
        records.extend(noticed.map(|noticed| (mistake.what.to_owned(), noticed.clone())));
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::job::Source;
    use units::proofs::PROOFS;

    #[test]
    fn every_mistake_is_one_change_of_its_proofs_hardware() {
        let mut wrong = String::new();
        for mistake in all_mistakes() {
            let proof = PROOFS.iter().find(|proof| proof.name == mistake.proof);
            let proof = proof.expect("a proof of that name");
            let whole = Source::of(proof).unwrap().key();
            match Source::mistaken(proof, mistake) {
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
            assert!(all_mistakes().any(|mistake| mistake.proof == name), "{name} has none");
        }
    }

    #[test]
    fn a_mistake_counts_as_noticed_if_its_property_fails_with_a_waveform() {
        let mistake = all_mistakes().next().expect("there are mistakes");
        let failing = |name: &str, trace: Option<&str>| {
            let properties = vec!["other".into(), name.into()];
            let trace = trace.map(Into::into);
            Verdict::Failed(Failing { properties, trace, ..Failing::default() })
        };
        let notice = |verdict| notice(mistake, "key", verdict);
        assert!(notice(failing(mistake.fails, Some("trace.vcd"))).is_ok());
        assert!(notice(failing(mistake.fails, None)).is_err());
        assert!(notice(failing("another", Some("trace.vcd"))).is_err());
        assert!(notice(Verdict::Proved).is_err());
    }
}
