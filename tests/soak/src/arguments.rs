//! Random command lines of every `crosstalk` command, made from the command line's own definition, so that
//! a new command or option is tried without a change here.

use crate::corpus::Corpus;
use crate::files::found;
use crate::{Round, Tried, child, role, verdict};
use clap::{Arg, ArgAction, Command as Described};
use kit::Dice;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::time::Duration;

/// The longest that a command may take.
const DEADLINE: Duration = Duration::from_secs(120);

/// Options that every command gets, so that it ends soon.
const ALWAYS: [(&str, &[&str]); 2] = [
    ("run", &["--max-cycles", "2000"]),
    ("hunt", &["--on", "golden", "--max-runs", "5", "--max-cycles", "50000"]),
];
/// Options that are left out: those above, and those that would have a machine built, which takes minutes.
const LEFT_OUT: [(&str, &[&str]); 2] = [
    ("run", &["max_cycles", "vcd", "from", "to", "preset", "config"]),
    ("hunt", &["on", "max_runs", "max_cycles"]),
];
/// Numbers of harts that make no command build a machine: the default, and invalid ones.
const HARTS: [&str; 6] = ["4", "0", "17", "-1", "4294967296", "four"];

/// Unusual and invalid values.
const VALUES: [&str; 22] = [
    "0",
    "1",
    "2",
    "16",
    "17",
    "-1",
    "255",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "0x10",
    "1e9",
    "NaN",
    "",
    " ",
    "missing",
    "missing/deep/x",
    ".",
    "a\nb",
    "output=(",
    "é→",
];

/// One round of random command lines.
pub fn round(round: &Round<'_>) -> Result<Tried, String> {
    let dice = &mut round.dice();
    let corpus = Corpus::new(round.folder, dice)?;
    let mut tool = crosstalk::cli::command();
    tool.build();
    let commands: Vec<&Described> =
        tool.get_subcommands().filter(|command| command.get_name() != "help").collect();
    for number in 0..round.cases {
        let line = match number as usize {
            // A tenth has no such command, or no command at all.
            number if number % 10 == 9 => nonsense(dice),
            number => line(commands[number % commands.len()], &corpus, dice),
        };
        judge(round, &line)?;
    }
    Ok(Tried { lines: u64::from(round.cases), ..Tried::default() })
}

fn judge(round: &Round<'_>, line: &[OsString]) -> Result<(), String> {
    let mut command = role::crosstalk(round.me, round.folder);
    command.args(line);
    let ended = child::run(&mut command, DEADLINE).map_err(|error| error.to_string())?;
    let name = line.first().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match verdict::wrong(&name, &ended, None) {
        None => Ok(()),
        Some(what) => Err(found(line, &what, &ended)),
    }
}

fn nonsense(dice: &mut Dice) -> Vec<OsString> {
    (0..dice.below(4u32)).map(|_| word(dice)).collect()
}

/// A command line: positional arguments and options, some of them valid.
fn line(command: &Described, corpus: &Corpus, dice: &mut Dice) -> Vec<OsString> {
    let name = command.get_name();
    let of = |table: &[(&str, &'static [&'static str])]| {
        table.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, list)| list)
    };
    let left_out = of(&LEFT_OUT);
    let wanted = |arg: &&Arg| !left_out.contains(&arg.get_id().as_str());
    let arguments: Vec<&Arg> = command.get_arguments().filter(wanted).collect();
    let (positional, options): (Vec<&Arg>, Vec<&Arg>) =
        arguments.into_iter().partition(|arg| arg.is_positional());
    let mut line = vec![OsString::from(name)];
    let mut last = Vec::new();
    for arg in positional {
        let part = if arg.is_last_set() { &mut last } else { &mut line };
        let least = u32::from(arg.is_required_set() || !dice.one_in(10));
        for _ in 0..least + dice.below(2u32) {
            part.push(file(name, corpus, dice));
        }
    }
    let wanted = 1 + dice.below(6usize);
    let chosen: Vec<_> = options.iter().filter(|_| dice.below(options.len()) < wanted).collect();
    for arg in chosen {
        option(arg, name, corpus, dice, &mut line);
    }
    line.extend(of(&ALWAYS).iter().map(OsString::from));
    if !last.is_empty() {
        line.push("--".into());
        line.extend(last);
    }
    line
}

fn option(arg: &Arg, command: &str, corpus: &Corpus, dice: &mut Dice, line: &mut Vec<OsString>) {
    let Some(long) = arg.get_long() else { return };
    line.push(format!("--{long}").into());
    if !matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) {
        return;
    }
    let known: Vec<_> = arg.get_possible_values().iter().map(|v| v.get_name().to_owned()).collect();
    let names = arg.get_value_names().unwrap_or_default();
    let of_files = names.iter().any(|name| ["FILE", "FILE.run", "DIR", "RUNS"].contains(&&**name));
    let value = match dice.below(4u32) {
        _ if long == "harts" => dice.one_of(&HARTS).into(),
        0 => word(dice),
        _ if !known.is_empty() => known[dice.below(known.len())].clone().into(),
        _ if of_files => file(command, corpus, dice),
        _ => dice.one_of(&["1", "2", "5", "0"]).into(),
    };
    line.push(value);
}

/// A path that usually exists.
fn file(command: &str, corpus: &Corpus, dice: &mut Dice) -> OsString {
    let programs = ["prog.elf", "prog.elf", "prog.c", "runs/1.run"];
    let runs =
        ["runs", "runs/1.run", "runs/2.run", "one.json", "one.dot", "prog.elf", "machine.toml"];
    let good = match command {
        "run" | "hunt" => dice.one_of(&programs),
        "cc" => dice.one_of(&["prog.c", "prog.c", "machine.toml", "runs"]),
        _ => dice.one_of(&runs),
    };
    if dice.one_in(6) { word(dice) } else { corpus.path(good).into() }
}

/// A path that does not exist.
fn word(dice: &mut Dice) -> OsString {
    if dice.one_in(10) {
        // No text at all; a slash would be a path to somewhere else.
        let byte = |dice: &mut Dice| (dice.below(255u8) + 1).max(b'/' + 1);
        return OsString::from_vec((0..1 + dice.below(20u32)).map(|_| byte(dice)).collect());
    }
    dice.one_of(&VALUES).into()
}
