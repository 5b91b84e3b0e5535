//! The address map and the devices.

use super::*;
use crate::isa::Half;

fn machine_access(kind: DataKind, size: Size, address: u32, data: u32) -> DataAccess {
    DataAccess { size, rights: Mode::Machine, ..access(kind, address, data, 0) }
}

fn peek(memory: &mut Memory, size: Size, address: u32) -> u32 {
    done(&order(memory, 0, &machine_access(DataKind::Load, size, address, 0))).before
}

fn poke(memory: &mut Memory, size: Size, address: u32, data: u32) {
    order(memory, 0, &machine_access(DataKind::Store, size, address, data));
}

#[test]
fn every_access_finds_its_region_or_faults() {
    let map = Map { ram_last: PARAMETERS.ram_last };
    use DataKind::{Load, LoadReserved, Store, StoreConditional};
    use Size::{Byte, Half, Word};
    let user = Mode::User;
    let machine = Mode::Machine;
    #[rustfmt::skip]
    let table = [
        (RAM, Load, Byte, user, Some(Region::Ram)),
        (PARAMETERS.ram_last, Load, Byte, machine, Some(Region::Ram)),
        (PARAMETERS.ram_last + 1, Load, Byte, machine, None),
        (RAM, AMO_ADD, Word, user, Some(Region::Ram)),
        (RAM - 4, Load, Word, machine, None),
        (0, Load, Word, machine, None),
        (0xffff_fffc, Store, Word, machine, None),
        (0x0200_0000, Load, Word, machine, Some(Region::Clint)),
        (0x0200_fffc, Store, Word, machine, Some(Region::Clint)),
        (0x0201_0000, Load, Word, machine, None),
        (0x0200_0000, Load, Word, user, None),
        (0x0200_0000, Load, Byte, machine, None),
        (0x0200_0000, Load, Half, machine, None),
        (0x0200_0000, LoadReserved, Word, machine, None),
        (0x0200_0000, StoreConditional, Word, machine, None),
        (0x0200_0000, AMO_ADD, Word, machine, None),
        (0x1000_0005, Load, Byte, machine, Some(Region::Uart)),
        (0x1000_0000, Store, Word, machine, Some(Region::Uart)),
        (0x1000_0000, Store, Half, machine, None),
        (0x1000_0000, Load, Byte, user, None),
        (0x1000_00ff, Load, Byte, machine, Some(Region::Uart)),
        (0x1000_0100, Load, Byte, machine, None),
        (0x1100_0000, Load, Word, machine, Some(Region::Monitors)),
        (0x1100_fffc, Load, Word, machine, Some(Region::Monitors)),
        (0x1101_0000, Load, Word, machine, None),
        (0x1100_0000, Load, Byte, machine, None),
        (0x1100_0000, Load, Word, user, None),
    ];
    for (address, kind, size, rights, expected) in table {
        let access = DataAccess { size, rights, ..access(kind, address, 0, 0) };
        assert_eq!(map.answering(&access), expected, "{address:#x} {kind:?} {size:?} {rights:?}");
    }
}

#[test]
fn clint_registers_are_where_the_layout_says() {
    let mut memory = Memory::new(&PARAMETERS);
    let clint = 0x0200_0000;
    poke(&mut memory, Size::Word, clint + 8, 0xffff_ffff);
    assert_eq!(peek(&mut memory, Size::Word, clint + 8), 1, "one bit");
    assert_eq!((memory.pending(2, 0), memory.pending(1, 0)), (1 << 3, 0));
    poke(&mut memory, Size::Word, clint + 8, 0xffff_fffe);
    assert_eq!(memory.pending(2, 0), 0);

    assert_eq!(peek(&mut memory, Size::Word, clint + 0x4008), u32::MAX);
    poke(&mut memory, Size::Word, clint + 0x400c, 0);
    poke(&mut memory, Size::Word, clint + 0x4008, 50);
    assert_eq!(memory.clint().compare(1), 50);
    assert_eq!((memory.pending(1, 49), memory.pending(1, 50)), (0, 1 << 7));
    assert_eq!(memory.pending(0, 1 << 60), 0, "others are far away");

    for nothing in [16, 0x3ffc, 0x4020, 0xbff4] {
        poke(&mut memory, Size::Word, clint + nothing, 1);
        assert_eq!(peek(&mut memory, Size::Word, clint + nothing), 0, "{nothing:#x}");
    }
}

