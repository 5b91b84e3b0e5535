//! The whole design, flattened, placed and routed.
//!
//! A design has far more ports than a device has pins. Its inputs are fed from a shift register and
//! its outputs folded into one pin; both are modules of their own, which count for nothing.

use crate::blueprint::{Blueprint, Port, connections};
use crate::cost::Cost;
use crate::synthesis::cells;
use crate::target::{Device, Target};
use crate::work::Job;
use crate::{cache, tool};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use tools::{Installed, Tool};

const HARNESS: &str = "harness";
const FEED: &str = "harness_feed";
const FOLD: &str = "harness_fold";

/// Default target frequency: placement needs one.
const AIM_MHZ: f64 = 60.0;

/// Results of place and route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    /// Cost of the flattened design.
    pub cost: Cost,
    /// LUTs that are cells of their own, not part of adders or small memories.
    pub lut_cells: u64,
    /// The highest clock.
    pub fmax_mhz: f64,
    /// The path that keeps it from being higher.
    pub slowest: SlowestPath,
    /// Of each resource of the device: used, available. With the harness.
    pub utilization: BTreeMap<String, (u64, u64)>,
}

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

/// The form of what is kept: results of another form are found anew.
const FORM: &str = "2";

/// A design to be placed.
pub struct Placing {
    name: String,
    files: Vec<(String, String)>,
    script: String,
    args: Vec<String>,
    key: String,
    target: Target,
    yosys: Installed,
    nextpnr: Installed,
    device: &'static str,
    tool: Tool,
}

impl Placing {
    /// The job for a design on a device, aiming at a clock.
    pub fn new(
        blueprint: &Blueprint,
        (target, device): (Target, &Device),
        mhz: Option<f64>,
        (yosys, nextpnr): (&Installed, &Installed),
    ) -> Self {
        let modules =
            blueprint.parts.iter().map(|part| (format!("{}.v", part.name), part.text.clone()));
        let harness = (format!("{HARNESS}.v"), harness(blueprint));
        let files: Vec<(String, String)> = modules.chain([harness]).collect();
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        let script = format!(
            "read_verilog {}\n{}tee -q -o stat.json stat -json\n\
             setattr -mod -unset keep_hierarchy {FEED} {FOLD}\nflatten\nopt_clean\n\
             write_json net.json\n",
            names.join(" "),
            target.synthesis(HARNESS)
        );
        let mut args: Vec<String> = device.args.iter().map(|arg| (*arg).to_owned()).collect();
        let more = [
            "--json",
            "net.json",
            "--report",
            "report.json",
            "--timing-allow-fail",
            "--seed",
            "1",
            "--freq",
        ];
        args.extend(more.map(str::to_owned));
        args.push(mhz.unwrap_or(AIM_MHZ).to_string());
        let pins = [tools::pin_id(Tool::Yosys), tools::pin_id(device.tool)];
        let done = [FORM, &*script, &*pins[0], &*pins[1]]
            .into_iter()
            .chain(args.iter().map(String::as_str));
        let key = cache::key(done, files.iter().map(|(_, text)| text.as_str()));
        let name = format!("{} on {}", blueprint.top().name, device.name);
        Self {
            name,
            files,
            script,
            args,
            key,
            target,
            yosys: yosys.clone(),
            nextpnr: nextpnr.clone(),
            device: device.name,
            tool: device.tool,
        }
    }
}

impl Job for Placing {
    fn what(&self) -> String {
        format!("place {}", self.name)
    }

    fn key(&self) -> &str {
        &self.key
    }

    /// Longer than any single module.
    fn weight(&self) -> usize {
        usize::MAX / 2
    }

    fn run(&self, folder: &Path) -> Result<Value, String> {
        tool::write_files(folder, &self.files)?;
        tool::write_files(folder, &[("synthesize.ys".into(), self.script.clone())])?;
        tool::run(self.yosys.command().args(["-q", "-s", "synthesize.ys"]), folder)?;
        let cells = cells(&tool::read(folder, "stat.json")?, HARNESS)?;
        let cost = self.target.cost(&cells, |cell| [FEED, FOLD].contains(&cell))?;
        tool::run(self.nextpnr.command().args(&self.args), folder)
            .map_err(|complaint| explained(&complaint, self.device, self.tool))?;
        let lut_cells = self.target.lut_cells(&cells);
        let placed = placed(&tool::read(folder, "report.json")?, cost, lut_cells)?;
        Ok(serde_json::to_value(placed).expect("plain data"))
    }
}

/// The part of nextpnr's report that is kept.
pub fn placed(report: &str, cost: Cost, lut_cells: u64) -> Result<Placed, String> {
    #[derive(Deserialize)]
    struct Report {
        fmax: BTreeMap<String, Clock>,
        utilization: BTreeMap<String, Used>,
        critical_paths: Vec<CriticalPath>,
    }
    #[derive(Deserialize)]
    struct Clock {
        achieved: f64,
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
    let report: Report = serde_json::from_str(report)
        .map_err(|error| format!("unexpected format of nextpnr's report: {error}"))?;
    let fmax = report.fmax.values().map(|clock| clock.achieved).min_by(f64::total_cmp);
    // Paths that begin or end outside a clock are those of pins.
    let slowest = report.critical_paths.iter().find(|path| path.from == path.to);
    Ok(Placed {
        cost,
        lut_cells,
        fmax_mhz: fmax.ok_or("nextpnr found no clock")?,
        slowest: slowest.map(|path| walked(&path.path)).unwrap_or_default(),
        utilization: report
            .utilization
            .into_iter()
            .map(|(kind, Used { used, available })| (kind, (used, available)))
            .collect(),
    })
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

/// The instance that a cell of the flattened design is in, as far as its name says. A memory's cells have
/// numbers behind its name.
fn instance(cell: &str) -> String {
    let mut place: Vec<&str> = cell.split('.').collect();
    while place.pop().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_digit())) {}
    if place.first() == Some(&"inner") {
        place.remove(0);
    }
    if place.is_empty() { "the top".to_owned() } else { place.join(".") }
}

