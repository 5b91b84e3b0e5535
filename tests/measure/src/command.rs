//! The command line of a benchmark: names of groups, and `--json`.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::exit;

use crate::report::Report;

/// Options with a value, of any benchmark; see [`value_of`].
const WITH_VALUE: [&str; 2] = ["--against", "--coremark"];

/// The value of an option on the command line.
pub fn value_of(option: &str) -> Option<OsString> {
    let mut arguments = std::env::args_os().skip_while(|argument| argument != option);
    arguments.nth(1)
}

/// One group of measurements.
pub struct Group {
    /// The word that selects it.
    pub name: &'static str,
    /// Measures it.
    pub measure: fn(&mut Report),
}

/// Measures the groups that the command line asks for, and prints the report.
pub fn run(groups: &[Group]) {
    let names: Vec<&str> = groups.iter().map(|group| group.name).collect();
    let wanted = Wanted::of(&names);
    let mut report = Report::default();
    for group in groups.iter().filter(|group| wanted.has(group.name)) {
        eprintln!("measuring: {}", group.name);
        (group.measure)(&mut report);
    }
    wanted.print(&report);
}

/// What was asked for.
#[derive(Debug)]
pub struct Wanted {
    json: bool,
    names: Vec<String>,
}

impl Wanted {
    /// Reads the command line of a benchmark that has these `groups`. Ends the process if it asks
    /// for something else.
    pub fn of(groups: &[&str]) -> Wanted {
        let mut wanted = Wanted { json: false, names: Vec::new() };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                option if WITH_VALUE.contains(&option) => drop(arguments.next()),
                // Cargo says that this is a benchmark.
                "--bench" => {}
                "--json" => wanted.json = true,
                name if groups.contains(&name) => wanted.names.push(argument),
                other => {
                    let known = groups.join(", ");
                    eprintln!("unknown argument `{other}`; expected --json or one of {known}");
                    exit(2);
                }
            }
        }
        wanted
    }

    /// Whether a group is to be measured.
    pub fn has(&self, group: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| name == group)
    }

    /// Prints what was measured.
    pub fn print(&self, report: &Report) {
        let text = if self.json { report.json() } else { report.text() };
        // A reader that has seen enough, as `head` has, is no reason to complain.
        let _ = writeln!(std::io::stdout(), "{text}");
    }
}
