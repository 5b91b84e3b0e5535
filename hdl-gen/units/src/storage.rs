//! The storage report: how many bits of state a unit has, field by field.
//!
//! Everything is taken from the elaborated circuit. A unit says only which memory holds which record,
//! so that its rows can be told apart as the papers do: 74 bits a line, 148 bits an entry. What the
//! papers do not count, an edge's kind and all pointers and registers, has rows of its own, so the
//! sum is every bit there is.

use std::fmt;

use config::Config;
use hdl::ir::{Design, MemId, ModuleId};
use hdl::{Bundle, Diagnostics, Module, Path, elaborate};

use crate::comm_monitor::CommMonitor;
use crate::communication_table::CommunicationTable;
use crate::context_register::ContextRegister;
use crate::line_metadata::LineMetadata;

/// Why a row is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A field of a record, counted by the paper's formula.
    Record,
    /// A field of a record that the paper does not count.
    Extra,
    /// A pointer, counter or register.
    Register,
}

/// One kind of state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where it is: instance names from the unit down, the memory if it is in one, the field; joined
    /// by dots.
    pub name: String,
    /// Whether the paper counts it.
    pub role: Role,
    /// Bits of one entry.
    pub bits: u64,
    /// Number of entries.
    pub entries: u64,
}

impl Row {
    /// Bits of all entries.
    pub fn total(&self) -> u64 {
        self.bits * self.entries
    }
}

/// What the rows of a memory mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The name of the module that has the memory.
    module: String,
    /// The memory's name in it.
    memory: &'static str,
    /// Name, width and role of each field.
    fields: Vec<(String, u64, Role)>,
}

impl Record {
    /// The record in `memory` of `module`: a `shape`, whose fields named in `extra` the paper does
    /// not count.
    fn new(
        module: &impl Module,
        memory: &'static str,
        shape: &impl Bundle,
        extra: &[&str],
    ) -> Self {
        let mut fields = Vec::new();
        shape.map(&mut Path::default(), &mut |path, leaf| {
            let role = if extra.contains(&path.name()) { Role::Extra } else { Role::Record };
            fields.push((path.name().to_owned(), leaf.sig.width() as u64, role));
            leaf.sig
        });
        Record { module: module.name(), memory, fields }
    }
}

/// A unit whose memories hold records.
pub trait Storage: Module {
    /// The records of this unit and of those in it.
    fn records(&self) -> Vec<Record> {
        Vec::new()
    }
}

impl Storage for ContextRegister {}

impl Storage for LineMetadata {
    fn records(&self) -> Vec<Record> {
        vec![Record::new(self, "writers", &self.fields.metadata(), &[])]
    }
}

impl Storage for CommunicationTable {
    fn records(&self) -> Vec<Record> {
        vec![Record::new(self, "entries", &self.fields.edge(), &["kind"])]
    }
}

impl Storage for CommMonitor {
    fn records(&self) -> Vec<Record> {
        self.communication_table().records()
    }
}

/// All state of one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The module's name.
    pub unit: String,
    /// Records first, then registers, in source order, the unit's own before those inside it.
    pub rows: Vec<Row>,
}

impl Report {
    /// Elaborates a unit and lists its state.
    #[track_caller]
    pub fn of<S: Storage>(unit: S) -> Result<Report, Diagnostics> {
        let records = unit.records();
        Ok(Report::of_design(&elaborate(unit)?, &records))
    }

    /// Lists the state of a design. A memory without a record is one field.
    pub fn of_design(design: &Design, records: &[Record]) -> Report {
        let mut rows = Vec::new();
        list(design, design.top, "", records, &mut rows);
        rows.sort_by_key(|row| row.role == Role::Register);
        Report { unit: design.top().name.clone(), rows }
    }

    /// Bits of one record of the unit, as the paper counts them.
    pub fn record_bits(&self) -> u64 {
        self.rows.iter().filter(|row| row.role == Role::Record).map(|row| row.bits).sum()
    }

    /// Bits of all rows of a role.
    pub fn total(&self, role: Role) -> u64 {
        self.rows.iter().filter(|row| row.role == role).map(Row::total).sum()
    }

    /// Bits of state altogether.
    pub fn sum(&self) -> u64 {
        self.rows.iter().map(Row::total).sum()
    }
}

fn list(design: &Design, module: ModuleId, path: &str, records: &[Record], rows: &mut Vec<Row>) {
    let module = &design.modules[module.index()];
    let name_of = |name: Option<hdl::ir::Name>| name.map(|name| &module.names[name.index()]);
    let named = |name: Option<&str>| format!("{path}{}", name.unwrap_or("unnamed"));

    for index in 0..module.memories.len() {
        let memory = &module.memories[MemId(index as u32).index()];
        let name = name_of(memory.name).map(String::as_str);
        let record = records
            .iter()
            .find(|record| record.module == module.name && Some(record.memory) == name);
        let whole = [(String::new(), u64::from(memory.width), Role::Record)];
        let fields = record.map_or(&whole[..], |record| &record.fields);
        rows.extend(fields.iter().map(|(field, bits, role)| Row {
            name: format!("{}.{field}", named(name)).trim_end_matches('.').to_owned(),
            role: *role,
            bits: *bits,
            entries: memory.depth.into(),
        }));
    }
    rows.extend(module.registers().map(|register| Row {
        name: named(module.given_name(register)),
        role: Role::Register,
        bits: module.node(register).width.into(),
        entries: 1,
    }));
    for instance in &module.instances {
        let path = format!("{}.", named(name_of(instance.name).map(String::as_str)));
        list(design, instance.module, &path, records, rows);
    }
}

/// A table for people.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(8);
        writeln!(f, "{}", self.unit)?;
        writeln!(f, "  {:width$}  {:>5}  {:>7}  {:>9}", "state", "bits", "entries", "total")?;
        for row in &self.rows {
            let Row { name, bits, entries, .. } = row;
            writeln!(f, "  {name:width$}  {bits:>5}  {entries:>7}  {:>9}", row.total())?;
        }
        let sums =
            [("records", Role::Record), ("extra", Role::Extra), ("registers", Role::Register)];
        for (name, role) in sums {
            writeln!(f, "  {name:width$}  {:>5}  {:>7}  {:>9}", "", "", self.total(role))?;
        }
        write!(f, "  {:width$}  {:>5}  {:>7}  {:>9}", "sum", "", "", self.sum())
    }
}

/// The reports of the monitor units of a configuration; none if it has no monitor.
pub fn reports(config: &Config) -> Result<Vec<Report>, Diagnostics> {
    let Ok(monitor) = CommMonitor::from_config(config) else { return Ok(Vec::new()) };
    let lines = LineMetadata::from_config(config).into_iter().map(Report::of);
    lines.chain([Report::of(monitor)]).collect()
}
