//! Physical memory protection.

use super::*;
use Permission::{Execute, Read, Write};

const TOR: u32 = 1 << 3;
const NA4: u32 = 2 << 3;
const NAPOT: u32 = 3 << 3;
const LOCK: u32 = 1 << 7;
const RWX: u32 = 7;

fn pmp(configs: [u32; 4], addresses: [u32; 4]) -> Pmp {
    let mut pmp = Pmp::default();
    for (entry, address) in addresses.into_iter().enumerate() {
        pmp.write_address(entry, address);
    }
    let packed = configs.into_iter().rev().fold(0, |packed, config| packed << 8 | config);
    pmp.write_config(packed);
    pmp
}

/// The words (counted in words) of the first 16 in which U mode may read.
fn readable(pmp: &Pmp) -> Vec<u32> {
    (0..16).filter(|word| pmp.allows(4 * word, Read, U)).collect()
}

#[test]
fn entries_cover_what_they_say() {
    let one = |config, address| readable(&pmp([config | RWX, 0, 0, 0], [address, 0, 0, 0]));
    assert_eq!(one(0, 4), [], "off");
    assert_eq!(one(NA4, 3), [3]);
    assert_eq!(one(NAPOT, 0b0100), [4, 5], "eight bytes");
    assert_eq!(one(NAPOT, 0b0101), [4, 5, 6, 7]);
    assert_eq!(one(NAPOT, 0b0011), [0, 1, 2, 3, 4, 5, 6, 7], "the low bits are the size");
    assert_eq!(one(NAPOT, u32::MAX).len(), 16, "everything");
    assert_eq!(one(NAPOT, u32::MAX >> 1).len(), 16);
    assert_eq!(one(TOR, 3), [0, 1, 2], "the first starts at 0");
    let two = pmp([0, TOR | RWX, 0, 0], [5, 8, 0, 0]);
    assert_eq!(readable(&two), [5, 6, 7], "the base counts even if its entry is off");
    assert_eq!(readable(&pmp([0, TOR | RWX, 0, 0], [8, 5, 0, 0])), []);
    assert!(pmp([NA4 | RWX, 0, 0, 0], [0x3fff_ffff, 0, 0, 0]).allows(0xffff_fffc, Read, U));
}

#[test]
fn the_lowest_matching_entry_decides() {
    let both = pmp([NA4, NAPOT | RWX, 0, 0], [2, 0b0001, 0, 0]);
    assert_eq!(readable(&both), [0, 1, 3]);
}

#[test]
fn each_right_counts_alone() {
    let rights = |config: u32| {
        let pmp = pmp([NA4 | config, 0, 0, 0], [0, 0, 0, 0]);
        [Read, Write, Execute].map(|permission| pmp.allows(0, permission, U))
    };
    assert_eq!(rights(0), [false, false, false]);
    assert_eq!(rights(1), [true, false, false]);
    assert_eq!(rights(3), [true, true, false]);
    assert_eq!(rights(4), [false, false, true]);
    assert_eq!(rights(5), [true, false, true]);
    assert_eq!(rights(7), [true, true, true]);
}

#[test]
fn without_a_match_user_mode_may_nothing_and_machine_mode_everything() {
    let none = Pmp::default();
    let some = pmp([NA4 | RWX, 0, 0, 0], [9, 0, 0, 0]);
    for pmp in [none, some] {
        for permission in [Read, Write, Execute] {
            assert!(!pmp.allows(0, permission, U));
            assert!(pmp.allows(0, permission, M));
        }
    }
}

#[test]
fn only_locked_entries_bind_machine_mode() {
    let open = pmp([NA4, 0, 0, 0], [0, 0, 0, 0]);
    assert!(open.allows(0, Write, M));
    let locked = pmp([NA4 | LOCK | 1, 0, 0, 0], [0, 0, 0, 0]);
    assert!(locked.allows(0, Read, M) && !locked.allows(0, Write, M));
}

#[test]
fn locked_entries_ignore_writes() {
    let mut pmp = pmp([0, TOR | LOCK | 1, 0, NA4 | LOCK], [1, 2, 3, 4]);
    pmp.write_config(0x1f1f_1f1f);
    assert_eq!(pmp.config(), 0x901f_891f, "the locked second and fourth stay");
    for entry in 0..5 {
        pmp.write_address(entry, 99);
    }
    let addresses: Vec<_> = (0..5).map(|entry| pmp.address(entry)).collect();
    assert_eq!(addresses, [1, 2, 99, 4, 0], "a locked TOR protects its base");
}

