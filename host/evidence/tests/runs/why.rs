//! Who wrote what is in memory: exact for every byte, and by the names that a person uses.

use crate::common::Subject;
use border::tohost::{Output, serve};
use border::{Place, Target};
use evidence::code::Code;
use evidence::log::Log;
use evidence::run::Recording;
use evidence::why::{Asked, ExpressionError, Told, history, pieces};
use golden::Mode;
use golden::isa::{Hart, Retired};
use golden::machine::{Look, Machine, Scheduling, Segment, Witness};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, Mutex};

/// Who wrote a byte last, kept in the plainest way: no pages, no stacks, no library.
#[derive(Default)]
struct Naive {
    /// Of each byte its value, and if the program wrote it, the instruction.
    bytes: BTreeMap<u32, (u8, Option<u32>)>,
    over: bool,
    /// Written after the run was over, or by the host: an answer to a call, which the log does not follow.
    late: BTreeSet<u32>,
}

/// Shows a run to the plain model and to the log.
struct Both {
    naive: Arc<Mutex<Naive>>,
    log: Witness,
}

impl Look for Both {
    fn instruction(&mut self, number: usize, hart: &Hart, retired: &Retired) {
        self.naive.lock().unwrap().see(hart, retired);
        self.log.instruction(number, hart, retired);
    }

    fn host_wrote(&mut self, address: u32, bytes: &[u8]) {
        self.naive.lock().unwrap().late.extend((address..).take(bytes.len()));
    }
}

impl Naive {
    fn see(&mut self, hart: &Hart, retired: &Retired) {
        let is_user = retired.mode == Mode::User;
        let is_memory = retired.mem_addr >= border::map::RAM.base;
        for lane in (0..4).filter(|lane| is_memory && retired.mem_wmask & 1 << lane != 0) {
            let address = retired.mem_addr + lane;
            if self.over {
                self.late.insert(address);
                continue;
            }
            let value = retired.mem_wdata.to_le_bytes()[lane as usize];
            let by = is_user.then_some(retired.pc_rdata);
            self.bytes.insert(address, (value, by));
            self.late.remove(&address);
        }
        // An exception of the program is its end, unless it is a call that is none: see `firmware/boot`.
        let is_call = retired.cause.is_some_and(|cause| cause.mcause() == 8);
        let ends = !is_call || matches!(hart.register(A7), EXIT | ASSERTION);
        self.over |= is_user && retired.trap && ends;
    }
}

/// The calls of `firmware/include/crosstalk/calls.h` that end a run, and the register that says which it is.
const EXIT: u32 = 0;
const ASSERTION: u32 = 6;
const A7: u8 = 17;

static SCRIBBLE: LazyLock<Subject> = LazyLock::new(|| Subject::new("scribble.c"));

