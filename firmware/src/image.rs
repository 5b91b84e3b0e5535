//! A program's memory image as text, for Verilog's `$readmemh`.
//!
//! For simulators and boards that know nothing of ELF.

use std::fmt::Write as _;

use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSegment};

/// Where RAM begins: word 0 of the image.
const RAM: u64 = border::map::RAM.base as u64;

/// The loaded segments of a linked program as 32-bit words, each with its place in RAM. What a segment
/// has in memory beyond the file is left out: it is zero.
///
/// # Errors
/// What is wrong with the file, as the end of a sentence.
pub fn hex(elf: &[u8]) -> Result<String, String> {
    let file = ElfFile32::<Endianness>::parse(elf).map_err(|error| error.to_string())?;
    let mut text = String::new();
    for segment in file.segments() {
        let bytes = segment.data().map_err(|error| error.to_string())?;
        let address = segment.address();
        let first = address.checked_sub(RAM).filter(|offset| offset % 4 == 0);
        let first = first.ok_or(format!("has a segment at {address:#x}, not a word of RAM"))?;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "@{:x}", first / 4);
        for chunk in bytes.chunks(4) {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            let _ = writeln!(text, "{:08x}", u32::from_le_bytes(word));
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compiler, suites};

    #[test]
    fn words_stand_where_the_program_has_them() {
        let suite = suites::named("multi", "handover").unwrap();
        let program = suite.program(&Compiler::for_workspace().unwrap()).unwrap();
        let text = hex(&std::fs::read(program).unwrap()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        // Code at the start of RAM; `la t6, trap_handler` begins with an auipc to t6.
        assert_eq!(lines[0], "@0");
        assert_eq!(u32::from_str_radix(lines[1], 16).unwrap() & 0xfff, 0xf97);
        // `tohost` and `fromhost` after it, then the text, its last word padded with zeros.
        let data = lines.iter().position(|line| *line == "@400").expect("data at 0x8000_1000");
        assert_eq!(lines[data + 1..data + 33], ["00000000"; 32]);
        assert_eq!(lines[data + 33], format!("{:08x}", u32::from_le_bytes(*b"8 ro")));
        assert_eq!(*lines.last().unwrap(), "0000000a");
    }

    #[test]
    fn what_is_no_program_is_refused() {
        assert!(hex(b"neither").is_err());
    }
}
