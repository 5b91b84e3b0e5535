//! Cycles per second of `comm_monitor`, side by side.

use std::path::{Path, PathBuf};

use cosim::units::CommMonitor;
use cosim::{ModelSource, Speed};

use crate::harness::{self, Unchecked};
use crate::peer::Peer;
use crate::stimulus::{self, CYCLES};
use crate::{bare, build, cocotb, marlin};
use measure::report::{Limit, Report, Row};
use measure::timing::{median, seconds};

/// Turns in which every side is measured.
const TURNS: usize = 21;
/// Of these turns, a side that is slow takes part in one.
const SLOW_EVERY: usize = 7;
/// Seconds that a side runs in each turn, about.
const SPAN: f64 = 0.05;

/// A way to run rounds: seconds, and what was seen if it can say.
type Side<'a> = Box<dyn FnMut(u64) -> Result<(f64, Option<u64>), String> + 'a>;

/// How a side is called in the report, and how it is started.
type Beside = (&'static str, fn(&ModelSource, &Path) -> Result<Peer, String>);

const BESIDE: [Beside; 3] = [
    ("a bare C++ loop", bare::start),
    (marlin::NAME, marlin::start),
    (cocotb::NAME, cocotb::start),
];

/// Our harness without and with the software model, beside those that were chosen of the bare loop,
/// marlin and cocotb.
pub fn measure(report: &mut Report, chosen: [bool; 3]) {
    report.section(format!(
        "Cycles per second of {}, the same inputs on every side",
        CommMonitor::source().top
    ));
    let round = stimulus::round(harness::parameters().fields);
    // As the linked model is built.
    let mut source = CommMonitor::source().clone();
    source.options.speed = Speed::Run;

    let chosen: Vec<&Beside> =
        BESIDE.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(beside, _)| beside).collect();
    let rows = written(&harness::rows(&round));
    let mut sides: Vec<Result<Side<'_>, String>> = Vec::new();
    for (_, start) in &chosen {
        sides.push(rows.as_ref().map_err(Clone::clone).and_then(|rows| {
            let peer = start(&source, rows)?;
            Ok(of_peer(peer))
        }));
    }
    let mut harness = Unchecked::new();
    let mut seen = 0;
    let mut ours: [Side<'_>; 2] = [
        Box::new(|rounds| {
            let time = seconds(|| seen = harness.run(&round, rounds));
            Ok((time, Some(seen)))
        }),
        Box::new(|rounds| Ok((seconds(|| harness::checked(&round, rounds)), None))),
    ];
    let speeds = turns(&mut ours, &mut sides);

    for ((name, _), beside) in chosen.iter().zip(&speeds.beside) {
        let limits = match *name == BESIDE[0].0 {
            true => [Some(Limit::AtLeast(0.95)), Some(Limit::AtLeast(0.5))],
            false => [None, None],
        };
        let ways = ["checking off", "golden model in lockstep"];
        for ((way, limit), ours) in ways.iter().zip(limits).zip(&speeds.ours) {
            let what = format!("{way}, beside {name}");
            match beside {
                Err(why) => report.missing(&what, &format!("skipped: {why}"), limit),
                Ok(theirs) => report.row(row(what, ours, theirs, limit)),
            }
        }
    }
}

fn of_peer<'a>(mut peer: Peer) -> Side<'a> {
    Box::new(move |rounds| peer.run(rounds).map(|(time, seen)| (time, Some(seen))))
}

/// Cycles per second in each turn.
struct Speeds {
    ours: [Vec<f64>; 2],
    beside: Vec<Result<Vec<f64>, String>>,
}

/// Every side in every turn, one after the other. A side that sees something else than we do is as
/// good as absent.
fn turns(ours: &mut [Side<'_>; 2], sides: &mut [Result<Side<'_>, String>]) -> Speeds {
    let mut speeds = Speeds { ours: [Vec::new(), Vec::new()], beside: Vec::new() };
    let (_, expected) = ours[0](1).expect("our sides do not fail");
    let mut our_rounds = [0, 0];
    for (side, rounds) in ours.iter_mut().zip(&mut our_rounds) {
        *rounds = rounds_in_span(side).expect("our sides do not fail");
    }
    let mut their_rounds = Vec::new();
    for side in sides.iter_mut() {
        let rounds = match side {
            Err(why) => Err(why.clone()),
            Ok(side) => side(1).and_then(|(_, seen)| match seen == expected {
                true => rounds_in_span(side),
                false => Err("it sees other outputs than we do".into()),
            }),
        };
        speeds.beside.push(rounds.clone().map(|_| Vec::new()));
        their_rounds.push(rounds);
    }
    for turn in 0..TURNS {
        for ((side, rounds), speeds) in ours.iter_mut().zip(our_rounds).zip(&mut speeds.ours) {
            let (time, _) = side(rounds).expect("our sides do not fail");
            speeds.push((rounds * CYCLES as u64) as f64 / time);
        }
        for ((side, rounds), speeds) in sides.iter_mut().zip(&their_rounds).zip(&mut speeds.beside)
        {
            let (Ok(side), &Ok(rounds), Ok(list)) = (side, rounds, &mut *speeds) else { continue };
            // A side that fills a turn with one round is slower by far: a few turns tell.
            if rounds == 1 && turn % SLOW_EVERY != 0 {
                list.extend(list.last().copied());
                continue;
            }
            match side(rounds) {
                Ok((time, _)) => list.push((rounds * CYCLES as u64) as f64 / time),
                Err(why) => *speeds = Err(why),
            }
        }
    }
    speeds
}

/// Rounds that fill a turn; the first, which warms up, does not count.
fn rounds_in_span(side: &mut Side<'_>) -> Result<u64, String> {
    side(1)?;
    let (time, _) = side(2)?;
    Ok((2.0 * SPAN / time.max(1e-9)).ceil().clamp(1.0, 1e6) as u64)
}

/// The ratio is the middle one of those of the turns: what disturbs a turn disturbs both sides.
fn row(what: String, ours: &[f64], theirs: &[f64], limit: Option<Limit>) -> Row {
    let ratios = ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect();
    Row {
        what,
        ours: speed(median(ours.to_vec())),
        peer: speed(median(theirs.to_vec())),
        ratio: Some(median(ratios)),
        limit,
    }
}

fn speed(cycles: f64) -> String {
    match cycles {
        c if c >= 1e6 => format!("{:.1} M/s", c / 1e6),
        c => format!("{:.1} k/s", c / 1e3),
    }
}

/// The rows as a file, little-endian, for the sides that are other processes.
fn written(rows: &[u64]) -> Result<PathBuf, String> {
    let folder = tools::target_dir().join("bench");
    std::fs::create_dir_all(&folder).map_err(|error| build::said(&folder, &error))?;
    let path = folder.join("comm_monitor.rows");
    let bytes: Vec<u8> = rows.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&path, bytes).map_err(|error| build::said(&path, &error))?;
    Ok(path)
}
