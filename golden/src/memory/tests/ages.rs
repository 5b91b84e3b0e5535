//! Which way is given up, followed by hand.

use super::*;

#[test]
fn four_ways_are_given_up_as_the_tree_says() {
    // Bits: 0 the root, 1 ways 0 and 1, 2 ways 2 and 3; a bit points to the victim's half.
    let mut tree = Plru::default();
    assert_eq!(tree.victim(4), 0);
    let followed = [
        (0, 0b011, 2),
        (2, 0b110, 1),
        (1, 0b101, 3),
        (3, 0b000, 0),
        (3, 0b000, 0),
        (0, 0b011, 2),
        (1, 0b001, 2),
    ];
    for (way, bits, victim) in followed {
        tree.touch(way, 4);
        assert_eq!((tree.bits(), tree.victim(4)), (bits, victim), "after way {way}");
    }
}

#[test]
fn eight_ways_have_seven_bits() {
    let mut tree = Plru::default();
    tree.touch(0, 8);
    assert_eq!((tree.bits(), tree.victim(8)), (0b000_1011, 4));
    tree.touch(5, 8);
    assert_eq!((tree.bits(), tree.victim(8)), (0b000_1110, 2));
    tree.touch(2, 8);
    assert_eq!((tree.bits(), tree.victim(8)), (0b001_1101, 6));
}

#[test]
fn one_way_has_no_bits() {
    let mut tree = Plru::default();
    tree.touch(0, 1);
    assert_eq!((tree.bits(), tree.victim(1)), (0, 0));
}

fn four_ways() -> (Memory, impl Fn(u32) -> u32) {
    let memory = Memory::new(&Parameters { ways: 4, ..PARAMETERS });
    (memory, |number| A + number * STRIDE)
}

#[test]
fn invalid_ways_are_filled_lowest_first_then_the_oldest_goes() {
    let (mut memory, line) = four_ways();
    for number in 0..4 {
        let grant = *grant(&load(&mut memory, 0, line(number)));
        assert_eq!((grant.way, grant.victim), (number as u8, false));
    }
    let refill = *grant(&load(&mut memory, 0, line(4)));
    assert_eq!((refill.way, refill.victim_address), (0, line(0)));
    store(&mut memory, 1, line(2), 0);
    assert_eq!(memory.cache(0).state(line(2)), State::Invalid);
    let hole = *grant(&load(&mut memory, 0, line(5)));
    assert_eq!((hole.way, hole.victim), (2, false), "an invalid way comes before the oldest");
}

#[test]
fn hits_upgrades_and_fills_age_a_set_and_nothing_else_does() {
    let (mut memory, line) = four_ways();
    for number in 0..4 {
        load(&mut memory, 0, line(number));
    }
    let age = |memory: &Memory| memory.cache(0).age(A).bits();
    assert_eq!(age(&memory), 0);
    // A snoop, also one that takes the line; a failing SC.
    load(&mut memory, 1, line(0));
    store(&mut memory, 1, line(3), 0);
    let failing = order(&mut memory, 0, &access(DataKind::StoreConditional, line(1), 0, 0));
    assert_eq!(hit(&failing).kind, HitKind::FailingSc);
    assert_eq!(age(&memory), 0);
    // A hit; an upgrade.
    assert_eq!(hit(&load(&mut memory, 0, line(1))).way, 1);
    assert_eq!(age(&memory), 0b001);
    assert_eq!(grant(&store(&mut memory, 0, line(0), 0)).kind, BusKind::Upgrade);
    assert_eq!(age(&memory), 0b011);
    assert_eq!(memory.cache(0).age(A + LINE).bits(), 0, "the other set has its own");
}
