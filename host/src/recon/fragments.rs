//! One run at a time: its timeline, and the regions of each candidate on it.

use super::counts::{Counts, Quota};
use super::{Event, Example, Part};
use crate::census::{Census, EdgeId, EdgeTally, NodeId, Occurrence, Revisit, RunSummary};
use crate::graph::Last;
use hashbrown::HashMap;
use record::{Hart, Time};

/// The pairs of code points that communicate in no passing run.
#[derive(Default)]
pub(super) struct Pairs {
    /// Source and sink of each, as places in the census's list of code points.
    pub list: Vec<(u32, u32)>,
    /// For each edge, the place of its pair in the list, plus one; zero: it is not of such a pair.
    of_edge: Vec<u32>,
}

impl Pairs {
    pub fn of(census: &Census) -> Self {
        let pair = |edge: &EdgeTally| (census.point_id(edge.source), census.point_id(edge.sink));
        let mut known: HashMap<(u32, u32), bool> = HashMap::new();
        for edge in &census.edges {
            *known.entry(pair(edge)).or_insert(true) &= edge.runs.passing == 0;
        }
        let mut list: Vec<_> =
            known.iter().filter(|(_, only)| **only).map(|(pair, _)| *pair).collect();
        list.sort_unstable();
        let place =
            |edge: &EdgeTally| list.binary_search(&pair(edge)).map_or(0, |at| at as u32 + 1);
        let of_edge = census.edges.iter().map(place).collect();
        Self { list, of_edge }
    }
}

/// What the failing runs have around the candidates, as far as one thread has seen.
pub(super) struct Fragments<'a> {
    census: &'a Census,
    pub candidates: &'a [EdgeId],
    /// How many of the candidates this pass is about.
    pub quota: &'a Quota,
    /// For each edge, its place among the candidates, plus one; zero: it is none.
    candidate_of: Vec<u32>,
    hidden: &'a [bool],
    window: usize,
    body: usize,
    /// For each candidate, how many runs have it.
    pub runs: Vec<u32>,
    /// How many runs there are, without those whose times order nothing.
    pub executions: u32,
    pub examples: Vec<Option<Example>>,
    pub nodes: Counts,
    pub points: Counts,
    /// For each place: how many bug-only graphs have it, and how often it communicated there.
    pub bug_only: Vec<(u32, u64)>,
    place_run: Vec<u32>,
    pub pairs: &'a Pairs,
    /// For each pair: how many failing runs have it.
    pub pair_runs: Vec<u32>,
    pair_run: Vec<u32>,
    /// When each node last executed in the run whose number stands with it.
    node_time: Vec<(u32, Moment)>,
    timeline: Vec<(Moment, NodeId)>,
    turn: u32,
}

/// What all threads look at alike.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub hidden: &'a [bool],
    pub pairs: &'a Pairs,
    pub window: usize,
    pub body: usize,
}

/// When something happened; harts break ties.
type Moment = (Time, Hart);

impl<'a> Fragments<'a> {
    pub fn new(
        census: &'a Census,
        candidates: &'a [EdgeId],
        quota: &'a Quota,
        around: Around<'a>,
    ) -> Self {
        let Around { hidden, pairs, window, body } = around;
        let mut candidate_of = vec![0; census.edges.len()];
        for (place, edge) in candidates.iter().enumerate() {
            candidate_of[*edge as usize] = place as u32 + 1;
        }
        Self {
            census,
            candidates,
            quota,
            candidate_of,
            hidden,
            window,
            body,
            runs: vec![0; candidates.len()],
            executions: 0,
            examples: vec![None; candidates.len()],
            nodes: Counts::default(),
            points: Counts::default(),
            bug_only: vec![(0, 0); census.places.len()],
            place_run: vec![0; census.places.len()],
            pairs,
            pair_runs: vec![0; pairs.list.len()],
            pair_run: vec![0; pairs.list.len()],
            node_time: vec![(0, Moment::default()); census.nodes.len()],
            timeline: Vec::new(),
            turn: 0,
        }
    }

    /// Every node of the run at the time when it last executed (Recon §3.1).
    fn make_timeline(&mut self, edges: &[Occurrence]) {
        self.timeline.clear();
        let mut touched = Vec::with_capacity(edges.len());
        for occurrence in edges {
            let tally = &self.census.edges[occurrence.edge as usize];
            let Last { source_time, source_hart, sink_time, sink_hart } = occurrence.last;
            let ends =
                [(tally.source, (source_time, source_hart)), (tally.sink, (sink_time, sink_hart))];
            for (node, moment) in ends {
                // Times start at 1: at time 0 is what has none.
                if self.hidden[node as usize] || moment.0 == Time(0) {
                    continue;
                }
                let (turn, latest) = &mut self.node_time[node as usize];
                if *turn != self.turn {
                    (*turn, *latest) = (self.turn, moment);
                    touched.push(node);
                } else if *latest < moment {
                    *latest = moment;
                }
            }
        }
        let times = &self.node_time;
        self.timeline.extend(touched.iter().map(|node| (times[*node as usize].1, *node)));
        self.timeline.sort_unstable();
    }