/// A run of the random program, as the log has it, as the naive model has it, and the machine that made it.
fn scribbled(numbers: u32, length: u32, seed: u64) -> (Log, Naive, Machine) {
    let lab = &SCRIBBLE.lab;
    let mut program = lab.code.loaded().clone();
    let mut settings = program.settings().unwrap();
    let arguments = ["scribble".to_owned(), numbers.to_string(), length.to_string()];
    settings.arguments = arguments.map(String::into_bytes).to_vec();
    program.set(&settings).unwrap();
    let (points, strategy) = (Arc::default(), Scheduling::of_seed(seed));
    let mut machine = Machine::scheduled(&lab.parameters, seed, strategy, points);
    for segment in &program.segments {
        machine.load(Segment { address: segment.address, bytes: &segment.bytes }).unwrap();
    }
    let tohost: Place = program.tohost().unwrap();
    Target::watch(&mut machine, tohost).unwrap();
    // The log is that of the program as it was loaded, arguments and all.
    let code = Arc::new(Code::of(Arc::new(program.clone())).unwrap());
    let recording = Recording::new(code, Arc::default());
    let naive = Arc::new(Mutex::new(Naive::default()));
    machine.show(Box::new(Both { naive: naive.clone(), log: recording.witness() }));
    let (mut console, mut errors) = (Vec::new(), Vec::new());
    let mut output = Output::new(&mut console, &mut errors);
    // A heap that was written over may be walked for ever.
    let ended = serve(&mut machine, &program, 200_000, &mut output).unwrap();
    let log = recording.finish(&ended.end);
    machine.show(Box::new(|_: usize, _: &Hart, _: &Retired| ()));
    let naive = Arc::try_unwrap(naive).ok().expect("nobody else has it").into_inner().unwrap();
    (log, naive, machine)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Every byte that anybody wrote: the value is that of the golden memory, the last writer that of the plain
    /// model, and the newest write of the history the last writer.
    #[test]
    fn last_writers_are_exact_for_every_byte(numbers: u32, length in 1u32..60, seed in 0u64..1000) {
        let (log, naive, mut machine) = scribbled(numbers, length, seed);
        let mut checked = 0;
        for (address, (value, by)) in &naive.bytes {
            let found = pieces(&log, *address..*address + 1);
            let [piece] = &found[..] else { panic!("{found:?}") };
            prop_assert_eq!(&piece.bytes, &[*value], "value at {:#x}", address);
            if !naive.late.contains(address) {
                let mut byte = [0];
                Target::read(&mut machine, *address, &mut byte).unwrap();
                prop_assert_eq!(byte[0], *value, "golden memory at {:#x}", address);
            }
            let pc = piece.writer.and_then(|writer| writer.access).map(|access| access.pc);
            prop_assert_eq!(pc, *by, "writer of {:#x}", address);
            if let Some(writer) = piece.writer {
                let newest = history(&log, *address..*address + 1).next();
                let newest = newest.map(|(at, access)| (at, Some(*access)));
                prop_assert_eq!(newest, Some((writer.at, writer.access)));
                checked += 1;
            }
        }
        prop_assert!(checked > 100, "{} bytes", checked);
        // Bytes beside each other are told apart exactly where their writers differ.
        for start in naive.bytes.keys().copied().step_by(97) {
            let found = pieces(&log, start..start + 64);
            prop_assert_eq!(found.iter().map(|piece| piece.bytes.len()).sum::<usize>(), 64);
            let at = |piece: &evidence::why::Piece| piece.writer.map(|writer| writer.at);
            prop_assert!(found.windows(2).all(|two| at(&two[0]) != at(&two[1])));
        }
    }
}

static ASKED: LazyLock<Subject> = LazyLock::new(|| Subject::with("asked.c", &["-O0"]));

fn asked(log: &Log, text: &str) -> Result<Asked, ExpressionError> {
    Asked::read(&ASKED.names, &log.memory, text)
}

/// The bytes of an expression, and the marks of their last writers.
fn last(log: &Log, text: &str) -> (Vec<u8>, Vec<Option<String>>) {
    let asked = asked(log, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let found = pieces(log, asked.range());
    let bytes = found.iter().flat_map(|piece| piece.bytes.clone()).collect();
    let mark =
        |piece: &evidence::why::Piece| piece.writer.map(|writer| ASKED.mark(writer.place.pc));
    (bytes, found.iter().map(mark).collect())
}

#[test]
fn expressions_name_bytes_and_their_last_writers() {
    let log = ASKED.run(1);
    for (text, bytes, marks) in [
        ("pool.used", vec![3, 0, 0, 0], vec!["used"]),
        ("pool.head->key", vec![42, 0], vec!["key"]),
        ("pool.head->number", vec![4, 3, 9, 1], vec!["number", "raw", "number"]),
        ("pool.head->raw[2]", vec![9], vec!["raw"]),
        ("(*pool.head).raw[2]", vec![9], vec!["raw"]),
        ("pool.head->next->key", vec![8, 0], vec!["key"]),
        ("pool.nodes[1].key", vec![8, 0], vec!["key"]),
        ("table[1][2]", vec![7, 0, 0, 0], vec!["table"]),
        ("((struct node *)pool.any)->key", vec![42, 0], vec!["key"]),
        ("*(short *)&pool.nodes[1].key", vec![8, 0], vec!["key"]),
        ("(*(struct node **)&pool.head)->key", vec![42, 0], vec!["key"]),
        ("pool.head[0].key", vec![42, 0], vec!["key"]),
    ] {
        let marks = marks.into_iter().map(|mark| Some(mark.to_owned())).collect();
        assert_eq!(last(&log, text), (bytes, marks), "{text}");
    }
    for (text, value) in [("never", vec![0; 4]), ("*text", vec![b'f']), ("text[4]", vec![b'd'])] {
        assert_eq!(last(&log, text), (value, vec![None]), "{text}");
    }
    let calls = asked(&log, "worker::calls").unwrap();
    assert_eq!(asked(&log, "calls").unwrap().address, calls.address);
    assert_eq!(asked(&log, "asked.c::total").unwrap().bytes, 4);
    let address = asked(&log, "pool.head->number").unwrap().address;
    let by_address = asked(&log, &format!("{:#x}:2", address + 1)).unwrap();
    assert_eq!((by_address.address, by_address.bytes), (address + 1, 2));
    assert_eq!(asked(&log, &address.to_string()).unwrap().bytes, 4);
}

#[test]
fn a_write_after_free_is_told_with_the_free() {
    let log = ASKED.run(1);
    let told = Told::of(&ASKED.names, &log, &asked(&log, "lost->key").unwrap(), 8);
    let lines: Vec<_> = told.history.iter().map(|write| write.at.text.clone().unwrap()).collect();
    let has = |place: usize, mark: &str| lines[place].contains(&format!("@{mark} "));
    assert!(has(0, "after"), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("@before ")), "{lines:?}");
    let freed = told.freed.as_ref().unwrap();
    assert!(freed.at.text.as_deref().unwrap().contains("@free "), "{freed:?}");
    let last = told.last().unwrap();
    assert!(freed.event < last.event && last.thread == "worker 1");
    assert_eq!(last.after, Some(6));
}

