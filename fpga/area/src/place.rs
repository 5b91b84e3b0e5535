//! The whole design, flattened, placed and routed with a seed.
//!
//! It is synthesized once for all seeds, inside a [`harness`](crate::harness).

use crate::blueprint::Blueprint;
use crate::cache::Cache;
use crate::cost::Cost;
use crate::harness::{FEED, FOLD, HARNESS, harness};
use crate::paths::Paths;
use crate::synthesis::cells;
use crate::target::{Device, Target};
use crate::timing::{SlowestPath, placed};
use crate::work::Job;
use crate::{Error, cache, tool};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tools::{Installed, Tool};

/// Default target frequency: placement needs one.
const AIM_MHZ: f64 = 60.0;

/// Results of place and route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    /// The seed of the placement.
    pub seed: u32,
    /// Cost of the flattened design.
    pub cost: Cost,
    /// LUTs that are cells of their own, not part of adders or small memories.
    pub lut_cells: u64,
    /// The highest clock.
    pub fmax_mhz: f64,
    /// The path that keeps it from being higher.
    pub slowest: SlowestPath,
    /// All paths by where they end; none if nextpnr was not asked for them.
    pub paths: Paths,
    /// Of each resource of the device: used, available. With the harness.
    pub utilization: BTreeMap<String, (u64, u64)>,
}

/// The form of what is kept: results of another form are found anew.
const FORM: &str = "3";

/// A whole design to be synthesized, for every seed.
struct Flat {
    files: Vec<(String, String)>,
    script: String,
    key: String,
    target: Target,
    yosys: Installed,
    cache: Cache,
}

impl Flat {
    /// The folder with its netlist and its statistics.
    fn synthesized(&self) -> Result<PathBuf, Error> {
        self.cache.folder(&format!("flat-{}", self.key), |folder| {
            tool::write_files(folder, &self.files)?;
            tool::write_files(folder, &[("synthesize.ys".into(), self.script.clone())])?;
            tool::run(self.yosys.command().args(["-q", "-s", "synthesize.ys"]), folder)?;
            Ok(())
        })
    }
}

/// A design to be placed with a seed.
pub struct Placing {
    name: String,
    flat: Arc<Flat>,
    seed: u32,
    args: Vec<String>,
    key: String,
    nextpnr: Installed,
    device: &'static str,
    tool: Tool,
}

impl Placing {
    /// The jobs for a design on a device, aiming at a clock: one for each seed from 1 on.
    pub fn seeds(
        blueprint: &Blueprint,
        (target, device): (Target, &Device),
        (mhz, seeds): (Option<f64>, u32),
        (yosys, nextpnr): (&Installed, &Installed),
        cache: &Cache,
    ) -> Vec<Self> {
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
        let texts = files.iter().map(|(_, text)| text.as_str());
        let key = cache::key([&*script, &*tools::pin_id(Tool::Yosys)], texts);
        let flat = Flat { files, script, key, target, yosys: yosys.clone(), cache: cache.clone() };
        let flat = Arc::new(flat);
        let mhz = mhz.unwrap_or(AIM_MHZ).to_string();
        let name = format!("{} on {}", blueprint.top().name, device.name);
        let job = |seed: u32| {
            let asked = ["--json", "net.json", "--report", "report.json", "--freq", &*mhz];
            let options = ["--detailed-timing-report", "--timing-allow-fail"];
            let args = device.args.iter().chain(&asked).chain(&options);
            let mut args: Vec<String> = args.map(|arg| (*arg).to_owned()).collect();
            args.extend(["--seed".to_owned(), seed.to_string()]);
            let pin = tools::pin_id(device.tool);
            let done = [FORM, &*flat.key, &*pin].into_iter();
            let key = cache::key(done.chain(args.iter().map(String::as_str)), []);
            Self {
                name: format!("{name}, seed {seed}"),
                flat: flat.clone(),
                seed,
                args,
                key,
                nextpnr: nextpnr.clone(),
                device: device.name,
                tool: device.tool,
            }
        };
        (1..=seeds).map(job).collect()
    }

    fn placed(&self, folder: &Path) -> Result<Placed, Error> {
        let Flat { target, .. } = *self.flat;
        let netlist = self.flat.synthesized()?;
        let cells = cells(&tool::read(&netlist, "stat.json")?, HARNESS)?;
        let cost = target.cost(&cells, |cell| [FEED, FOLD].contains(&cell))?;
        tool::link(&netlist.join("net.json"), &folder.join("net.json"))?;
        tool::run(self.nextpnr.command().args(&self.args), folder)
            .map_err(|complaint| explained(&complaint, self.device, self.tool))?;
        let report = tool::read(folder, "report.json")?;
        Ok(placed(&report, self.seed, cost, target.lut_cells(&cells))?)
    }
}

impl Job for Placing {
    fn what(&self) -> String {
        format!("place {}", self.name)
    }

    fn key(&self) -> &str {
        &self.key
    }

    /// Longer than any single module. The first seeds of all designs come first: the others of a design need
    /// what the first one synthesizes.
    fn weight(&self) -> usize {
        usize::MAX / 2 - self.seed as usize
    }

    fn run(&self, folder: &Path) -> Result<Value, String> {
        let placed = self.placed(folder).map_err(|error| error.to_string())?;
        Ok(serde_json::to_value(placed).expect("plain data"))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
