//! The instruction set a program was compiled for, from its ELF file: `e_flags`, and the architecture in
//! `.riscv.attributes`.
//!
//! The machine is RV32IMA with Zicsr and Zifencei. Code that needs more would trap during the run, so it is
//! rejected before.

use object::elf;

/// Compiler flags for the machine.
const COMPILE: &str = "compile for -march=rv32ima_zicsr_zifencei -mabi=ilp32";

/// The machine's extensions, and those that only add hints or name parts of others.
const SUPPORTED: [&str; 11] = [
    "i",
    "m",
    "a",
    "zicsr",
    "zifencei",
    "zicntr",
    "zmmul",
    "zaamo",
    "zalrsc",
    "zihintpause",
    "zihintntl",
];

/// Rejects a file whose header requires another machine.
///
/// # Errors
/// Why, as the end of a sentence that begins with the file.
pub fn check_flags(flags: u32) -> Result<(), String> {
    let needs = |what: &str| {
        Err(format!("is compiled for {what}, which the machine does not have; {COMPILE}"))
    };
    if flags & elf::EF_RISCV_RVC != 0 {
        return needs("compressed instructions (extension C)");
    }
    match flags & elf::EF_RISCV_FLOAT_ABI {
        elf::EF_RISCV_FLOAT_ABI_SINGLE => {
            return needs("the single-precision float ABI (extension F)");
        }
        elf::EF_RISCV_FLOAT_ABI_DOUBLE => {
            return needs("the double-precision float ABI (extension D)");
        }
        elf::EF_RISCV_FLOAT_ABI_QUAD => {
            return needs("the quad-precision float ABI (extension Q)");
        }
        _ => {}
    }
    if flags & elf::EF_RISCV_RVE != 0 {
        return needs("the instruction set RV32E (16 registers)");
    }
    if flags & elf::EF_RISCV_TSO != 0 {
        return needs("total store ordering (extension Ztso)");
    }
    Ok(())
}

/// Rejects a program whose attributes name an extension that the machine lacks. Attributes that cannot be parsed
/// are ignored.
///
/// # Errors
/// Why, as the end of a sentence that begins with the file.
pub fn check_attributes(section: &[u8]) -> Result<(), String> {
    let Some(arch) = arch(section) else { return Ok(()) };
    let lacking = extensions(&arch).into_iter().find(|name| !SUPPORTED.contains(&name.as_str()));
    match lacking {
        None => Ok(()),
        Some(name) => Err(format!(
            "is compiled for {arch}: the machine does not have the extension {}; {COMPILE}",
            spelled(&name)
        )),
    }
}

/// The name of an extension as manuals spell it: `C`, `Zba`.
fn spelled(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// The architecture string, from the section's bytes (RISC-V ELF psABI, "Attributes").
fn arch(section: &[u8]) -> Option<String> {
    const ARCH: u64 = 5;
    let mut rest = section.strip_prefix(b"A")?;
    while !rest.is_empty() {
        let (subsection, after) = sized(rest, 0)?;
        rest = after;
        let Some(mut attributes) = subsection.strip_prefix(b"riscv\0") else { continue };
        while !attributes.is_empty() {
            // Tag 1 is the whole file; there is no other.
            let (_, tag_bytes) = uleb(attributes)?;
            let (mut file, after) = sized(attributes, tag_bytes)?;
            attributes = after;
            while !file.is_empty() {
                let (tag, bytes) = uleb(file)?;
                file = &file[bytes..];
                // Odd tags hold text, even ones a number.
                if tag % 2 == 0 {
                    file = &file[uleb(file)?.1..];
                    continue;
                }
                let end = file.iter().position(|byte| *byte == 0)?;
                if tag == ARCH {
                    return String::from_utf8(file[..end].to_vec()).ok();
                }
                file = &file[end + 1..];
            }
        }
    }
    None
}

/// Splits off a part whose length, at `at`, counts from the part's first byte; also returns the rest.
fn sized(bytes: &[u8], at: usize) -> Option<(&[u8], &[u8])> {
    let length = bytes.get(at..at + 4)?.try_into().ok()?;
    let length = u32::from_le_bytes(length) as usize;
    Some((bytes.get(at + 4..length)?, &bytes[length..]))
}

/// A number in LEB128, and its length in bytes.
fn uleb(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (place, byte) in bytes.iter().enumerate().take(9) {
        value |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some((value, place + 1));
        }
    }
    None
}

