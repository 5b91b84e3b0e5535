//! Reading a core file back.

use super::{
    CoreHart, Note, OWNER, RUN_NOTE, SCHEMA, STATUS_BYTES, STATUS_REGISTERS, STATUS_SIGNAL,
    STATUS_THREAD, contents,
};
use crate::moment::Registers;
use object::LittleEndian;
use object::elf::{self, FileHeader32};
use object::read::elf::{FileHeader as _, ProgramHeader as _};

/// Why a file is no core file of ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// It is something else.
    #[error("not a core file written by `crosstalk core`: {0}")]
    NotACore(String),
    /// It was one.
    #[error("the core file is damaged: {0}")]
    Damaged(String),
    /// It could not be made.
    #[error("cannot make the core file: {0}")]
    Unwritable(String),
}

/// What a core file says of its run, and its harts. Its contents are what was written.
///
/// # Errors
/// If it is no core file of ours, or is damaged.
pub fn read(file: &[u8]) -> Result<(Note, Vec<CoreHart>), CoreError> {
    let not = |what: &str| CoreError::NotACore(what.to_owned());
    let damaged = |error: object::read::Error| CoreError::Damaged(error.to_string());
    let header = FileHeader32::<LittleEndian>::parse(file)
        .map_err(|_| not("this is not a 32-bit ELF file"))?;
    let endian = header.endian().map_err(|_| not("this file is big-endian"))?;
    if (header.e_type(endian), header.e_machine(endian)) != (elf::ET_CORE, elf::EM_RISCV) {
        return Err(not("this ELF file is not a core file of a RISC-V machine"));
    }
    let (mut statuses, mut text, mut memory) = (Vec::new(), None, None);
    for segment in header.program_headers(endian, file).map_err(damaged)? {
        if segment.p_type(endian) == elf::PT_LOAD {
            let bytes = segment.data(endian, file);
            memory = Some(bytes.map_err(|()| CoreError::Damaged("its memory is cut off".into()))?);
        }
        let Some(mut notes) = segment.notes(endian, file).map_err(damaged)? else { continue };
        while let Some(note) = notes.next().map_err(damaged)? {
            match (note.name(), note.n_type(endian)) {
                (b"CORE", elf::NT_PRSTATUS) => statuses.push(note.desc()),
                (OWNER, RUN_NOTE) => text = Some(note.desc()),
                _ => {}
            }
        }
    }
    let text = text.ok_or_else(|| not("the note that describes the run is missing"))?;
    let note: Note = serde_json::from_slice(text)
        .map_err(|error| CoreError::Damaged(format!("the note that describes the run: {error}")))?;
    if note.schema != SCHEMA {
        return Err(not(&format!("expected format {SCHEMA}, got {}", note.schema)));
    }
    let memory = memory.ok_or_else(|| CoreError::Damaged("the memory is missing".into()))?;
    if contents(statuses.iter().copied(), memory) != note.contents {
        let what = "the registers or memory differ from those that were written";
        return Err(CoreError::Damaged(what.into()));
    }
    let harts: Option<Vec<CoreHart>> = statuses.into_iter().map(hart).collect();
    let harts =
        harts.ok_or_else(|| CoreError::Damaged("the status of a hart has the wrong size".into()));
    Ok((note, harts?))
}

fn hart(status: &[u8]) -> Option<CoreHart> {
    if status.len() != STATUS_BYTES {
        return None;
    }
    let word = |at: usize| {
        status
            .get(at..at + 4)
            .map(|bytes| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)))
    };
    let mut registers = Registers { pc: word(STATUS_REGISTERS)?, ..Registers::default() };
    for (number, value) in registers.x.iter_mut().enumerate().skip(1) {
        *value = word(STATUS_REGISTERS + 4 * number)?;
    }
    let signal = word(STATUS_SIGNAL)? as u16;
    Some(CoreHart { hart: word(STATUS_THREAD)?.checked_sub(1)?, signal, registers })
}
