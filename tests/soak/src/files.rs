//! Damaged files for the commands that read them: runs, streams, exports, programs, configurations, sources,
//! and the folder of a hunt.

use crate::child::{self, Ended};
use crate::corpus::Corpus;
use crate::damage::{damage, damage_sealed};
use crate::{Round, Tried, role, verdict};
use kit::Dice;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Time limit for each of these commands.
const DEADLINE: Duration = Duration::from_secs(120);
/// Options that keep a hunt short.
const SHORT_HUNT: [&str; 10] = [
    "--on",
    "golden",
    "--max-runs",
    "6",
    "--failing",
    "2",
    "--passing",
    "2",
    "--max-cycles",
    "60000",
];

/// One round of damaged files.
pub fn round(round: &Round<'_>) -> Result<Tried, String> {
    let dice = &mut round.dice();
    let corpus = Corpus::new(round.folder, dice)?;
    let place = Place { round, corpus: &corpus };
    place.right(dice)?;
    for _ in 0..round.cases {
        let case = match dice.below(20u32) {
            0..=6 => place.run(dice)?,
            7..=8 => place.stream(dice)?,
            9..=11 => place.export(dice)?,
            12..=14 => place.program(dice)?,
            15..=16 => place.configuration(dice)?,
            17..=18 => place.hunt(dice)?,
            _ => place.source(dice)?,
        };
        case.judge(round)?;
    }
    let count = u64::from(round.cases);
    Ok(Tried { files: count, lines: count, ..Tried::default() })
}

/// A command line, what it reads, and the file that a complaint must name.
struct Case {
    line: Vec<OsString>,
    input: Option<PathBuf>,
    damaged: Option<String>,
}

impl Case {
    fn new(line: impl IntoIterator<Item = impl Into<OsString>>, damaged: &Path) -> Self {
        let name = damaged.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let line = line.into_iter().map(Into::into).collect();
        Self { line, input: None, damaged: Some(name) }
    }

    fn run(&self, round: &Round<'_>) -> Result<Ended, String> {
        let mut command: Command = role::crosstalk(round.me, round.folder);
        command.args(&self.line);
        if let Some(input) = &self.input {
            let file = File::open(input);
            command.stdin(file.map_err(|error| format!("{}: {error}", input.display()))?);
        }
        child::run(&mut command, DEADLINE).map_err(|error| error.to_string())
    }

    /// Runs the command on undamaged files, where it must succeed.
    fn succeed(&self, round: &Round<'_>) -> Result<(), String> {
        let ended = self.run(round)?;
        match ended.code {
            Some(0 | 1) => Ok(()),
            _ => Err(found(&self.line, "it rejects a valid file", &ended)),
        }
    }

    fn judge(&self, round: &Round<'_>) -> Result<(), String> {
        let ended = self.run(round)?;
        let command = self.line[0].to_string_lossy();
        match verdict::wrong(&command, &ended, self.damaged.as_deref()) {
            None => Ok(()),
            Some(what) => Err(found(&self.line, &what, &ended)),
        }
    }
}

/// A finding, in words.
pub fn found(line: &[OsString], what: &str, ended: &Ended) -> String {
    let line: Vec<_> = line.iter().map(|word| format!("{word:?}")).collect();
    let said: String = ended.errors.chars().take(2000).collect();
    format!("crosstalk {}: {what}\n{said}", line.join(" "))
}

/// Where a round puts its files.
struct Place<'a> {
    round: &'a Round<'a>,
    corpus: &'a Corpus,
}

