//! Core files: a moment of a run as ELF32, which stock gdb opens beside the program.
//!
//! ```text
//! ELF header, ET_CORE, EM_RISCV
//! PT_NOTE   NT_PRPSINFO       the program's name
//!           NT_PRSTATUS       for each hart, the failing one first: registers, signal, its number plus one
//!           CROSSTALK, 1      JSON: which run this is, hashes, last writers
//! PT_LOAD   memory, as the harts see it through the caches
//! ```

mod read;

pub use read::{CoreError, read};

use crate::cut;
use crate::moment::Registers;
use crate::pages::Pages;
use kit::numbers::hex;
use object::elf;
use object::write::elf::{FileHeader, ProgramHeader, Writer};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The name and version of the form of [`Note`].
pub const SCHEMA: &str = "crosstalk.core/1";

const OWNER: &[u8] = b"CROSSTALK";
const RUN_NOTE: u32 = 1;
const PAGE: usize = 4096;

/// Sizes and places of Linux's structures for 32-bit RISC-V, as gdb reads them.
const STATUS_BYTES: usize = 204;
const STATUS_SIGNAL: usize = 12;
const STATUS_THREAD: usize = 24;
const STATUS_REGISTERS: usize = 72;
const INFO_BYTES: usize = 128;
const INFO_NAME: usize = 32;
const INFO_ARGUMENTS: usize = 48;
const NAME_BYTES: usize = 16;

/// A hart in a core file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreHart {
    /// Its number.
    pub hart: u32,
    /// The signal that ended the run, as on Linux the same for all; 0: none.
    pub signal: u16,
    /// Its registers.
    pub registers: Registers,
}

/// A write, in the note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Write {
    /// The thread.
    pub thread: String,
    /// The line, or the address of the instruction.
    pub line: String,
    /// The number of its event.
    pub event: u64,
}

/// Bytes with one last writer, in the note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenBytes {
    /// The first.
    pub address: u32,
    /// Number of bytes.
    pub bytes: u32,
    /// Who: a place in the list of writes.
    pub write: u32,
}

/// What a core file says of its run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The name and version of this form.
    pub schema: String,
    /// The program.
    pub program: String,
    /// SHA-256 of its file.
    pub elf: String,
    /// What ran it.
    pub on: String,
    /// The schedule.
    pub seed: u64,
    /// How the run ended.
    pub outcome: String,
    /// So many steps of the recording come before this moment.
    pub steps: u64,
    /// SHA-256 of the moment.
    pub state: String,
    /// SHA-256 of registers and memory in this file.
    pub contents: String,
    /// What each hart does, in the order of the file.
    pub harts: Vec<String>,
    /// Writes of the program and its library.
    pub writes: Vec<Write>,
    /// The bytes of memory that they were the last to write. The others are as loaded, or the firmware's.
    pub last_writers: Vec<WrittenBytes>,
}

/// Makes a core file beside the program's `file`, by whose name gdb compares. The note's hash of the contents is filled
/// in.
///
/// # Errors
/// If it does not fit into an ELF32 file.
pub fn write(
    file: &str,
    harts: &[CoreHart],
    memory: &Pages,
    mut note: Note,
) -> Result<Vec<u8>, CoreError> {
    let statuses: Vec<[u8; STATUS_BYTES]> = harts.iter().map(status).collect();
    let ram = memory.range();
    let mut bytes = vec![0; usize::try_from(ram.end - ram.start).unwrap_or(0)];
    memory.read(ram.start as u32, &mut bytes);
    note.contents = contents(statuses.iter().map(<[u8; STATUS_BYTES]>::as_slice), &bytes);
    let text =
        serde_json::to_vec(&note).map_err(|error| CoreError::Unwritable(error.to_string()))?;
    let mut notes = Vec::new();
    add_note(&mut notes, b"CORE", elf::NT_PRPSINFO, &info(file, &note.program));
    for status in &statuses {
        add_note(&mut notes, b"CORE", elf::NT_PRSTATUS, status);
    }
    add_note(&mut notes, OWNER, RUN_NOTE, &text);
    laid_out(&notes, ram.start, &bytes)
}

