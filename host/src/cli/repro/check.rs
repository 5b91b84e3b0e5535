//! `crosstalk repro --check`: a program under the breakpoints of its old bug.

use super::super::cc;
use super::super::failure::{Failure, say};
use super::super::machine::builder;
use super::super::out::{plural, print_json, send};
use super::super::program::{check_linked, is_linked};
use super::super::progress::Progress;
use super::{Args, refused};
use crate::breakpoint::File;
use crate::hunt::sources::Opening;
use crate::hunt::{FailIf, On, Setup, Subject};
use crate::repro::Check;
use firmware::Build;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Schedules that are run.
const SCHEDULES: u64 = 100;
/// Far above what hunts use up.
const FIRST: u64 = 1 << 32;

/// Runs the check.
pub fn run(args: &Args, file: &Path) -> Result<ExitCode, Failure> {
    let file = File::read(file)?;
    let facts = file.run();
    let subject = subject(args, facts.map(|facts| facts.program.as_str()))?;
    let set = Check::set(&file, &subject)?;
    let rule = facts.and_then(|facts| facts.fail_if.as_deref()).unwrap_or("exit");
    let rule: FailIf = rule.parse().map_err(|what: String| refused(what))?;
    let mut config = args.machine.config().map_err(Failure::BadInput)?;
    if let (None, Some(harts)) = (args.machine.harts, facts.and_then(|facts| facts.harts)) {
        config.harts = harts;
    }
    config.check().map_err(Failure::bad_input)?;
    let mut setup = Setup::new(config);
    setup.arguments = match (&args.arguments[..], facts) {
        ([], Some(facts)) => facts.arguments.iter().map(OsString::from).collect(),
        (given, _) => given.to_vec(),
    };
    let golden = || On::named("golden").unwrap_or_default();
    let on = args.on.unwrap_or_else(golden);
    let source = on.open(&Opening { subject: &subject, setup: &setup, builder: &builder() })?;
    let schedules = args.schedules.unwrap_or(SCHEDULES);
    let check = Check { source: &*source, rule: &rule, set, first: FIRST, schedules };
    let progress = Progress::new("schedules");
    let checked = check.run(&|schedules| (0..schedules).for_each(|_| progress.step()))?;
    drop(progress);
    if args.out.json {
        print_json(&checked)?;
    } else {
        let runs = plural(checked.runs, "schedule");
        let met = format!("all breakpoints were hit in {} of {runs}", checked.hit);
        let on = on.called();
        send(
            match &checked.first {
                Some((seed, how)) => {
                    format!("{} fails on {on}: schedule {seed} {how}; {met}\n", subject.name)
                }
                None => format!("{} does not fail on {on}; {met}\n", subject.name),
            }
            .as_bytes(),
        )?;
    }
    Ok(if checked.failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn subject(args: &Args, name: Option<&str>) -> Result<Subject, Failure> {
    let flags = args.compile.flags();
    if is_linked(&args.files).map_err(Failure::bad_input)? {
        check_linked(&flags).map_err(Failure::BadInput)?;
        return Ok(Subject::linked(&args.files[0])?);
    }
    cc::runtime()?;
    let stem = args.files[0].file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let build = Build { files: args.files.clone(), flags };
    let (subject, warnings) = Subject::compile(name.unwrap_or(&stem), &build)?;
    if !warnings.is_empty() {
        say(format_args!("{warnings}\n"));
    }
    Ok(subject)
}
