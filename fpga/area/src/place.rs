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

/// The clock that is aimed at when nobody names one: placement needs an aim.
const AIM_MHZ: f64 = 60.0;

/// What placing and routing found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    /// What the flattened design costs.
    pub cost: Cost,
    /// How many of the LUTs are cells of their own: neither adders nor small memories.
    pub lut_cells: u64,
    /// The highest clock.
    pub fmax_mhz: f64,
    /// Where the slowest path begins.
    pub slowest_from: String,
    /// Where it ends.
    pub slowest_to: String,
    /// Of each resource of the device: used, available. With the harness.
    pub utilization: BTreeMap<String, (u64, u64)>,
}

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
        let done =
            [&*script, &*pins[0], &*pins[1]].into_iter().chain(args.iter().map(String::as_str));
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
        tool::run(self.nextpnr.command().args(&self.args), folder)?;
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
    #[derive(Deserialize)]
    struct Segment {
        from: End,
        to: End,
    }
    #[derive(Deserialize)]
    struct End {
        cell: String,
    }
    let report: Report = serde_json::from_str(report)
        .map_err(|error| format!("nextpnr's report has another form than expected: {error}"))?;
    let fmax = report.fmax.values().map(|clock| clock.achieved).min_by(f64::total_cmp);
    // Paths that begin or end outside a clock are those of pins.
    let slowest = report.critical_paths.iter().find(|path| path.from == path.to);
    let end = |of: fn(&[Segment]) -> Option<&End>| {
        slowest.and_then(|path| of(&path.path)).map(|end| end.cell.clone()).unwrap_or_default()
    };
    Ok(Placed {
        cost,
        lut_cells,
        fmax_mhz: fmax.ok_or("nextpnr found no clock")?,
        slowest_from: end(|path| path.first().map(|segment| &segment.from)),
        slowest_to: end(|path| path.last().map(|segment| &segment.to)),
        utilization: report
            .utilization
            .into_iter()
            .map(|(kind, Used { used, available })| (kind, (used, available)))
            .collect(),
    })
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
                    {"delay": 0.5, "type": "clk-to-q", "from": {"cell": "a", "port": "CLK"}, "to": {"cell": "a", "port": "Q"}},
                    {"delay": 1.5, "type": "routing", "from": {"cell": "a", "port": "Q"}, "to": {"cell": "b", "port": "D"}}
                ]}
            ]
        }"#;
        let found = placed(report, Cost::default(), 0).unwrap();
        assert_eq!(found.fmax_mhz, 61.5);
        assert_eq!((&*found.slowest_from, &*found.slowest_to), ("a", "b"));
        assert_eq!(found.utilization["TRELLIS_COMB"], (10, 83640));
        assert!(placed("{}", Cost::default(), 0).unwrap_err().starts_with("nextpnr's report"));
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
