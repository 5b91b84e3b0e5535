//! Instructions as lines of source: what a compiler's debug information says.

use crosstalk::code::{CodeMap, CodeOptions, CodePoint, PointKey, is_meant};
use object::{Object, ObjectSymbol};
use record::Pc;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "\
volatile int balance;
static inline __attribute__((always_inline)) void bump(int by) {
    balance += by;
}
__attribute__((noinline)) void deposit(int by) {
    bump(by);
}
int main(void) {
    deposit(3);
    return balance;
}
";

struct Built {
    folder: tempfile::TempDir,
    elf: PathBuf,
}

fn build(flags: &[&str]) -> Built {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bank.c"), SOURCE).unwrap();
    let compiled = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
        .args(["-O1", "-no-pie", "-o", "bank", "bank.c"])
        .args(flags)
        .current_dir(folder.path())
        .output()
        .expect("a C compiler is needed: install cc, or name one in CC");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let elf = folder.path().join("bank");
    Built { folder, elf }
}

fn function(elf: &Path, name: &str) -> std::ops::Range<u64> {
    let bytes = std::fs::read(elf).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name)).unwrap();
    symbol.address()..symbol.address() + symbol.size()
}

fn points(map: &CodeMap, range: std::ops::Range<u64>) -> Vec<CodePoint> {
    range.map(|pc| map.describe(map.key(Pc(pc)), &[Pc(pc)])).collect()
}

fn load(built: &Built, library: &[&str]) -> CodeMap {
    let library = library.iter().map(|path| (*path).to_owned()).collect();
    CodeMap::load(&CodeOptions { elf: Some(built.elf.clone()), library, ..CodeOptions::default() })
        .unwrap()
}

#[test]
fn inlined_code_is_found_where_it_was_written() {
    let built = build(&["-g"]);
    let map = load(&built, &[]);
    assert!(map.has_lines());
    let points = points(&map, function(&built.elf, "deposit"));
    let inlined =
        points.iter().find(|point| is_meant(point, "bank.c:3")).expect("line 3 is inlined");
    assert_eq!(inlined.function.as_deref(), Some("bump"));
    assert_eq!(inlined.text.as_deref(), Some("balance += by;"));
    let outer = &inlined.inlined_at[0];
    assert_eq!(outer.function, "deposit");
    assert_eq!(outer.location.as_ref().map(ToString::to_string).as_deref(), Some("bank.c:6"));
    assert!(is_meant(inlined, "bump") && !is_meant(inlined, "bank.c:4"));
    let path = built.folder.path().to_str().unwrap();
    assert!(points.iter().all(|point| !format!("{point:?}").contains(path)), "no absolute paths");
}

#[test]
fn instructions_of_one_line_are_one_code_point() {
    let built = build(&["-g"]);
    let map = load(&built, &[]);
    let keys: Vec<_> = function(&built.elf, "deposit").map(|pc| map.key(Pc(pc))).collect();
    let mut distinct = keys.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert!(distinct.len() < keys.len());
    assert!(distinct.iter().all(|key| matches!(key, PointKey::Line(_))));
    assert_eq!(map.key(Pc::NULL), PointKey::Nothing);
    assert_eq!(map.key(Pc(0x10)), PointKey::Address(0x10), "no code is there");
}

#[test]
fn without_debug_information_there_are_addresses_and_symbols() {
    let built = build(&["-g0"]);
    let map = load(&built, &[]);
    let deposit = function(&built.elf, "deposit").start;
    let point = map.describe(map.key(Pc(deposit)), &[Pc(deposit)]);
    assert_eq!((point.name.as_str(), &point.location), ("deposit", &None));
    assert_eq!((point.function.as_deref(), point.function_beside()), (Some("deposit"), None));
    assert_eq!(point.text_or_reason(), "without a source line");
    let inside = Pc(deposit + 2);
    let point = map.describe(map.key(inside), &[inside]);
    assert_eq!((point.name.as_str(), point.function_beside()), ("deposit+0x2", None));
    let outside = map.describe(map.key(Pc(0x10)), &[Pc(0x10)]);
    assert_eq!(outside.name, "unknown code at 0x00000010");
    assert_eq!(outside.text_or_reason(), "outside the program's code");
    let unknown = CodeMap::addresses().describe(PointKey::Address(0x8000), &[Pc(0x8000)]);
    assert_eq!((unknown.name.as_str(), &unknown.function), ("0x00008000", &None));
    assert_eq!(unknown.text_or_reason(), "no program was given: --elf names it");
}

