//! The serial line, bit by bit: one start bit, eight data bits, the lowest first, one stop bit.

use hdl::{
    Bundle, Module, Sig, Stream, cat, hardware, index_width, input, lit, output, ports, reg, when,
};

/// Start, data and stop.
const FRAME_BITS: usize = 10;

/// Sends bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct SerialTransmitter {
    /// Clock cycles per bit, at least 2.
    pub cycles_per_bit: usize,
}

/// Ports of [`SerialTransmitter`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct SerialTransmitterIo {
    /// A byte to send; accepted while the line is idle.
    pub bytes: Stream<Sig>,
    /// The serial line; 1 when idle.
    pub line: Sig,
}

/// Shifts a byte out between a start and a stop bit.
#[hardware]
impl Module for SerialTransmitter {
    type Io = SerialTransmitterIo;

    fn name(&self) -> String {
        format!("serial_transmitter_{}", self.cycles_per_bit)
    }

    fn build(&self) -> SerialTransmitterIo {
        let io = ports(SerialTransmitterIo { bytes: Stream::input(8), line: output(1) });
        /// The bits left to send, the next one lowest; ones follow.
        let frame = reg(FRAME_BITS).reset((1 << FRAME_BITS) - 1);
        /// Bits left to send, including the one on the line.
        let left = reg(index_width(FRAME_BITS + 1)).reset(0);
        /// Cycles left of the current bit.
        let wait = reg(index_width(self.cycles_per_bit)).reset(0);
        let idle = left.eq(0);
        io.bytes.ready.set(idle);
        io.line.set(frame.bit(0));
        when(io.bytes.fires(), || {
            frame.set(cat([lit(1, 1), io.bytes.payload, lit(1, 0)]));
            left.set(FRAME_BITS);
            wait.set(self.cycles_per_bit - 1);
        })
        .elsewhen(wait.ne(0), || wait.set(wait - 1))
        .elsewhen(!idle, || {
            frame.set(cat([lit(1, 1), frame.bits(1..)]));
            left.set(left - 1);
            wait.set(self.cycles_per_bit - 1);
        });
        io
    }
}

/// Receives bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct SerialReceiver {
    /// Clock cycles per bit: at least 2, and 8 or more if the sender has its own clock.
    pub cycles_per_bit: usize,
}

/// Ports of [`SerialReceiver`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct SerialReceiverIo {
    /// The serial line, asynchronous; 1 when idle.
    pub line: Sig,
    /// A byte has arrived in this cycle, and must be accepted at once.
    pub valid: Sig,
    /// The byte that has arrived; valid with `valid`.
    pub data: Sig,
}

/// Samples the middle of each bit. A start bit that is gone by then is ignored; a byte without a stop bit
/// is dropped, and the next one begins after the line has been 1.
#[hardware]
impl Module for SerialReceiver {
    type Io = SerialReceiverIo;

    fn name(&self) -> String {
        format!("serial_receiver_{}", self.cycles_per_bit)
    }

    fn build(&self) -> SerialReceiverIo {
        let io = ports(SerialReceiverIo { line: input(1), valid: output(1), data: output(8) });
        /// Synchronizer: two registers, because the line is asynchronous.
        let first = reg(1).reset(1);
        let line = reg(1).reset(1);
        first.set(io.line);
        line.set(first);
        /// Bits left to sample; 0 when idle.
        let left = reg(index_width(FRAME_BITS + 1)).reset(0);
        /// Cycles until the next sample.
        let wait = reg(index_width(self.cycles_per_bit)).reset(0);
        /// There was no stop bit, and the line has not been 1 since.
        let broken = reg(1).reset(0);
        let data = reg(8);
        let looks = left.ne(0) & wait.eq(0);
        let is_start = left.eq(FRAME_BITS);
        let is_stop = left.eq(1);
        io.valid.set(looks & is_stop & line);
        io.data.set(data);
        when(line, || broken.set(0));
        when(left.eq(0), || {
            when(!line & !broken, || {
                left.set(FRAME_BITS);
                wait.set(self.cycles_per_bit / 2 - 1);
            });
        })
        .elsewhen(!looks, || wait.set(wait - 1))
        .otherwise(|| {
            left.set(left - 1);
            wait.set(self.cycles_per_bit - 1);
            when(is_start & line, || left.set(0));
            when(!is_start & !is_stop, || data.set(cat([line, data.bits(1..)])));
            when(is_stop & !line, || broken.set(1));
        });
        io
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use hdl::Simulator;

    /// The bytes of a line, from its level in each cycle.
    pub fn bytes(levels: &[bool], cycles_per_bit: usize) -> Vec<u8> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(start) = levels[at..].iter().position(|level| !level).map(|next| at + next) {
            let bit =
                |number: usize| levels.get(start + cycles_per_bit * number + cycles_per_bit / 2);
            let Some(true) = bit(9) else { break };
            let byte =
                (0..8).fold(0, |byte, place| byte | u8::from(*bit(place + 1).unwrap()) << place);
            found.push(byte);
            at = start + 9 * cycles_per_bit + cycles_per_bit / 2;
        }
        found
    }

