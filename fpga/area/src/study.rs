//! A study: points, a baseline beside each, and what they cost.

use crate::Error;
use crate::blueprint::Blueprint;
use crate::cache::Cache;
use crate::cost::Cost;
use crate::formulas::{self, Storage};
use crate::place::{Placed, Placing};
use crate::sweep::{self, Point, Setting, Sweep};
use crate::synthesis::{Synthesis, Synthesized};
use crate::target::Target;
use crate::tree::{self, Row};
use crate::work::{self, Job};
use config::Config;
use serde::Serialize;
use std::collections::BTreeMap;
use tools::{Installed, Tool};
use units::GenerateError;

/// The parameters of a study.
#[derive(Clone, Debug)]
pub struct Question {
    /// The configuration that the sweeps start from.
    pub base: Config,
    /// Name of the base configuration.
    pub base_name: String,
    /// The unit to synthesize.
    pub top: String,
    /// The device, or the generic target.
    pub target: Target,
    /// The sweeps.
    pub sweeps: Vec<Sweep>,
    /// Whether to place and route too.
    pub place: bool,
    /// The clock frequency to reach, in MHz; none if any will do.
    pub mhz: Option<f64>,
    /// Number of seeds to place with; the best one counts.
    pub seeds: u32,
    /// Whether to measure the same without monitors too.
    pub compare: bool,
    /// Number of tools to run in parallel.
    pub workers: usize,
}

/// The results of a study.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// The unit that was synthesized.
    pub top: String,
    /// The configuration that the sweeps start from.
    pub base_name: String,
    /// Name of the device, or of the generic target.
    pub target: &'static str,
    /// The tools with their versions.
    pub tools: Vec<String>,
    /// The sweeps.
    pub sweeps: Vec<Sweep>,
    /// Index of the point of the base configuration.
    pub base: usize,
    /// The clock that must be reached.
    pub mhz: Option<f64>,
    /// A point for each combination of swept values.
    pub points: Vec<Answer>,
}

/// The result at one point of the sweeps.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The settings of the sweeps.
    pub settings: Vec<Setting>,
    /// Hash of the keys that the Verilog depends on.
    pub hardware_hash: String,
    /// Events of the context: what precision depends on.
    pub context_events: u32,
    /// Its cost.
    pub machine: Machine,
    /// The same without any monitor, if the unit exists without one.
    pub baseline: Option<Machine>,
    /// Storage by the papers' formulas beside that of the circuit.
    pub storage: Vec<Storage>,
}

/// Cost of a design; failed parts are missing and listed in `failures`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Machine {
    /// The hierarchy; empty if a part could not be synthesized.
    pub units: Vec<Row>,
    /// The sum over the hierarchy, borders of modules kept.
    pub total: Option<Cost>,
    /// The design as a whole, placed and routed, for each seed.
    pub placed: Vec<Placed>,
    /// How each memory was mapped.
    pub memories: Vec<MemoryRow>,
    /// Errors, one sentence each.
    pub failures: Vec<String>,
}

/// A memory and what it is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryRow {
    /// The module it is in.
    pub module: String,
    /// Its name there.
    pub name: String,
    /// Rows.
    pub depth: u64,
    /// Bits a row.
    pub width: u64,
    /// The resource it was mapped to.
    pub made_of: String,
}

impl Machine {
    /// The seed that reached the highest clock.
    pub fn best(&self) -> Option<&Placed> {
        let faster = |best: &'_ Placed, other: &'_ Placed| other.fmax_mhz > best.fmax_mhz;
        self.placed.iter().reduce(|best, other| if faster(best, other) { other } else { best })
    }
}

impl Answer {
    /// Its name.
    pub fn label(&self) -> String {
        sweep::label(&self.settings)
    }
}

impl Study {
    /// What a machine costs where it is compared with others: flattened if all of them were placed, else the
    /// sum over the hierarchy. The two are not to be mixed.
    pub fn cost(&self, machine: &Machine) -> Option<Cost> {
        let mut machines = self
            .points
            .iter()
            .flat_map(|point| [&point.machine].into_iter().chain(&point.baseline));
        if machines.all(|machine| !machine.placed.is_empty()) {
            machine.best().map(|placed| placed.cost)
        } else {
            machine.total
        }
    }

    /// Everything that went wrong, by point; a clock that was not reached too.
    pub fn failures(&self) -> Vec<String> {
        let mut found = Vec::new();
        for answer in &self.points {
            let machines = [(Some(&answer.machine), ""), (answer.baseline.as_ref(), ", baseline")];
            for (machine, which) in machines {
                let Some(machine) = machine else { continue };
                let told = |sentence: &String| format!("{}{which}: {sentence}", answer.label());
                found.extend(machine.failures.iter().map(told));
            }
            if let (Some(mhz), Some(placed)) = (self.mhz, answer.machine.best())
                && placed.fmax_mhz < mhz
            {
                found.push(format!(
                    "{}: reaches {:.1} MHz with the best of {} seeds, not {mhz} MHz; the slowest path goes \
                     from {} to {}",
                    answer.label(),
                    placed.fmax_mhz,
                    answer.machine.placed.len(),
                    placed.slowest.from,
                    placed.slowest.to
                ));
            }
        }
        // Points share modules, and so what is wrong with them.
        let mut unique: Vec<String> = Vec::new();
        for sentence in found {
            if !unique.contains(&sentence) {
                unique.push(sentence);
            }
        }
        unique
    }
}