#[test]
fn a_locked_entry_that_is_not_tor_leaves_the_one_before_alone() {
    let mut pmp = pmp([0, NAPOT | LOCK, 0, 0], [1, 2, 3, 4]);
    pmp.write_address(0, 99);
    assert_eq!(pmp.address(0), 99);
}

#[test]
fn write_without_read_leaves_the_rights() {
    let mut pmp = pmp([NA4 | 5, NA4, 0, 0], [0; 4]);
    pmp.write_config(NAPOT | 2 | (TOR | 6) << 8 | 0x60 << 16);
    assert_eq!(pmp.config(), NAPOT | 5 | TOR << 8, "bits 5 and 6 read 0");
}

#[test]
fn accesses_of_each_kind_are_checked() {
    // U mode may execute the first 64 bytes and read, but not write, the next.
    let setup = |insn: u32, mstatus: u32| {
        let mut program = vec![
            csrrw(0, 0x3b0, 1),
            csrrw(0, 0x3b1, 2),
            csrrw(0, 0x3a0, 3),
            csrrw(0, 0x341, 4),
            csrrw(0, 0x300, 5),
        ];
        program.push(if mstatus == 0 { MRET } else { NOP });
        program.push(insn);
        let registers = [
            (1, (START + 64) >> 2),
            (2, (START + 128) >> 2),
            (3, TOR | 4 | (TOR | 1) << 8),
            (4, START + 24),
            (5, mstatus),
            (6, START + 64),
            (7, START),
        ];
        let (mut hart, mut env) = start(&program, &registers);
        steps(&mut hart, &mut env, 6);
        let retired = hart.step(&mut env).unwrap();
        retired.trap.then(|| (mcause(&retired).unwrap(), hart.csrs().trap_value))
    };
    let data = START + 64;
    assert_eq!(setup(lw(8, 6, 0), 0), None);
    assert_eq!(setup(lr(8, 6), 0), None);
    assert_eq!(setup(sw(8, 6, 0), 0), Some((7, data)));
    assert_eq!(setup(sc(8, 6, 7), 0), Some((7, data)));
    assert_eq!(setup(amoadd(8, 6, 7), 0), Some((7, data)));
    assert_eq!(setup(lb(8, 7, 0), 0), Some((5, START)), "text is not readable");
    assert_eq!(setup(jalr(0, 6, 0), 0), None, "the jump itself is fine");

    let modify = 1 << 17;
    assert_eq!(setup(sw(8, 6, 0), modify | 3 << 11), None, "M mode's own rights");
    assert_eq!(setup(sw(8, 6, 0), modify), Some((7, data)), "U mode's rights under MPRV");
    assert_eq!(setup(lw(8, 6, 0), modify), None);
}

#[test]
fn a_fetch_without_the_right_faults() {
    let program = [csrrw(0, 0x3b0, 1), csrrw(0, 0x3a0, 2), csrrw(0, 0x341, 3), MRET];
    let registers = [(1, (START + 64) >> 2), (2, TOR | 5), (3, START + 64)];
    let (mut hart, mut env) = start(&program, &registers);
    steps(&mut hart, &mut env, 4);
    let retired = hart.step(&mut env).unwrap();
    assert_eq!((mcause(&retired), retired.insn, retired.mode), (Some(1), 0, U));
    assert_eq!(hart.csrs().trap_value, START + 64);
}

#[test]
fn mret_to_user_mode_ends_mprv() {
    let program = [csrrw(0, 0x300, 1), csrrw(0, 0x341, 2), MRET];
    let status_after = |mpp: u32| {
        let (mut hart, mut env) = start(&program, &[(1, 1 << 17 | mpp << 11), (2, START)]);
        steps(&mut hart, &mut env, 3);
        csr(&hart, 0x300)
    };
    assert_eq!(status_after(0), 1 << 7);
    assert_eq!(status_after(3), 1 << 7 | 1 << 17, "MPP becomes U");
}
