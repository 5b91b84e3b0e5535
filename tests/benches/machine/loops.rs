//! Instructions per cycle on integer loops that stay in the caches.

use std::io;

use border::{End, Program};
use config::Config;
use cosim::machine::{Machines, Options, Run};
use firmware::{Compiler, suites};
use measure::report::{Limit, Report, Row};

/// One hart and four.
pub fn measure(report: &mut Report) {
    report.section("Instructions per cycle of a hart, on an integer loop in the caches");
    for harts in [1, 4] {
        eprintln!("machine-loops: {harts} harts");
        let what = format!("{harts} harts");
        let limit = (harts == 1).then_some(Limit::AtLeast(0.8));
        match one(harts) {
            Ok((instructions, cycles)) => report.row(Row {
                what,
                ours: format!("{instructions} instructions"),
                peer: format!("{cycles} cycles"),
                ratio: Some(instructions as f64 / cycles as f64),
                limit,
            }),
            Err(why) => report.missing(&what, &why, limit),
        }
    }
}

/// Instructions and cycles of hart 0.
fn one(harts: u32) -> Result<(u64, u64), String> {
    let config = Config { harts, ..Config::default() };
    let compiler = Compiler::for_workspace().map_err(|error| error.to_string())?;
    let suite = suites::named("loops", "integer").ok_or("there is no such suite")?;
    let path = suite.program(&compiler).map_err(|error| error.to_string())?;
    let program = Program::read(&path, config.simulation.ram_bytes);
    let program = program.map_err(|error| error.to_string())?;
    let library = Machines::for_workspace().library(&config, false);
    let library = library.map_err(|error| error.to_string())?;
    let options = Options { stats: true, limit: Some(1_000_000), ..Options::default() };
    let mut console = io::sink();
    let outcome = Run::new(&library, &config, &program, options, &mut console)
        .and_then(Run::finish)
        .map_err(|error| error.to_string())?;
    let (End::Exit { code: 0 }, cycle) = (&outcome.end, outcome.ended_at) else {
        return Err(format!("the loop ended with {:?}", outcome.end));
    };
    let stats = outcome.stats.ok_or("nothing was counted")?;
    Ok((stats.harts()[0].instructions, cycle))
}