/// The tools that a study calls.
struct Toolbox {
    yosys: Installed,
    nextpnr: Option<Installed>,
}

/// A design whose jobs are known.
struct Planned {
    blueprint: Blueprint,
    parts: Vec<String>,
    placing: Vec<String>,
}

/// Runs a study. The question is validated before any tool runs.
pub fn run(question: &Question, cache: &Cache) -> Result<Study, Error> {
    let mut points = sweep::points(&question.base, &question.sweeps)?;
    let is_base = |point: &Point| point.config.hardware() == question.base.hardware();
    let base = points.iter().position(is_base).unwrap_or_else(|| {
        points.insert(0, Point { settings: Vec::new(), config: question.base.clone() });
        0
    });
    let device = question.target.device();
    if question.place && device.is_none() {
        let sentence = format!(
            "--pnr needs a device to place on; `{}` is only a target for synthesis",
            question.target.name()
        );
        return Err(Error::BadInput(sentence));
    }
    let mut blueprints = Vec::new();
    for point in &points {
        let machine =
            Blueprint::new(&point.config, &question.top).map_err(|error| refused(&error, point))?;
        let bare = if question.compare { baseline(&point.config, &question.top)? } else { None };
        blueprints.push((machine, bare));
    }

    let toolbox = Toolbox {
        yosys: tools::locate(Tool::Yosys)?,
        nextpnr: match (&device, question.place) {
            (Some(device), true) => Some(tools::locate(device.tool)?),
            _ => None,
        },
    };
    let mut jobs = Vec::new();
    let mut planned = Vec::new();
    for (machine, baseline) in blueprints {
        let machine = plan(question, &toolbox, machine, cache, &mut jobs);
        let baseline = baseline.map(|design| plan(question, &toolbox, design, cache, &mut jobs));
        planned.push((machine, baseline));
    }
    let failures = work::run(jobs, cache, question.workers)?;

    let mut answers = Vec::new();
    for (point, (machine, baseline)) in points.iter().zip(&planned) {
        let assemble = |design: &Planned| assemble(design, question.target, cache, &failures);
        let machine = assemble(machine);
        answers.push(Answer {
            settings: point.settings.clone(),
            hardware_hash: point.config.hardware_hash(),
            context_events: point.config.context.events,
            storage: formulas::storage(&point.config, &machine.units),
            machine,
            baseline: baseline.as_ref().map(assemble),
        });
    }
    let used = [Some(Tool::Yosys), device.filter(|_| question.place).map(|device| device.tool)];
    Ok(Study {
        top: question.top.clone(),
        base_name: question.base_name.clone(),
        target: question.target.name(),
        tools: used
            .iter()
            .flatten()
            .map(|tool| format!("{tool} {}", tools::pin(*tool).version()))
            .collect(),
        sweeps: question.sweeps.clone(),
        base,
        mhz: question.mhz,
        points: answers,
    })
}

fn refused(error: &GenerateError, point: &Point) -> Error {
    match error {
        GenerateError::Elaboration { .. } => Error::Failed(error.to_string()),
        _ if point.settings.is_empty() => Error::BadInput(error.to_string()),
        _ => Error::BadInput(format!("{}: {error}", point.label())),
    }
}

/// The same hardware without any monitor, if that is not the same.
fn baseline(config: &Config, top: &str) -> Result<Option<Blueprint>, Error> {
    let bare = config.with("context.events = 0\ncolor.items = 0");
    let bare = bare.map_err(|error| Error::Failed(error.to_string()))?;
    if bare == *config {
        return Ok(None);
    }
    match Blueprint::new(&bare, top) {
        Ok(blueprint) => Ok(Some(blueprint)),
        Err(GenerateError::SwitchedOff { .. }) => Ok(None),
        Err(error) => Err(Error::Failed(error.to_string())),
    }
}

/// Adds the jobs of a design to the list.
fn plan(
    question: &Question,
    toolbox: &Toolbox,
    blueprint: Blueprint,
    cache: &Cache,
    jobs: &mut Vec<Box<dyn Job>>,
) -> Planned {
    let mut parts = Vec::new();
    for part in &blueprint.parts {
        let inside = part.children.iter().map(|&child| &blueprint.parts[child]);
        let job = Synthesis::new(part, inside, question.target, &toolbox.yosys);
        parts.push(job.key().to_owned());
        jobs.push(Box::new(job));
    }
    let device = question.target.device();
    let mut placing = Vec::new();
    if let Some((device, nextpnr)) = device.zip(toolbox.nextpnr.as_ref()) {
        let (device, aim) = ((question.target, &device), (question.mhz, question.seeds));
        let tools = (&toolbox.yosys, nextpnr);
        for job in Placing::seeds(&blueprint, device, aim, tools, cache) {
            placing.push(job.key().to_owned());
            jobs.push(Box::new(job));
        }
    }
    Planned { blueprint, parts, placing }
}

