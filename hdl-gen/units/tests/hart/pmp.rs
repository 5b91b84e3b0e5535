//! Memory protection, against a plain reading of the manual.

use border::map::{CLINT, MONITORS, UART};
use hdl::Simulator;
use units::hart::pmp::{ENTRIES, PmpCheck, PmpRegisters};

use super::asm::*;
use super::check::check;
use super::machine::{Machine, RAM};
use super::random::{Delays, Random};

/// Whether an access is allowed, entry by entry as the manual says.
fn allowed(cfg: [u8; 4], addr: [u32; 4], address: u32, machine: bool, wants: u8) -> bool {
    for place in 0..4 {
        let from = if place == 0 { 0 } else { u64::from(addr[place - 1]) << 2 };
        let own = u64::from(addr[place]);
        let (low, end) = match cfg[place] >> 3 & 3 {
            0 => continue,
            1 => (from, own << 2),
            2 => (own << 2, (own << 2) + 4),
            _ => {
                let ones = own.trailing_ones();
                let size = 8u64 << ones;
                let base = (own << 2) & !(size - 1);
                (base, base + size)
            }
        };
        let address = u64::from(address & !3);
        if low <= address && address < end {
            let permitted = cfg[place] & wants == wants;
            return permitted || machine && cfg[place] & 0x80 == 0;
        }
    }
    machine
}

#[test]
fn the_first_matching_entry_decides() {
    let (mut sim, io) = Simulator::of(PmpCheck).unwrap();
    let mut random = Random::new(7);
    // Addresses near each other, so that ranges meet, nest and touch.
    let near = |random: &mut Random| match random.below(6) {
        0 => random.next() as u32,
        1 => u32::MAX,
        2 => 0,
        _ => (RAM >> 2) + random.below(24) as u32,
    };
    let mut seen = [0; 2];
    for _ in 0..60_000 {
        let cfg: [u8; 4] = std::array::from_fn(|_| random.next() as u8 & 0x9f);
        let addr: [u32; 4] = std::array::from_fn(|_| near(&mut random));
        for place in 0..ENTRIES {
            let (entry, byte) = (io.pmp.entries[place], u64::from(cfg[place]));
            sim.set(entry.locked, byte >> 7);
            sim.set(entry.mode.sig(), byte >> 3 & 3);
            sim.set(entry.execute, byte >> 2 & 1);
            sim.set(entry.write, byte >> 1 & 1);
            sim.set(entry.read, byte & 1);
            sim.set(entry.address, addr[place].into());
            let ignored = addr[place] ^ addr[place].wrapping_add(1);
            let counts = byte >> 3 & 3 != 3;
            sim.set(io.pmp.ignored[place], if counts { 0 } else { ignored.into() });
        }
        for _ in 0..4 {
            let address = (near(&mut random) << 2) | random.below(4) as u32;
            let machine = random.one_in(2);
            let wants = 1 << random.below(3);
            sim.set(io.address, address.into());
            sim.set(io.machine_mode, machine.into());
            sim.set(io.reads, wants & 1);
            sim.set(io.writes, wants >> 1 & 1);
            sim.set(io.executes, wants >> 2 & 1);
            let expected = allowed(cfg, addr, address, machine, wants as u8);
            let case = format!("{cfg:x?} {addr:x?} {address:x} {machine} {wants}");
            assert_eq!(sim.get(io.allowed) == 1, expected, "{case}");
            seen[usize::from(expected)] += 1;
        }
    }
    assert!(seen[0] > 10_000 && seen[1] > 10_000, "{seen:?}");
}

#[test]
fn locked_entries_keep_their_registers() {
    let (mut sim, io) = Simulator::of(PmpRegisters).unwrap();
    let mut random = Random::new(3);
    let (mut cfg, mut addr) = ([0u8; 4], [0u32; 4]);
    for round in 0..4000 {
        if round % 40 == 0 {
            sim.reset();
            (cfg, addr) = ([0; 4], [0; 4]);
        }
        let data =
            random.next() as u32 & [u32::MAX, 0x1f1f_1f1f, 0x9f1f_1f1f][random.below(3) as usize];
        let write_cfg = random.one_in(3);
        let target = random.below(4) as usize;
        let write_address = !write_cfg && random.one_in(2);
        sim.set(io.write_cfg, write_cfg.into());
        sim.set(io.write_address, u64::from(write_address) << target);
        sim.set(io.write_data, data.into());
        sim.step();
        let before = cfg;
        if write_cfg {
            for place in 0..4 {
                let byte = data.to_le_bytes()[place] & 0x9f;
                if before[place] & 0x80 == 0 {
                    let permissions = if byte & 3 == 2 { before[place] & 7 } else { byte & 7 };
                    cfg[place] = byte & 0x98 | permissions;
                }
            }
        }
        let tor_locked = target < 3 && before[target + 1] & 0x98 == 0x88;
        if write_address && before[target] & 0x80 == 0 && !tor_locked {
            addr[target] = data;
        }
        assert_eq!(sim.get(io.cfg) as u32, u32::from_le_bytes(cfg));
        for (entry, address) in io.pmp.entries.iter().zip(addr) {
            assert_eq!(sim.get(entry.address) as u32, address);
        }
    }
}

