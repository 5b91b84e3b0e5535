//! The pinned tools that each command needs: one row per command, which may depend on the arguments.
//!
//! A command calls [`ensure`] after checking its arguments and before its work.
//! Nothing else is installed.

use crate::failure::Failure;
use crate::install::{self, Source};
use crate::pip::Pip;
use std::ffi::OsString;
use tools::Tool::{NextpnrEcp5, NextpnrIce40, Verilator, Yices, Yosys, Z3, Zig};
use tools::{Layout, Tool, pin};

/// The arguments of a command that select tools.
pub struct Arguments<'a>(pub &'a [OsString]);

impl Arguments<'_> {
    /// Whether one of them is exactly this.
    fn has(&self, wanted: &str) -> bool {
        self.0.iter().any(|arg| arg == wanted)
    }

    /// Whether an option has this value: `--on golden` or `--on=golden`.
    fn is(&self, option: &str, value: &str) -> bool {
        let apart = self.0.windows(2).any(|pair| pair[0] == option && pair[1] == value);
        apart || self.has(&format!("{option}={value}"))
    }

    /// The first of them.
    fn first(&self) -> &str {
        self.0.first().and_then(|arg| arg.to_str()).unwrap_or_default()
    }

    /// Whether an argument is a compiled program.
    fn has_elf(&self) -> bool {
        self.0.iter().any(|arg| arg.as_encoded_bytes().ends_with(b".elf"))
    }
}

