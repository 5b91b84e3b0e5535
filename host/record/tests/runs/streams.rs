//! Streams: damage is reported with its offset, and costs no intact frame.

use crate::files::{small_header, with_source};
use crate::samples::{any_run, edge, every_kind_of_frame};
use proptest::prelude::*;
use record::{Damage, Ending, Hart, Header, Item, Reason, Run, RunWriter, StreamReader};

fn read(bytes: &[u8]) -> (Vec<Item>, Vec<Damage>) {
    let mut damages = Vec::new();
    let mut items = Vec::new();
    for item in StreamReader::new(bytes) {
        match item {
            Item::Damage(damage) => damages.push(damage),
            item => items.push(item),
        }
    }
    (items, damages)
}

/// Each intact frame alone, with where it begins and ends.
fn frames(bytes: &[u8]) -> Vec<(usize, usize, Item)> {
    let (items, damages) = read(bytes);
    assert_eq!(damages, []);
    let mut place = 0;
    let mut frames = Vec::new();
    for item in items {
        let end =
            place + 12 + usize::from(u16::from_le_bytes([bytes[place + 4], bytes[place + 5]]));
        frames.push((place, end, item));
        place = end;
    }
    assert_eq!(place, bytes.len());
    frames
}

/// Items, with what depends on other frames left aside.
fn bare(items: impl IntoIterator<Item = Item>) -> Vec<Item> {
    let bare = |item| match item {
        Item::End { ending, .. } => Item::End { ending, whole: true },
        item => item,
    };
    items.into_iter().map(bare).collect()
}

#[test]
fn a_flipped_bit_costs_its_frame_and_no_other() {
    let whole = every_kind_of_frame();
    let frames = frames(&whole);
    let mut bytes = whole.clone();
    for place in 0..whole.len() {
        let bit = 1 << (place % 8);
        bytes[place] ^= bit;
        let (items, damages) = read(&bytes);
        let (hit, others): (Vec<_>, Vec<_>) =
            frames.iter().cloned().partition(|(start, end, _)| (*start..*end).contains(&place));
        assert_eq!(bare(items), bare(others.into_iter().map(|frame| frame.2)), "byte {place}");
        let [damage] = &damages[..] else { panic!("byte {place}: {damages:?}") };
        let (start, end, _) = hit[0];
        assert_eq!((damage.offset, damage.bytes), (start as u64, (end - start) as u64));
        bytes[place] ^= bit;
    }
}

#[test]
fn a_prefix_yields_its_whole_frames_and_says_what_is_cut() {
    let whole = every_kind_of_frame();
    let frames = frames(&whole);
    for length in 0..=whole.len() {
        let (items, damages) = read(&whole[..length]);
        let (there, cut): (Vec<_>, Vec<_>) =
            frames.iter().cloned().partition(|(_, end, _)| *end <= length);
        assert_eq!(bare(items), bare(there.into_iter().map(|frame| frame.2)));
        let inside = cut.first().filter(|(start, _, _)| *start < length);
        let offsets: Vec<_> = damages.iter().map(|damage| damage.offset).collect();
        let expected: Vec<_> = inside.iter().map(|(start, _, _)| *start as u64).collect();
        assert_eq!(offsets, expected, "{length} bytes");
    }
}

#[test]
fn reading_may_begin_anywhere() {
    let whole = every_kind_of_frame();
    let frames = frames(&whole);
    for from in 0..whole.len() {
        let (items, damages) = read(&whole[from..]);
        let left = frames.iter().filter(|frame| frame.0 >= from).cloned();
        assert_eq!(bare(items), bare(left.map(|frame| frame.2)), "from byte {from}");
        let clean = frames.iter().any(|(start, _, _)| *start == from);
        assert_eq!(damages.is_empty(), clean);
    }
}

#[test]
fn missing_frames_are_noticed_and_the_run_is_not_whole() {
    let whole = every_kind_of_frame();
    let frames = frames(&whole);
    let (start, end, _) = frames[2];
    let (items, damages) = read(&[&whole[..start], &whole[end..]].concat());
    let reason = Reason::Sequence { expected: 2, found: 3 };
    assert_eq!(damages, [Damage { offset: start as u64, bytes: 0, reason }]);
    assert!(matches!(items.last(), Some(Item::End { whole: false, .. })));
    assert!(matches!(read(&whole).0.last(), Some(Item::End { whole: true, .. })));
}

