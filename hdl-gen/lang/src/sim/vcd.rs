//! Waveforms: the named signals of a simulation over time, as VCD.

use std::io;

use vcd::{IdCode, SimulationCommand, TimescaleUnit, Value, VarType, Writer};

use super::directory::{Directory, Entry, Role};
use crate::bits::words_for;
use crate::ir::EnumDef;

/// A signal in the waveform.
struct Variable {
    id: IdCode,
    place: u32,
    width: u32,
    /// Where its value as last written is.
    last: u32,
    /// Shows the name of a variant besides its code.
    names: Option<(IdCode, &'static EnumDef)>,
}

/// A waveform being written.
pub(super) struct Trace {
    writer: Writer<io::BufWriter<Box<dyn io::Write>>>,
    clock: IdCode,
    reset: IdCode,
    variables: Vec<Variable>,
    /// What was last written, for all variables.
    last: Vec<u64>,
    last_reset: bool,
    started: bool,
    error: Option<io::Error>,
}

impl Trace {
    /// Writes the header. It has no date, so that equal runs give equal files.
    pub fn new(
        writer: Box<dyn io::Write>,
        directory: &Directory,
        places: &[u32],
    ) -> io::Result<Trace> {
        let mut writer = Writer::new(io::BufWriter::new(writer));
        writer.timescale(1, TimescaleUnit::NS)?;
        writer.add_module(directory.name(0))?;
        let clock = writer.add_wire(1, "clk")?;
        let reset = writer.add_wire(1, "rst")?;
        let mut trace = Trace {
            writer,
            clock,
            reset,
            variables: Vec::new(),
            last: Vec::new(),
            last_reset: false,
            started: false,
            error: None,
        };
        trace.scope(0, directory, places)?;
        trace.writer.upscope()?;
        trace.writer.enddefinitions()?;
        Ok(trace)
    }

    /// Declares the signals of a scope and the scopes below it.
    fn scope(&mut self, scope: u32, directory: &Directory, places: &[u32]) -> io::Result<()> {
        for (entry, value) in directory.entries(scope) {
            if entry.role != Role::InstancePort {
                self.declare(entry, places[value as usize])?;
            }
        }
        for &child in directory.children(scope) {
            self.writer.add_module(directory.name(child))?;
            self.scope(child, directory, places)?;
            self.writer.upscope()?;
        }
        Ok(())
    }

    fn declare(&mut self, entry: &Entry, place: u32) -> io::Result<()> {
        let kind = if entry.role == Role::Register { VarType::Reg } else { VarType::Wire };
        let Entry { name, width, .. } = entry;
        let names = match entry.enum_def {
            Some(def) => Some((self.writer.add_var(VarType::String, 1, name, None)?, def)),
            None => None,
        };
        let name = if names.is_some() { format!("{name}_code") } else { name.clone() };
        let id = self.writer.add_var(kind, *width, &name, None)?;
        let last = self.last.len() as u32;
        self.last.resize(self.last.len() + words_for(*width), 0);
        self.variables.push(Variable { id, place, width: *width, last, names });
        Ok(())
    }

    /// Writes what has changed: with the clock low just before the edge that ends `cycle`, with the
    /// clock high just after the edge that began it.
    pub fn sample(&mut self, cycle: u64, clock: bool, reset: bool, words: &[u64]) {
        if self.error.is_none() {
            self.error = self.write(cycle, clock, reset, words).err();
        }
    }

    fn write(&mut self, cycle: u64, clock: bool, reset: bool, words: &[u64]) -> io::Result<()> {
        let first = !std::mem::replace(&mut self.started, true);
        self.writer.timestamp(if clock { 2 * cycle - 1 } else { 2 * cycle })?;
        if first {
            self.writer.begin(SimulationCommand::Dumpvars)?;
        }
        self.writer.change_scalar(self.clock, clock)?;
        if first || reset != self.last_reset {
            self.writer.change_scalar(self.reset, reset)?;
            self.last_reset = reset;
        }
        for variable in &self.variables {
            let count = words_for(variable.width);
            let value = &words[variable.place as usize..variable.place as usize + count];
            let last = &mut self.last[variable.last as usize..variable.last as usize + count];
            if !first && value == last {
                continue;
            }
            last.copy_from_slice(value);
            if variable.width == 1 {
                self.writer.change_scalar(variable.id, value[0] == 1)?;
            } else {
                self.writer.change_vector(variable.id, digits(value))?;
            }
            if let Some((id, def)) = variable.names {
                match def.variant(value[0]) {
                    Some(name) => self.writer.change_string(id, name)?,
                    None => self.writer.change_string(id, &format!("{}?", value[0]))?,
                }
            }
        }
        if first {
            self.writer.end()?;
        }
        Ok(())
    }

    /// Writes out what is buffered; gives the first error met.
    pub fn finish(mut self) -> io::Result<()> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.writer.flush(),
        }
    }
}

/// Binary digits, highest first, without leading zeros but at least one.
fn digits(words: &[u64]) -> impl Iterator<Item = Value> + '_ {
    let top = words.iter().rposition(|&word| word != 0);
    let bits = top.map_or(1, |top| 64 * top + (64 - words[top].leading_zeros() as usize));
    (0..bits).rev().map(|bit| Value::from(words[bit / 64] >> (bit % 64) & 1 == 1))
}