/// Puts together what is known of a design.
fn assemble(
    planned: &Planned,
    target: Target,
    cache: &Cache,
    failed: &BTreeMap<String, String>,
) -> Machine {
    let mut machine = Machine::default();
    let mut own = Vec::new();
    let is_module = |name: &str| planned.blueprint.parts.iter().any(|part| part.name == name);
    for (part, key) in planned.blueprint.parts.iter().zip(&planned.parts) {
        let Some(found) = cache.get::<Synthesized>(key) else {
            machine.failures.extend(failed.get(key).cloned());
            continue;
        };
        match target.cost(&found.cells, is_module) {
            Ok(cost) => own.push(cost),
            Err(reason) => machine.failures.push(format!("{}: {reason}", part.name)),
        }
        machine.memories.extend(part.memories.iter().map(|(name, depth, width)| MemoryRow {
            module: part.name.clone(),
            name: name.clone(),
            depth: *depth,
            width: *width,
            made_of: found.memories.get(name).map_or(target.unmapped(), |cell| cell).to_owned(),
        }));
    }
    if own.len() == planned.blueprint.parts.len() {
        machine.units = tree::rows(&planned.blueprint, &own);
        machine.total = Some(machine.units[0].total);
    }
    machine.placed = planned.placing.iter().filter_map(|key| cache.get(key)).collect();
    machine.failures.extend(planned.placing.iter().filter_map(|key| failed.get(key).cloned()));
    machine
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::Paths;
    use crate::timing::SlowestPath;

    fn placed(fmax_mhz: f64) -> Machine {
        let slowest =
            SlowestPath { from: "tags".into(), to: "pc".into(), ..SlowestPath::default() };
        let cost = Cost { luts: 10, ..Cost::default() };
        let placed = |seed, fmax_mhz| Placed {
            seed,
            cost,
            lut_cells: 10,
            fmax_mhz,
            slowest: slowest.clone(),
            paths: Paths::default(),
            utilization: BTreeMap::new(),
        };
        let placed = vec![placed(1, fmax_mhz - 1.0), placed(2, fmax_mhz), placed(3, fmax_mhz)];
        Machine { placed, total: Some(cost), ..Machine::default() }
    }

    fn study(mhz: Option<f64>, machines: Vec<Machine>) -> Study {
        let answer = |machine| Answer {
            settings: Vec::new(),
            hardware_hash: String::new(),
            context_events: 5,
            machine,
            baseline: None,
            storage: Vec::new(),
        };
        Study {
            top: "soc".into(),
            base_name: "sim4".into(),
            target: "ecp5",
            tools: Vec::new(),
            sweeps: Vec::new(),
            base: 0,
            mhz,
            points: machines.into_iter().map(answer).collect(),
        }
    }

    #[test]
    fn a_clock_that_is_missed_is_a_failure_with_its_path() {
        let missed = "as configured: reaches 59.9 MHz with the best of 3 seeds, not 60 MHz; the slowest path \
                      goes from tags to pc";
        assert_eq!(study(Some(60.0), vec![placed(59.94)]).failures(), [missed]);
        assert_eq!(study(Some(60.0), vec![placed(60.0)]).failures(), [""; 0]);
        assert_eq!(study(None, vec![placed(1.0)]).failures(), [""; 0], "nobody asked for a clock");
    }

    #[test]
    fn flattened_figures_are_compared_only_where_all_are_there() {
        let whole = study(None, vec![placed(60.0), placed(60.0)]);
        assert_eq!(whole.cost(&whole.points[0].machine).unwrap().luts, 10);
        let sum = Cost { luts: 12, ..Cost::default() };
        let alone = Machine { total: Some(sum), ..Machine::default() };
        let one_does_not_fit =
            study(None, vec![Machine { total: Some(sum), ..placed(60.0) }, alone]);
        for point in &one_does_not_fit.points {
            assert_eq!(one_does_not_fit.cost(&point.machine), Some(sum));
        }
    }

    #[test]
    fn what_points_share_is_told_once_and_a_baseline_by_its_name() {
        let broken = Machine { failures: vec!["it is broken".into()], ..Machine::default() };
        let mut both = study(None, vec![broken.clone(), broken.clone()]);
        both.points[0].baseline = Some(broken);
        let told = ["as configured: it is broken", "as configured, baseline: it is broken"];
        assert_eq!(both.failures(), told);
    }
}
