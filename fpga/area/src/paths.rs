//! Paths of a placed design by where they end: how many are late, and by how much.
//!
//! The slowest path alone says little about a change: hundreds of others may have become shorter behind it.
//! An *endpoint* is a pin of a register or memory; a path that is longer than the period makes it late. Endpoints
//! are in one *group* if they are in the same unit of any hart, and where a unit has stages, in the same stage.

use crate::harness::INNER;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A pin of a register or memory, and the longest path to it.
pub struct Endpoint<'a> {
    /// The cell that the pin belongs to.
    pub cell: &'a str,
    /// The time from the edge of the clock, setup included.
    pub delay_ns: f64,
}

/// Late at a period that is longer by this factor: what is far from the aim.
pub const FAR: f64 = 1.2;

/// All endpoints of a design, counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Paths {
    /// The period that was asked for.
    pub period_ns: f64,
    /// The groups, those with the most late endpoints first.
    pub groups: Vec<Group>,
}

/// The endpoints of one unit, or of one of its stages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// The instances down to the unit, without numbers, then the stage: `core.hart: x`.
    pub name: String,
    /// Sum over its registers.
    pub sum: Tally,
    /// Its registers and memories, those with the most late endpoints first.
    pub registers: Vec<Register>,
}

/// The endpoints of one register or memory, in all harts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Register {
    /// Its name in the unit.
    pub name: String,
    /// Its endpoints.
    pub sum: Tally,
}

/// Endpoints, counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// All of them.
    pub endpoints: u64,
    /// Those over the period.
    pub late: u64,
    /// Those over the period times [`FAR`].
    pub far: u64,
    /// The period less the longest path; negative if that is late.
    pub worst_slack_ns: f64,
}

impl Default for Tally {
    fn default() -> Self {
        Self { endpoints: 0, late: 0, far: 0, worst_slack_ns: f64::INFINITY }
    }
}

impl Tally {
    fn of(delay_ns: f64, period_ns: f64) -> Self {
        Self {
            endpoints: 1,
            late: u64::from(delay_ns > period_ns),
            far: u64::from(delay_ns > period_ns * FAR),
            worst_slack_ns: period_ns - delay_ns,
        }
    }

    fn add(&mut self, other: Self) {
        self.endpoints += other.endpoints;
        self.late += other.late;
        self.far += other.far;
        self.worst_slack_ns = self.worst_slack_ns.min(other.worst_slack_ns);
    }

    /// Most late ones first; then the least slack, then the name.
    fn rank<'a>(&self, name: &'a str) -> (std::cmp::Reverse<u64>, i64, &'a str) {
        // Picoseconds: nextpnr has no finer ones.
        (std::cmp::Reverse(self.late), (self.worst_slack_ns * 1000.0) as i64, name)
    }
}

impl Paths {
    /// Counts endpoints for a period.
    pub fn new<'a>(period_ns: f64, endpoints: impl Iterator<Item = Endpoint<'a>>) -> Self {
        let mut found: BTreeMap<String, BTreeMap<String, Tally>> = BTreeMap::new();
        for Endpoint { cell, delay_ns } in endpoints {
            let (group, register) = place(cell);
            let registers = found.entry(group).or_default();
            registers.entry(register).or_default().add(Tally::of(delay_ns, period_ns));
        }
        let mut groups: Vec<Group> = found
            .into_iter()
            .map(|(name, registers)| {
                let mut sum = Tally::default();
                registers.values().for_each(|tally| sum.add(*tally));
                let mut registers: Vec<Register> =
                    registers.into_iter().map(|(name, sum)| Register { name, sum }).collect();
                registers.sort_by(|a, b| a.sum.rank(&a.name).cmp(&b.sum.rank(&b.name)));
                Group { name, sum, registers }
            })
            .collect();
        groups.sort_by(|a, b| a.sum.rank(&a.name).cmp(&b.sum.rank(&b.name)));
        Self { period_ns, groups }
    }

    /// All endpoints together.
    pub fn total(&self) -> Tally {
        let mut sum = Tally::default();
        self.groups.iter().for_each(|group| sum.add(group.sum));
        sum
    }
}

/// The group and the register of a cell.
fn place(cell: &str) -> (String, String) {
    let (instances, own) = split(cell);
    let instances: Vec<&str> = instances.iter().map(|name| without_number(name)).collect();
    let register = without_cell_kind(own);
    let mut group = named(&instances);
    if let Some(stage) = stage(register) {
        group = format!("{group}: {stage}");
    }
    (group, register.to_owned())
}

