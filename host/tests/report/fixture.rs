//! A message whose text and length must belong together, and threads that do not keep them together: the
//! two-variable bug of Bugaboo's Figure 4, compiled, run under seeded schedules and recorded.

use crosstalk::analysis::{Analysis, Request};
use crosstalk::code::{CodeMap, CodeOptions};
use crosstalk::report::{Limits, Report};
use crosstalk::runs::RunFile;
use object::{Object, ObjectSection};
use record::{
    Access, Collected, Ctx, Edge, EdgeKind, End, Ending, Hart, Header, Label, Pc, Run, Time, Total,
    Totals,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "\
/* A message: its text and its length must belong together. */
volatile struct { int text, length; } message;
volatile int served, journal;

void publish(int value) {
    message.text = value;
    message.length = value;
}

int deliver(void) {
    int text = message.text;
    int length = message.length;
    return text == length;
}

void count(void) {
    int before = served;
    served = before + 1;
}

void note(int what) {
    if (journal < what)
        journal = what;
}

int main(void) {
    publish(1);
    count();
    note(2);
    return !deliver();
}
";

/// What a thread does: a line, and the variable that it reads or writes.
#[derive(Clone, Copy)]
enum Op {
    Load(u32, usize),
    Store(u32, usize),
}

const TEXT: usize = 0;
const LENGTH: usize = 1;
const SERVED: usize = 2;
const JOURNAL: usize = 3;

/// What the threads do in one round, each piece in one go but for `publish`, whose two stores
/// belong together and are not kept together.
const COUNT: [Op; 2] = [Op::Load(17, SERVED), Op::Store(18, SERVED)];
const NOTE: [Op; 2] = [Op::Load(22, JOURNAL), Op::Store(23, JOURNAL)];
const PUBLISH: [Op; 2] = [Op::Store(6, TEXT), Op::Store(7, LENGTH)];
const DELIVER: [Op; 2] = [Op::Load(11, TEXT), Op::Load(12, LENGTH)];

/// A schedule: which hart does what. Now and then `deliver` gets between the stores of `publish`.
fn schedule(seed: u64) -> Vec<(usize, Op)> {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d;
    let mut one_in = |bound: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 33).is_multiple_of(bound)
    };
    let on = |hart: usize, ops: &[Op]| ops.iter().map(|op| (hart, *op)).collect::<Vec<_>>();
    let mut steps = [on(0, &NOTE), on(1, &COUNT)].concat();
    for round in 0..4 {
        let [first, second] = PUBLISH.map(|op| vec![(0, op)]);
        let message = match round > 0 && one_in(8) {
            true => [first, on(1, &DELIVER), second].concat(),
            false => [first, second, on(1, &DELIVER)].concat(),
        };
        let counts = match one_in(3) {
            true => [on(2, &COUNT), on(3, &COUNT)].concat(),
            false => [on(3, &COUNT), on(2, &COUNT)].concat(),
        };
        steps.extend([message, counts, on(2, &NOTE), on(3, &NOTE)].concat());
    }
    steps
}

/// A program in a folder, with what lines its instructions are.
pub struct Program {
    pub folder: tempfile::TempDir,
    name: String,
    /// An instruction of each line.
    pcs: BTreeMap<u32, u64>,
    hash: record::Hash,
}

impl Program {
    pub fn plain() -> Self {
        Self::build(SOURCE, "message")
    }

    /// The same with text in it that would like to be part of the page.
    pub fn hostile(name: &str, comment: &str) -> Self {
        let source = SOURCE.replace(
            "int length = message.length;",
            &format!("int length = message.length; /* {comment} */"),
        );
        Self::build(&source, name)
    }

