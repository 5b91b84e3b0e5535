//! Small designs that between them use every construct of the back end.

use hdl::*;

#[derive(Clone, Copy, Debug, PartialEq, HwEnum)]
pub enum State {
    Idle,
    Run,
    Done,
}

#[derive(Clone, Copy, Bundle)]
pub struct SequencerIo {
    /// Begins a run.
    pub start: Sig,
    /// How many steps were taken.
    pub steps: Sig,
    /// Where it is.
    pub state: Enum<State>,
}

/// A state machine with a counter.
#[derive(Debug, PartialEq)]
pub struct Sequencer {
    pub width: usize,
}

/// Counts up once it is started.
#[hardware]
impl Module for Sequencer {
    type Io = SequencerIo;
    fn name(&self) -> String {
        format!("sequencer_{}", self.width)
    }
    fn build(&self) -> SequencerIo {
        let io = ports(SequencerIo {
            start: input(1),
            steps: output(self.width),
            state: output(State::shape()),
        });
        /// Steps so far.
        let steps = reg(self.width).reset(0);
        let state = reg(State::shape()).reset(State::Idle);
        let last = steps.all();
        switch(state, |s| {
            s.case(State::Idle, || {
                when(io.start, || state.set(State::Run));
            });
            s.case(State::Run, || {
                steps.set(steps + 1);
                when(last, || state.set(State::Done));
            });
            s.case(State::Done, || {});
        });
        io.steps.set(steps);
        io.state.set_from(state);
        assert(
            "never_past_the_end",
            state.is(State::Done) | !last | state.is(State::Run),
            "the last step ends the run",
        );
        io
    }
}

#[derive(Clone, Bundle)]
pub struct PairIo {
    pub start: Sig,
    pub steps: Vec<Sig>,
}

/// Two instances of one module.
#[derive(Debug, PartialEq)]
pub struct Pair;

#[hardware]
impl Module for Pair {
    type Io = PairIo;
    fn name(&self) -> String {
        "pair".into()
    }
    fn build(&self) -> PairIo {
        let io = ports(PairIo { start: input(1), steps: array(2, |_| output(4)) });
        let first = Sequencer { width: 4 }.instance();
        let second = Sequencer { width: 4 }.instance();
        first.start.set(io.start);
        second.start.set(first.state.is(State::Done));
        io.steps[0].set(first.steps);
        io.steps[1].set(second.steps);
        io
    }
}

#[derive(Clone, Copy, Bundle)]
pub struct StoreIo {
    pub addr: Sig,
    pub data: Sig,
    pub lanes: Sig,
    pub write: Sig,
    pub now: Sig,
    pub later: Sig,
}

/// A memory with lanes, read both ways.
#[derive(Debug, PartialEq)]
pub struct Store {
    pub depth: usize,
}

#[hardware]
impl Module for Store {
    type Io = StoreIo;
    fn name(&self) -> String {
        format!("store_{}", self.depth)
    }
    fn build(&self) -> StoreIo {
        let index = index_width(self.depth);
        let io = ports(StoreIo {
            addr: input(index),
            data: input(16),
            lanes: input(2),
            write: input(1),
            now: output(16),
            later: output(16),
        });
        let rows = memory(self.depth, 16).init(vec![Bits::new(16, 0xbeef).unwrap()]);
        when(io.write, || rows.write_masked(io.addr, io.data, io.lanes));
        io.now.set(rows.read_async(io.addr));
        let held = rows.read_sync(io.addr, !io.write);
        io.later.set(held);
        io
    }
}

#[derive(Clone, Copy, Bundle)]
pub struct OperatorsIo {
    pub a: Sig,
    pub b: Sig,
    pub by: Sig,
    pub choice: Sig,
    pub bits: Sig,
    pub wide: Sig,
    pub chosen: Sig,
}

/// Expressions, partial assignments and nested choices.
#[derive(Debug, PartialEq)]
pub struct Operators {
    /// An unrelated value more, to see that it renames nothing.
    pub extra: bool,
}

#[hardware]
impl Module for Operators {
    type Io = OperatorsIo;
    fn name(&self) -> String {
        "operators".into()
    }
    fn build(&self) -> OperatorsIo {
        let io = ports(OperatorsIo {
            a: input(8),
            b: input(8),
            by: input(40),
            choice: input(2),
            bits: output(9),
            wide: output(24),
            chosen: output(8),
        });
        if self.extra {
            let noise = (io.a - io.b) & 0x55;
            cover("noise_is_zero", noise.none(), "the extra value");
        }
        let less = io.a.lt_signed(io.b);
        io.bits.bits(0..6).set(cat([
            io.a.parity(),
            less,
            io.a.all(),
            io.b.any(),
            io.a.at(io.choice),
            io.a.le(io.b),
        ]));
        io.bits.bits(6..).set(io.a.sra(io.by).bits(2..5));
        io.wide.set(
            (io.a * io.b).sext(24) + io.a.repeat(3) + (-io.b).zext(24) + (io.a + io.b).zext(24),
        );
        io.chosen.set(io.a << io.choice);
        when(less, || {
            when(io.a.bit(0), || io.chosen.set(io.b));
        })
        .elsewhen(io.b.bit(7), || io.chosen.set(0));
        switch(io.choice, |s| {
            s.case(2, || io.chosen.set(io.a ^ io.b));
            s.case([1, 3], || io.chosen.bits(0..4).set(io.b.bits(4..8)));
        });
        io
    }
}
