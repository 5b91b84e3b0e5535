//! Random traffic: values as in flat memory, one writer or many readers, copies that agree.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
enum Act {
    Access { hart: usize, kind: DataKind, word: u32, data: u32, monitored: bool },
    HostWrite { word: u32, byte: u8, mask: u16 },
}

fn any_act() -> impl Strategy<Value = Act> {
    let kind = prop_oneof![
        4 => Just(DataKind::Load),
        4 => Just(DataKind::Store),
        1 => Just(DataKind::LoadReserved),
        2 => Just(DataKind::StoreConditional),
        1 => Just(AMO_ADD),
    ];
    // Six lines of two sets: every set overflows.
    let word = 0u32..24;
    let access = (0usize..4, kind, word.clone(), any::<u32>(), any::<bool>()).prop_map(
        |(hart, kind, word, data, monitored)| Act::Access { hart, kind, word, data, monitored },
    );
    let host = (word, any::<u8>(), any::<u16>()).prop_map(|(word, byte, mask)| Act::HostWrite {
        word,
        byte,
        mask,
    });
    prop_oneof![20 => access, 1 => host]
}

/// What must hold between any two accesses.
fn check(memory: &Memory, flat: &[u32]) -> Result<(), TestCaseError> {
    let mut holders: BTreeMap<u32, Vec<(usize, State)>> = BTreeMap::new();
    for hart in 0..4 {
        for (line, state) in memory.cache(hart).lines() {
            holders.entry(line).or_default().push((hart, state));
        }
    }
    for (line, holders) in holders {
        let owners = holders.iter().filter(|(_, state)| state.is_owned()).count();
        prop_assert!(owners == 0 || holders.len() == 1, "{line:#x}: {holders:?}");
        let metas: Vec<_> =
            holders.iter().map(|(hart, _)| memory.cache(*hart).line_meta(line)).collect();
        prop_assert!(metas.windows(2).all(|pair| pair[0] == pair[1]), "{line:#x}: {metas:?}");
        if holders[0].1 != State::Modified {
            prop_assert_eq!(memory.current_line(line), memory.ram().piece(line, LINE));
        }
    }
    for hart in 0..4 {
        if let Some(line) = memory.cache(hart).reservation() {
            prop_assert_ne!(memory.cache(hart).state(line), State::Invalid);
        }
    }
    for (word, value) in flat.iter().enumerate() {
        prop_assert_eq!(memory.current_word(A + 4 * word as u32), Some(*value));
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_traffic_is_coherent(
        acts in prop::collection::vec(any_act(), 1..200),
        update in prop::sample::select(vec![Update::Miss, Update::FirstWrite, Update::EveryWrite]),
        ways in prop::sample::select(vec![1u32, 2, 4]),
    ) {
        let parameters = Parameters { ways, ..monitor_with(|setup| setup.update = update) };
        let mut memory = Memory::new(&parameters);
        for (register, value) in [(Word::RangeLow, 0x1000), (Word::RangeHigh, 0x2000), (Word::Control, 3)] {
            for hart in 0..4 {
                memory.host_device(monitor::address(hart, register), Some(value), 0);
            }
        }
        let mut flat = [0u32; 24];
        let mut numbers = 0;
        for act in acts {
            match act {
                Act::Access { hart, kind, word, data, monitored } => {
                    let address = A + 4 * word;
                    let pc = if monitored { 0x1000 } else { 0x3000 };
                    let ordered = order(&mut memory, hart, &access(kind, address, data, pc));
                    let Done { before, wrote, .. } = done(&ordered);
                    let old = flat[word as usize];
                    let failing = kind == DataKind::StoreConditional && !wrote;
                    prop_assert!(failing || before == old);
                    if wrote {
                        let amo = kind == AMO_ADD;
                        flat[word as usize] = if amo { old.wrapping_add(data) } else { data };
                    }
                    if let Ordered::Granted { grant, tap, .. } = &ordered {
                        numbers += 1;
                        prop_assert_eq!(grant.time, numbers);
                        let edge = grant.holders != 0 || grant.kind == BusKind::Read;
                        prop_assert_eq!(tap.is_some(), monitored && edge);
                        prop_assert_eq!(tap.map_or(grant.meta, |tap| tap.edge.source), grant.meta);
                    }
                }
                Act::HostWrite { word, byte, mask } => {
                    let line = word & !3;
                    memory.host_write(A + 4 * line, &[byte; 16], |place| mask >> place & 1 != 0);
                    for place in (0..16).filter(|place| mask >> place & 1 != 0) {
                        let word = &mut flat[(line + place / 4) as usize];
                        let shift = 8 * (place % 4);
                        *word = *word & !(0xff << shift) | u32::from(byte) << shift;
                    }
                }
            }
            check(&memory, &flat)?;
        }
    }
}