/// The extensions of an architecture string such as `rv32i2p1_m2p0_zicsr2p0`, without versions.
fn extensions(arch: &str) -> Vec<String> {
    let arch = arch.to_ascii_lowercase();
    let arch = arch.strip_prefix("rv32").unwrap_or(&arch);
    let mut names = Vec::new();
    for part in arch.split('_') {
        let mut rest = part;
        // Single letters may be adjacent; `z`, `s` and `x` begin a longer name.
        while let Some(letter) = rest.chars().next() {
            if ['z', 's', 'x'].contains(&letter) {
                names.push(without_version(rest).to_owned());
                break;
            }
            names.push(letter.to_string());
            rest = without_leading_version(&rest[letter.len_utf8()..]);
        }
    }
    names
}

/// A name without the version at its end: `zve32x1p0` is `zve32x`.
fn without_version(name: &str) -> &str {
    let digit = |c: char| c.is_ascii_digit();
    let Some(major) = name.trim_end_matches(digit).strip_suffix('p') else { return name };
    let short = major.trim_end_matches(digit);
    if short.len() < major.len() && name.ends_with(digit) { short } else { name }
}

/// The text after a leading version such as `2p1`.
fn without_leading_version(text: &str) -> &str {
    let after_major = text.trim_start_matches(|c: char| c.is_ascii_digit());
    match after_major.strip_prefix('p') {
        Some(minor) if minor.starts_with(|c: char| c.is_ascii_digit()) => {
            minor.trim_start_matches(|c: char| c.is_ascii_digit())
        }
        _ => after_major,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section as compilers write it: a stack alignment first, then the architecture.
    fn section(arch: &str) -> Vec<u8> {
        let mut file = vec![4, 16, 5];
        file.extend(arch.bytes().chain([0]));
        let mut part = vec![1];
        part.extend((file.len() as u32 + 5).to_le_bytes());
        part.extend(file);
        let mut subsection = b"riscv\0".to_vec();
        subsection.extend(part);
        let mut section = b"A".to_vec();
        section.extend((subsection.len() as u32 + 4).to_le_bytes());
        section.extend(subsection);
        section
    }

    #[test]
    fn every_flag_of_another_machine_is_refused_by_its_name() {
        check_flags(0).unwrap();
        for (flags, name) in [
            (elf::EF_RISCV_RVC, "compressed instructions (extension C)"),
            (elf::EF_RISCV_FLOAT_ABI_SINGLE, "float ABI (extension F)"),
            (elf::EF_RISCV_FLOAT_ABI_DOUBLE, "float ABI (extension D)"),
            (elf::EF_RISCV_FLOAT_ABI_QUAD, "float ABI (extension Q)"),
            (elf::EF_RISCV_RVE, "RV32E"),
            (elf::EF_RISCV_TSO, "Ztso"),
        ] {
            let refused = check_flags(flags).unwrap_err();
            assert!(refused.contains(name) && refused.ends_with(COMPILE), "{refused}");
        }
    }

    #[test]
    fn an_extension_that_the_machine_lacks_is_named() {
        for (arch, lacking) in [
            ("rv32i2p1_m2p0_a2p1_c2p0_zicsr2p0", Some("C")),
            ("rv32imafd", Some("F")),
            ("rv32i2p1_m2p0_zba1p0", Some("Zba")),
            ("rv32i2p1_zve32x1p0_zvl32b1p0", Some("Zve32x")),
            ("rv32e2p0_m2p0", Some("E")),
            ("rv32i2p1_m2p0_a2p1_xvendor1p0", Some("Xvendor")),
            ("rv32i2p1_m2p0_a2p1_zicsr2p0_zifencei2p0_zmmul1p0_zaamo1p0_zalrsc1p0", None),
            ("rv32ima_zicsr", None),
        ] {
            let said = check_attributes(&section(arch)).err();
            let expected = lacking.map(|name| {
                format!(
                    "is compiled for {arch}: the machine does not have the extension {name}; {COMPILE}"
                )
            });
            assert_eq!(said, expected);
        }
    }

    #[test]
    fn attributes_that_cannot_be_read_say_nothing() {
        let whole = section("rv32gc");
        check_attributes(&whole).unwrap_err();
        for length in 0..whole.len() {
            check_attributes(&whole[..length]).unwrap();
        }
        check_attributes(b"not attributes").unwrap();
    }
}
