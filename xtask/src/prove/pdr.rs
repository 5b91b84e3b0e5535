//! Unbounded proofs without a given induction: PDR searches for an invariant by itself.

use super::job::Job;
use super::sby::{Failing, Verdict};
use super::script::{ANSWER, PDR};
use crate::failure::Failure;
use std::fs;
use std::io::ErrorKind;
use std::process::Stdio;
use tools::Installed;

/// Runs PDR on a job. A failure has neither a property's name nor a waveform here.
pub fn run(yosys: &Installed, job: &Job) -> Result<Verdict, Failure> {
    let answer = job.folder.join(ANSWER);
    match fs::remove_file(&answer) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(Failure::failed(format!("cannot remove {}: {error}", answer.display())));
        }
        _ => {}
    }
    let output = yosys
        .command()
        .args(["-q", PDR])
        .current_dir(&job.folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::failed(format!("cannot run Yosys: {error}")))?;
    let answered = fs::read_to_string(&answer).ok().filter(|_| output.status.success());
    answered.as_deref().and_then(verdict).ok_or_else(|| {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let name = job.proof.name;
        Failure::failed(format!("PDR did not finish `{name}` in {}: {said}", job.folder.display()))
    })
}

/// Parses ABC's status file: whether a property can fail.
fn verdict(answer: &str) -> Option<Verdict> {
    match answer.split_whitespace().next()? {
        "snl_UNSAT" => Some(Verdict::Proved),
        "snl_SAT" => Some(Verdict::Failed(Failing::default())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_proof_counts_as_one() {
        assert_eq!(verdict("snl_UNSAT 44 unknown\nNULL\nNULL\n"), Some(Verdict::Proved));
        assert_eq!(verdict("snl_SAT 7 unknown\n"), Some(Verdict::Failed(Failing::default())));
        assert_eq!(verdict("snl_UNK 26 unknown\n"), None);
        assert_eq!(verdict(""), None);
    }
}
