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
        (CLINT.base, Load, Word, machine, Some(Region::Clint)),
        (CLINT.end() - 4, Store, Word, machine, Some(Region::Clint)),
        (CLINT.end(), Load, Word, machine, None),
        (CLINT.base, Load, Word, user, None),
        (CLINT.base, Load, Byte, machine, None),
        (CLINT.base, Load, Half, machine, None),
        (CLINT.base, LoadReserved, Word, machine, None),
        (CLINT.base, StoreConditional, Word, machine, None),
        (CLINT.base, AMO_ADD, Word, machine, None),
        (uart::Word::LineStatus.address(), Load, Byte, machine, Some(Region::Uart)),
        (UART.base, Store, Word, machine, Some(Region::Uart)),
        (UART.base, Store, Half, machine, None),
        (UART.base, Load, Byte, user, None),
        (UART.last(), Load, Byte, machine, Some(Region::Uart)),
        (UART.end(), Load, Byte, machine, None),
        (MONITORS.base, Load, Word, machine, Some(Region::Monitors)),
        (MONITORS.end() - 4, Load, Word, machine, Some(Region::Monitors)),
        (MONITORS.end(), Load, Word, machine, None),
        (MONITORS.base, Load, Byte, machine, None),
        (MONITORS.base, Load, Word, user, None),
    ];
    for (address, kind, size, rights, expected) in table {
        let access = DataAccess { size, rights, ..access(kind, address, 0, 0) };
        assert_eq!(map.answering(&access), expected, "{address:#x} {kind:?} {size:?} {rights:?}");
    }
}

#[test]
fn clint_registers_are_where_the_layout_says() {
    let mut memory = Memory::new(&PARAMETERS);
    let clint = CLINT.base;
    poke(&mut memory, Size::Word, clint + 8, 0xffff_ffff);
    assert_eq!(peek(&mut memory, Size::Word, clint + 8), 1, "one bit");
    assert_eq!((memory.pending(2, 0), memory.pending(1, 0)), (Interrupt::Software.bit(), 0));
    poke(&mut memory, Size::Word, clint + 8, 0xffff_fffe);
    assert_eq!(memory.pending(2, 0), 0);

    assert_eq!(peek(&mut memory, Size::Word, clint + 0x4008), u32::MAX);
    poke(&mut memory, Size::Word, clint + 0x400c, 0);
    poke(&mut memory, Size::Word, clint + 0x4008, 50);
    assert_eq!(memory.clint().compare(1), 50);
    assert_eq!((memory.pending(1, 49), memory.pending(1, 50)), (0, Interrupt::Timer.bit()));
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
    clint.write(clint::Word::MtimeHigh.offset(), 2, 10);
    clint.write(clint::Word::Mtime.offset(), 100, 20);
    assert_eq!(clint.time(25), (2 << 32) + 105);
    let read = clint.read(clint::Word::Mtime.offset(), 25);
    assert_eq!(read.value, 105);
    assert_eq!(read.unpredictable, Some(Unpredictable::Time(Half::Low, (2 << 32) + 105)));
    assert_eq!(clint.read(clint::Word::MtimeHigh.offset(), 25).value, 2);
}

#[test]
fn the_serial_port_keeps_scratch_and_line_control() {
    let mut memory = Memory::new(&PARAMETERS);
    let uart = UART.base;
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
    let ordered = order(
        &mut memory,
        2,
        &machine_access(DataKind::Load, Size::Word, clint::Word::Msip.address(1), 0),
    );
    assert_eq!(*grant(&ordered), BusGrant::plain(BusKind::Device, 2, clint::Word::Msip.address(1)));
    assert_eq!(memory.time(), 0);
}

#[test]
fn windows_of_harts_that_do_not_exist_read_zero() {
    let mut memory = Memory::new(&PARAMETERS);
    poke(&mut memory, Size::Word, monitor::address(4, Word::RangeLow), 5);
    assert_eq!(peek(&mut memory, Size::Word, monitor::address(4, Word::RangeLow)), 0);
    poke(&mut memory, Size::Word, monitor::address(3, Word::RangeLow), 5);
    assert_eq!(peek(&mut memory, Size::Word, monitor::address(3, Word::RangeLow)), 5);
}