    /// Counts the regions around one candidate (§3.2.1).
    fn reconstruct(&mut self, run: usize, place: usize, last: Last) {
        let edge = &self.census.edges[self.candidates[place] as usize];
        let sink = (last.sink_time, last.sink_hart);
        let known = last.source_time != Time(0) && last.source_time <= last.sink_time;
        // Without a known source the sink is all there is, and nothing lies between.
        let source = if known { (last.source_time, last.source_hart) } else { sink };
        let after = |moment: Moment| self.timeline.partition_point(|(at, _)| *at <= moment);
        let before = |moment: Moment| self.timeline.partition_point(|(at, _)| *at < moment);
        let (source_at, source_end) = (before(source), after(source));
        let (sink_at, sink_end) = (before(sink).max(source_end), after(sink));
        let prefix = &self.timeline[source_at.saturating_sub(self.window)..source_at];
        let body = &self.timeline[source_end..sink_at];
        let suffix_end = sink_end.saturating_add(self.window).min(self.timeline.len());
        let suffix = &self.timeline[sink_end..suffix_end];
        let half = self.body / 2;
        let (first, second) = match body.len() > self.body {
            true => (&body[..half], &body[body.len() - half..]),
            false => (body, &body[..0]),
        };
        self.runs[place] += 1;
        let parts = [
            (Part::Prefix, [prefix, &[]]),
            (Part::Body, [first, second]),
            (Part::Suffix, [suffix, &[]]),
        ];
        let mut points = Vec::new();
        for (region, (_, nodes)) in parts.iter().enumerate() {
            points.clear();
            for (_, node) in nodes.iter().copied().flatten() {
                self.nodes.add(self.quota, place, region, *node);
                points.push(self.census.point_id(*node));
            }
            points.sort_unstable();
            points.dedup();
            points.iter().for_each(|point| self.points.add(self.quota, place, region, *point));
        }
        if self.examples[place].as_ref().is_none_or(|example| run < example.run) {
            let of_part = |part: Part, nodes: [&[(Moment, NodeId)]; 2]| {
                let event = move |((time, hart), node): &(Moment, NodeId)| Event {
                    time: *time,
                    hart: *hart,
                    node: *node,
                    part,
                };
                nodes.concat().iter().map(event).collect::<Vec<_>>()
            };
            let end = |part, (time, hart): Moment, node| Event { time, hart, node, part };
            let mut events = of_part(Part::Prefix, parts[0].1);
            if known {
                events.push(end(Part::Source, source, edge.source));
            }
            events.extend(of_part(Part::Body, parts[1].1));
            events.push(end(Part::Sink, sink, edge.sink));
            events.extend(of_part(Part::Suffix, parts[2].1));
            self.examples[place] = Some(Example { run, events });
        }
    }

    /// Counts the bug-only graph of the run (Bugaboo §5), with contexts and without.
    fn count_bug_only(&mut self, edges: &[Occurrence]) {
        for occurrence in edges.iter().filter(|seen| self.census.bug_only(seen.edge)) {
            if let Some(pair) = self.pairs.of_edge[occurrence.edge as usize].checked_sub(1) {
                let pair = pair as usize;
                let counted = std::mem::replace(&mut self.pair_run[pair], self.turn);
                self.pair_runs[pair] += u32::from(counted != self.turn);
            }
            let edge = &self.census.edges[occurrence.edge as usize];
            for node in [edge.source, edge.sink] {
                let place = self.census.nodes[node as usize].place as usize;
                let (runs, count) = &mut self.bug_only[place];
                *count += occurrence.count;
                if std::mem::replace(&mut self.place_run[place], self.turn) != self.turn {
                    *runs += 1;
                }
            }
        }
    }
}

impl Revisit for Fragments<'_> {
    fn visit(&mut self, run: usize, summary: &RunSummary, edges: &[Occurrence]) {
        self.turn += 1;
        self.count_bug_only(edges);
        // Times that wrapped around order nothing.
        let wrapped = summary.about.ending.wrapped;
        let timed = if wrapped { &[] } else { edges };
        self.executions += u32::from(!wrapped);
        self.make_timeline(timed);
        for occurrence in timed {
            let place = self.candidate_of[occurrence.edge as usize].checked_sub(1);
            if let Some(place) = place.map(|place| place as usize)
                && place < self.quota.candidates()
            {
                self.reconstruct(run, place, occurrence.last);
            }
        }
    }

    fn merge(&mut self, other: Self) {
        self.executions += other.executions;
        self.runs.iter_mut().zip(other.runs).for_each(|(here, there)| *here += there);
        for (here, there) in self.examples.iter_mut().zip(other.examples) {
            let run = |example: &Option<Example>| example.as_ref().map_or(usize::MAX, |e| e.run);
            if run(&there) < run(here) {
                *here = there;
            }
        }
        self.pair_runs.iter_mut().zip(other.pair_runs).for_each(|(here, there)| *here += there);
        self.nodes.merge(self.quota, other.nodes);
        self.points.merge(self.quota, other.points);
        for (here, (runs, count)) in self.bug_only.iter_mut().zip(other.bug_only) {
            here.0 += runs;
            here.1 += count;
        }
    }
}
