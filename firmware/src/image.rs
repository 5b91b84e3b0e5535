//! A program's memory image as text, for Verilog's `$readmemh`.
//!
//! For simulators and boards that know nothing of ELF.

use std::fmt::Write as _;

use border::Program;
use border::map::RAM;

/// The loaded segments of a linked program as 32-bit words, each with its place in RAM. What a segment
/// has in memory beyond the file is left out: it is zero.
///
/// # Errors
/// What is wrong with the program, as the end of a sentence.
pub fn hex(program: &Program) -> Result<String, String> {
    let mut text = String::new();
    for segment in &program.segments {
        let (address, bytes) = (segment.address, &segment.bytes);
        // Word 0 of the image is the first of RAM.
        let first = address.checked_sub(RAM.base).filter(|offset| offset % 4 == 0);
        let first = first.ok_or(format!(
            "has a segment at {address:#x}; expected an address in RAM that is a multiple of 4"
        ))?;
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
        let text = hex(&Program::read(&program, Program::ANY_RAM).unwrap()).unwrap();
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
    fn a_segment_that_begins_within_a_word_is_refused() {
        let program = Program::of_pieces("odd", [(RAM.base + 2, vec![0])]);
        assert!(hex(&program).unwrap_err().contains("0x80000002"));
    }
}
