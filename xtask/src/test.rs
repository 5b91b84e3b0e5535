//! `cargo xtask test`: everything a change must pass.

use crate::failure::Failure;
use crate::{cargo, gen_rtl, needs, out, prove};
use std::time::Instant;
use tools::Optional;

/// Check everything: formatting, lints, that rtl/ is current, what is proved in seconds, and all tests.
///
/// With FILTER, only the tests whose names contain one of the filters, without the other checks: the
/// quick loop while working on one unit.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask test                       everything
  cargo xtask test context_register      the tests of one unit")]
pub struct Args {
    /// Run only the tests whose names contain one of these
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Leave out formatting and lints
    #[arg(long)]
    quick: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    needs::ensure("test", &[])?;
    let mut stages = Stages::default();
    if args.filters.is_empty() {
        if !args.quick {
            stages.run("formatting", || cargo::run(&["fmt", "--all", "--check"]))?;
            let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
            stages.run("lints", || cargo::run(&clippy))?;
        }
        stages.run("rtl/ is current", rtl_is_current)?;
        stages.run("proofs that take seconds", prove::quick_ones_hold)?;
    }
    let filters = args.filters.iter().map(String::as_str);
    if !args.filters.is_empty() {
        // Tests that do not exist all pass.
        let list = ["test", "--workspace", "--quiet", "--", "--list"];
        let list: Vec<_> = list.into_iter().chain(filters.clone()).collect();
        if cargo::output(&list)?.is_some_and(|listed| count(&listed) == 0) {
            let names = args.filters.join("` or `");
            return Err(Failure::bad_input(format!("no test has `{names}` in its name")));
        }
    }
    let call = ["test", "--workspace", "--no-fail-fast", "--"];
    let call: Vec<_> = call.into_iter().chain(filters).collect();
    stages.run("tests", || cargo::run(&call))?;
    stages.summary()
}

/// How many tests a list of them has.
fn count(listed: &str) -> usize {
    listed.lines().filter(|line| line.ends_with(": test")).count()
}

fn rtl_is_current() -> Result<bool, Failure> {
    match gen_rtl::run(&gen_rtl::Args::check_default()) {
        Ok(()) => Ok(true),
        Err(failure) => {
            eprintln!("{failure}");
            Ok(false)
        }
    }
}

/// What ran, how it went and how long it took.
#[derive(Default)]
struct Stages(Vec<(&'static str, bool, f64)>);

impl Stages {
    fn run(
        &mut self,
        name: &'static str,
        stage: impl FnOnce() -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        out::line(format!("== {name}"))?;
        let started = Instant::now();
        let passed = stage()?;
        self.0.push((name, passed, started.elapsed().as_secs_f64()));
        Ok(())
    }

    fn summary(&self) -> Result<(), Failure> {
        out::line("== summary")?;
        for (name, passed, seconds) in &self.0 {
            let verdict = if *passed { "passed" } else { "FAILED" };
            out::line(format!("{verdict}  {name} ({seconds:.0} s)"))?;
        }
        if Optional::Icarus.find().is_none() {
            out::line("skipped  comparison with Icarus Verilog: iverilog is not on the PATH")?;
        }
        let failed: Vec<_> = self.0.iter().filter(|stage| !stage.1).map(|s| s.0).collect();
        if failed.is_empty() {
            Ok(())
        } else {
            Err(Failure::failed(format!("failed: {}", failed.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_name_a_test_are_counted() {
        let listed = "units::context: test\n\n1 test, 0 benchmarks\nfast: benchmark\n";
        assert_eq!(count(listed), 1);
        assert_eq!(count("0 tests, 0 benchmarks\n"), 0);
    }

    #[test]
    fn one_failed_stage_fails_the_whole_and_the_rest_still_runs() {
        let mut stages = Stages::default();
        stages.run("first", || Ok(false)).unwrap();
        stages.run("second", || Ok(true)).unwrap();
        assert_eq!(stages.summary(), Err(Failure::failed("failed: first")));
    }
}