#[test]
fn a_writer_is_told_with_its_thread_its_value_and_its_calls() {
    let log = ASKED.run(1);
    let told = Told::of(&ASKED.names, &log, &asked(&log, "pool.head").unwrap(), 1);
    let last = told.last().unwrap();
    assert_eq!((last.thread.as_str(), last.at.function.as_deref()), ("worker 1", Some("link_up")));
    assert!(last.stack[0].text.as_deref().unwrap().contains("@call "), "{:?}", last.stack);
    assert_eq!((told.history.len(), told.older), (1, 1), "main wrote it before");
    assert_eq!(told.history[0].before, asked(&log, "pool.nodes[1]").ok().map(|node| node.address));
}

#[test]
fn expressions_that_mean_nothing_are_a_sentence_each() {
    let log = ASKED.run(1);
    for (text, said) in [
        ("tota", "there is no variable `tota` with a fixed address; did you mean `total`?"),
        ("node", "there is no variable `node` with a fixed address"),
        ("used", "there is no variable `used` with a fixed address; did you mean `pool.used`?"),
        ("pool.free", "`pool` has no member `free`; it has used, nodes, head, any"),
        ("pool.head.key", "`pool.head` is a pointer; write `->` instead of `.`"),
        ("pool->used", "`pool` is not a pointer; write `.` instead of `->`"),
        ("table[2]", "`table` has no element 2: it has 2, numbered from 0"),
        ("table[-1]", "`table` has no element -1: it has 2, numbered from 0"),
        ("total[0]", "`total` is neither a pointer nor an array"),
        ("*pool.any", "`pool.any` points to something of unknown size"),
        ("pool.nodes[0].next->key", "`*pool.nodes[0].next` is at 0x0, where there is no memory"),
        (
            "&total",
            "`&total` is an address, which nobody writes; for what is stored there, ask for",
        ),
        ("(struct nothing *)0x80000000", "the program has no type `struct nothing`"),
        ("0x14", "`0x14` is at 0x14, where there is no memory"),
        ("0xfffffffe:4", "is at 0xfffffffe, where there is no memory"),
        ("0x80000000:0x100000", "has 1048576 bytes; ask for a part of at most 65536"),
        ("0x80000000:0", "expected at least one byte"),
        ("total = 3", "expected `.`, `->`, `[` or the end at byte 6 of `total = 3`, got `=`"),
        ("", "expected a variable or an address at byte 0 of ``, which ends there"),
        ("nowhere.c::total", "there is no variable `total`"),
    ] {
        let error = asked(&log, text).map(|asked| format!("{asked:?}")).unwrap_err().to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
}

proptest! {
    #[test]
    fn no_expression_makes_it_panic(
        text in prop_oneof![
            "\\PC{0,40}",
            "[-*&(]{0,4}(pool|table|lost|text|total|0x[0-9a-f]{1,9})([.]|->|\\[[0-9]{1,10}\\]|used|head|next|nodes|key|[)]|:[0-9]{1,6}){0,7}",
        ]
    ) {
        static LOG: LazyLock<Log> = LazyLock::new(|| ASKED.run(1));
        if let Ok(asked) = asked(&LOG, &text) {
            prop_assert_eq!(Told::of(&ASKED.names, &LOG, &asked, 4).bytes.len(), asked.bytes as usize);
        }
    }
}