/// Protection in the hart: locked ranges for M mode, MPRV for its data, nothing for U mode by default.
#[test]
fn the_hart_obeys_protection() {
    let (handler, secret) = (RAM + 0x200, RAM + 0x1000);
    let mut program = li(31, handler).to_vec();
    program.push(csrrw(0, 0x305, 31));
    program.extend(li(1, secret));
    // Entry 0: the secret word, locked, nothing allowed; entry 1: all of memory, for U.
    program.extend([srli(2, 1, 2), csrrw(0, 0x3b0, 2), addi(2, 0, -1), csrrw(0, 0x3b1, 2)]);
    program.extend(li(3, 0x1f90));
    program.push(csrrw(0, 0x3a0, 3));
    let first = program.len() as u32;
    program.extend([lw(4, 1, 0), sb(4, 1, 3), lw(5, 1, 4), jalr(0, 1, 0)]);
    program.resize(0x80, NOP);
    // The handler goes on two instructions after `jalr`, or after what trapped.
    program.extend([csrrs(28, 0x342, 0), csrrs(29, 0x343, 0), csrrs(30, 0x341, 0)]);
    program.extend([addi(30, 30, 4), csrrw(0, 0x341, 30), MRET]);
    let mut machine = Machine::new(&program, Delays::random(4));
    machine.run_to(12 + 7 + 7 + 1 + 2 + 3);
    check(&machine);
    let traps: Vec<_> = machine
        .records
        .iter()
        .filter(|record| record.trap)
        .map(|record| (record.cause, record.pc_rdata))
        .collect();
    let at = |place: u32| RAM + 4 * (first + place);
    assert_eq!(traps, [(5, at(0)), (7, at(1)), (1, secret)]);
    assert!(machine.fills.iter().all(|&line| line != secret));
}

#[test]
fn mprv_gives_data_accesses_the_rights_of_the_mode_before() {
    // No entry matches: U mode may nothing, M mode everything.
    let mut program = li(31, RAM + 0x200).to_vec();
    program.push(csrrw(0, 0x305, 31));
    program.extend(li(1, RAM + 0x1000));
    program.extend(li(2, 1 << 17));
    program.extend([lw(3, 1, 0), csrrs(0, 0x300, 2), lw(3, 1, 0), csrrc(0, 0x300, 2), lw(3, 1, 0)]);
    program.resize(0x80, NOP);
    program.extend([csrrs(30, 0x341, 0), addi(30, 30, 4), csrrw(0, 0x341, 30)]);
    program.extend(li(4, 3 << 11));
    program.extend([csrrs(0, 0x300, 4), MRET]);
    let mut machine = Machine::new(&program, Delays::NONE);
    machine.run_to(20);
    check(&machine);
    let loads: Vec<bool> = machine
        .records
        .iter()
        .filter(|record| record.insn == lw(3, 1, 0))
        .map(|record| record.trap)
        .collect();
    assert_eq!(loads, [false, true, false]);
}

#[test]
fn device_windows_take_words_and_the_uart_bytes() {
    let mut program = li(31, RAM + 0x200).to_vec();
    program.push(csrrw(0, 0x305, 31));
    let windows: [(u32, bool); 8] = [
        (CLINT.base, false),
        (CLINT.end() - 4, false),
        (CLINT.end(), true),
        (UART.end() - 4, false),
        (UART.end(), true),
        (MONITORS.end() - 4, false),
        (MONITORS.end(), true),
        (RAM + 0x1_0000, true),
    ];
    for (address, _) in windows {
        program.extend(li(1, address));
        program.extend([lw(2, 1, 0), sw(2, 1, 0), lb(2, 1, 0), lh(2, 1, 0), amo(0, 2, 2, 1)]);
    }
    program.resize(0x80, NOP);
    program.extend([csrrs(30, 0x341, 0), addi(30, 30, 4), csrrw(0, 0x341, 30), MRET]);
    let mut machine = Machine::new(&program, Delays::random(5));
    machine.run_to(400);
    check(&machine);
    for (address, vacant) in windows {
        let traps: Vec<bool> = machine
            .records
            .iter()
            .filter(|record| record.rs1_addr == 1 && record.rs1_rdata == address)
            .filter(|record| [0x03, 0x23, 0x2f].contains(&(record.insn & 0x7f)))
            .map(|record| record.trap)
            .collect();
        let is_uart = address >> 8 == 0x10_0000;
        assert_eq!(traps, [vacant, vacant, !is_uart, true, true], "{address:#x}");
    }
}