/// Explains an error of nextpnr without its jargon.
pub fn explained(complaint: &str, device: &str, tool: Tool) -> String {
    let quoted: Vec<&str> = complaint.split('\'').collect();
    match quoted[..] {
        // It has an option for every device whose file it finds, and for no other.
        ["unrecognised option ", ..] => format!(
            "{tool} has no file of the device {device}; its folder below target/tools is damaged: delete it, \
             and `cargo xtask setup {tool}` installs it again"
        ),
        [before, cell, _, kind, ..] if before.ends_with("Unable to place cell ") => {
            format!("the design does not fit on the {device}: no free {kind} for `{cell}`")
        }
        _ => complaint.to_owned(),
    }
}

/// Verilog that feeds the inputs of the top and folds its outputs.
fn harness(blueprint: &Blueprint) -> String {
    let top = blueprint.top();
    let ports: Vec<&Port> =
        top.ports.iter().filter(|port| port.is_needed && port.name != verilate::CLOCK).collect();
    let wires = |inputs: bool| -> (u32, String) {
        let those: Vec<&&Port> = ports.iter().filter(|port| port.is_input == inputs).collect();
        let names: Vec<&str> = those.iter().map(|port| port.name.as_str()).collect();
        (those.iter().map(|port| port.width).sum(), names.join(", "))
    };
    let (inputs, input_names) = wires(true);
    let (outputs, output_names) = wires(false);
    let clock = verilate::CLOCK;
    let declared: Vec<String> = ports
        .iter()
        .map(|port| format!("  wire [{}:0] {};\n", port.width - 1, port.name))
        .collect();
    format!(
        "(* keep_hierarchy *)\n\
         module {FEED} (input wire {clock}, input wire pin, output reg [{fed}:0] fed);\n  \
           always @(posedge {clock}) fed <= {{fed, pin}};\n\
         endmodule\n\
         (* keep_hierarchy *)\n\
         module {FOLD} (input wire {clock}, input wire [{folded}:0] from, output reg pin);\n  \
           reg [{folded}:0] held;\n  \
           always @(posedge {clock}) begin\n    held <= from;\n    pin <= ^held;\n  end\n\
         endmodule\n\
         module {HARNESS} (input wire {clock}, input wire pin_in, output wire pin_out);\n\
         {}  \
           {FEED} feed (.{clock}({clock}), .pin(pin_in), .fed({{{input_names}}}));\n  \
           {FOLD} fold (.{clock}({clock}), .from({{{output_names}}}), .pin(pin_out));\n  \
           {} inner (\n{}\n  );\n\
         endmodule\n",
        declared.concat(),
        top.name,
        connections(&top.ports),
        fed = inputs.max(1) - 1,
        folded = outputs.max(1) - 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_clock_and_its_path_are_kept() {
        let report = r#"{
            "fmax": {"clk": {"achieved": 61.5, "constraint": 60.0}},
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
            ]
        }"#;
        let found = placed(report, Cost::default(), 0).unwrap();
        assert_eq!(found.fmax_mhz, 61.5);
        let slowest = &found.slowest;
        assert_eq!((&*slowest.from, &*slowest.to), ("inner.core.a", "inner.bus.port_0.b"));
        assert_eq!(slowest.through, ["core", "bus.port_0"]);
        assert_eq!((slowest.cells, slowest.logic_ns, slowest.wire_ns), (1, 1.0, 2.5));
        assert_eq!(found.utilization["TRELLIS_COMB"], (10, 83640));
        assert!(placed("{}", Cost::default(), 0).unwrap_err().contains("nextpnr's report"));
    }

    #[test]
    fn a_cell_is_in_the_instance_that_its_name_begins_with() {
        assert_eq!(instance("inner.cache_0.tags.0.1"), "cache_0");
        assert_eq!(instance("duo.bus.grant_LUT4_Z_1"), "duo.bus");
        assert_eq!(instance("inner.state_LUT4_Z"), "the top");
        assert_eq!(instance("pin"), "the top");
    }

    #[test]
    fn a_design_that_does_not_fit_is_told_plainly() {
        let complaint = "Unable to place cell 'duo.lines.0.1_RAM', no BELs remaining to implement \
                         cell type 'ICESTORM_RAM'";
        let told = "the design does not fit on the iCE40-HX1K: no free ICESTORM_RAM for `duo.lines.0.1_RAM`";
        assert_eq!(explained(complaint, "iCE40-HX1K", Tool::NextpnrIce40), told);
        assert_eq!(explained("it's odd", "x", Tool::NextpnrIce40), "it's odd");
    }

    #[test]
    fn a_device_whose_file_is_missing_is_told_plainly() {
        let told = explained("unrecognised option '--85k'", "LFE5U-85F", Tool::NextpnrEcp5);
        let expected = "nextpnr-ecp5 has no file of the device LFE5U-85F; its folder below target/tools is \
                        damaged: delete it, and `cargo xtask setup nextpnr-ecp5` installs it again";
        assert_eq!(told, expected);
    }

    #[test]
    fn the_harness_reaches_every_pin_but_the_clock() {
        let blueprint = Blueprint::new(&config::Config::default(), "context_register").unwrap();
        let text = harness(&blueprint);
        assert!(
            text.contains(".fed({rst, event_valid, event_kind, write_valid, write_data})"),
            "{text}"
        );
        assert!(text.contains(".from({ctx})"));
    }
}
