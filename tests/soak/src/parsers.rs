//! Everything that reads bytes, fed with damaged ones in this process: thousands a second.

use crate::corpus::{self, Corpus, Shape};
use crate::damage::{damage, damage_sealed};
use crate::{Round, Tried};
use border::Program;
use config::Config;
use cosim::machine::SourceLines;
use crosstalk::formats::{self, Format};
use crosstalk::hunt::FailIf;
use kit::Dice;
use record::{Item, Run, StreamReader};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// RAM that programs are made for.
const RAM_BYTES: u32 = 16 << 20;

/// A parser: its name, an input that was right before it was damaged, and the law that it keeps.
struct Parser {
    name: &'static str,
    input: fn(&Corpus, &mut Dice) -> Result<Vec<u8>, String>,
    law: fn(&[u8]) -> Result<(), String>,
}

const PARSERS: [Parser; 7] = [
    Parser { name: "run file", input: |_, dice| Ok(any_run(dice)), law: run_file },
    Parser { name: "sealed run file", input: |_, dice| Ok(sealed_run(dice)), law: run_file },
    Parser { name: "record stream", input: |_, dice| Ok(stream(dice)), law: record_stream },
    Parser { name: "export", input: |_, dice| export(dice), law: exported },
    Parser { name: "program", input: elf, law: program },
    Parser { name: "configuration", input: |_, dice| Ok(configuration(dice)), law: configured },
    Parser { name: "--fail-if", input: |_, dice| Ok(expression(dice)), law: fail_if },
];

/// One round: so many inputs to parsers by turns.
pub fn round(round: &Round<'_>) -> Result<Tried, String> {
    let dice = &mut round.dice();
    let corpus = Corpus::new(round.folder, dice)?;
    for number in 0..round.cases {
        let Parser { name, input, law } = &PARSERS[number as usize % PARSERS.len()];
        let input = input(&corpus, dice)?;
        let kept = catch_unwind(AssertUnwindSafe(|| law(&input)));
        let what = match kept {
            Ok(Ok(())) => continue,
            Ok(Err(what)) => what,
            Err(_) => "it panics".to_owned(),
        };
        let path = keep(&input, round.seed)?;
        return Err(format!("{name}, input {number}: {what}; the input is in {}", path.display()));
    }
    Ok(Tried { files: u64::from(round.cases), ..Tried::default() })
}

/// Keeps an input that shows something.
fn keep(input: &[u8], seed: u64) -> Result<PathBuf, String> {
    let folder = tools::target_dir().join("soak/found");
    let path = folder.join(format!("{seed:#x}"));
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, input));
    written.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

fn damaged(mut bytes: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    damage(&mut bytes, dice);
    bytes
}

fn right_run(dice: &mut Dice, seed: u64) -> Vec<u8> {
    let shape = Shape::any(dice);
    corpus::run(dice, seed, shape)
}

fn any_run(dice: &mut Dice) -> Vec<u8> {
    damaged(right_run(dice, 1), dice)
}

fn sealed_run(dice: &mut Dice) -> Vec<u8> {
    let run = right_run(dice, 1);
    damage_sealed(&run, dice)
}

/// Several runs in a row, with noise.
fn stream(dice: &mut Dice) -> Vec<u8> {
    let mut bytes = Vec::new();
    for seed in 0..1 + dice.below(3u64) {
        bytes.extend(right_run(dice, seed));
    }
    damaged(bytes, dice)
}

fn export(dice: &mut Dice) -> Result<Vec<u8>, String> {
    let format = dice.one_of(&[Format::Json, Format::GraphMl, Format::Dot]);
    let shape = Shape::any(dice);
    Ok(damaged(corpus::exported(dice, format, shape)?, dice))
}

fn elf(corpus: &Corpus, dice: &mut Dice) -> Result<Vec<u8>, String> {
    let mut bytes = corpus.bytes("prog.elf")?;
    // What decides is at the beginning and at the end: headers, and the tables of symbols and sections.
    let (start, end) = (bytes.len().min(512), bytes.len().saturating_sub(4096));
    match dice.below(3u32) {
        0 => {
            let rest = bytes.split_off(start);
            damage(&mut bytes, dice);
            bytes.extend(rest);
        }
        1 => {
            let mut tables = bytes.split_off(end);
            damage(&mut tables, dice);
            bytes.extend(tables);
        }
        _ => damage(&mut bytes, dice),
    }
    Ok(bytes)
}

