//! The page: the paper's table, and what was measured beside it.

use super::measure::Answered;
use super::published::TABLE_1;
use super::slices::{Slice, Useful, Writing};
use kit::file::{Unwritable, write_atomic};

const BEGINNING: &str = "\
# Last Writer Slices, Table 1

Measured by `cargo xtask validate --last-writers --write`. Each program is run under seeded schedules of the golden machine until one fails, and
`crosstalk why` is asked about that run, without naming a variable: what had the failing statement read, who had written it, and what did 25 passing
runs read there? The programs are written for this project after the paper's descriptions, in `firmware/bugs` and `firmware/last-writers`; each fails
where the bad value is used. With `-DFIXED` they are correct.

- *Effective*: a read on a marked line is told (`/* bug */` in the source), with its exact last writer: a plain model of memory, which goes forward through
  all writes of the run, comes to the same write, and its bytes are those that were read. In the paper: a correct slice of a value that is involved.
- *Trivial*: when the run fails, another thread stands on the very line that the answer names, or one of its callers does, so that a core file
  would have shown it. In the paper: the core file alone makes the cause obvious.
- *Useful*: *yes* if the answer names a line that is a step of the bug (`/* bug: 2 */`), of another thread than the one that failed. That is the write that was
  seen or, if that is no step, as of a value that was never set, the one that most passing runs have seen. *Some* if that line is the failing thread's own. In the
  paper a person decided.
- *O.T.* is the paper's word on bad value origin tracking, which is not measured here.

";

/// The page.
pub fn page(answered: &[Answered]) -> String {
    let mut table = String::from(
        "| program | in the paper | type | Eff. | Triv. | Usef. | paper: Eff. | Triv. | Usef. | O.T. |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut told = String::new();
    for row in TABLE_1 {
        let Some(one) = answered.iter().find(|one| one.bug.name == row.bug) else { continue };
        let (verdict, yes) = (&one.verdict, |is: bool| if is { "yes" } else { "no" });
        let ours = [yes(verdict.effective), yes(verdict.trivial), verdict.useful.name()];
        let cells = [row.bug, row.app, row.kind].into_iter().chain(ours).chain(row.says);
        table += &format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
        // A program names its own file as it was given to the compiler.
        let words = one.outcome.split(' ').map(|word| word.rsplit('/').next().unwrap_or(word));
        let outcome = words.collect::<Vec<_>>().join(" ");
        told += &format!("- **{}**, schedule {}: {outcome}. {}\n", row.bug, one.seed, said(one));
    }
    let count = |is: &dyn Fn(&Answered) -> bool| answered.iter().filter(|one| is(one)).count();
    let effective = count(&|one| one.verdict.effective);
    let useful = count(&|one| one.verdict.useful == Useful::Yes);
    let somewhat = count(&|one| one.verdict.useful == Useful::Some);
    let all = answered.len();
    format!(
        "{BEGINNING}{table}\nEffective: {effective} of {all}. Useful: {useful} of {all}, and {somewhat} somewhat; in the paper 6 and 1 \
         of 7.\n\n## What is said\n\nOf each answer the read that tells most.\n\n{told}"
    )
}

/// Writes the page.
///
/// # Errors
/// If it cannot be written.
pub fn write(answered: &[Answered]) -> Result<(), Unwritable> {
    let path = tools::workspace_root().join("docs/results/last-writers.md");
    write_atomic(&path, page(answered).as_bytes())
}

fn said(one: &Answered) -> String {
    one.slices.get(one.verdict.best).map_or_else(|| "Nothing is said.".to_owned(), sentence)
}

fn sentence(slice: &Slice) -> String {
    let by = |writing: &Writing| format!("{} at `{}`", writing.thread, writing.line);
    let Slice { variable, value, read, writer, passing, .. } = slice;
    let writer = match writer {
        Some(writer) => format!("last written by {}", by(writer)),
        None => "written by nobody before".to_owned(),
    };
    let all: usize = passing.iter().map(|(runs, _)| runs).sum();
    let there = match passing.first() {
        Some((runs, Some(writer))) => {
            format!(" In {runs} of {all} passing runs the value there is from {}.", by(writer))
        }
        Some((runs, None)) => format!(" In {runs} of {all} passing runs nobody has written it."),
        None => String::new(),
    };
    format!("`{variable}` (value {value}), read by {}, was {writer}.{there}", by(read))
}