impl Place<'_> {
    fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, String> {
        let path = self.round.folder.join(name);
        fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    fn damaged(&self, good: &str, name: &str, dice: &mut Dice) -> Result<PathBuf, String> {
        let mut bytes = self.corpus.bytes(good)?;
        damage(&mut bytes, dice);
        self.write(name, &bytes)
    }

    /// Checks that the commands accept the undamaged files, so that later rejections are due to the damage.
    fn right(&self, dice: &mut Dice) -> Result<(), String> {
        let good =
            self.corpus.path(dice.one_of(&["runs/1.run", "one.json", "one.graphml", "one.dot"]));
        let line = self.reading(&good, dice);
        Case { line, input: None, damaged: None }.succeed(self.round)
    }

    /// A run among others that are right, for a command that reads runs.
    fn reading(&self, path: &Path, dice: &mut Dice) -> Vec<OsString> {
        let out = self.round.folder.join("out");
        let (out, runs) = (out.as_os_str(), self.corpus.path("runs"));
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let mut line = match dice.below(9u32) {
            0 => words(&["stats"]),
            1 => words(&["rank", "--json"]),
            2 => words(&["explain"]),
            3 => words(&["diff"]),
            4 => words(&["graph", "--context", "2"]),
            5 => {
                let format = dice.one_of(&["run", "json", "graphml", "dot"]);
                words(&["export", "--to", format])
            }
            6 => [words(&["report", "-o"]), vec![out.into()]].concat(),
            7 => [words(&["testing-graph", "-o"]), vec![out.into()]].concat(),
            _ => [words(&["watch"]), vec![self.corpus.path("testing.run").into()]].concat(),
        };
        line.push(path.into());
        if dice.one_in(2) {
            line.push(runs.into());
        }
        if dice.one_in(3) && !matches!(line[0].to_str(), Some("stats" | "testing-graph")) {
            line.extend(["--elf".into(), self.corpus.path("prog.elf").into()]);
        }
        line
    }

    fn run(&self, dice: &mut Dice) -> Result<Case, String> {
        let good = format!("runs/{}.run", dice.below(6u32));
        let path = if dice.one_in(2) {
            self.damaged(&good, "damaged.run", dice)?
        } else {
            let bytes = damage_sealed(&self.corpus.bytes(&good)?, dice);
            self.write("damaged.run", &bytes)?
        };
        let line = self.reading(&path, dice);
        // What is right but of another program, or has nothing that failed, is refused by other names.
        let damaged = record::Run::read(&fs::read(&path).unwrap_or_default()[..]).is_err();
        let case = Case::new(line, &path);
        Ok(if damaged { case } else { Case { damaged: None, ..case } })
    }

    fn stream(&self, dice: &mut Dice) -> Result<Case, String> {
        let good = format!("runs/{}.run", dice.below(6u32));
        let path = self.damaged(&good, "damaged.stream", dice)?;
        let line: [OsString; 3] =
            ["watch".into(), self.corpus.path("testing.run").into(), "-".into()];
        Ok(Case { input: Some(path.clone()), damaged: None, ..Case::new(line, &path) })
    }

    fn export(&self, dice: &mut Dice) -> Result<Case, String> {
        let good = dice.one_of(&["one.json", "one.graphml", "one.dot"]);
        let path = self.damaged(good, &format!("damaged-{good}"), dice)?;
        let line = self.reading(&path, dice);
        let damaged = crosstalk::formats::read_file(&path).is_err();
        let case = Case::new(line, &path);
        Ok(if damaged { case } else { Case { damaged: None, ..case } })
    }

    fn program(&self, dice: &mut Dice) -> Result<Case, String> {
        let path = self.damaged("prog.elf", "damaged.elf", dice)?;
        let word = path.clone().into_os_string();
        let line: Vec<OsString> = match dice.below(3u32) {
            0 => ["run".into(), word, "--max-cycles".into(), "20000".into()].into(),
            1 => {
                let hunt: Vec<OsString> = vec!["hunt".into(), word, "-o".into(), "hunted".into()];
                hunt.into_iter().chain(SHORT_HUNT.map(Into::into)).collect()
            }
            _ => ["rank".into(), self.corpus.path("runs").into(), "--elf".into(), word].into(),
        };
        let _ = fs::remove_dir_all(self.round.folder.join("hunted"));
        Ok(Case { damaged: None, ..Case::new(line, &path) })
    }

    fn configuration(&self, dice: &mut Dice) -> Result<Case, String> {
        let path = self.damaged("machine.toml", "damaged.toml", dice)?;
        let text = fs::read(&path).unwrap_or_default();
        let refused =
            str::from_utf8(&text).map_or(true, |text| text.parse::<config::Config>().is_err());
        let (program, word) = (self.corpus.path("prog.elf"), path.clone().into_os_string());
        // A machine that is legal would have to be built: only the golden one comes for nothing.
        let line: Vec<OsString> = if refused && dice.one_in(2) {
            ["run".into(), program.into(), "--config".into(), word].into()
        } else {
            let _ = fs::remove_dir_all(self.round.folder.join("hunted"));
            let hunt: Vec<OsString> = vec!["hunt".into(), program.into(), "--config".into(), word];
            let rest = ["-o", "hunted"].into_iter().chain(SHORT_HUNT).map(Into::into);
            hunt.into_iter().chain(rest).collect()
        };
        let case = Case::new(line, &path);
        Ok(if refused { case } else { Case { damaged: None, ..case } })
    }

    /// The folder of a hunt with something wrong in it, to be resumed.
    fn hunt(&self, dice: &mut Dice) -> Result<Case, String> {
        let folder = self.round.folder.join("resumed");
        let _ = fs::remove_dir_all(&folder);
        let mut line: Vec<OsString> =
            vec!["hunt".into(), self.corpus.path("prog.elf").into(), "-o".into(), "resumed".into()];
        line.extend(SHORT_HUNT.map(OsString::from));
        let mut case = Case { line, input: None, damaged: None };
        case.succeed(self.round)?;
        let file = dice.one_of(&["hunt.json", "schedules.jsonl", "runs/1.run", "runs/3.run"]);
        let path = folder.join(file);
        let mut bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        damage(&mut bytes, dice);
        fs::write(&path, &bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        case.line.push("--resume".into());
        Ok(case)
    }

    fn source(&self, dice: &mut Dice) -> Result<Case, String> {
        let path = self.damaged("prog.c", "damaged.c", dice)?;
        let line: [OsString; 4] =
            ["cc".into(), path.clone().into(), "-o".into(), "damaged-source.elf".into()];
        Ok(Case { damaged: None, ..Case::new(line, &path) })
    }
}
