//! The counters of cycles and of retired instructions.

use hdl::{Bundle, Module, Sig, bits, cat, hardware, input, output, ports, reg, set_when, when};

/// The counters.
#[derive(Clone, Debug, PartialEq)]
pub struct Counters;

/// Which register is written in this cycle, one bit each: the words of the counters, and the CSRs that govern them.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct CounterWrites {
    /// `mcycle` is written.
    pub cycle: Sig,
    /// `mcycleh` is written.
    pub cycle_upper: Sig,
    /// `minstret` is written.
    pub instret: Sig,
    /// `minstreth` is written.
    pub instret_upper: Sig,
    /// `mcountinhibit` is written.
    pub inhibit: Sig,
    /// `mcounteren` is written.
    pub enable: Sig,
}

impl CounterWrites {
    /// Its shape.
    pub fn shape() -> CounterWrites {
        CounterWrites {
            cycle: bits(1),
            cycle_upper: bits(1),
            instret: bits(1),
            instret_upper: bits(1),
            inhibit: bits(1),
            enable: bits(1),
        }
    }
}

/// Ports of [`Counters`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct CountersIo {
    /// An instruction that `minstret` counts retires in this cycle.
    pub retire: Sig,
    /// The instruction that leaves the fourth stage in this cycle is to be counted when it retires:
    /// `mcountinhibit` allows it, and it does not write `minstret`.
    pub counts: Sig,
    /// Registers to write in this cycle, a signal each.
    pub write: CounterWrites,
    /// The value to write to the selected register; valid if any of the `write` signals is 1.
    pub write_data: Sig,
    /// `mcycleh` and `mcycle`, as one number.
    pub cycle: Sig,
    /// `minstreth` and `minstret`, as one number.
    pub instret: Sig,
    /// The value of `mcountinhibit`.
    pub inhibit: Sig,
    /// The value of `mcounteren`.
    pub enable: Sig,
}

/// Counts cycles and retired instructions, unless `mcountinhibit` stops a counter. A write to
/// either word of a counter replaces the count of that cycle, or of that instruction. All registers
/// start at 0.
#[hardware]
impl Module for Counters {
    type Io = CountersIo;

    fn name(&self) -> String {
        "counters".into()
    }

    fn build(&self) -> CountersIo {
        let io = ports(CountersIo {
            retire: input(1),
            counts: output(1),
            write: input(CounterWrites::shape()),
            write_data: input(32),
            cycle: output(64),
            instret: output(64),
            inhibit: output(32),
            enable: output(32),
        });
        let cycle = reg(64).reset(0);
        let instret = reg(64).reset(0);
        let cycle_stopped = reg(1).reset(0);
        let instret_stopped = reg(1).reset(0);
        let enable = reg(3).reset(0);

        set_when(!cycle_stopped, cycle, cycle + 1);
        io.counts.set(!instret_stopped & !io.write.instret & !io.write.instret_upper);
        set_when(io.retire, instret, instret + 1);
        let halves = [
            (cycle, io.write.cycle, io.write.cycle_upper),
            (instret, io.write.instret, io.write.instret_upper),
        ];
        for (counter, write, write_upper) in halves {
            set_when(write, counter, cat([counter.bits(32..), io.write_data]));
            set_when(write_upper, counter, cat([io.write_data, counter.trunc(32)]));
        }
        when(io.write.inhibit, || {
            cycle_stopped.set(io.write_data.bit(0));
            instret_stopped.set(io.write_data.bit(2));
        });
        set_when(io.write.enable, enable, io.write_data.trunc(3));

        io.cycle.set(cycle);
        io.instret.set(instret);
        io.inhibit.set(cat([instret_stopped, hdl::lit(1, 0), cycle_stopped]).zext(32));
        io.enable.set(enable.zext(32));
        io
    }
}
