//! Noise, whatever it is, costs the frames it hits and nothing else.

use crosstalk::cable::receive;
use proptest::prelude::*;
use record::{
    Access, Ctx, Edge, EdgeKind, Ending, Hart, Header, Outcome, Pc, Run, RunWriter, Time, Total,
    Totals,
};
use std::ops::Range;

const EDGES: u32 = 12;
const LOST: u32 = 7;

/// Where the frame of an edge is: behind the header, with a lost count behind each.
fn place(number: u32) -> usize {
    1 + 2 * number as usize
}

fn edge(number: u32) -> Edge {
    let access = |pc: u64, hart: u8| Access {
        pc: Pc(u64::from(border::map::RAM.base) + pc),
        ctx: Ctx(number),
        time: Time(u64::from(number) + 1),
        hart: Hart(hart),
    };
    Edge { source: access(4, 0), sink: access(8 + u64::from(number), 1), kind: EdgeKind::Raw }
}

/// A run as a board sends it: its bytes, where its frames are, and the run itself.
pub fn stream() -> (Vec<u8>, Vec<Range<usize>>, Run) {
    let header =
        Header { harts: 2, pc_bits: 32, time_bits: 32, events: 5, runs: 1, ..Header::default() };
    let ending = Ending { outcome: Outcome::Exit { code: 0 }, wrapped: false, cycles: 99 };
    let mut writer = RunWriter::new(Vec::new(), &header).unwrap();
    let mut totals = Totals::default();
    for number in 0..EDGES {
        writer.edge(&edge(number)).unwrap();
        // A lost count ends the frame of edges.
        writer.lost(Hart(1), LOST).unwrap();
        totals.add(&Total::from(edge(number)));
    }
    let bytes = writer.finish(&ending).unwrap();
    let mut frames = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = usize::from(u16::from_le_bytes([bytes[at + 4], bytes[at + 5]]));
        frames.push(at..at + 8 + length + 4);
        at += 8 + length + 4;
    }
    let run = Run { header, edges: totals.into_sorted(), lost: [(Hart(1), LOST)].into(), ending };
    (bytes, frames, run)
}

#[test]
fn what_a_program_prints_is_no_damage() {
    let (bytes, frames, run) = stream();
    let mut line = b"hello\n".to_vec();
    for frame in frames {
        line.extend(&bytes[frame]);
        line.extend("a line of text, \u{e4}nd more\n".bytes());
    }
    let mut console = Vec::new();
    let received = receive(&*line, &mut console);
    assert_eq!(received.run, run);
    assert!(received.whole && received.damage.is_empty());
    let text = String::from_utf8(console).unwrap();
    assert!(text.starts_with("hello\na line of text, \u{e4}nd more\na line"), "{text}");
}

#[test]
fn another_run_ends_one_that_has_no_end() {
    let (bytes, frames, run) = stream();
    let line = [&bytes[..frames[place(3)].end], &bytes[..]].concat();
    let received = receive(&*line, &mut Vec::new());
    assert!(!received.ended && !received.whole);
    assert_eq!(received.run.edges, run.edges[..4]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Bytes flipped, garbage between frames, frames gone: every frame that is intact counts, and the run is called
    /// whole only if it is.
    #[test]
    fn every_intact_record_is_kept(
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1..=255u8), 0..6),
        garbage in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(any::<u8>(), 1..40)), 0..4),
        gone in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
    ) {
        let (bytes, frames, run) = stream();
        let mut parts: Vec<Vec<u8>> = frames.iter().map(|frame| bytes[frame.clone()].to_vec()).collect();
        let mut intact = vec![true; parts.len()];
        for (index, flip) in flips {
            let at = index.index(bytes.len());
            let frame = frames.iter().position(|frame| frame.contains(&at)).unwrap();
            parts[frame][at - frames[frame].start] ^= flip;
        }
        for index in gone {
            let frame = index.index(parts.len());
            parts[frame].clear();
        }
        for (frame, part) in parts.iter().enumerate() {
            intact[frame] = bytes[frames[frame].clone()] == part[..];
        }
        for (index, noise) in garbage {
            // Behind a frame, so that no frame is cut in two.
            let frame = index.index(parts.len());
            parts[frame].extend(noise);
        }
        let received = receive(&*parts.concat(), &mut Vec::new());
        let last = frames.len() - 1;
        let expected: Vec<Total> =
            (0..EDGES).filter(|number| intact[place(*number)]).map(|number| Total::from(edge(number))).collect();
        prop_assert_eq!(&received.run.edges, &expected);
        prop_assert_eq!(received.ended, intact[last]);
        prop_assert_eq!(received.whole, intact.iter().all(|intact| *intact));
        if intact[0] {
            prop_assert_eq!(&received.run.header, &run.header);
        }
        if received.whole {
            prop_assert_eq!(received.run, run);
        }
    }

    /// No bytes whatever make it panic.
    #[test]
    fn pure_noise_is_no_run(noise in prop::collection::vec(any::<u8>(), 0..2000)) {
        let received = receive(&*noise, &mut Vec::new());
        prop_assert!(!received.whole && received.run.edges.is_empty());
    }
}
