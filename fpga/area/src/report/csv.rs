//! The study as a table for other programs: a line for each unit of each point.

use crate::cost::RESOURCES;
use crate::study::{Machine, Study};
use std::fmt::Write;

/// The whole table.
pub fn text(study: &Study) -> String {
    let keys: Vec<&str> = study.sweeps.iter().map(|sweep| sweep.key.as_str()).collect();
    let mut text = String::new();
    let costs = ["own", "total"].into_iter().flat_map(|which| {
        RESOURCES.iter().map(move |resource| format!("{which}_{}", resource.key))
    });
    let columns = ["monitor", "depth", "unit", "module", "instances"].map(str::to_owned);
    let head: Vec<String> =
        keys.iter().map(|key| (*key).to_owned()).chain(columns).chain(costs).collect();
    let _ = writeln!(text, "{}", head.join(","));
    for answer in &study.points {
        let value = |key: &&str| {
            let set = answer.settings.iter().find(|set| set.key == *key);
            set.map(|set| set.value.clone()).unwrap_or_default()
        };
        let settings: Vec<String> = keys.iter().map(value).collect();
        lines(&mut text, &settings, "yes", &answer.machine);
        if let Some(baseline) = &answer.baseline {
            lines(&mut text, &settings, "no", baseline);
        }
    }
    text
}

fn lines(text: &mut String, settings: &[String], monitor: &str, machine: &Machine) {
    for row in &machine.units {
        let what =
            [monitor.to_owned(), row.depth.to_string(), row.unit.clone(), row.module.clone()];
        let costs = [&row.own, &row.total]
            .into_iter()
            .flat_map(|cost| RESOURCES.iter().map(move |resource| (resource.of)(cost).to_string()));
        let cells = settings.iter().cloned().chain(what).chain([row.instances.to_string()]);
        let cells: Vec<String> = cells.chain(costs).collect();
        let _ = writeln!(text, "{}", cells.join(","));
    }
}
