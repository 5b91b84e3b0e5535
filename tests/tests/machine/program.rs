//! Files that are no programs: one clear sentence each, and nothing is allocated for what they claim.

use border::map::{RAM, UART};
use std::fs;
use std::path::Path;

use border::Program;
use config::Config;
use firmware::suites;

use crosstalk_tests::machine::setup;

const RAM_BYTES: u32 = 16 << 20;

/// A good program's bytes, to be spoiled.
fn good() -> Vec<u8> {
    let suite = suites::named("user", "control").unwrap();
    fs::read(setup::program(&suite, &Config::default()).path).unwrap()
}

#[track_caller]
fn complaint(change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = good();
    change(&mut bytes);
    match Program::parse(Path::new("x.elf"), bytes, RAM_BYTES) {
        Err(what) => what,
        Ok(program) => panic!("accepted: {program:?}"),
    }
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Where the program header of the first segment is.
fn first_header(bytes: &[u8]) -> usize {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let half = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()) as usize;
    let (table, size, count) = (word(28), half(42), half(44));
    (0..count).map(|n| table + n * size).find(|at| word(*at) == 1).unwrap()
}

#[test]
fn each_kind_of_wrong_file_is_named() {
    assert_eq!(complaint(|b| b.clear()), "is not an ELF file");
    assert_eq!(complaint(|b| b[0] = b'#'), "is not an ELF file");
    assert_eq!(complaint(|b| b.truncate(19)), "is a damaged ELF file: it ends within its header");
    assert_eq!(complaint(|b| b[4] = 2), "is a 64-bit ELF file; the machine has 32-bit harts");
    assert_eq!(complaint(|b| b[5] = 2), "is a big-endian ELF file; the machine is little-endian");
    let other = "is for another processor (ELF machine 62); expected RISC-V (243)";
    assert_eq!(complaint(|b| b[18] = 62), other);
    assert_eq!(complaint(|b| b[16] = 1), "is an object file; link it to a program first");
    assert!(complaint(|b| b[16] = 3).contains("not linked to fixed addresses"));
}

#[test]
fn code_for_another_machine_is_refused_with_how_to_compile() {
    const FLAGS: usize = 36;
    let flags = |value| complaint(|b| put(b, FLAGS, value));
    let how = "compile for -march=rv32ima_zicsr_zifencei -mabi=ilp32";
    for (value, what) in [(1, "extension C"), (2, "extension F"), (4, "extension D"), (8, "RV32E")]
    {
        let said = flags(value);
        assert!(said.contains(what) && said.ends_with(how) && !said.contains('\n'), "{said}");
    }
}

#[test]
fn places_that_do_not_fit_are_named() {
    let entry = |value| complaint(|b| put(b, 24, value));
    assert_eq!(entry(0x9000_0000), "has its entry point at 0x90000000, outside its segments");
    let odd = "has its entry point at 0x80000002, which is not a multiple of 4";
    assert_eq!(entry(0x8000_0002), odd);
    let segment = |at: usize, value| {
        complaint(|b| {
            let header = first_header(b);
            put(b, header + at, value);
        })
    };
    // Physical address, size in the file, size in memory, offset.
    assert!(segment(12, UART.base).contains("outside RAM at 0x80000000..0x81000000"));
    assert!(segment(20, 0x7fff_ffff).contains("outside RAM"));
    assert!(segment(20, 0xffff_ffff).contains("outside RAM"));
    assert!(segment(16, 0xffff_ffff).contains("bytes in the file, but only"));
    assert!(segment(4, 0xffff_f000).contains("is truncated: the segment at 0x80000000"));
    assert!(segment(20, 0x2000).contains("has segments that overlap: 0x80000000..0x80002000 and"));
    assert!(complaint(|b| put(b, 28, 0xffff_fff0)).contains("damaged"));
    assert!(complaint(|b| b[44] = 0).contains("no segments"));
}

#[test]
fn a_truncated_file_is_refused_at_every_length() {
    let whole = good();
    for length in 0..whole.len().min(0x2000) {
        let result = Program::parse(Path::new("x.elf"), whole[..length].to_vec(), RAM_BYTES);
        assert!(result.is_err(), "accepted with {length} bytes");
    }
}

#[test]
fn no_change_of_one_byte_in_the_headers_makes_it_panic() {
    let whole = good();
    let headers = first_header(&whole) + 4 * 32;
    for at in 0..headers {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            let _ = Program::parse(Path::new("x.elf"), bytes, RAM_BYTES);
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let error = Program::read(Path::new("/nonexistent/x.elf"), RAM_BYTES).unwrap_err();
    assert!(error.to_string().starts_with("cannot read `/nonexistent/x.elf`: "));
    let error = Program::read(Path::new("/"), RAM_BYTES).unwrap_err();
    assert_eq!(error.to_string(), "`/` is not a file");
}

#[test]
fn a_good_program_is_read_as_it_is() {
    let suite = suites::named("user", "control").unwrap();
    let program = setup::program(&suite, &Config::default());
    assert_eq!(program.entry, RAM.base);
    assert_eq!(program.text.start, RAM.base);
    let tohost = program.tohost().unwrap();
    assert_eq!((tohost.size, tohost.address % 64), (8, 0));
    assert_eq!(program.symbol("tohost"), Some(tohost.address));
    assert!(program.symbol("nothing").is_none());
    let lines = cosim::machine::SourceLines::of(&program);
    let main = program.symbol("main").unwrap();
    assert_eq!(lines.symbol(main + 4).unwrap(), "main+4");
    assert!(lines.line(main).unwrap().contains("firmware/suites/user/control.S:"));
}