    fn build(source: &str, name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("message.c"), source).unwrap();
        let compiled = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
            .args(["-g", "-O0", "-no-pie", "-o", "message", "message.c"])
            .current_dir(folder.path())
            .output()
            .expect("a C compiler is needed: install cc, or name one in CC");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let elf = folder.path().join("message");
        let map = CodeMap::load(&CodeOptions { elf: Some(elf.clone()), ..CodeOptions::default() });
        let map = map.unwrap();
        let bytes = std::fs::read(&elf).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let text = file.section_by_name(".text").unwrap();
        let mut pcs = BTreeMap::new();
        for pc in text.address()..text.address() + text.size() {
            let point = map.describe(map.key(Pc(pc)), &[Pc(pc)]);
            if let Some(location) = point.location {
                pcs.entry(location.line).or_insert(pc);
            }
        }
        Self { folder, name: name.to_owned(), pcs, hash: kit::cache::sha256(&bytes) }
    }

    pub fn elf(&self) -> PathBuf {
        self.folder.path().join("message")
    }

    /// Writes runs under seeds from 0 into a folder.
    pub fn record(&self, folder: &Path, runs: u64) -> Vec<RunFile> {
        let write = |seed: u64| {
            let name = format!("{seed:03}.run");
            let path = folder.join(&name);
            let bytes = self.run(seed).write(Vec::new()).unwrap();
            std::fs::write(&path, bytes).unwrap();
            RunFile { path, name, label: None }
        };
        (0..runs).map(write).collect()
    }

    /// Runs the threads under a schedule and watches them.
    fn run(&self, seed: u64) -> Run {
        let mut machine = Machine::default();
        let mut failed = false;
        let mut seen_text = 0;
        for (hart, op) in schedule(seed) {
            match op {
                Op::Load(line, variable) => {
                    let value = machine.load(hart, self.pcs[&line], variable);
                    match variable {
                        TEXT => seen_text = value,
                        LENGTH => failed |= value != seen_text,
                        _ => {}
                    }
                }
                Op::Store(line, variable) => machine.store(hart, self.pcs[&line], variable),
            }
        }
        let outcome = match failed {
            true => End::Assertion { file: "message.c".into(), line: 13 },
            false => End::Exit { code: 0 },
        };
        let header = Header {
            label: Label::Unknown,
            collected: Collected::Model,
            events: 5,
            harts: 4,
            time_bits: 32,
            seed,
            runs: 1,
            elf: self.hash,
            program: self.name.clone(),
            ..Header::default()
        };
        let lost = if seed == 7 { BTreeMap::from([(Hart(1), 2)]) } else { BTreeMap::new() };
        let ending = Ending { outcome, cycles: machine.time, ..Ending::default() };
        Run { header, edges: machine.totals.into_sorted(), lost, ending }
    }
}

/// Four harts with caches, watched: who wrote last, who has it, what each saw last.
#[derive(Default)]
struct Machine {
    time: u64,
    contexts: [u32; HARTS],
    values: [u64; 4],
    writers: [Option<Access>; 4],
    holders: [[bool; HARTS]; 4],
    totals: Totals,
}

const HARTS: usize = 4;
const LOCAL_READ: u32 = 0;
const LOCAL_WRITE: u32 = 1;

impl Machine {
    fn access(&mut self, hart: usize, pc: u64) -> Access {
        self.time += 1;
        let ctx = Ctx(self.contexts[hart]);
        Access { pc: Pc(pc), ctx, time: Time(self.time), hart: Hart(hart as u8) }
    }

    /// Those who have the variable see it; so does the one who asked.
    fn tell(&mut self, hart: usize, variable: usize, event: u32) {
        for other in 0..HARTS {
            let local = other == hart;
            if local || self.holders[variable][other] {
                let event = if local { event } else { event + 2 };
                self.contexts[other] = (self.contexts[other] << 2 | event) & 0x3ff;
            }
        }
    }

    fn communicate(&mut self, sink: Access, variable: usize, kind: EdgeKind) {
        if let Some(source) = self.writers[variable].filter(|source| source.hart != sink.hart) {
            self.totals.add(&Total::from(Edge { source, sink, kind }));
        }
    }

    fn load(&mut self, hart: usize, pc: u64, variable: usize) -> u64 {
        if !self.holders[variable][hart] {
            let access = self.access(hart, pc);
            self.communicate(access, variable, EdgeKind::Raw);
            self.tell(hart, variable, LOCAL_READ);
            self.holders[variable][hart] = true;
        }
        self.values[variable]
    }

    fn store(&mut self, hart: usize, pc: u64, variable: usize) {
        let access = self.access(hart, pc);
        let alone = (0..HARTS).all(|other| self.holders[variable][other] == (other == hart));
        if !alone {
            self.communicate(access, variable, EdgeKind::Waw);
            self.tell(hart, variable, LOCAL_WRITE);
        }
        self.holders[variable] = std::array::from_fn(|other| other == hart);
        self.writers[variable] = Some(access);
        self.values[variable] += 1;
    }
}

/// Everything about these runs.
pub fn analyzed(files: Vec<RunFile>, code: CodeOptions) -> Analysis {
    let request = Request { files, code, ..Request::default() };
    Analysis::of(&request, &|| {}).unwrap()
}

/// The report of these runs.
pub fn report(program: &Program, files: Vec<RunFile>) -> Report {
    let code = CodeOptions { elf: Some(program.elf()), ..CodeOptions::default() };
    Report::of(&analyzed(files, code), Limits::default())
}
