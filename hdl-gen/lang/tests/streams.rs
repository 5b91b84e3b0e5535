//! Streams: what goes in comes out, once, in order, whatever both sides do.

use std::collections::VecDeque;

use hdl::stream::{Arbiter, Queue, RegisterSlice, arbitrate, join};
use hdl::{Bundle, Module, Sig, Simulator, Stream, hardware, ports, reg};
use proptest::prelude::*;

/// One cycle: whether the producer offers, and whether the consumer takes.
type Cycle = (bool, bool);

fn cycles() -> impl Strategy<Value = Vec<Cycle>> {
    // Mostly eager, mostly lazy or undecided on each side: full, empty and both at once.
    let side = || prop::sample::select(vec![0.05, 0.5, 0.95, 1.0]);
    (side(), side()).prop_flat_map(|(offer, take)| {
        prop::collection::vec((prop::bool::weighted(offer), prop::bool::weighted(take)), 1..120)
    })
}

/// Runs both sides of a stream and returns what moved in and out; the producer holds its offer until it
/// is taken, and counts up.
fn run(
    sim: &mut Simulator,
    enq: &Stream<Sig>,
    deq: &Stream<Sig>,
    cycles: &[Cycle],
) -> (Vec<u64>, Vec<u64>) {
    sim.reset();
    let mask = u64::MAX >> (64 - enq.payload.width().min(64));
    let (mut sent, mut received) = (Vec::new(), Vec::new());
    let mut offering = false;
    for &(offer, take) in cycles {
        offering |= offer;
        let payload = (sent.len() as u64 * 7 + 1) & mask;
        sim.set(enq.valid, u64::from(offering));
        sim.set(enq.payload, payload);
        sim.set(deq.ready, u64::from(take));
        if sim.get(deq.valid) == 1 && take {
            received.push(sim.get(deq.payload));
        }
        if offering && sim.get(enq.ready) == 1 {
            sent.push(payload);
            offering = false;
        }
        sim.step();
    }
    (sent, received)
}

proptest! {
    #[test]
    fn a_queue_is_a_queue(depth in prop::sample::select(vec![0usize, 1, 2, 3, 5, 8, 13]), width in 1usize..70, cycles in cycles()) {
        let width = width.min(64);
        let (mut sim, io) = Simulator::of(Queue { depth, width }).unwrap();
        sim.reset();
        let mut model = VecDeque::new();
        for (number, (offer, take)) in cycles.into_iter().enumerate() {
            let payload = number as u64 & (u64::MAX >> (64 - width));
            sim.set(io.enq.valid, u64::from(offer));
            sim.set(io.enq.payload, payload);
            sim.set(io.deq.ready, u64::from(take));
            if depth == 0 {
                prop_assert_eq!((sim.get(io.deq.valid), sim.get(io.enq.ready)), (u64::from(offer), u64::from(take)));
                prop_assert_eq!(sim.get(io.deq.payload), payload);
            } else {
                prop_assert_eq!(sim.get(io.count), model.len() as u64);
                prop_assert_eq!(sim.get(io.enq.ready) == 1, model.len() < depth);
                prop_assert_eq!(sim.get(io.deq.valid) == 1, !model.is_empty());
                if let Some(&oldest) = model.front() {
                    prop_assert_eq!(sim.get(io.deq.payload), oldest);
                }
                let room = model.len() < depth;
                if take {
                    model.pop_front();
                }
                if offer && room {
                    model.push_back(payload);
                }
            }
            sim.step();
        }
    }

    #[test]
    fn a_register_slice_keeps_order_and_holds_two(cycles in cycles()) {
        let (mut sim, io) = Simulator::of(RegisterSlice { width: 16 }).unwrap();
        let (sent, received) = run(&mut sim, &io.enq, &io.deq, &cycles);
        prop_assert!(sent.len() - received.len() <= 2);
        prop_assert_eq!(&sent[..received.len()], &received[..]);
    }

    #[test]
    fn an_arbiter_serves_every_waiting_source_in_turn(
        sources in 1usize..7,
        offers in prop::collection::vec((any::<u8>(), prop::bool::weighted(0.8)), 1..100),
    ) {
        let (mut sim, io) = Simulator::of(Arbiter { sources, width: 4 }).unwrap();
        sim.reset();
        for (place, source) in io.sources.iter().enumerate() {
            sim.set(source.payload, place as u64);
        }
        let mut waited = vec![0; sources];
        let mut waiting = vec![false; sources];
        for (offer, take) in offers {
            for (place, (waiting, source)) in waiting.iter_mut().zip(&io.sources).enumerate() {
                *waiting |= offer >> place & 1 == 1;
                sim.set(source.valid, u64::from(*waiting));
            }
            sim.set(io.merged.ready, u64::from(take));
            let any = waiting.contains(&true);
            prop_assert_eq!(sim.get(io.merged.valid) == 1, any);
            let chosen = sim.get(io.merged.payload) as usize;
            for place in 0..sources {
                let served = any && take && place == chosen;
                if waiting[place] {
                    prop_assert_eq!(sim.get(io.sources[place].ready) == 1, served);
                }
                if served {
                    prop_assert!(waiting[place], "an idle source was served");
                    waiting[place] = false;
                    waited[place] = 0;
                } else if any && take && waiting[place] {
                    waited[place] += 1;
                    prop_assert!(waited[place] < sources, "source {} starves", place);
                }
            }
            sim.step();
        }
    }

    #[test]
    fn a_chain_of_everything_loses_and_invents_nothing(cycles in cycles()) {
        let (mut sim, io) = Simulator::of(Chain).unwrap();
        let (sent, received) = run(&mut sim, &io.enq, &io.deq, &cycles);
        // Multiples of 4 are dropped; the rest comes out doubled by the join, in order.
        let kept: Vec<u64> = sent.into_iter().filter(|payload| payload % 4 != 0).collect();
        prop_assert!(kept.len() - received.len() <= 8, "more inside than there is room");
        for (kept, received) in kept.iter().zip(&received) {
            prop_assert_eq!(kept << 8 | kept, *received);
        }
    }
}

#[derive(Clone, Debug, Bundle)]
struct ChainIo {
    enq: Stream<Sig>,
    deq: Stream<Sig>,
}

/// Every function of the algebra in one line.
#[derive(Debug, PartialEq)]
struct Chain;

#[hardware]
impl Module for Chain {
    type Io = ChainIo;
    fn name(&self) -> String {
        "chain".into()
    }
    fn build(&self) -> ChainIo {
        let io = ports(ChainIo { enq: Stream::input(8), deq: Stream::output(16) });
        // Halts one cycle in four.
        let beat = reg(2).reset(0);
        beat.set(beat + 1);
        let multiple_of_four = io.enq.payload.bits(0..2).none();
        let kept = io.enq.drop_when(multiple_of_four).halt_when(beat.all());
        let mut branches = kept.fork(2).into_iter();
        let left = branches.next().unwrap().queue(3);
        let right = branches.next().unwrap().slice();
        let both = join(left, arbitrate(vec![right]));
        io.deq.connect(&both.map(|pair| pair.pack()));
        io
    }
}

#[test]
fn a_register_slice_has_full_throughput() {
    let (mut sim, io) = Simulator::of(RegisterSlice { width: 16 }).unwrap();
    let (sent, received) = run(&mut sim, &io.enq, &io.deq, &[(true, true); 50]);
    assert_eq!((sent.len(), received.len()), (50, 49));
}
