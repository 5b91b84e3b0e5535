//! Every state, every access, every pattern of holders.

use super::*;
use State::{Exclusive as E, Invalid as I, Modified as M, Shared as S};
use std::collections::BTreeSet;

/// What the others are in, taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Others {
    Nobody,
    Sharers,
    Owner(State),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Supplier {
    Nobody,
    Lowest,
    Owner,
}

struct Row {
    writes: bool,
    own: State,
    others: Others,
    /// None: a hit.
    kind: Option<BusKind>,
    becomes: State,
    /// What every holder becomes.
    they_become: State,
    supplier: Supplier,
}

const fn row(
    writes: bool,
    own: State,
    others: Others,
    kind: Option<BusKind>,
    becomes: State,
    they_become: State,
    supplier: Supplier,
) -> Row {
    Row { writes, own, others, kind, becomes, they_become, supplier }
}

/// docs/machine.md §3 and §4, by hand.
#[rustfmt::skip]
const TABLE: &[Row] = &[
    row(false, I, Others::Nobody,   Some(BusKind::Read), E, I, Supplier::Nobody),
    row(false, I, Others::Sharers,  Some(BusKind::Read), S, S, Supplier::Lowest),
    row(false, I, Others::Owner(E), Some(BusKind::Read), S, S, Supplier::Owner),
    row(false, I, Others::Owner(M), Some(BusKind::Read), S, S, Supplier::Owner),
    row(false, S, Others::Nobody,   None, S, I, Supplier::Nobody),
    row(false, S, Others::Sharers,  None, S, S, Supplier::Nobody),
    row(false, E, Others::Nobody,   None, E, I, Supplier::Nobody),
    row(false, M, Others::Nobody,   None, M, I, Supplier::Nobody),
    row(true,  I, Others::Nobody,   Some(BusKind::ReadX), M, I, Supplier::Nobody),
    row(true,  I, Others::Sharers,  Some(BusKind::ReadX), M, I, Supplier::Lowest),
    row(true,  I, Others::Owner(E), Some(BusKind::ReadX), M, I, Supplier::Owner),
    row(true,  I, Others::Owner(M), Some(BusKind::ReadX), M, I, Supplier::Owner),
    row(true,  S, Others::Nobody,   Some(BusKind::Upgrade), M, I, Supplier::Nobody),
    row(true,  S, Others::Sharers,  Some(BusKind::Upgrade), M, I, Supplier::Nobody),
    row(true,  E, Others::Nobody,   None, M, I, Supplier::Nobody),
    row(true,  M, Others::Nobody,   None, M, I, Supplier::Nobody),
];

/// A machine whose caches hold `A` in these states, with the number 7 in it.
fn machine_in(states: &[State]) -> Memory {
    let mut memory = Memory::new(&PARAMETERS);
    memory.ram_mut().piece_mut(A, 4).copy_from_slice(&7u32.to_le_bytes());
    let holders: Vec<_> = (0..4).filter(|hart| states[*hart] != I).collect();
    for &hart in &holders {
        match states[hart] {
            M => drop(store(&mut memory, hart, A, 7)),
            _ => drop(load(&mut memory, hart, A)),
        }
    }
    if let ([only], true) = (&holders[..], states.contains(&S)) {
        // A single sharer: another one came and went.
        let other = (only + 1) % 4;
        load(&mut memory, other, A);
        evict(&mut memory, other, A);
    }
    assert_eq!(super::states(&memory, A), states);
    memory
}

/// All states that the four caches can be in together.
fn patterns() -> Vec<Vec<State>> {
    let mut patterns = vec![vec![I; 4]];
    for sharers in 1u32..16 {
        patterns.push((0..4).map(|hart| if sharers >> hart & 1 != 0 { S } else { I }).collect());
    }
    for owner in 0..4 {
        for state in [E, M] {
            patterns.push((0..4).map(|hart| if hart == owner { state } else { I }).collect());
        }
    }
    patterns
}