/// SHA-256 of what a core file holds.
fn contents<'a>(statuses: impl Iterator<Item = &'a [u8]>, memory: &[u8]) -> String {
    let mut hash = Sha256::new();
    statuses.for_each(|status| hash.update(status));
    hash.update(memory);
    hex(&hash.finalize())
}

fn laid_out(notes: &[u8], base: u64, memory: &[u8]) -> Result<Vec<u8>, CoreError> {
    let mut file = Vec::new();
    let mut writer = Writer::new(object::Endianness::Little, false, &mut file);
    writer.reserve_file_header();
    writer.reserve_program_headers(2);
    let notes_at = writer.reserve(notes.len(), 4) as u64;
    let memory_at = writer.reserve(memory.len(), PAGE) as u64;
    let unwritable = |error: object::write::Error| CoreError::Unwritable(error.to_string());
    writer
        .write_file_header(&FileHeader {
            os_abi: elf::ELFOSABI_NONE,
            abi_version: 0,
            e_type: elf::ET_CORE,
            e_machine: elf::EM_RISCV,
            e_entry: 0,
            e_flags: 0,
        })
        .map_err(unwritable)?;
    writer.write_align_program_headers();
    writer.write_program_header(&ProgramHeader {
        p_type: elf::PT_NOTE,
        p_flags: elf::PF_R,
        p_offset: notes_at,
        p_vaddr: 0,
        p_paddr: 0,
        p_filesz: notes.len() as u64,
        p_memsz: 0,
        p_align: 4,
    });
    writer.write_program_header(&ProgramHeader {
        p_type: elf::PT_LOAD,
        p_flags: elf::PF_R | elf::PF_W | elf::PF_X,
        p_offset: memory_at,
        p_vaddr: base,
        p_paddr: base,
        p_filesz: memory.len() as u64,
        p_memsz: memory.len() as u64,
        p_align: PAGE as u64,
    });
    writer.write_align(4);
    writer.write(notes);
    writer.write_align(PAGE);
    writer.write(memory);
    Ok(file)
}

fn add_note(notes: &mut Vec<u8>, owner: &[u8], kind: u32, bytes: &[u8]) {
    let pad = |notes: &mut Vec<u8>| notes.resize(notes.len().next_multiple_of(4), 0);
    for word in [owner.len() as u32 + 1, bytes.len() as u32, kind] {
        notes.extend(word.to_le_bytes());
    }
    notes.extend(owner);
    notes.push(0);
    pad(notes);
    notes.extend(bytes);
    pad(notes);
}

fn status(hart: &CoreHart) -> [u8; STATUS_BYTES] {
    let mut status = [0; STATUS_BYTES];
    let mut put = |at: usize, word: u32| status[at..at + 4].copy_from_slice(&word.to_le_bytes());
    put(0, hart.signal.into());
    put(STATUS_SIGNAL, hart.signal.into());
    put(STATUS_THREAD, hart.hart + 1);
    // In place of `x0`, which is 0, Linux has the pc.
    put(STATUS_REGISTERS, hart.registers.pc);
    for (number, value) in hart.registers.x.iter().enumerate().skip(1) {
        put(STATUS_REGISTERS + 4 * number, *value);
    }
    status
}

fn info(file: &str, program: &str) -> [u8; INFO_BYTES] {
    let mut info = [0; INFO_BYTES];
    let mut put = |at: usize, most: usize, text: &str| {
        let bytes = cut(text, most - 1);
        info[at..at + bytes.len()].copy_from_slice(bytes);
    };
    put(INFO_NAME, NAME_BYTES, file);
    put(INFO_ARGUMENTS, INFO_BYTES - INFO_ARGUMENTS, program);
    info
}
