//! CoreMark on one hart with caches of 8 KiB, from a person's own copy of its sources.

use std::path::Path;

use firmware::Runtime;
use firmware::benchmarks::FLAGS;
use firmware::coremark::{self, Score};
use measure::command;
use measure::report::{Report, Row};

use crate::single_hart;

/// With every set of flags, if `--coremark` says where the sources are.
pub fn measure(report: &mut Report) {
    let Some(folder) = command::value_of("--coremark") else {
        eprintln!("coremark: left out; --coremark DIR says where the sources are");
        return;
    };
    report.section("CoreMark/MHz of one hart, 8 KiB + 8 KiB, checksums verified");
    for flags in FLAGS {
        let what = flags.join(" ");
        eprintln!("coremark: {what}");
        match one(Path::new(&folder), flags) {
            Ok(score) => report.row(Row {
                what,
                ours: format!("{:.2} CoreMark/MHz", score.per_mhz()),
                peer: format!("{} iterations in {} cycles", score.iterations, score.cycles),
                ratio: None,
                limit: None,
            }),
            Err(why) => report.missing(&what, &why, None),
        }
    }
}

fn one(folder: &Path, flags: &[&str]) -> Result<Score, String> {
    let runtime = Runtime::for_workspace(|_| ()).map_err(|error| error.to_string())?;
    let output = single_hart::output_of(|out| {
        coremark::build(&runtime, folder, flags, out).map_err(|error| error.to_string())
    })?;
    coremark::score(&output)
}