#[test]
fn every_transition_with_every_holder_pattern_is_that_of_the_table() {
    let mut covered = BTreeSet::new();
    for pattern in patterns() {
        for hart in 0..4 {
            for kind in [DataKind::Load, DataKind::LoadReserved, DataKind::Store, AMO_ADD] {
                let mut memory = machine_in(&pattern);
                let others: Vec<_> =
                    (0..4).filter(|other| *other != hart && pattern[*other] != I).collect();
                let summary = match others.iter().map(|other| pattern[*other]).max() {
                    None => Others::Nobody,
                    Some(S) => Others::Sharers,
                    Some(owner) => Others::Owner(owner),
                };
                let matches = |row: &&Row| {
                    (row.writes, row.own, row.others) == (kind.is_store(), pattern[hart], summary)
                };
                let row = TABLE.iter().find(matches).expect("a row for every case");
                covered.insert((row.writes, row.own, row.others));

                let ordered = order(&mut memory, hart, &access(kind, A, 100, 0x40));
                let case = format!("{pattern:?}, hart {hart}, {kind:?}");
                assert_eq!(done(&ordered).before, 7, "{case}");
                match row.kind {
                    None => assert_eq!(hit(&ordered).address, A, "{case}"),
                    Some(kind) => {
                        let grant = grant(&ordered);
                        assert_eq!((grant.kind, grant.address), (kind, A), "{case}");
                        assert_eq!(usize::from(grant.requester), hart);
                        let holders: u32 = others.iter().map(|other| 1 << other).sum();
                        assert_eq!(grant.holders, holders, "{case}");
                        let supplier = match row.supplier {
                            Supplier::Nobody => NOBODY,
                            // Where there is an owner, it is the only holder.
                            Supplier::Lowest | Supplier::Owner => others[0] as u8,
                        };
                        assert_eq!(grant.supplier, supplier, "{case}");
                    }
                }
                let mut expected = vec![I; 4];
                others.iter().for_each(|other| expected[*other] = row.they_become);
                expected[hart] = row.becomes;
                assert_eq!(states(&memory, A), expected, "{case}");
                let value = match kind {
                    DataKind::Store => 100,
                    AMO_ADD => 107,
                    _ => 7,
                };
                assert_eq!(memory.current_word(A), Some(value), "{case}");
                let in_memory = u32::from_le_bytes(memory.ram().piece(A, 4).try_into().unwrap());
                assert_eq!(
                    in_memory, 7,
                    "{case}: what was supplied is in memory, what is written not"
                );
            }
        }
    }
    assert_eq!(covered.len(), TABLE.len(), "every row is reached");
}

#[test]
fn the_owner_supplies_and_memory_gets_its_bytes_in_the_same_grant() {
    for write in [false, true] {
        let mut memory = Memory::new(&PARAMETERS);
        store(&mut memory, 2, A, 55);
        assert_eq!(memory.ram().piece(A, 4), [0; 4]);
        let ordered =
            if write { store(&mut memory, 0, A + 4, 1) } else { load(&mut memory, 0, A + 4) };
        assert_eq!(grant(&ordered).supplier, 2);
        assert_eq!(memory.ram().piece(A, 4), [55, 0, 0, 0]);
    }
}

#[test]
fn stores_of_every_size_keep_the_other_bytes() {
    let mut memory = Memory::new(&PARAMETERS);
    store(&mut memory, 0, A, 0x1122_3344);
    let mut narrow = access(DataKind::Store, A + 1, 0xffff_ffaa, 0);
    narrow.size = Size::Byte;
    assert_eq!(done(&order(&mut memory, 1, &narrow)).after, 0x1122_aa44);
    narrow = DataAccess { size: Size::Half, address: A + 2, data: 0x9988, ..narrow };
    assert_eq!(done(&order(&mut memory, 1, &narrow)).after, 0x9988_aa44);
    assert_eq!(done(&load(&mut memory, 2, A)).before, 0x9988_aa44);
}

#[test]
fn a_dirty_victim_is_written_back_and_others_leave_silently() {
    let mut memory = Memory::new(&PARAMETERS);
    let lines = [A, A + STRIDE, A + 2 * STRIDE, A + 3 * STRIDE];
    store(&mut memory, 0, lines[0] + 8, 5);
    load(&mut memory, 0, lines[1]);
    let dirty = *grant(&load(&mut memory, 0, lines[2] + 4));
    assert_eq!((dirty.victim, dirty.victim_dirty, dirty.victim_address), (true, true, lines[0]));
    assert_eq!(dirty.way, 0);
    assert_eq!(memory.ram().piece(lines[0] + 8, 4), [5, 0, 0, 0]);
    let clean = *grant(&store(&mut memory, 0, lines[3], 1));
    assert_eq!((clean.victim, clean.victim_dirty, clean.victim_address), (true, false, lines[1]));
    assert_eq!(clean.way, 1);
    assert_eq!(memory.cache(0).lines().count(), 2);
}
