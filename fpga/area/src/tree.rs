//! Costs added up over the hierarchy.

use crate::blueprint::Blueprint;
use crate::cost::Cost;
use serde::Serialize;
use std::collections::BTreeMap;

/// One unit at one place of the hierarchy; instances of one module under one parent are together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Levels below the top, which is 0.
    pub depth: usize,
    /// The unit.
    pub unit: String,
    /// The module: the unit with its parameters.
    pub module: String,
    /// Number of instances, in all instances of its parent.
    pub instances: u64,
    /// Cost of the instances without their children.
    pub own: Cost,
    /// Cost of the instances with their children.
    pub total: Cost,
}

/// The hierarchy from the top down, given what each part costs by itself.
pub fn rows(blueprint: &Blueprint, own: &[Cost]) -> Vec<Row> {
    let mut rows = Vec::new();
    descend(blueprint, own, blueprint.parts.len() - 1, 0, 1, &mut rows);
    rows
}

/// Lists a part and what is in it; what one of it costs altogether.
fn descend(
    blueprint: &Blueprint,
    own: &[Cost],
    index: usize,
    depth: usize,
    instances: u64,
    rows: &mut Vec<Row>,
) -> Cost {
    let part = &blueprint.parts[index];
    let place = rows.len();
    rows.push(Row {
        depth,
        unit: part.unit.clone(),
        module: part.name.clone(),
        instances,
        own: own[index] * instances,
        total: Cost::default(),
    });
    let mut seen: Vec<usize> = Vec::new();
    let mut total = own[index];
    for &child in &part.children {
        if seen.contains(&child) {
            continue;
        }
        seen.push(child);
        let times = part.children.iter().filter(|&&other| other == child).count() as u64;
        let one = descend(blueprint, own, child, depth + 1, instances * times, rows);
        total = total + one * times;
    }
    rows[place].total = total * instances;
    total
}

/// Cost of each unit's instances without their children, anywhere in the hierarchy.
pub fn by_unit(rows: &[Row]) -> BTreeMap<String, (u64, Cost)> {
    let mut units: BTreeMap<String, (u64, Cost)> = BTreeMap::new();
    for row in rows {
        let (instances, cost) = units.entry(row.unit.clone()).or_default();
        *instances += row.instances;
        *cost = *cost + row.own;
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;
    use config::Config;

    #[test]
    fn the_sum_over_units_is_the_total_of_the_top() {
        let blueprint = Blueprint::new(&Config::default(), "soc").unwrap();
        let own: Vec<Cost> = (0..blueprint.parts.len() as u64)
            .map(|index| Cost { luts: 1 + index, ffs: 1, brams: 0, dsps: 0 })
            .collect();
        let rows = rows(&blueprint, &own);
        let units = by_unit(&rows);
        let sum: Cost = units.values().map(|(_, cost)| *cost).sum();
        assert_eq!(rows[0].total, sum);
        assert_eq!(units["alu"].0, 4);
        assert_eq!(units["l1_data_way"].0, 8);
        let instances: u64 = units.values().map(|(instances, _)| instances).sum();
        assert_eq!(instances, sum.ffs);
    }
}
