//! What nextpnr's report says of the clock: the slowest path, and how late every register is.

use crate::cost::Cost;
use crate::paths::{Endpoint, Paths, instance};
use crate::place::Placed;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The path that takes longest from one edge of the clock to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SlowestPath {
    /// The cell where it begins.
    pub from: String,
    /// The cell where it ends.
    pub to: String,
    /// The instances that it goes through, in order: where each cell is.
    pub through: Vec<String>,
    /// Number of cells between its ends.
    pub cells: usize,
    /// Time in cells.
    pub logic_ns: f64,
    /// Time in wires.
    pub wire_ns: f64,
}

/// What begins or ends a path outside every clock: a pin.
const NO_CLOCK: &str = "<async>";

/// The part of nextpnr's report that is kept.
pub fn placed(report: &str, seed: u32, cost: Cost, lut_cells: u64) -> Result<Placed, String> {
    let report: Report = serde_json::from_str(report)
        .map_err(|error| format!("unexpected format of nextpnr's report: {error}"))?;
    let slowest_clock = report.fmax.values().min_by(|a, b| a.achieved.total_cmp(&b.achieved));
    let clock = slowest_clock.ok_or("nextpnr found no clock")?;
    let slowest = report.critical_paths.iter().find(|path| path.from == path.to);
    let endpoints = report.detailed_net_timings.iter().flat_map(|net| {
        let clocked =
            net.endpoints.iter().filter(|end| net.event != NO_CLOCK && end.event != NO_CLOCK);
        clocked.map(|end| Endpoint { cell: &end.cell, delay_ns: end.delay.1 })
    });
    Ok(Placed {
        seed,
        cost,
        lut_cells,
        fmax_mhz: clock.achieved,
        slowest: slowest.map(|path| walked(&path.path)).unwrap_or_default(),
        paths: Paths::new(1000.0 / clock.constraint, endpoints),
        utilization: report
            .utilization
            .into_iter()
            .map(|(kind, Used { used, available })| (kind, (used, available)))
            .collect(),
    })
}

#[derive(Deserialize)]
struct Report {
    fmax: BTreeMap<String, Clock>,
    utilization: BTreeMap<String, Used>,
    critical_paths: Vec<CriticalPath>,
    /// Only with `--detailed-timing-report`.
    #[serde(default)]
    detailed_net_timings: Vec<Net>,
}

#[derive(Deserialize)]
struct Clock {
    achieved: f64,
    constraint: f64,
}

#[derive(Deserialize)]
struct Used {
    used: u64,
    available: u64,
}

#[derive(Deserialize)]
struct CriticalPath {
    from: String,
    to: String,
    path: Vec<Segment>,
}

/// A wire at whose ends paths end, and the clock that those paths begin with.
#[derive(Deserialize)]
struct Net {
    event: String,
    endpoints: Vec<NetEnd>,
}

/// A pin of a register or a memory: its clock, and the shortest and longest time to it, setup included.
#[derive(Deserialize)]
struct NetEnd {
    cell: String,
    event: String,
    delay: (f64, f64),
}

/// A piece of a path in nextpnr's report: through a cell, or along a wire.
#[derive(Deserialize)]
struct Segment {
    delay: f64,
    #[serde(rename = "type")]
    kind: String,
    from: End,
    to: End,
}

#[derive(Deserialize)]
struct End {
    cell: String,
}

/// A path reduced to its ends, the instances between them, and its delays.
fn walked(path: &[Segment]) -> SlowestPath {
    let (wires, cells): (Vec<&Segment>, _) =
        path.iter().partition(|segment| segment.kind == "routing");
    let sum = |segments: &[&Segment]| segments.iter().map(|segment| segment.delay).sum();
    let mut through: Vec<String> = Vec::new();
    for segment in path {
        let place = instance(&segment.to.cell);
        if through.last() != Some(&place) {
            through.push(place);
        }
    }
    SlowestPath {
        from: path.first().map(|segment| segment.from.cell.clone()).unwrap_or_default(),
        to: path.last().map(|segment| segment.to.cell.clone()).unwrap_or_default(),
        through,
        cells: wires.len().saturating_sub(1),
        logic_ns: sum(&cells),
        wire_ns: sum(&wires),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_clock_its_path_and_every_endpoint_are_kept() {
        let report = r#"{
            "fmax": {"clk": {"achieved": 61.5, "constraint": 50.0}},
            "utilization": {"TRELLIS_COMB": {"used": 10, "available": 83640}},
            "critical_paths": [
                {"from": "<async>", "to": "posedge clk", "path": []},
                {"from": "posedge clk", "to": "posedge clk", "path": [
                    {"delay": 0.5, "type": "clk-to-q", "from": {"cell": "inner.core.a"}, "to": {"cell": "inner.core.a"}},
                    {"delay": 1.5, "type": "routing", "from": {"cell": "inner.core.a"}, "to": {"cell": "inner.core.c"}},
                    {"delay": 0.25, "type": "logic", "from": {"cell": "inner.core.c"}, "to": {"cell": "inner.core.c"}},
                    {"delay": 1.0, "type": "routing", "from": {"cell": "inner.core.c"}, "to": {"cell": "inner.bus.port_0.b"}},
                    {"delay": 0.25, "type": "setup", "from": {"cell": "inner.bus.port_0.b"}, "to": {"cell": "inner.bus.port_0.b"}}
                ]}
            ],
            "detailed_net_timings": [
                {"driver": "a", "event": "posedge clk", "net": "n", "port": "F", "endpoints": [
                    {"cell": "inner.bus.port_0.b_TRELLIS_FF_Q", "delay": [1.0, 21.0], "event": "posedge clk", "port": "DI"},
                    {"cell": "pin", "delay": [1.0, 90.0], "event": "<async>", "port": "I"}
                ]},
                {"driver": "pin", "event": "<async>", "net": "m", "port": "F", "endpoints": [
                    {"cell": "inner.core.a", "delay": [1.0, 90.0], "event": "posedge clk", "port": "DI"}
                ]}
            ]
        }"#;
        let found = placed(report, 1, Cost::default(), 0).unwrap();
        assert_eq!(found.fmax_mhz, 61.5);
        let slowest = &found.slowest;
        assert_eq!((&*slowest.from, &*slowest.to), ("inner.core.a", "inner.bus.port_0.b"));
        assert_eq!(slowest.through, ["core", "bus.port_0"]);
        assert_eq!((slowest.cells, slowest.logic_ns, slowest.wire_ns), (1, 1.0, 2.5));
        assert_eq!(found.utilization["TRELLIS_COMB"], (10, 83640));
        let paths = &found.paths;
        assert_eq!((paths.period_ns, paths.total().endpoints), (20.0, 1), "pins are left out");
        assert_eq!(paths.total().worst_slack_ns, -1.0);
        assert!(placed("{}", 1, Cost::default(), 0).unwrap_err().contains("nextpnr's report"));
    }
}
