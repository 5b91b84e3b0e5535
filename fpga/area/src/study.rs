//! A study: points, a baseline beside each, and what they cost.

mod results;

pub use results::{Answer, Machine, MemoryRow, Study};

use crate::Error;
use crate::blueprint::Blueprint;
use crate::cache::Cache;
use crate::formulas;
use crate::place::Placing;
use crate::sweep::{self, Point, Sweep};
use crate::synthesis::{Synthesis, Synthesized};
use crate::target::Target;
use crate::tree;
use crate::work::{self, Job};
use config::Config;
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