#[test]
fn assembly_without_sizes_is_named_by_its_labels() {
    let folder = tempfile::tempdir().unwrap();
    let source = ".text\n.globl first\nfirst: nop\nnop\n.globl second\nsecond: nop\n";
    std::fs::write(folder.path().join("code.s"), source).unwrap();
    let compiled = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
        .args(["-nostdlib", "-static", "-Wl,-e,first", "-o", "code", "code.s"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let elf = folder.path().join("code");
    let first = function(&elf, "first").start;
    let map = CodeMap::load(&CodeOptions { elf: Some(elf), ..CodeOptions::default() }).unwrap();
    let name = |pc: u64| map.describe(map.key(Pc(pc)), &[Pc(pc)]).name;
    assert_eq!([name(first), name(first + 1), name(first + 2)], ["first", "first+0x1", "second"]);
}

#[test]
fn code_of_the_thread_library_without_lines_says_so() {
    let symbols = ["-Wl,--defsym,__program_text_start=0", "-Wl,--defsym,__program_text_end=1"];
    let built = build(&["-g0", symbols[0], symbols[1]]);
    let map = load(&built, &[]);
    let pc = Pc(function(&built.elf, "deposit").start + 2);
    let point = map.describe(map.key(pc), &[pc]);
    assert_eq!(point.name, "deposit+0x2");
    assert_eq!(point.text_or_reason(), "in the thread library, without a source line");
}

#[test]
fn libraries_are_known_by_their_paths_or_by_the_programs_symbols() {
    let built = build(&["-g"]);
    let pc = Pc(function(&built.elf, "deposit").start);
    let by_path = |library: &[&str]| {
        let map = load(&built, library);
        map.is_library_point(map.key(pc), pc)
    };
    assert!(by_path(&["bank"]));
    assert!(!by_path(&["lib/"]));
    let text = |start: &str, end: &str| {
        let start = format!("-Wl,--defsym,__program_text_start={start}");
        let end = format!("-Wl,--defsym,__program_text_end={end}");
        let built = build(&["-g", &start, &end]);
        let map = load(&built, &[]);
        let pc = Pc(function(&built.elf, "deposit").start);
        map.is_library_point(map.key(pc), pc)
    };
    assert!(text("0", "1"));
    assert!(!text("0", "0x7fffffff"));
}

#[test]
fn hashed_pcs_are_found_by_their_hash() {
    let built = build(&["-g"]);
    let pc = function(&built.elf, "deposit").start;
    let hash = golden::PcHash::new(32, 20).of(golden::Pc(pc)).0;
    let map = load(&built, &[]).with_pc_bits(20);
    let point = map.describe(map.key(Pc(hash)), &[Pc(hash)]);
    assert!(point.location.is_some_and(|at| at.file == "bank.c"));
    let built = build(&["-g0"]);
    let map = load(&built, &[]).with_pc_bits(20);
    let pc = function(&built.elf, "deposit").start;
    let kept = Pc(golden::PcHash::new(32, 20).of(golden::Pc(pc)).0);
    assert_eq!(map.describe(map.key(kept), &[kept]).name, "deposit", "without lines by the symbol");
    let no_code = (1..1 << 20).map(Pc).find(|hash| {
        map.describe(map.key(*hash), &[*hash]).name.starts_with("unknown code with pc hash ")
    });
    assert!(no_code.is_some(), "some hash is of no instruction");
}

#[test]
fn another_program_is_refused() {
    let built = build(&["-g"]);
    let map = load(&built, &[]);
    let error = map.check(&[7; 32], Some(&built.elf)).unwrap_err().to_string();
    assert!(error.ends_with("this is not the program of these runs (its hash differs)"), "{error}");
    assert!(map.check(&[0; 32], Some(&built.elf)).is_ok(), "nobody knows which it was");
    let source = built.folder.path().join("bank.c");
    let options = CodeOptions { elf: Some(source), ..CodeOptions::default() };
    let error = CodeMap::load(&options).err().unwrap().to_string();
    assert!(error.contains("not an object file"), "{error}");
}