/// A command and the tools that it needs.
struct Row {
    command: &'static str,
    tools: fn(&Arguments<'_>) -> Vec<Tool>,
}

/// All commands that need tools. `bench` has its own table: one row per benchmark.
const ROWS: &[Row] = &[
    Row { command: "test", tools: |_| vec![Verilator, Yosys, Z3, Yices, Zig] },
    Row { command: "coverage", tools: |_| vec![Verilator] },
    Row { command: "prove", tools: |_| vec![Yosys, Z3, Yices] },
    Row { command: "mutate", tools: |_| vec![Verilator, Yosys, Z3] },
    Row { command: "area", tools: area },
    Row { command: "fpga", tools: fpga },
    Row { command: "soak", tools: soak },
    Row { command: "paper", tools: |args| on_machine(args, vec![Zig]) },
    Row { command: "validate", tools: validate },
    Row { command: "crosstalk", tools: crosstalk },
];

/// A compiler for the programs; hardware only if runs are asked of it.
fn validate(args: &Arguments<'_>) -> Vec<Tool> {
    let hardware = ["rtl", "both"].iter().any(|on| args.is("--on", on));
    if hardware { vec![Zig, Verilator] } else { vec![Zig] }
}

/// Synthesis, and place and route if requested.
fn area(args: &Arguments<'_>) -> Vec<Tool> {
    let mut tools = vec![Yosys];
    if args.has("--pnr") {
        tools.push(if args.is("--target", "ice40") { NextpnrIce40 } else { NextpnrEcp5 });
    }
    tools
}

/// The tools for the board's device; none for an unknown board.
fn fpga(args: &Arguments<'_>) -> Vec<Tool> {
    match () {
        () if args.is("--board", "hx8k") => vec![Yosys, NextpnrIce40],
        () if args.is("--board", "ulx3s") => vec![Yosys, NextpnrEcp5],
        () => vec![],
    }
}

/// Yosys only where areas are measured.
fn soak(args: &Arguments<'_>) -> Vec<Tool> {
    let no_area = args.has("--fixed") || (args.has("--only") && !args.is("--only", "kill-area"));
    if no_area { vec![Zig, Verilator] } else { vec![Zig, Verilator, Yosys] }
}

/// The golden machine needs no Verilator.
fn on_machine(args: &Arguments<'_>, mut tools: Vec<Tool>) -> Vec<Tool> {
    if !args.is("--on", "golden") {
        tools.push(Verilator);
    }
    tools
}

/// By the command of the tool. A program that is compiled already needs no compiler.
fn crosstalk(args: &Arguments<'_>) -> Vec<Tool> {
    let compiler = if args.has_elf() { vec![] } else { vec![Zig] };
    match args.first() {
        "cc" => vec![Zig],
        "record" => compiler,
        "run" | "hunt" => on_machine(args, compiler),
        _ => vec![],
    }
}

/// The tools that a command needs with these arguments; none for its help.
pub fn of(command: &str, args: &[OsString]) -> Vec<Tool> {
    let args = Arguments(args);
    let row = ROWS.iter().find(|row| row.command == command);
    match row.filter(|_| !args.has("--help") && !args.has("-h")) {
        Some(row) => (row.tools)(&args),
        None => vec![],
    }
}

/// Whether a command works without a tool, only less well: a hunt on both machines becomes one on the golden machine.
fn works_without(command: &str, args: &[OsString], tool: Tool) -> bool {
    let args = Arguments(args);
    command == "crosstalk" && args.first() == "hunt" && tool == Verilator && !args.is("--on", "rtl")
}

/// Installs the tools that a command needs with these arguments, if missing.
pub fn ensure(command: &str, args: &[OsString]) -> Result<(), Failure> {
    let (wished, needed): (Vec<Tool>, Vec<Tool>) =
        of(command, args).into_iter().partition(|tool| works_without(command, args, *tool));
    ensure_tools(command, &needed)?;
    if let Err(failure) = ensure_tools(command, &wished) {
        eprintln!("the golden machine is used alone: {failure}");
    }
    Ok(())
}

/// Installs these tools for a command, if missing.
pub fn ensure_tools(command: &str, wanted: &[Tool]) -> Result<(), Failure> {
    ensure_in(&Layout::of_workspace(), &Pip, command, wanted)
}

fn ensure_in(
    layout: &Layout,
    source: &impl Source,
    command: &str,
    wanted: &[Tool],
) -> Result<(), Failure> {
    install::ensure(layout, source, wanted).map_err(|failure| {
        let missing = wanted.iter().find(|tool| layout.locate(**tool).is_err());
        match (missing, failure) {
            (Some(tool), Failure::Failed(reason)) => Failure::failed(format!(
                "`{command}` needs {tool} {}, which is missing: {reason}; `cargo xtask setup {tool}` installs it",
                pin(*tool).version()
            )),
            (_, failure) => failure,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::Fake;

    fn line(line: &str) -> Vec<Tool> {
        let mut words = line.split_whitespace();
        let command = words.next().unwrap();
        of(command, &words.map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn the_golden_machine_needs_no_verilator() {
        assert_eq!(line("crosstalk hunt bank.c"), [Zig, Verilator]);
        assert_eq!(line("crosstalk hunt bank.c --on golden"), [Zig]);
        assert_eq!(line("crosstalk hunt --on=golden bank.elf"), []);
        assert_eq!(line("paper recon-3 --on golden"), [Zig]);
        assert_eq!(line("paper --on rtl"), [Zig, Verilator]);
    }

    #[test]
    fn a_compiled_program_needs_no_compiler() {
        assert_eq!(line("crosstalk run prog.elf --seed 7"), [Verilator]);
        assert_eq!(line("crosstalk cc prog.c -o prog.elf"), [Zig]);
        assert_eq!(line("crosstalk record --load prog.elf"), []);
        assert_eq!(line("crosstalk report runs"), []);
    }

    #[test]
    fn areas_and_boards_need_the_tools_of_their_device() {
        assert_eq!(line("area --top bus"), [Yosys]);
        assert_eq!(line("area --pnr"), [Yosys, NextpnrEcp5]);
        assert_eq!(line("area --pnr --target ice40"), [Yosys, NextpnrIce40]);
        assert_eq!(line("fpga --board ulx3s"), [Yosys, NextpnrEcp5]);
        assert_eq!(line("fpga --board=hx8k --out x"), [Yosys, NextpnrIce40]);
        assert_eq!(line("fpga --board ulx4"), []);
    }

    #[test]
    fn only_a_soak_of_areas_needs_yosys() {
        assert!(line("soak --minutes 3").contains(&Yosys));
        assert!(line("soak --only files --only kill-area").contains(&Yosys));
        assert!(!line("soak --only files").contains(&Yosys));
        assert!(!line("soak --fixed 500").contains(&Yosys));
    }

    #[test]
    fn help_and_what_only_writes_files_need_nothing() {
        for command in ["gen-rtl --check", "assurance", "area --help", "soak -h", "mutate --help"] {
            assert_eq!(line(command), [], "{command}");
        }
    }

    #[test]
    fn just_the_tools_of_a_command_are_installed() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::at(folder.path().join("tools"));
        let fake = Fake::default();
        let ensure = |words: &str| ensure_in(&layout, &fake, "hunt", &line(words)).unwrap();
        ensure("crosstalk hunt bank.c --on golden");
        assert_eq!(fake.calls(), ["fetch zig", "venv"]);
        ensure("crosstalk hunt bank.c --on golden");
        assert_eq!(fake.calls(), [""; 0]);
        ensure("crosstalk hunt bank.c");
        assert_eq!(fake.calls(), ["fetch verilator"]);
    }

    #[test]
    fn a_hunt_works_without_hardware_unless_it_is_asked_for() {
        let without = |words: &str, tool| {
            let words: Vec<OsString> = words.split_whitespace().map(Into::into).collect();
            works_without("crosstalk", &words, tool)
        };
        assert!(without("hunt bank.c", Verilator) && without("hunt bank.c --on both", Verilator));
        assert!(!without("hunt bank.c --on rtl", Verilator) && !without("hunt bank.c", Zig));
        assert!(!without("run bank.c", Verilator));
    }

    #[test]
    fn a_tool_that_cannot_be_installed_is_named_with_its_command() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::at(folder.path().join("tools"));
        let fake = Fake { fail_fetch: Some(Z3), ..Fake::default() };
        let failure = ensure_in(&layout, &fake, "prove", &[Yosys, Z3]).unwrap_err();
        let version = pin(Z3).version();
        assert_eq!(
            failure,
            Failure::failed(format!(
                "`prove` needs z3 {version}, which is missing: no network; `cargo xtask setup z3` installs it"
            ))
        );
    }
}
