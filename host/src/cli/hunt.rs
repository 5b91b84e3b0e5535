//! `crosstalk hunt`: from a flaky program to its bug.

mod args;
mod folder;
mod progress;
mod stages;
mod verdict;

pub use args::Args;

use super::failure::Failure;
use super::out::{Out, print_json};
use crate::hunt::HuntError;
use crate::report::{Limits, Report};
use folder::Folder;
use stages::{Ground, Hunt, source};
use std::process::ExitCode;

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let program = args.program()?;
    let config = args.machine(&program)?;
    let subject = program.subject(&args.flags())?;
    // An older hunt in the folder makes way for one that can begin, and for nothing else.
    let setup = args.setup(&config);
    subject.load(&setup)?;
    let identity = args.identity(&subject, &config);
    let folder = Folder::open(&args.folder(&subject), &identity, args.resume)?;
    let first = source(args, &subject, &setup)?;
    folder.begin(&identity, args.resume)?;
    folder.put_program(subject.elf())?;
    let hunt = Hunt { args, subject: &subject, config: &config, folder: &folder };
    let ground = hunt.run(&*first)?;
    let Ground { analysis, .. } = &ground;
    let page = Report::of(analysis, Limits::default()).html();
    let report = folder.put_report(page.as_bytes())?;
    if args.out.json {
        print_json(&verdict::document(&subject.name, &ground))?;
    } else {
        let mut out = Out::new(args.out.color);
        verdict::tell(&mut out, &ground, &folder, &report);
        out.print()?;
    }
    Ok(ExitCode::SUCCESS)
}

impl From<HuntError> for Failure {
    fn from(error: HuntError) -> Self {
        match error {
            HuntError::Host(error) => error.into(),
            error => Self::BadInput(error.to_string()),
        }
    }
}
