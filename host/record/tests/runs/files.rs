//! Run files: whole ones read back, all others are refused with offset and reason.

use crate::samples::{any_edge, any_run, edge, every_kind_of_frame};
use proptest::prelude::*;
use record::{
    Ctx, Edge, End, Ending, Hart, Header, Label, Reason, Run, RunReader, RunWriter, Total, Totals,
};

#[test]
fn a_run_reads_back() {
    let run = Run::read(&every_kind_of_frame()[..]).unwrap();
    assert_eq!(run.edges.len(), 102, "the totals repeat edges that came one by one");
    let count: u64 = run.edges.iter().map(|total| u64::from(total.count)).sum();
    assert_eq!(count, 100 + 1 + 70 * 71 / 2 + 3);
    assert_eq!(run.lost_edges(), 9, "the largest count says it all");
    assert_eq!(run.ending.outcome, End::Assertion { file: "bank.c".into(), line: 31 });
    assert_eq!((run.header.seed, run.label()), (0x1234_5678_9abc, Label::Failing));
}

#[test]
fn every_flipped_bit_is_refused_at_the_frame_it_is_in() {
    let whole = every_kind_of_frame();
    let starts = frame_starts(&whole);
    let mut bytes = whole.clone();
    for place in 0..whole.len() {
        for bit in 0..8 {
            bytes[place] ^= 1 << bit;
            let error = Run::read(&bytes[..]).expect_err("a flipped bit");
            let frame = starts.iter().rev().find(|start| **start <= place).unwrap();
            assert_eq!(error.offset, *frame as u64, "bit {bit} of byte {place}: {error}");
            bytes[place] = whole[place];
        }
    }
}

#[test]
fn every_prefix_is_refused_where_it_ends_or_at_the_frame_that_is_cut() {
    let whole = every_kind_of_frame();
    let starts = frame_starts(&whole);
    for length in 0..whole.len() {
        let error = Run::read(&whole[..length]).expect_err("a prefix");
        let frame = starts.iter().rev().find(|start| **start <= length).unwrap();
        assert_eq!(error.offset, *frame as u64, "{length} bytes: {error}");
    }
    assert!(Run::read(&whole[..]).is_ok());
}

#[test]
fn foreign_and_overlong_files_are_refused() {
    let error = Run::read(&b"\x7fELF\x01\x01\x01\0\0\0"[..]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "at byte 0: not a Crosstalk run: it begins with 7f 45 4c 46 01 01 01 00"
    );
    assert_eq!(Run::read(&[][..]).unwrap_err().reason, Reason::Empty);
    let mut bytes = every_kind_of_frame();
    let end = bytes.len() as u64;
    bytes.extend([1, 2, 3]);
    let error = Run::read(&bytes[..]).unwrap_err();
    assert_eq!((error.offset, error.reason), (end, Reason::Trailing(3)));
}

#[test]
fn frames_cannot_be_left_out_doubled_swapped_or_replaced() {
    let whole = every_kind_of_frame();
    let mut starts = frame_starts(&whole);
    starts.push(whole.len());
    let frames: Vec<&[u8]> = starts.windows(2).map(|pair| &whole[pair[0]..pair[1]]).collect();
    assert!(frames.len() > 7);
    for place in 0..frames.len() {
        let mut without = frames.clone();
        without.remove(place);
        assert!(Run::read(&without.concat()[..]).is_err(), "without frame {place}");
        let mut doubled = frames.clone();
        doubled.insert(place, frames[place]);
        assert!(Run::read(&doubled.concat()[..]).is_err(), "frame {place} twice");
        if place > 0 {
            let mut swapped = frames.clone();
            swapped.swap(place - 1, place);
            assert!(Run::read(&swapped.concat()[..]).is_err(), "frames {place} and before");
        }
    }
    // The same frame number and as many records, from another run.
    let other = |seed| Header { seed, runs: 1, ..Header::default() };
    let empty = |seed| {
        let writer = RunWriter::new(Vec::new(), &other(seed)).unwrap();
        writer.finish(&Ending::default()).unwrap()
    };
    let (one, two) = (empty(1), empty(2));
    let cut = frame_starts(&one)[1];
    let spliced = [&one[..cut], &two[cut..]].concat();
    assert_eq!(Run::read(&spliced[..]).unwrap_err().reason, Reason::Chain);
}

/// A run whose header promises little, with a frame that is right, a frame with this edge and a lost hart.
pub fn small_header(wrong: Edge, lost: Hart) -> Vec<u8> {
    let header = Header { events: 5, harts: 4, pc_bits: 32, runs: 1, ..Header::default() };
    let mut writer = RunWriter::new(Vec::new(), &header).unwrap();
    writer.edge(&edge(1, false)).unwrap();
    writer.lost(Hart(3), 1).unwrap();
    writer.edge(&wrong).unwrap();
    writer.lost(lost, 1).unwrap();
    writer.finish(&Ending::default()).unwrap()
}

