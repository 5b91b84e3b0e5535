//! Waveforms as FST: the compressed form that viewers open without reading all of it.
//!
//! The model writes VCD, as Verilator does; this turns one into the other, change by change.

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Seek, Write};
use vcd::{Command, IdCode, Parser, ScopeItem, TimescaleUnit, Value, VarType};

/// Bytes of changes that are held before they are compressed.
const HELD: usize = 32 << 20;

/// Why a waveform could not be turned into FST.
#[derive(Debug, thiserror::Error)]
pub enum WaveformError {
    /// The VCD cannot be read, or is not one.
    #[error("cannot read the VCD: {0}")]
    Vcd(#[from] io::Error),
    /// The FST cannot be written.
    #[error("cannot write the FST: {}", cause(.0))]
    Fst(#[from] FstWriteError),
    /// A change of a signal that was not declared, or of a kind that the machine's waveforms do not have.
    #[error("line {line} of the VCD: expected a value change of a declared signal")]
    Change {
        /// Number of the line in the file.
        line: u64,
    },
}

fn cause(error: &FstWriteError) -> String {
    match error {
        FstWriteError::Io(error) => error.to_string(),
        error => error.to_string(),
    }
}

/// A signal: several variables can be the same one.
struct Signal {
    id: FstSignalId,
    bits: usize,
}

/// Writes a VCD as FST. It has no date: equal runs give equal files.
///
/// # Errors
/// If the VCD is damaged or the FST cannot be written.
pub fn to_fst(vcd: impl BufRead, fst: impl Write + Seek) -> Result<(), WaveformError> {
    let mut parser = Parser::new(vcd);
    let header = parser.parse_header()?;
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: header.timescale.map_or(-9, exponent),
        version: header.version.unwrap_or_default(),
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut writer = FstHeaderWriter::new(fst, &info)?;
    let mut signals = BTreeMap::new();
    declare(&mut writer, &header.items, &mut signals)?;
    let mut body = writer.finish()?;
    while let Some(command) = parser.next().transpose()? {
        let changed = change(&mut body, command, &signals)?;
        if !changed {
            return Err(WaveformError::Change { line: parser.line() });
        }
    }
    body.finish()?.flush()?;
    Ok(())
}

/// The power of ten, in seconds.
fn exponent((factor, unit): (u32, TimescaleUnit)) -> i8 {
    let unit = match unit {
        TimescaleUnit::S => 0,
        TimescaleUnit::MS => -3,
        TimescaleUnit::US => -6,
        TimescaleUnit::NS => -9,
        TimescaleUnit::PS => -12,
        TimescaleUnit::FS => -15,
    };
    unit + factor.max(1).ilog10() as i8
}

fn declare<W: Write + Seek>(
    writer: &mut FstHeaderWriter<W>,
    items: &[ScopeItem],
    signals: &mut BTreeMap<IdCode, Signal>,
) -> Result<(), WaveformError> {
    for item in items {
        match item {
            ScopeItem::Scope(scope) => {
                writer.scope(&scope.identifier, "", FstScopeType::Module)?;
                declare(writer, &scope.items, signals)?;
                writer.up_scope()?;
            }
            ScopeItem::Var(var) => {
                let index = var.index.map_or_else(String::new, |index| format!(" {index}"));
                let name = format!("{}{index}", var.reference);
                let kind = match var.var_type {
                    VarType::Reg => FstVarType::Reg,
                    VarType::Integer => FstVarType::Integer,
                    VarType::Parameter => FstVarType::Parameter,
                    _ => FstVarType::Wire,
                };
                let known = signals.get(&var.code).map(|signal| signal.id);
                let bits = FstSignalType::bit_vec(var.size);
                let id = writer.var(name, bits, kind, FstVarDirection::Implicit, known)?;
                signals.entry(var.code).or_insert(Signal { id, bits: var.size as usize });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Writes what a command changes; false if it changes what is no signal of bits.
fn change<W: Write + Seek>(
    body: &mut FstBodyWriter<W>,
    command: Command,
    signals: &BTreeMap<IdCode, Signal>,
) -> Result<bool, WaveformError> {
    let (code, values) = match command {
        Command::Timestamp(time) => {
            if body.size() >= HELD {
                body.flush()?;
            }
            body.time_change(time)?;
            return Ok(true);
        }
        Command::ChangeScalar(code, value) => (code, vec![value]),
        Command::ChangeVector(code, values) => (code, values.iter().collect()),
        Command::ChangeReal(..) | Command::ChangeString(..) => return Ok(false),
        _ => return Ok(true),
    };
    let Some(signal) = signals.get(&code).filter(|signal| values.len() <= signal.bits) else {
        return Ok(false);
    };
    // A shorter value is extended as VCD says: by zeros, or by what is unknown in its first bit.
    let first = match values.first() {
        Some(Value::V0 | Value::V1) | None => b'0',
        Some(unknown) => digit(*unknown),
    };
    let mut digits = vec![first; signal.bits - values.len()];
    digits.extend(values.into_iter().map(digit));
    body.signal_change(signal.id, &digits)?;
    Ok(true)
}

fn digit(value: Value) -> u8 {
    match value {
        Value::V0 => b'0',
        Value::V1 => b'1',
        Value::X => b'x',
        Value::Z => b'z',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fst_reader::{FstFilter, FstHierarchyEntry, FstReader, FstSignalValue};
    use std::io::Cursor;

    fn fst(vcd: &str) -> Result<Vec<u8>, WaveformError> {
        let mut bytes = Cursor::new(Vec::new());
        to_fst(vcd.as_bytes(), &mut bytes)?;
        Ok(bytes.into_inner())
    }

    /// A time, the number of a signal, and its new digits.
    type Change = (u64, usize, String);

    /// Names with the number of their signal, and all changes.
    fn read(bytes: Vec<u8>) -> (Vec<(String, usize)>, Vec<Change>) {
        let mut reader = FstReader::open(Cursor::new(bytes)).unwrap();
        let (mut names, mut scopes) = (Vec::new(), Vec::new());
        reader
            .read_hierarchy(|entry| match entry {
                FstHierarchyEntry::Scope { name, .. } => scopes.push(name),
                FstHierarchyEntry::UpScope => drop(scopes.pop()),
                FstHierarchyEntry::Var { name, handle, .. } => {
                    names.push((format!("{}.{name}", scopes.join(".")), handle.get_index()));
                }
                _ => {}
            })
            .unwrap();
        let mut changes = Vec::new();
        reader
            .read_signals::<()>(&FstFilter::all(), |time, handle, value| {
                let FstSignalValue::String(digits) = value else { panic!("a real") };
                let text = String::from_utf8(digits.to_vec()).unwrap();
                changes.push((time, handle.get_index(), text));
                Ok(())
            })
            .unwrap();
        changes.sort();
        (names, changes)
    }

    const HEADER: &str = "$version v $end $timescale 1ps $end $scope module top $end $var wire 1 ! clk $end \
        $scope module core $end $var reg 4 # pc [3:0] $end $var wire 1 ! clk $end $upscope $end $upscope $end \
        $enddefinitions $end\n";

    #[test]
    fn a_waveform_has_the_same_names_and_changes() {
        let vcd = format!("{HEADER}#0\n0!\nb1010 #\n#5\n1!\n#7\n0!\nb1 #\n#9\nbx1 #\n1!\n");
        let (names, changes) = read(fst(&vcd).unwrap());
        let found: Vec<_> = names.iter().map(|(name, of)| (name.as_str(), *of)).collect();
        assert_eq!(found, [("top.clk", 0), ("top.core.pc [3:0]", 1), ("top.core.clk", 0)]);
        let expected = [
            (0, 0, "0"),
            (0, 1, "1010"),
            (5, 0, "1"),
            (7, 0, "0"),
            (7, 1, "0001"),
            (9, 0, "1"),
            (9, 1, "xxx1"),
        ];
        let changes: Vec<_> = changes.iter().map(|(at, of, v)| (*at, *of, v.as_str())).collect();
        assert_eq!(changes, expected);
    }

    #[test]
    fn the_same_waveform_gives_the_same_bytes_and_one_without_changes_is_one_too() {
        let vcd = format!("{HEADER}#0\n0!\nb1 #\n#4\n1!\n");
        assert_eq!(fst(&vcd).unwrap(), fst(&vcd).unwrap());
        assert_eq!(read(fst(HEADER).unwrap()).0.len(), 3);
    }

    #[test]
    fn what_is_no_waveform_is_refused_with_its_line() {
        for (body, said) in [
            ("#0\n1$\n", "line 3 of the VCD: expected a value change of a declared signal"),
            ("#0\nb11111 #\n", "line 3 of the VCD: expected a value change"),
            ("#0\nr1.5 !\n", "line 3 of the VCD: expected a value change"),
            ("#5\n#4\n", "cannot write the FST: Cannot change the time from 5 to 4"),
            ("#0\nwhat\n", "cannot read the VCD: "),
        ] {
            let error = fst(&format!("{HEADER}{body}")).unwrap_err().to_string();
            assert!(error.starts_with(said), "{body}: {error}");
        }
        let error = fst("$scope module").unwrap_err().to_string();
        assert!(error.starts_with("cannot read the VCD: "), "{error}");
    }
}
