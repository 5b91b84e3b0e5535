//! What a study found, point by point, and what went wrong.

use crate::cost::Cost;
use crate::formulas::Storage;
use crate::place::Placed;
use crate::sweep::{self, Setting, Sweep};
use crate::tree::Row;
use serde::Serialize;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::Paths;
    use crate::timing::SlowestPath;
    use std::collections::BTreeMap;

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