/// The instance that a cell of the flattened design is in, as far as its name says.
pub fn instance(cell: &str) -> String {
    named(&split(cell).0)
}

fn named(instances: &[&str]) -> String {
    if instances.is_empty() { "the top".to_owned() } else { instances.join(".") }
}

/// The instances of a cell from the top of the design down, and its own name. A memory's cells have numbers
/// behind its name.
fn split(cell: &str) -> (Vec<&str>, &str) {
    let mut place: Vec<&str> = cell.split('.').collect();
    let mut own = "";
    while let Some(last) = place.pop() {
        own = last;
        if !last.starts_with(|c: char| c.is_ascii_digit()) {
            break;
        }
    }
    if place.first() == Some(&INNER) {
        place.remove(0);
    }
    (place, own)
}

/// The name of an instance without its number: what the second hart has is called as what the first one has.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((name, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    }
}

/// A register's name without what Yosys puts behind it, which is the kind of the cell in capitals.
fn without_cell_kind(own: &str) -> &str {
    let capital =
        own.as_bytes().windows(2).position(|two| two[0] == b'_' && two[1].is_ascii_uppercase());
    let own = &own[..capital.unwrap_or(own.len())];
    own.split('$').next().filter(|name| !name.is_empty()).unwrap_or(own)
}

/// The stage of a register that is named with one: `x_rs2` is of stage `x`.
fn stage(register: &str) -> Option<&str> {
    register.split_once('_').map(|(stage, _)| stage).filter(|stage| stage.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_in_the_instance_that_its_name_begins_with() {
        assert_eq!(instance("inner.cache_0.tags.0.1"), "cache_0");
        assert_eq!(instance("duo.bus.grant_LUT4_Z_1"), "duo.bus");
        assert_eq!(instance("inner.state_LUT4_Z"), "the top");
        assert_eq!(instance("pin"), "the top");
    }

    #[test]
    fn harts_are_counted_together_and_stages_apart() {
        for (cell, group, register) in [
            ("inner.core_2.hart_2.x_rs2_TRELLIS_FF_Q_5", "core.hart: x", "x_rs2"),
            ("inner.core.hart_2.pc_TRELLIS_FF_Q", "core.hart", "pc"),
            ("inner.memory_system.l1_data_2.way_2.tags.0.1", "memory_system.l1_data.way", "tags"),
            (
                "inner.memory_system.l1_data.pending_SB_DFFE_Q_D_SB_LUT4_O_LC",
                "memory_system.l1_data",
                "pending",
            ),
            ("fold.held_TRELLIS_FF_Q_7", "fold", "held"),
            ("inner.order$nextpnr_1", "the top", "order"),
            ("$PACKER_VCC", "the top", "$PACKER"),
        ] {
            assert_eq!(place(cell), (group.to_owned(), register.to_owned()), "{cell}");
        }
    }

    #[test]
    fn late_endpoints_are_counted_by_group_and_register() {
        let ends = [
            ("inner.core.hart.x_rs2_TRELLIS_FF_Q_5", 21.0),
            ("inner.core_2.hart.x_rs2_TRELLIS_FF_Q_5", 25.0),
            ("inner.core_2.hart.x_pc_TRELLIS_FF_Q", 20.0),
            ("inner.bus.state_TRELLIS_FF_Q", 40.0),
            ("inner.uart.busy_TRELLIS_FF_Q", 4.0),
        ];
        let ends = ends.map(|(cell, delay_ns)| Endpoint { cell, delay_ns });
        let paths = Paths::new(20.0, ends.into_iter());
        let names: Vec<&str> = paths.groups.iter().map(|group| &*group.name).collect();
        assert_eq!(names, ["core.hart: x", "bus", "uart"], "most late ones first");
        let hart = &paths.groups[0];
        assert_eq!(hart.sum, Tally { endpoints: 3, late: 2, far: 1, worst_slack_ns: -5.0 });
        let registers: Vec<&str> = hart.registers.iter().map(|register| &*register.name).collect();
        assert_eq!(registers, ["x_rs2", "x_pc"]);
        assert_eq!(hart.registers[1].sum.late, 0, "a path as long as the period is in time");
        let total = Tally { endpoints: 5, late: 3, far: 2, worst_slack_ns: -20.0 };
        assert_eq!(paths.total(), total);
    }
}
