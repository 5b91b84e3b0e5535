//! The host and the instruction caches: bus agents without a cache of their own here.

use super::*;

#[test]
fn fetches_and_host_reads_take_current_bytes_and_change_nothing() {
    let mut memory = Memory::new(&PARAMETERS);
    store(&mut memory, 1, A + 4, 0x0403_0201);
    load(&mut memory, 2, A + LINE);
    let before: Vec<_> = [A, A + LINE].map(|line| states(&memory, line)).into();
    assert_eq!(memory.current_line(A)[4..8], [1, 2, 3, 4], "the owner's");
    assert_eq!(memory.fetch(3, A + 4), BusGrant::plain(BusKind::Fetch, 3, A));
    assert_eq!(memory.host_read(A + 8), BusGrant::plain(BusKind::HostRead, NOBODY, A));
    let after: Vec<_> = [A, A + LINE].map(|line| states(&memory, line)).into();
    assert_eq!((after, memory.time()), (before, 2));
    assert_eq!(memory.ram().piece(A, 8), [0; 8], "memory stays behind");
}

#[test]
fn host_writes_merge_and_invalidate_every_copy() {
    let mut memory = Memory::new(&PARAMETERS);
    store(&mut memory, 1, A, 0x4433_2211);
    load(&mut memory, 0, A);
    order(&mut memory, 0, &access(DataKind::LoadReserved, A, 0, 0));
    let bytes = [0xee; LINE as usize];
    let grant = memory.host_write(A, &bytes, |byte| byte == 1 || byte == 15);
    assert_eq!(grant, BusGrant::plain(BusKind::HostWrite, NOBODY, A));
    assert_eq!(memory.ram().piece(A, 4), [0x11, 0xee, 0x33, 0x44], "merged with the newest bytes");
    assert_eq!(memory.ram().piece(A + 12, 4), [0, 0, 0, 0xee]);
    assert_eq!(states(&memory, A), [State::Invalid; 4]);
    assert_eq!(memory.cache(0).reservation(), None);
    assert_eq!(done(&load(&mut memory, 0, A)).before, 0x4433_ee11);
}

#[test]
fn a_host_write_over_a_dirty_line_keeps_the_bytes_it_does_not_write() {
    let mut memory = Memory::new(&PARAMETERS);
    store(&mut memory, 3, A, 77);
    memory.host_write(A, &[9; LINE as usize], |byte| byte >= 8);
    assert_eq!(done(&load(&mut memory, 0, A)).before, 77);
    assert_eq!(done(&load(&mut memory, 0, A + 8)).before, 0x0909_0909);
}

#[test]
fn nothing_answers_the_host_where_nothing_is() {
    let mut memory = Memory::new(&PARAMETERS);
    assert_eq!(memory.host_device(0x4000_0000, None, 0), None);
    assert_eq!(memory.current_word(PARAMETERS.ram_last + 1), None);
}

#[test]
fn the_watched_word_tells_of_every_write_as_it_becomes() {
    let mut memory = Memory::new(&PARAMETERS);
    memory.watch(A + 4);
    load(&mut memory, 0, A + 4);
    store(&mut memory, 0, A, 1);
    assert_eq!(memory.take_watched(), None);
    let mut byte = access(DataKind::Store, A + 5, 0xab, 0);
    byte.size = Size::Byte;
    order(&mut memory, 1, &byte);
    assert_eq!(memory.take_watched(), Some(Watched { hart: 1, data: 0xab00 }));
    order(&mut memory, 2, &access(AMO_ADD, A + 4, 1, 0));
    assert_eq!(memory.take_watched(), Some(Watched { hart: 2, data: 0xab01 }));
    order(&mut memory, 2, &access(DataKind::StoreConditional, A + 4, 1, 0));
    assert_eq!(memory.take_watched(), None, "a failing SC writes nothing");
}