#[test]
fn edges_that_the_header_rules_out_are_refused_at_their_frame() {
    let whole = small_header(edge(2, false), Hart(3));
    let frames = frame_starts(&whole);
    assert_eq!(Run::read(&whole[..]).unwrap().edges.len(), 2);
    let unknown = with_source(|source| source.hart = Hart::UNKNOWN);
    assert_eq!(Run::read(&small_header(unknown, Hart(0))[..]).unwrap().edges.len(), 2);
    for (wrong, reason) in [
        (with_source(|source| source.ctx = Ctx(1 << 10)), "context 0x400 needs more than 10 bits"),
        (with_source(|source| source.hart = Hart(4)), "expected a hart below 4"),
        (with_source(|source| source.pc.0 |= 1 << 32), "needs more than 32 bits"),
    ] {
        let error = Run::read(&small_header(wrong, Hart(3))[..]).unwrap_err();
        assert_eq!(error.offset as usize, frames[3], "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
    let error = Run::read(&small_header(edge(2, false), Hart(4))[..]).unwrap_err();
    assert_eq!(error.reason, Reason::Hart { hart: 4, harts: 4 });
}

pub fn with_source(change: impl Fn(&mut record::Access)) -> Edge {
    let mut changed = edge(2, false);
    change(&mut changed.source);
    changed
}

#[test]
fn long_names_are_cut_at_a_character() {
    let header = Header { program: "é".repeat(2000), ..Header::default() };
    let writer = RunWriter::new(Vec::new(), &header).unwrap();
    let bytes = writer.finish(&Ending::default()).unwrap();
    assert_eq!(Run::read(&bytes[..]).unwrap().header.program, "é".repeat(512));
}

#[test]
fn the_outcome_labels_what_nobody_labeled() {
    let label = |given, outcome| {
        let header = Header { label: given, ..Header::default() };
        Run { header, ending: Ending { outcome, ..Ending::default() }, ..Run::default() }.label()
    };
    assert_eq!(label(Label::Unknown, End::Exit { code: 0 }), Label::Passing);
    assert_eq!(label(Label::Unknown, End::Exit { code: 3 }), Label::Failing);
    assert_eq!(label(Label::Unknown, End::Deadlock), Label::Failing);
    assert_eq!(label(Label::Unknown, End::CycleLimit), Label::Unknown);
    assert_eq!(label(Label::Failing, End::Exit { code: 0 }), Label::Failing);
}

/// Where the frames of an intact file begin.
fn frame_starts(bytes: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut place = 0;
    while place < bytes.len() {
        starts.push(place);
        place += 12 + usize::from(u16::from_le_bytes([bytes[place + 4], bytes[place + 5]]));
    }
    starts
}

proptest! {
    #[test]
    fn writing_and_reading_is_the_identity(run in any_run()) {
        let bytes = run.write(Vec::new()).unwrap();
        prop_assert_eq!(Run::read(&bytes[..]).unwrap(), run);
    }

    #[test]
    fn garbage_is_refused(garbage in prop::collection::vec(any::<u8>(), 0..3000), whole: bool) {
        // With a right beginning, garbage gets further.
        let start = if whole { &every_kind_of_frame()[..300] } else { &[] };
        let bytes = [start, &garbage].concat();
        prop_assert!(Run::read(&bytes[..]).is_err());
    }

    #[test]
    fn totals_do_not_depend_on_order(edges in prop::collection::vec(any_edge(), 0..60), turn: prop::sample::Index) {
        let add = |edges: &[record::Edge]| {
            let mut totals = Totals::default();
            edges.iter().for_each(|edge| totals.add(&Total::from(*edge)));
            totals.into_sorted()
        };
        let mut turned = edges.clone();
        if !edges.is_empty() {
            turned.rotate_left(turn.index(edges.len()));
            turned.reverse();
        }
        let totals = add(&edges);
        prop_assert_eq!(&totals, &add(&turned));
        let count: usize = totals.iter().map(|total| total.count as usize).sum();
        prop_assert_eq!(count, edges.len());
    }

    #[test]
    fn reading_in_small_pieces_changes_nothing(run in any_run(), piece in 1usize..50) {
        let bytes = run.write(Vec::new()).unwrap();
        let pieces = Pieces { bytes: &bytes, piece };
        let mut reader = RunReader::new(pieces).unwrap();
        let mut totals = Totals::default();
        while let Some(records) = reader.next_records().unwrap() {
            records.iter().for_each(|total| totals.add(total));
        }
        prop_assert_eq!(reader.label(), run.label());
        let lost: u64 = reader.lost().values().map(|lost| u64::from(*lost)).sum();
        prop_assert_eq!(lost, run.lost_edges());
        prop_assert_eq!(totals.into_sorted(), run.edges);
        prop_assert!(reader.lost().keys().all(|hart| *hart < Hart(4)));
    }
}

/// Bytes that come a few at a time, as from a wire.
struct Pieces<'a> {
    bytes: &'a [u8],
    piece: usize,
}

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = self.piece.min(self.bytes.len()).min(buffer.len());
        buffer[..size].copy_from_slice(&self.bytes[..size]);
        self.bytes = &self.bytes[size..];
        Ok(size)
    }
}
