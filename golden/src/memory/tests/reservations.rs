//! When an SC succeeds.

use super::*;

fn reserve(memory: &mut Memory, hart: usize, address: u32) -> Ordered {
    order(memory, hart, &access(DataKind::LoadReserved, address, 0, 0))
}

fn conditional(memory: &mut Memory, hart: usize, address: u32) -> Ordered {
    order(memory, hart, &access(DataKind::StoreConditional, address, 42, 0))
}

fn succeeds(memory: &mut Memory, hart: usize, address: u32) -> bool {
    done(&conditional(memory, hart, address)).wrote
}

#[test]
fn the_line_is_reserved_not_the_word() {
    let mut memory = Memory::new(&PARAMETERS);
    reserve(&mut memory, 0, A);
    assert!(succeeds(&mut memory, 0, A + LINE - 4));
    reserve(&mut memory, 0, A);
    assert!(!succeeds(&mut memory, 0, A + LINE));
    assert!(!succeeds(&mut memory, 0, A), "any SC ends it");
}

#[test]
fn a_success_ends_it_too() {
    let mut memory = Memory::new(&PARAMETERS);
    reserve(&mut memory, 0, A);
    assert!(succeeds(&mut memory, 0, A));
    assert!(!succeeds(&mut memory, 0, A));
}

#[test]
fn another_harts_write_ends_it_and_its_read_does_not() {
    let mut memory = Memory::new(&PARAMETERS);
    reserve(&mut memory, 0, A);
    load(&mut memory, 1, A);
    let upgraded = conditional(&mut memory, 0, A);
    assert_eq!(grant(&upgraded).kind, BusKind::Upgrade);
    for write in [DataKind::Store, AMO_ADD] {
        reserve(&mut memory, 0, A);
        order(&mut memory, 1, &access(write, A + 4, 0, 0));
        let failing = conditional(&mut memory, 0, A);
        assert_eq!(*hit(&failing), Hit { kind: HitKind::FailingSc, address: A, way: 0 });
        assert_eq!(memory.cache(0).state(A), State::Invalid, "it makes no transaction");
    }
}

#[test]
fn two_harts_reserve_and_the_first_wins() {
    let mut memory = Memory::new(&PARAMETERS);
    reserve(&mut memory, 0, A);
    reserve(&mut memory, 1, A);
    assert!(succeeds(&mut memory, 1, A));
    assert!(!succeeds(&mut memory, 0, A));
}

#[test]
fn own_stores_leave_it_and_eviction_ends_it() {
    let mut memory = Memory::new(&PARAMETERS);
    reserve(&mut memory, 0, A);
    store(&mut memory, 0, A, 1);
    store(&mut memory, 0, A + LINE, 1);
    assert_eq!(memory.cache(0).reservation(), Some(A));
    evict(&mut memory, 0, A);
    assert_eq!(memory.cache(0).reservation(), None);
    load(&mut memory, 0, A);
    assert!(!succeeds(&mut memory, 0, A), "that the line came back does not help");
}

#[test]
fn a_new_reservation_replaces_the_old() {
    let mut memory = Memory::new(&PARAMETERS);
    reserve(&mut memory, 0, A);
    reserve(&mut memory, 0, A + LINE);
    assert!(succeeds(&mut memory, 0, A + LINE));
}

#[test]
fn eviction_of_another_line_leaves_it() {
    let mut memory = Memory::new(&PARAMETERS);
    load(&mut memory, 0, A + STRIDE);
    reserve(&mut memory, 0, A);
    evict(&mut memory, 0, A + STRIDE);
    assert!(succeeds(&mut memory, 0, A));
}

#[test]
fn kinds_of_hits_are_told_apart() {
    let mut memory = Memory::new(&PARAMETERS);
    store(&mut memory, 0, A, 1);
    let kinds = [
        (DataKind::Load, HitKind::Load),
        (DataKind::Store, HitKind::Store),
        (DataKind::StoreConditional, HitKind::FailingSc),
        (DataKind::LoadReserved, HitKind::LoadReserved),
        (DataKind::StoreConditional, HitKind::Sc),
        (AMO_ADD, HitKind::Amo),
    ];
    for (kind, expected) in kinds {
        let ordered = order(&mut memory, 0, &access(kind, A + 4, 0, 0));
        assert_eq!(*hit(&ordered), Hit { kind: expected, address: A + 4, way: 0 });
    }
}
