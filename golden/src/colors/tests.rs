//! The color lookaside buffer, from its contract.

use super::*;
use std::collections::HashMap;

const BASE: u32 = 0x8010_0000;
const PAGES: u32 = 0x8020_0000;
const WORDS: u32 = 0x8030_0000;

const LAST: u32 = 0x80ff_ffff;

fn buffer(entries: usize) -> ColorLookaside {
    ColorLookaside::new(entries, 12, LAST)
}

/// Region 0 has color 7; region 1 has pages; page 2 of it has color 8, page 3 has words; word 4
/// of it has color 9, word 5 claims to be a table.
fn memory(address: u32) -> u32 {
    let words = [
        (BASE, 7 << 16 | 1),
        (BASE + 4, PAGES | 2),
        (BASE + 8, 6 << 16 | 3),
        (PAGES + 2 * 4, 8 << 16 | 1),
        (PAGES + 3 * 4, WORDS | 2),
        (WORDS + 4 * 4, 0xf009 << 16 | 1),
        (WORDS + 5 * 4, 5 << 16 | 2),
    ];
    HashMap::from(words).get(&address).copied().unwrap_or(0)
}

fn look(buffer: &mut ColorLookaside, address: u32) -> (u32, usize) {
    let Lookup { color, reads, .. } = buffer.lookup(true, BASE, address, memory);
    (color.0, reads.len())
}

#[test]
fn a_walk_reads_one_word_a_level() {
    let mut buffer = buffer(8);
    let found = buffer.lookup(true, BASE, 0x0040_3010, memory);
    let reads = vec![BASE + 4, PAGES + 3 * 4, WORDS + 4 * 4];
    assert_eq!(found, Lookup { color: ColorId(9), walked: true, reads });
    assert_eq!(look(&mut buffer, 0x0040_2abc), (8, 2));
    assert_eq!(look(&mut buffer, 0x003f_ffff), (7, 1));
}

#[test]
fn a_color_holds_for_its_whole_range() {
    let mut buffer = buffer(8);
    for address in [0x0000_0000, 0x0040_2000, 0x0040_3010, 0x0040_3018] {
        look(&mut buffer, address);
    }
    assert_eq!(look(&mut buffer, 0x003f_ffff), (7, 0));
    assert_eq!(look(&mut buffer, 0x0040_2fff), (8, 0));
    assert_eq!(look(&mut buffer, 0x0040_3013), (9, 0));
    assert_eq!(look(&mut buffer, 0x0040_301b), (0, 0), "no color is remembered too");
    assert_eq!(look(&mut buffer, 0x0040_300c), (0, 1), "the last leaf is remembered");
}

#[test]
fn other_kinds_of_entry_are_uncolored() {
    let mut buffer = buffer(8);
    assert_eq!(look(&mut buffer, 0x0080_0000), (0, 1), "kind 3");
    assert_eq!(look(&mut buffer, 0x0040_3014), (0, 3), "a table below the last level");
}

#[test]
fn entries_are_replaced_in_turn() {
    let mut buffer = buffer(2);
    assert_eq!(look(&mut buffer, 0x0000_0000), (7, 1));
    assert_eq!(look(&mut buffer, 0x0040_2000), (8, 2));
    assert_eq!(look(&mut buffer, 0x0000_0000), (7, 0), "being used does not make it younger");
    assert_eq!(look(&mut buffer, 0x0040_3010), (9, 3));
    assert_eq!(look(&mut buffer, 0x0040_2000), (8, 0));
    assert_eq!(look(&mut buffer, 0x0000_0000), (7, 1));
}

#[test]
fn switched_off_it_reads_and_remembers_nothing() {
    let mut buffer = buffer(2);
    let off = buffer.lookup(false, BASE, 0, memory);
    assert_eq!(off, Lookup { color: ColorId::UNCOLORED, walked: false, reads: vec![] });
    assert_eq!(look(&mut buffer, 0), (7, 1));
}

#[test]
fn a_flush_during_a_walk_keeps_its_answer_and_drops_its_fill() {
    let mut buffer = buffer(2);
    assert_eq!(buffer.request(true, BASE, 0x0040_2000), Step::Read(BASE + 4));
    buffer.flush();
    assert_eq!(buffer.memory_response(PAGES | 2), Step::Read(PAGES + 8));
    assert_eq!(buffer.memory_response(8 << 16 | 1), Step::Answer(ColorId(8)));
    assert_eq!(look(&mut buffer, 0x0040_2000), (8, 2));
    assert_eq!(look(&mut buffer, 0x0040_2000), (8, 0));
    buffer.flush();
    assert_eq!(look(&mut buffer, 0x0040_2000), (8, 2));
}

/// Words 8 to 15 of a page say the color 5; word 1 says no color for the whole page.
fn sized(address: u32) -> u32 {
    match address {
        BASE => PAGES | 2,
        PAGES => WORDS | 2,
        _ if (WORDS + 32..WORDS + 64).contains(&address) => 5 << 16 | 3 << 2 | 1,
        _ if address == WORDS + 4 => 31 << 2,
        _ => 0,
    }
}

#[test]
fn an_entry_of_the_last_level_speaks_for_the_words_around_it() {
    let mut buffer = buffer(8);
    let mut look = |address| {
        let Lookup { color, reads, .. } = buffer.lookup(true, BASE, address, sized);
        (color.0, reads.len())
    };
    assert_eq!(look(4 * 11), (5, 3));
    assert_eq!([4 * 8, 4 * 15 + 3].map(&mut look), [(5, 0); 2]);
    assert_eq!([4 * 7, 4 * 16].map(&mut look), [(0, 1); 2], "outside its range");
    assert_eq!(look(4), (0, 1));
    assert_eq!([0xffc, 0x800].map(&mut look), [(0, 0); 2], "a size past 10 is a page");
    assert_eq!(look(0x1000).1, 2, "and no more");
}

#[test]
fn the_last_leaf_answers_for_its_page_until_a_flush() {
    let mut buffer = buffer(1);
    assert_eq!(look(&mut buffer, 0x0040_3010), (9, 3));
    assert_eq!(look(&mut buffer, 0x0040_3014), (0, 1));
    assert_eq!(look(&mut buffer, 0), (7, 1), "another page");
    assert_eq!(look(&mut buffer, 0x0040_3010), (9, 1), "a walk that comes to no leaf keeps it");
    buffer.flush();
    assert_eq!(look(&mut buffer, 0x0040_3010), (9, 3));
}

#[test]
fn tables_outside_ram_are_not_read() {
    for (base, reads) in [(0, 0), (LAST & !0xfff, 1), (LAST + 1, 0), (0xffff_f000, 0)] {
        let found = buffer(2).lookup(true, base, 8, |_| 3 << 16 | 1);
        let color = ColorId(if reads == 0 { 0 } else { 3 });
        assert_eq!((found.color, found.walked, found.reads.len()), (color, true, reads));
    }
    // A leaf outside RAM: two words are read, then one of the page is without a color.
    let table = |address| if address == BASE { PAGES | 2 } else { 0x4000_0002 };
    let mut buffer = buffer(2);
    assert_eq!(buffer.lookup(true, BASE, 8, table).reads.len(), 2);
    let next = buffer.lookup(true, BASE, 12, table);
    assert_eq!((next.color.0, next.walked, next.reads), (0, true, vec![]));
}
