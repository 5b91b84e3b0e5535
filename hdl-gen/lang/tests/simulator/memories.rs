//! Memories: reads, writes, masks and the order of both.

use hdl::*;

use crate::support::simulate;

#[derive(Clone, Bundle)]
struct Io {
    write: Sig,
    write_addr: Sig,
    data: Sig,
    mask: Sig,
    read: Sig,
    read_addr: Sig,
    now: Sig,
    later: Sig,
}

fn io(depth: usize, width: usize, lanes: usize) -> Io {
    let addr = index_width(depth);
    ports(Io {
        write: input(1),
        write_addr: input(addr),
        data: input(width),
        mask: input(lanes),
        read: input(1),
        read_addr: input(addr),
        now: output(width),
        later: output(width),
    })
}

/// Six rows of `width` bits in three lanes.
#[hardware]
fn masked(width: usize) -> Io {
    let io = io(6, width, 3);
    let rows = memory(6, width).init(vec![Bits::ones(width as u32)]);
    when(io.write, || rows.write_masked(io.write_addr, io.data, io.mask));
    io.now.set(rows.read_async(io.read_addr));
    io.later.set(rows.read_sync(io.read_addr, io.read));
    io
}

#[test]
fn lanes_are_written_by_mask_and_reads_see_the_row_before() {
    for width in [3, 24, 63, 66, 192, 300] {
        let (mut sim, io) = simulate("masked", width, masked);
        let lane = width / 3;
        let ones = Bits::ones(width as u32);
        assert_eq!(sim.get_bits(io.now), ones, "the initial row");
        assert!(sim.get_bits(io.later).is_zero());
        sim.set(io.write_addr, 4);
        sim.set(io.read_addr, 4);
        sim.set(io.read, 1);
        sim.set(io.write, 1);
        sim.set(io.mask, 0b101);
        sim.set_bits(io.data, &ones);
        sim.step();
        assert!(sim.get_bits(io.later).is_zero(), "as it was before the write");
        let row = sim.get_bits(io.now);
        for bit in 0..width {
            assert_eq!(row.bit(bit as u32), bit / lane != 1, "bit {bit} of {width}");
        }
        sim.set(io.write, 0);
        sim.step();
        assert_eq!(sim.get_bits(io.later), row);
        sim.set(io.read, 0);
        sim.set(io.read_addr, 0);
        sim.step();
        assert_eq!(sim.get_bits(io.later), row, "kept without enable");
        let rows = sim.memory("rows").unwrap();
        assert_eq!(sim.row(rows, 4), row);
        sim.set_row(rows, 0, &row);
        assert_eq!(sim.get_bits(io.now), row);
    }
}

#[test]
fn rows_past_the_depth_read_zero_and_ignore_writes() {
    let (mut sim, io) = simulate("masked", 24, masked);
    sim.set(io.write_addr, 6);
    sim.set(io.read_addr, 6);
    sim.set(io.write, 1);
    sim.set(io.read, 1);
    sim.set(io.mask, 7);
    sim.set(io.data, 0xABCDEF);
    sim.steps(2);
    assert_eq!((sim.get(io.now), sim.get(io.later)), (0, 0));
    for addr in 0..6 {
        sim.set(io.read_addr, addr);
        assert_eq!(sim.get(io.now), if addr == 0 { 0xFF_FFFF } else { 0 });
    }
}

#[hardware]
fn two_writes(depth: usize) -> Io {
    let io = io(depth, 8, 1);
    let rows = memory(depth, 8);
    rows.write(io.write_addr, io.data);
    when(io.write, || rows.write(io.write_addr, !io.data));
    io.now.set(rows.read_async(io.read_addr));
    io.later.set(rows.read_sync(io.read_addr, io.mask));
    io
}

#[test]
fn the_later_write_to_a_row_wins() {
    for depth in [1, 2, 5] {
        let (mut sim, io) = simulate("two_writes", depth, two_writes);
        sim.set(io.data, 0x0F);
        sim.step();
        assert_eq!(sim.get(io.now), 0x0F);
        sim.set(io.write, 1);
        sim.step();
        assert_eq!(sim.get(io.now), 0xF0);
    }
}

#[test]
fn memories_do_not_see_reset() {
    let (mut sim, io) = simulate("two_writes", 5, two_writes);
    sim.set(io.data, 0x42);
    sim.set(io.mask, 1);
    sim.reset();
    sim.reset();
    assert_eq!((sim.get(io.now), sim.get(io.later)), (0x42, 0x42));
}