    /// The level of a line in each cycle, from its bytes.
    pub fn levels(bytes: &[u8], cycles_per_bit: usize) -> Vec<bool> {
        let frames = bytes.iter().map(|byte| 1 << (FRAME_BITS - 1) | u16::from(*byte) << 1);
        let bits = frames.flat_map(|frame| (0..FRAME_BITS).map(move |bit| frame >> bit & 1 == 1));
        bits.flat_map(|level| std::iter::repeat_n(level, cycles_per_bit)).collect()
    }

    /// A transmitter and a receiver on one line.
    #[derive(Clone, Debug, PartialEq)]
    struct Loop(usize);

    #[derive(Clone, Debug, Bundle)]
    struct LoopIo {
        bytes: Stream<Sig>,
        spoil: Sig,
        valid: Sig,
        data: Sig,
    }

    #[hardware]
    impl Module for Loop {
        type Io = LoopIo;

        fn name(&self) -> String {
            "loop".into()
        }

        fn build(&self) -> LoopIo {
            let io = ports(LoopIo {
                bytes: Stream::input(8),
                spoil: input(1),
                valid: output(1),
                data: output(8),
            });
            let transmitter = SerialTransmitter { cycles_per_bit: self.0 }.instance();
            let receiver = SerialReceiver { cycles_per_bit: self.0 }.instance();
            transmitter.bytes.connect(&io.bytes);
            receiver.line.set(transmitter.line & !io.spoil);
            io.valid.set(receiver.valid);
            io.data.set(receiver.data);
            io
        }
    }

    #[test]
    fn every_byte_arrives_at_every_speed() {
        for cycles_per_bit in [2, 3, 4, 8, 25, 217] {
            let (mut sim, io) = Simulator::of(Loop(cycles_per_bit)).unwrap();
            sim.reset();
            let sent: Vec<u64> = [0x00, 0xff, 0x55, 0xaa, 0x01, 0x80, 0xc7, 0x5a].into();
            let mut arrived = Vec::new();
            let mut next = 0;
            for _ in 0..(sent.len() + 1) * (FRAME_BITS + 1) * cycles_per_bit {
                sim.set(io.bytes.valid, u64::from(next < sent.len()));
                sim.set(io.bytes.payload, *sent.get(next).unwrap_or(&0));
                if sim.get(io.valid) == 1 {
                    arrived.push(sim.get(io.data));
                }
                next += usize::from(next < sent.len() && sim.get(io.bytes.ready) == 1);
                sim.step();
            }
            assert_eq!(arrived, sent, "{cycles_per_bit} cycles a bit");
        }
    }

    #[test]
    fn glitches_and_broken_bytes_are_no_bytes() {
        let (mut sim, io) = Simulator::of(Loop(8)).unwrap();
        sim.reset();
        let mut arrived = Vec::new();
        let mut run = |sim: &mut Simulator, cycles: usize| {
            for _ in 0..cycles {
                if sim.get(io.valid) == 1 {
                    arrived.push(sim.get(io.data));
                }
                sim.step();
            }
        };
        // Too short for a start bit.
        sim.set(io.spoil, 1);
        run(&mut sim, 2);
        sim.set(io.spoil, 0);
        run(&mut sim, 200);
        // Low for three bytes: no stop bit, and nothing new until the line is 1 again.
        sim.set(io.spoil, 1);
        run(&mut sim, 240);
        sim.set(io.spoil, 0);
        run(&mut sim, 20);
        sim.set(io.bytes.valid, 1);
        sim.set(io.bytes.payload, 0x42);
        run(&mut sim, 1);
        sim.set(io.bytes.valid, 0);
        run(&mut sim, 200);
        assert_eq!(arrived, [0x42]);
    }
}
