//! Register windows: what software reads and what its writes do, for each way to build one.

use hdl::window::{Access, Bus, Row, Window};
use hdl::*;

use crate::support::simulate;

#[derive(Clone, Copy)]
enum Word {
    Kept = 1,
    Count = 2,
    Clear = 5,
    Absent = 6,
    Last = 7,
}

const fn row(name: &'static str, word: Word, access: Access, reset: u64) -> Row {
    Row { name, word: word as u32, access, reset, doc: "" }
}

const ROWS: [Row; 5] = [
    row("kept", Word::Kept, Access::ReadWrite, 0x5a),
    row("count", Word::Count, Access::ReadOnly, 0),
    row("clear", Word::Clear, Access::WriteOnly, 0),
    row("absent", Word::Absent, Access::ReadWrite, 0),
    row("last", Word::Last, Access::ReadOnly, 0),
];

#[derive(Clone, Copy, Bundle)]
struct Io {
    read_valid: Sig,
    write_valid: Sig,
    address: Sig,
    write_data: Sig,
    read_data: Sig,
}

/// How the read side is built.
const REGISTERED: usize = 0;
const NOW: usize = 1;
const GATED: usize = 2;

/// Counts reads of `last`, which shows what was read before it.
#[hardware]
fn window(style: usize) -> Io {
    let io = ports(Io {
        read_valid: input(1),
        write_valid: input(1),
        address: input(4),
        write_data: input(32),
        read_data: output(32),
    });
    let Io { read_valid, write_valid, address, write_data, read_data } = io;
    let bus = Bus { read_valid, write_valid, address, write_data };
    let mut registers = Window::new(ROWS, |word: Word| word as u32, bus);
    let kept = reg(8).reset(registers.reset(Word::Kept));
    registers.keep(Word::Kept, kept);
    let count = reg(4).reset(0);
    set_when(registers.is_read(Word::Last), count, count + 1);
    registers.read(Word::Count, count);
    registers.on_write(Word::Clear, move |data| count.set(data.trunc(4)));
    when(write_valid, || registers.apply());
    registers.omit(Word::Absent);

    let last_address = reg(4).reset(0);
    set_when(read_valid, last_address, address);
    let answer = reg(32).reset(0);
    match style {
        REGISTERED => {
            let later = wire(32);
            registers.read_later(Word::Last, cat([last_address, kept]));
            later.set(0);
            registers.show_later(last_address, later);
            when(read_valid, || registers.show(answer));
            read_data.set(answer | later);
        }
        _ => {
            registers.read(Word::Last, cat([last_address, kept]));
            let found = wire(32);
            if style == NOW {
                found.set(0);
                registers.show_now(found);
            } else {
                found.set(registers.gated(32));
            }
            answer.set(found & read_valid.repeat(32));
            read_data.set(answer);
        }
    }
    io
}

#[test]
fn every_read_side_shows_the_addressed_register_and_zero_elsewhere() {
    for style in [REGISTERED, NOW, GATED] {
        let (mut sim, io) = simulate("window", style, window);
        sim.reset();
        let mut read = |address: u64| {
            sim.set(io.read_valid, 1);
            sim.set(io.address, address);
            sim.step();
            sim.get(io.read_data)
        };
        assert_eq!([0, 1, 2, 5, 6, 15].map(&mut read), [0, 0x5a, 0, 0, 0, 0], "style {style}");
        let before = if style == REGISTERED { 7 } else { 15 };
        assert_eq!(read(7), before << 8 | 0x5a, "style {style}");
        assert_eq!(read(2), 1, "style {style}");
    }
}

#[test]
fn a_write_changes_its_register_and_no_other() {
    for style in [REGISTERED, NOW, GATED] {
        let (mut sim, io) = simulate("window", style, window);
        sim.reset();
        for (address, data) in [(1, 0x1c7), (2, 9), (5, 3), (6, 4), (9, 5)] {
            sim.set(io.write_valid, 1);
            sim.set(io.address, address);
            sim.set(io.write_data, data);
            sim.step();
        }
        assert_eq!(sim.peek("kept"), Bits::new(8, 0xc7));
        assert_eq!(sim.peek("count"), Bits::new(4, 3));
    }
}
