//! Compiling, once for all tests of a binary, and reading what programs sent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

use border::{Program, Settings};
use config::Config;
use firmware::{Build, Runtime};
use golden::{CodePoint, Ctx, Edge, EdgeKind, HartId, LineMeta, Time};

/// What is linked: the sources, and the compiler's flags.
type Linking = (Vec<PathBuf>, &'static [&'static str]);

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Runtime::for_workspace(|_| ()).expect("the runtime compiles"));
static LINKED: Mutex<BTreeMap<Linking, Program>> = Mutex::new(BTreeMap::new());

/// The source of a program that only tests use.
pub fn test_source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sources").join(name).with_extension("c")
}

/// Compiles and links a program that must not give a warning.
pub fn link(source: &Path) -> Program {
    link_with(vec![source.to_owned()], &[])
}

/// The same for a program of several files, with flags.
pub fn link_with(sources: Vec<PathBuf>, flags: &'static [&'static str]) -> Program {
    let mut linked = LINKED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let key = (sources, flags);
    if let Some(file) = linked.get(&key) {
        return file.clone();
    }
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("program.elf");
    let flags = ["-Wall"].iter().chain(flags).map(Into::into).collect();
    let build = Build { files: key.0.clone(), flags };
    let warnings = RUNTIME.build(&build, &out).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(warnings, "", "{:?}", key.0);
    let program = Program::read(&out, Program::ANY_RAM).unwrap_or_else(|error| panic!("{error}"));
    linked.insert(key, program.clone());
    program
}

/// The runtime itself.
pub fn runtime() -> &'static Runtime {
    &RUNTIME
}

/// The same program with other settings.
pub fn with(mut program: Program, change: impl FnOnce(&mut Settings)) -> Program {
    let mut settings = program.settings().expect("settings");
    change(&mut settings);
    program.set(&settings).expect("settings that fit");
    program
}

/// The default machine with a table of `depth` entries, and caches so large that nothing leaves them.
pub fn roomy(depth: u32) -> Config {
    let text = format!("[l1.data]\nbytes = 32768\nways = 8\n[ct]\ndepth = {depth}\n");
    text.parse().expect("a configuration")
}

/// The address of a symbol.
pub fn symbol(program: &Program, name: &str) -> u32 {
    program.symbol(name).unwrap_or_else(|| panic!("no symbol {name}"))
}

/// Every edge of a record stream, in the order of arrival.
pub fn received(stream: &[u8]) -> Vec<Edge> {
    let mut reader = record::RunReader::new(stream).expect("a header");
    let mut edges = Vec::new();
    while let Some(records) = reader.next_records().expect("a sound record") {
        edges.extend(records.iter().map(|total| edge_of(&total.edge)));
    }
    edges
}

fn edge_of(edge: &record::Edge) -> Edge {
    let access = |access: &record::Access| LineMeta {
        pc: CodePoint(access.pc.0),
        ctx: Ctx(access.ctx.0),
        hart: HartId(access.hart.0.into()),
        time: Time(access.time.0),
    };
    let kind = match edge.kind {
        record::EdgeKind::Raw => EdgeKind::Raw,
        record::EdgeKind::Waw => EdgeKind::Waw,
        record::EdgeKind::Memory => EdgeKind::Memory,
    };
    Edge { source: access(&edge.source), sink: access(&edge.sink), kind }
}