fn configuration(dice: &mut Dice) -> Vec<u8> {
    damaged(corpus::CONFIGURATION.as_bytes().to_vec(), dice)
}

fn expression(dice: &mut Dice) -> Vec<u8> {
    damaged(b"output=^(sum|total) is [^0-9]{1,30}(a|b)+?$".to_vec(), dice)
}

/// A run that is accepted comes back from its own file; one that is not is refused at a place inside.
fn run_file(bytes: &[u8]) -> Result<(), String> {
    match Run::read(bytes) {
        Ok(run) => {
            let again = run.write(Vec::new()).map_err(|error| error.to_string())?;
            same(
                Run::read(&again[..]).as_ref() == Ok(&run),
                "it changes when written to a file and read back",
            )
        }
        Err(error) => inside(error.offset, bytes),
    }
}

/// Whatever comes, a reader ends, and reports no more damage than there are bytes.
fn record_stream(bytes: &[u8]) -> Result<(), String> {
    let mut skipped = 0;
    for item in StreamReader::new(bytes) {
        if let Item::Damage(damage) = item {
            inside(damage.offset, bytes)?;
            skipped += damage.bytes;
        }
    }
    same(skipped <= bytes.len() as u64, "the reader reports more damaged bytes than the stream has")
}

/// The same law for exports.
fn exported(bytes: &[u8]) -> Result<(), String> {
    match formats::read(bytes) {
        Ok(run) => {
            let again = formats::write(&run, Format::Json, &|_| None);
            same(
                formats::read(&again).as_ref() == Ok(&run),
                "it changes when written as JSON and read back",
            )
        }
        Err(error) => inside(error.offset, bytes),
    }
}

/// A program that is accepted fits its memory, and can be asked about every address.
fn program(bytes: &[u8]) -> Result<(), String> {
    let program = match Program::parse(Path::new("x.elf"), bytes.to_vec(), RAM_BYTES) {
        Ok(program) => program,
        Err(what) => return said(&what),
    };
    let room = |size: u64| size <= u64::from(RAM_BYTES);
    let fits = program.segments.iter().all(|segment| room(segment.bytes.len() as u64));
    same(fits, "a program that does not fit memory is accepted")?;
    let lines = SourceLines::of(&program);
    for address in [0, program.entry, program.entry.wrapping_add(0x40), u32::MAX] {
        said(&lines.describe(address))?;
    }
    if let Ok(settings) = program.settings() {
        let mut again = program.clone();
        again.set(&settings).map_err(|error| error.to_string())?;
        same(
            again.settings().as_ref() == Ok(&settings),
            "its settings change when written and read back",
        )?;
    }
    Ok(())
}

/// A configuration that is accepted keeps all limits, and comes back from its canonical text.
fn configured(bytes: &[u8]) -> Result<(), String> {
    let Ok(text) = str::from_utf8(bytes) else { return Ok(()) };
    match text.parse::<Config>() {
        Err(error) => said(&error.to_string()),
        Ok(config) => {
            config
                .check()
                .map_err(|error| format!("it is accepted, but its check fails: {error}"))?;
            let again = config.canonical().parse::<Config>();
            same(
                again.as_ref() == Ok(&config),
                "it changes when written as canonical text and read back",
            )
        }
    }
}

fn fail_if(bytes: &[u8]) -> Result<(), String> {
    let Ok(text) = str::from_utf8(bytes) else { return Ok(()) };
    match text.parse::<FailIf>() {
        Err(what) => said(&what),
        Ok(parsed) => {
            same(parsed.to_string() == text, "it is shown differently from how it was written")
        }
    }
}

fn same(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}

fn said(sentence: &str) -> Result<(), String> {
    same(!sentence.trim().is_empty(), "it is refused without a message")
}

fn inside(offset: u64, bytes: &[u8]) -> Result<(), String> {
    let length = bytes.len();
    if offset <= length as u64 {
        return Ok(());
    }
    Err(format!("the error names byte {offset} of {length} bytes"))
}