#[test]
fn mtime_counts_on_from_what_was_written() {
    let mut clint = Clint::new(1);
    assert_eq!(clint.time(7), 7);
    clint.write(0xbffc, 2, 10);
    clint.write(0xbff8, 100, 20);
    assert_eq!(clint.time(25), (2 << 32) + 105);
    let read = clint.read(0xbff8, 25);
    assert_eq!(read.value, 105);
    assert_eq!(read.unpredictable, Some(Unpredictable::Time(Half::Low, (2 << 32) + 105)));
    assert_eq!(clint.read(0xbffc, 25).value, 2);
}

#[test]
fn the_serial_port_keeps_scratch_and_line_control() {
    let mut memory = Memory::new(&PARAMETERS);
    let uart = 0x1000_0000;
    poke(&mut memory, Size::Byte, uart + 7, 0x5a);
    assert_eq!(peek(&mut memory, Size::Byte, uart + 7), 0x5a << 24, "in its lane");
    for silent in [1, 2, 4, 6, 8, 0xff] {
        poke(&mut memory, Size::Byte, uart + silent, 0xff);
        assert_eq!(peek(&mut memory, Size::Byte, uart + silent), 0, "{silent}");
    }
    assert_eq!(peek(&mut memory, Size::Byte, uart + 5), 0x60 << 8);
    memory.uart_mut().receive(b'x');
    assert_eq!(peek(&mut memory, Size::Byte, uart + 5), 0x61 << 8);
    assert_eq!(peek(&mut memory, Size::Word, uart), u32::from(b'x'), "a word: the low byte");
    assert_eq!(peek(&mut memory, Size::Word, uart), 0, "nothing is left");

    poke(&mut memory, Size::Byte, uart, b'h'.into());
    poke(&mut memory, Size::Word, uart, 0x1100 | u32::from(b'i'));
    poke(&mut memory, Size::Byte, uart + 3, 0x83);
    poke(&mut memory, Size::Byte, uart, 0xff);
    assert_eq!(peek(&mut memory, Size::Byte, uart + 3), 0x83 << 24);
    memory.uart_mut().receive(b'y');
    assert_eq!(peek(&mut memory, Size::Byte, uart), 0, "hidden by the divisor's access bit");
    poke(&mut memory, Size::Byte, uart + 3, 3);
    assert_eq!(peek(&mut memory, Size::Byte, uart), b'y'.into());
    assert_eq!(memory.uart().sent(), b"hi");
}

#[test]
fn device_accesses_are_transactions_without_a_number() {
    let mut memory = Memory::new(&PARAMETERS);
    let ordered =
        order(&mut memory, 2, &machine_access(DataKind::Load, Size::Word, 0x0200_0004, 0));
    assert_eq!(*grant(&ordered), BusGrant::plain(BusKind::Device, 2, 0x0200_0004));
    assert_eq!(memory.time(), 0);
}

#[test]
fn windows_of_harts_that_do_not_exist_read_zero() {
    let mut memory = Memory::new(&PARAMETERS);
    poke(&mut memory, Size::Word, 0x1100_4000 + 4 * 33, 5);
    assert_eq!(peek(&mut memory, Size::Word, 0x1100_4000 + 4 * 33), 0);
    poke(&mut memory, Size::Word, 0x1100_3000 + 4 * 33, 5);
    assert_eq!(peek(&mut memory, Size::Word, 0x1100_3000 + 4 * 33), 5);
}
