//! Whole ELF files, written here byte by byte, as a program reads them.

use border::Program;
use border::map::RAM;
use std::path::Path;

/// An executable with one instruction and, if there are attributes, a section with them.
fn elf(attributes: Option<&[u8]>) -> Vec<u8> {
    const HEADER: u32 = 52;
    const SEGMENT: u32 = 32;
    let names = b"\0.riscv.attributes\0.shstrtab\0";
    let code = 0x0000_006f_u32.to_le_bytes();
    let code_at = HEADER + SEGMENT;
    let attributes_at = code_at + code.len() as u32;
    let content = attributes.unwrap_or_default();
    let names_at = attributes_at + content.len() as u32;
    let table_at = names_at + names.len() as u32;
    let sections: &[[u32; 10]] = &[
        [0; 10],
        [19, 3, 0, 0, names_at, names.len() as u32, 0, 0, 1, 0],
        [1, 0x7000_0003, 0, 0, attributes_at, content.len() as u32, 0, 0, 1, 0],
    ];
    let sections = if attributes.is_some() { sections } else { &sections[..2] };

    let mut file = b"\x7fELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    let halves = |file: &mut Vec<u8>, halves: &[u16]| {
        file.extend(halves.iter().flat_map(|half| half.to_le_bytes()));
    };
    let words = |file: &mut Vec<u8>, words: &[u32]| {
        file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    };
    // An executable for RISC-V.
    halves(&mut file, &[2, 243]);
    words(&mut file, &[1, RAM.base, HEADER, table_at, 0]);
    halves(&mut file, &[HEADER as u16, SEGMENT as u16, 1, 40, sections.len() as u16, 1]);
    let size = code.len() as u32;
    words(&mut file, &[1, code_at, RAM.base, RAM.base, size, size, 5, 4]);
    file.extend(code);
    file.extend(content);
    file.extend(names);
    sections.iter().for_each(|section| words(&mut file, section));
    file
}

/// Attributes that say for which architecture the code was compiled.
fn attributes(arch: &str) -> Vec<u8> {
    let text = [&[5], arch.as_bytes(), &[0]].concat();
    let file = [&[1], &(text.len() as u32 + 5).to_le_bytes()[..], &text].concat();
    let vendor = b"riscv\0";
    let length = (vendor.len() + file.len()) as u32 + 4;
    [b"A", &length.to_le_bytes()[..], vendor, &file].concat()
}

fn parse(file: Vec<u8>) -> Result<Program, String> {
    Program::parse(Path::new("x.elf"), file, Program::ANY_RAM)
}

#[test]
fn a_file_without_attributes_is_a_program() {
    let program = parse(elf(None)).unwrap();
    assert_eq!((program.entry, program.text), (RAM.base, RAM.base..RAM.base + 4));
}

#[test]
fn attributes_decide_whether_the_machine_can_run_it() {
    let arch = |arch: &str| parse(elf(Some(&attributes(arch))));
    arch("rv32i2p1_m2p0_a2p1_zicsr2p0_zifencei2p0").unwrap();
    assert_eq!(
        arch("rv32i2p1_m2p0_a2p1_f2p2_zicsr2p0").unwrap_err(),
        "is compiled for rv32i2p1_m2p0_a2p1_f2p2_zicsr2p0: the machine does not have the extension F; \
         compile for -march=rv32ima_zicsr_zifencei -mabi=ilp32"
    );
}

#[test]
fn every_beginning_of_a_file_is_refused() {
    let whole = elf(Some(&attributes("rv32i2p1")));
    parse(whole.clone()).unwrap();
    (0..whole.len()).for_each(|length| assert!(parse(whole[..length].to_vec()).is_err()));
}
