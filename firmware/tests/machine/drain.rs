//! What the tables held arrives: all of it, once, with the losses counted.

use crate::alone::{self, Finished};
use crate::common;
use crate::counted::{self, PASSES, Pace};
use border::End;
use border::{Drain, Out, Program, Records};

const LIMIT: u64 = 20_000_000;
const MODES: [Drain; 3] = [Drain::Watermark, Drain::Full, Drain::Spare];

/// Enough to fill small tables many times.
const PACE: Pace = Pace { rounds: 30, turns: 400 };

fn check_counted(end: &Finished, file: &Program, what: &str) {
    assert_eq!(end.stop, End::Exit { code: 0 }, "{what}: {}", end.text(2));
    counted::check(&end.received(), file, PACE, what);
}

#[test]
fn exactly_the_edges_counted_by_hand_arrive() {
    for drain in MODES {
        let file = counted::program(PACE, |settings| settings.drain = drain);
        for depth in [4, 5, 16, 64, 1024] {
            for seed in 0..3 {
                let what = format!("{drain:?}, {depth} entries, seed {seed}");
                let end = alone::run(&file, &common::roomy(depth), seed, LIMIT);
                assert_eq!(end.check_edges(&what), 0, "{what}: edges were lost");
                check_counted(&end, &file, &what);
            }
        }
    }
}

#[test]
fn a_small_buffer_is_sent_as_often_as_it_fills() {
    for drain in MODES {
        for buffer_entries in [1, 3, 73] {
            let file = counted::program(PACE, |settings| {
                settings.drain = drain;
                settings.buffer_entries = buffer_entries;
            });
            let what = format!("{drain:?}, a buffer of {buffer_entries}");
            let end = alone::run(&file, &common::roomy(16), 1, LIMIT);
            end.check_edges(&what);
            check_counted(&end, &file, &what);
        }
    }
}

#[test]
fn received_and_lost_edges_are_all_there_were() {
    let file = common::link(&common::test_source("hammer"));
    let mut losses = 0;
    for drain in MODES {
        for depth in [4, 16, 1024] {
            for overflow in ["discard", "stall"] {
                let text = format!("[ct]\ndepth = {depth}\noverflow = \"{overflow}\"\n");
                let config = text.parse().unwrap();
                let file = common::with(file.clone(), |settings| settings.drain = drain);
                for seed in 0..2 {
                    let what = format!("{drain:?}, {depth} entries, {overflow}, seed {seed}");
                    let end = alone::run(&file, &config, seed, LIMIT);
                    assert_eq!(end.stop, End::Exit { code: 0 }, "{what}: {}", end.text(2));
                    assert!(end.taps.len() > 100, "{what}: only {} edges", end.taps.len());
                    losses += end.check_edges(&what);
                }
            }
        }
    }
    assert!(losses > 0, "no table ever lost an edge, so the test says nothing of losses");
}

#[test]
fn the_serial_port_carries_the_same_records() {
    let by_host = counted::program(PACE, |_| ());
    let by_uart = common::with(by_host.clone(), |settings| settings.out = Out::Uart);
    let expected = alone::run(&by_host, &common::roomy(64), 1, LIMIT);
    let end = alone::run(&by_uart, &common::roomy(64), 1, LIMIT);
    assert_eq!(end.stop, End::Exit { code: 0 });
    assert_eq!(
        (end.sent.len(), &end.sent[&1]),
        (1, &end.uart),
        "the console shows the serial port"
    );
    // The console's line is among the bytes; a stream's reader steps over it.
    let line = expected.text(1);
    let at = end.uart.windows(line.len()).position(|bytes| bytes == line.as_bytes()).unwrap();
    let mut frames = end.uart.clone();
    frames.drain(at..at + line.len());
    let run = record::Run::read(frames.as_slice()).unwrap();
    let kinds = |run: &record::Run| {
        run.edges
            .iter()
            .map(|total| (total.edge.kind, total.edge.sink.pc, total.count))
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(&run), kinds(&expected.record()));
    let intact = record::StreamReader::new(end.uart.as_slice()).count();
    assert!(intact > 3, "header, edges, the console's line as damage, end");
}

#[test]
fn bare_edges_are_the_words_of_the_tables() {
    let file = counted::program(PACE, |settings| settings.records = Records::Bare);
    let end = alone::run(&file, &common::roomy(64), 1, LIMIT);
    assert_eq!(end.stop, End::Exit { code: 0 });
    let mut received: Vec<[u32; 7]> = end.sent[&4]
        .chunks_exact(28)
        .map(|entry| {
            let word = |at: usize| u32::from_le_bytes(entry[at..at + 4].try_into().unwrap());
            std::array::from_fn(|index| word(4 * index))
        })
        .collect();
    let words = |tap: &golden::memory::Tap| {
        let golden::Edge { source, sink, kind } = tap.edge;
        [
            source.pc.0 as u32,
            sink.pc.0 as u32,
            source.ctx.0,
            sink.ctx.0,
            source.time.0 as u32,
            sink.time.0 as u32,
            kind.number() << 16 | source.hart.0 << 8 | sink.hart.0,
        ]
    };
    let mut expected: Vec<_> = end.taps.iter().map(words).collect();
    received.sort();
    expected.sort();
    assert_eq!(received, expected);
    let run = end.record();
    assert_eq!((run.edges.len(), run.ending.outcome), (0, record::End::Exit { code: 0 }));
}

#[test]
fn with_draining_off_only_the_ending_is_sent() {
    let file = counted::program(PACE, |settings| settings.drain = Drain::Off);
    let end = alone::run(&file, &common::roomy(4), 1, LIMIT);
    assert_eq!(end.stop, End::Exit { code: 0 });
    assert_eq!(end.taps.len(), 2 * PASSES * PACE.rounds - 1);
    let run = end.record();
    assert_eq!(run.edges, []);
    assert_eq!(run.ending.outcome, record::End::Exit { code: 0 });
}
