//! One measurement in a process of its own.

use crosstalk::analysis::{Analysis, Request};
use crosstalk::runs;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The first argument of a process that measures.
pub const WORKER: &str = "--worker";

/// What was measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// From the first byte to the last answer.
    pub seconds: f64,
    /// The processor time of all its threads: what others do on the machine is not in it.
    pub processor: f64,
    /// The largest the process was, in KiB; `None` where the system does not say.
    pub peak_kib: Option<u64>,
    /// The first code points of the ranking: address and score.
    pub ranking: Vec<(u64, f64)>,
    /// The first reconstructions: source, sink and score.
    pub reconstructions: Vec<(u64, u64, f64)>,
    /// Distinct edges of all runs together.
    pub distinct: usize,
}

/// How many answers are compared.
const ANSWERS: usize = 10;

/// Does what the arguments say, and prints what was measured as JSON.
pub fn work(arguments: &[String]) {
    let [what, folder] = arguments else { panic!("a task and a folder") };
    let measured = match what.as_str() {
        "analyze" => analyze(Path::new(folder)),
        "read" => read(Path::new(folder)),
        other => panic!("no task is called {other}"),
    };
    println!("{}", serde_json::to_string(&measured).expect("numbers"));
}

fn analyze(folder: &Path) -> Measured {
    let started = Instant::now();
    let files = runs::find(&[folder.to_owned()], None).expect("runs");
    let request = Request { files, ..Request::default() };
    let analysis = Analysis::of(&request, &|| {}).expect("an analysis");
    let seconds = started.elapsed().as_secs_f64();
    let view = analysis.view(ANSWERS);
    let pc = |point: &crosstalk::view::PointView| point.point.pcs.first().copied().unwrap_or(0);
    Measured {
        seconds,
        processor: processor(),
        peak_kib: peak_kib(),
        ranking: view.ranking.iter().map(|row| (pc(&row.point), row.score)).collect(),
        reconstructions: view
            .reconstructions
            .iter()
            .map(|found| (found.source.as_ref().map_or(0, &pc), pc(&found.sink), found.score))
            .collect(),
        distinct: view.runs.distinct_edges,
    }
}

/// Just the bytes.
fn read(folder: &Path) -> Measured {
    let files = runs::find(&[folder.to_owned()], None).expect("runs");
    let mut buffer = vec![0; 1 << 16];
    let started = Instant::now();
    for file in files {
        let mut file = std::fs::File::open(file.path).expect("a file");
        while std::io::Read::read(&mut file, &mut buffer).expect("bytes") > 0 {}
    }
    let seconds = started.elapsed().as_secs_f64();
    Measured {
        seconds,
        processor: processor(),
        peak_kib: peak_kib(),
        ranking: Vec::new(),
        reconstructions: Vec::new(),
        distinct: 0,
    }
}

/// The processor time of this process so far, in seconds.
fn processor() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The largest this process ever was.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Measures in a process of its own.
pub fn measure(what: &str, folder: &Path) -> Measured {
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("host"));
    let mut command = Command::new(program);
    command.args([WORKER, what]).arg(folder);
    run(command).expect("a measurement")
}

/// Runs a process that prints what it measured.
pub fn run(mut command: Command) -> Result<Measured, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(said.lines().last().unwrap_or("it failed").to_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

/// The one with the middle time.
pub fn median(mut measured: Vec<Measured>) -> Measured {
    measured.sort_by(|a, b| a.processor.total_cmp(&b.processor));
    measured.swap_remove(measured.len() / 2)
}
