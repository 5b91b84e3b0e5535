//! How soon known bugs are found, by either formula.

use crate::support::{kernels, machine, run_of, write_runs};
use crosstalk::analysis::{Analysis, Request};
use crosstalk::bugaboo::{Formula, Mode};
use crosstalk::runs::RunFile;
use record::Run;
use std::path::Path;

/// 25 failing and 25 passing schedules, as in Recon §6.2. `docs/host.md` says what was chosen by looking
/// at them.
fn runs(program: &machine::Program) -> Vec<Run> {
    let (mut failing, mut passing) = (Vec::new(), Vec::new());
    for seed in 1_000_000..1_020_000 {
        let (edges, failed) = machine::run(program, seed);
        let side = if failed { &mut failing } else { &mut passing };
        if side.len() < 25 {
            side.push(run_of(seed, &edges, failed));
        }
        if failing.len() == 25 && passing.len() == 25 {
            break;
        }
    }
    assert_eq!((failing.len(), passing.len()), (25, 25), "{}", program.name);
    failing.into_iter().chain(passing).collect()
}

fn files(folder: &Path, program: &machine::Program) -> (Vec<RunFile>, Vec<String>) {
    let bug = program.bug.iter();
    let bug = bug.map(|(thread, step)| format!("{:#x}", machine::pc(*thread, *step))).collect();
    (write_runs(folder, &runs(program)), bug)
}

#[test]
fn the_default_formula_needs_fewer_inspections_than_the_printed_one() {
    println!("{:36} labeled          unlabeled        reconstruction", "inspections");
    println!("{:36} default printed  default printed", "");
    let mut sums = [0; 4];
    for program in kernels::all() {
        let folder = tempfile::tempdir().unwrap();
        let (files, bug) = files(folder.path(), &program);
        let mut needed = Vec::new();
        let mut reconstruction = None;
        for mode in [Mode::Labeled, Mode::Unlabeled] {
            for formula in [Formula::Exception, Formula::Printed] {
                let files = files.clone();
                let request = Request { files, formula, mode: Some(mode), ..Request::default() };
                let analysis = Analysis::of(&request, &|| {}).unwrap();
                needed.push(analysis.inspections(&bug).expect("the bug is in the ranking"));
                if formula == Formula::default() {
                    reconstruction = analysis.reconstruction_rank(&bug);
                }
            }
        }
        let [a, b, c, d] = needed[..] else { unreachable!("two modes, two formulas") };
        let first = reconstruction.expect("the bug is in a reconstruction");
        println!("{:36} {a:7} {b:7}  {c:7} {d:7}  {first}", program.name);
        sums.iter_mut().zip(needed).for_each(|(sum, needed)| *sum += needed);
    }
    println!("{:36} {:7} {:7}  {:7} {:7}", "sum", sums[0], sums[1], sums[2], sums[3]);
    assert!(sums[0] < sums[1] && sums[2] < sums[3], "{sums:?}");
}

#[test]
fn relief_says_how_well_the_features_separate() {
    let program = &kernels::all()[2];
    let folder = tempfile::tempdir().unwrap();
    let (files, bug) = files(folder.path(), program);
    let analysis = Analysis::of(&Request { files, ..Request::default() }, &|| {}).unwrap();
    let [b, c, r] = analysis.relief(&bug).unwrap();
    assert!(b > 0.0, "B separates late initialization: {b} {c} {r}");
    assert_eq!(analysis.relief(&["0x1".into()]), None);
}