#[test]
fn edges_that_the_header_rules_out_are_damage_and_those_around_them_are_not() {
    let wrong = with_source(|source| source.hart = Hart(7));
    let bytes = small_header(wrong, Hart(3));
    let (items, damages) = read(&bytes);
    let [damage] = &damages[..] else { panic!("{damages:?}") };
    assert_eq!(damage.reason, Reason::Hart { hart: 7, harts: 4 });
    let lost = items.iter().filter(|item| matches!(item, Item::Lost(Hart(3), 1))).count();
    let edges = items.iter().filter(|item| matches!(item, Item::Records(..))).count();
    assert_eq!((edges, lost), (1, 2));
    assert!(matches!(items.last(), Some(Item::End { whole: false, .. })));
    // Of a run whose header did not arrive nobody knows what it promised.
    let frames: Vec<usize> =
        frames(&small_header(edge(2, false), Hart(3))).iter().map(|frame| frame.0).collect();
    let (items, damages) = read(&bytes[frames[1]..]);
    assert!(damages.is_empty() && items.iter().any(|item| matches!(item, Item::Records(..))));
}

#[test]
fn runs_follow_one_another() {
    let whole = every_kind_of_frame();
    let (items, damages) = read(&[&whole[..], b"boot: ok\r\n", &whole].concat());
    let ends = items.iter().filter(|item| matches!(item, Item::End { whole: true, .. }));
    assert_eq!(ends.count(), 2);
    let [damage] = &damages[..] else { panic!("{damages:?}") };
    assert_eq!((damage.offset, damage.bytes), (whole.len() as u64, 10));
}

#[test]
fn a_frame_of_one_edge_is_a_frame() {
    let mut bytes = Vec::new();
    for n in 0..3 {
        let header = Header { events: 5, ..Header::default() };
        let mut writer = RunWriter::new(Vec::new(), &header).unwrap();
        writer.edge(&edge(n, false)).unwrap();
        bytes.extend(writer.finish(&Ending::default()).unwrap());
    }
    let (items, damages) = read(&bytes);
    assert_eq!((items.len(), damages.len()), (9, 0));
}

proptest! {
    #[test]
    fn a_whole_run_arrives_whole(run in any_run()) {
        let bytes = run.write(Vec::new()).unwrap();
        let mut records = Vec::new();
        for item in StreamReader::new(&bytes[..]) {
            match item {
                Item::Header(header) => prop_assert_eq!(&header, &run.header),
                Item::Records(more) => records.extend(more),
                Item::Lost(hart, lost) => prop_assert_eq!(run.lost.get(&hart), Some(&lost)),
                Item::End { ending, whole } => {
                    prop_assert!(whole);
                    prop_assert_eq!(&ending, &run.ending);
                }
                Item::Damage(damage) => prop_assert!(false, "{damage:?}"),
            }
        }
        prop_assert_eq!(records, run.edges);
    }

    #[test]
    fn garbage_between_runs_costs_nothing(
        run in any_run(),
        garbage in prop::collection::vec(any::<u8>(), 1..200),
    ) {
        let bytes = run.write(Vec::new()).unwrap();
        let (items, damages) = read(&[&garbage[..], &bytes, &garbage].concat());
        prop_assert_eq!(items, read(&bytes).0);
        let skipped: u64 = damages.iter().map(|damage| damage.bytes).sum();
        prop_assert_eq!(skipped, 2 * garbage.len() as u64);
    }

    #[test]
    fn any_damage_keeps_the_frames_around_it(
        run in any_run(),
        at: prop::sample::Index,
        patch in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        let whole = run.write(Vec::new()).unwrap();
        let mut bytes = whole.clone();
        let from = at.index(whole.len());
        let to = (from + patch.len()).min(whole.len());
        bytes[from..to].copy_from_slice(&patch[..to - from]);
        let (items, _) = read(&bytes);
        let intact = frames(&whole).into_iter().filter(|(start, end, _)| {
            bytes[*start..*end] == whole[*start..*end]
        });
        prop_assert_eq!(bare(items), bare(intact.map(|frame| frame.2)));
        prop_assert!(Run::read(&bytes[..]).is_err() || bytes == whole);
    }
}
