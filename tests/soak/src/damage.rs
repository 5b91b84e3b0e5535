//! Damages valid bytes as disks, wires, editors and people do.

use kit::Dice;

/// Boundary values.
const EDGES: [u64; 12] = [
    0,
    1,
    0x7f,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    1 << 31,
    0xffff_ffff,
    i64::MAX as u64,
    1 << 63,
    u64::MAX,
];

/// Words that are special to some parser.
const WORDS: [&[u8]; 14] = [
    b"\0",
    b"\n",
    b"\"",
    b"\\u0000",
    b"-1",
    b"1e999",
    b"NaN",
    b"18446744073709551616",
    b"&#0;",
    b"]]>",
    b"{\"a\":",
    b"\xff\xfe",
    b"\xc7\x5a",
    "ä→".as_bytes(),
];

/// Changes some bytes, by chance: one to four times one kind of damage.
pub fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..1 + dice.below(4u32) {
        once(bytes, dice);
    }
}

fn once(bytes: &mut Vec<u8>, dice: &mut Dice) {
    if bytes.is_empty() {
        bytes.extend(dice.one_of(&WORDS));
        return;
    }
    let at = dice.below(bytes.len());
    let some = 1 + dice.below(bytes.len().min(64));
    let end = (at + some).min(bytes.len());
    match dice.below(9u32) {
        0 => bytes[at] ^= 1 << dice.below(8u32),
        1 => bytes[at] = dice.word() as u8,
        2 => bytes.truncate(at),
        3 => drop(bytes.drain(at..end)),
        4 => {
            let again = bytes[at..end].to_vec();
            drop(bytes.splice(at..at, again));
        }
        5 => {
            let from = dice.below(bytes.len());
            let other = bytes[from..(from + some).min(bytes.len())].to_vec();
            let to = (at + other.len()).min(bytes.len());
            drop(bytes.splice(at..to, other));
        }
        6 => drop(bytes.splice(at..at, dice.one_of(&WORDS).iter().copied())),
        7 => number(bytes, at, dice),
        _ => digits(bytes, dice),
    }
}

/// Puts a number at a place, as a field of a binary format.
fn number(bytes: &mut [u8], at: usize, dice: &mut Dice) {
    let value = dice.one_of(&EDGES).to_le_bytes();
    let size = dice.one_of(&[1, 2, 4, 8]).min(bytes.len() - at);
    bytes[at..at + size].copy_from_slice(&value[..size]);
}

/// Replaces a number written in digits, as in text formats.
fn digits(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let from = dice.below(bytes.len());
    let Some(start) = bytes[from..].iter().position(u8::is_ascii_digit).map(|at| from + at) else {
        return;
    };
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = dice.one_of(&EDGES).to_string();
    drop(bytes.splice(start..start + length, number.bytes()));
}

/// Damages the payloads of a run file and recomputes the checksums, as a writer with a bug would.
pub fn damage_sealed(file: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut frames: Vec<(u8, Vec<u8>)> = frames(file);
    let Some(last) = frames.len().checked_sub(1) else { return file.to_vec() };
    match dice.below(6u32) {
        0 => drop(frames.remove(dice.below(frames.len()))),
        1 => frames.insert(dice.below(frames.len()), frames[dice.below(last + 1)].clone()),
        2 => frames.swap(dice.below(last + 1), last),
        _ => {
            let chosen = dice.below(frames.len());
            damage(&mut frames[chosen].1, dice);
        }
    }
    sealed(&frames)
}

const HEAD: usize = 8;
const TAIL: usize = 4;
const END: u8 = 7;

/// Kinds and payloads of the frames of an intact file (docs/records.md).
fn frames(file: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let mut found = Vec::new();
    let mut rest = file;
    while let [_, _, kind, _, low, high, ..] = *rest {
        let length = usize::from(u16::from_le_bytes([low, high]));
        let Some(payload) = rest.get(HEAD..HEAD + length) else { break };
        found.push((kind, payload.to_vec()));
        rest = rest.get(HEAD + length + TAIL..).unwrap_or_default();
    }
    found
}

/// The frames as a file, with sequence numbers and valid checksums, including that over all frames.
fn sealed(frames: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut chain = crc32fast::Hasher::new();
    for (number, (kind, payload)) in frames.iter().enumerate() {
        let mut payload = payload.clone();
        payload.truncate(usize::from(u16::MAX));
        if *kind == END && payload.len() >= 8 {
            payload[4..8].copy_from_slice(&chain.clone().finalize().to_le_bytes());
        }
        let length = payload.len() as u16;
        let mut covered = vec![*kind, number as u8];
        covered.extend(length.to_le_bytes());
        covered.extend((!length).to_le_bytes());
        covered.extend(payload);
        let checksum = crc32fast::hash(&covered).to_le_bytes();
        chain.update(&checksum);
        file.extend(record::SYNC);
        file.extend(covered);
        file.extend(checksum);
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{self, Shape};

    #[test]
    fn a_seed_means_the_same_damage_for_ever_and_most_seeds_do_some() {
        let whole: Vec<u8> = (0..200).collect();
        let of = |seed| {
            let mut bytes = whole.clone();
            damage(&mut bytes, &mut Dice::new(seed));
            bytes
        };
        assert_eq!(of(7), of(7));
        let changed = (0..200).filter(|seed| of(*seed) != whole).count();
        assert!(changed > 180, "{changed} of 200");
    }

    fn run() -> Vec<u8> {
        let dice = &mut Dice::new(1);
        let shape = Shape::any(dice);
        corpus::run(dice, 1, shape)
    }

    #[test]
    fn sealing_an_intact_run_changes_nothing() {
        let file = run();
        assert_eq!(sealed(&frames(&file)), file);
    }

    #[test]
    fn damage_inside_sealed_frames_gets_past_the_checksums() {
        let file = run();
        let of = |seed| damage_sealed(&file, &mut Dice::new(seed));
        let inside = |seed: &u64| {
            record::Run::read(&of(*seed)[..]).is_err_and(|error| {
                let reason = error.reason.to_string();
                !reason.contains("checksum")
            })
        };
        assert!((0..100).filter(inside).count() > 30);
    }
}
