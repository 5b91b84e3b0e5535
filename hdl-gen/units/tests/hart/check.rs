//! Checks every record against the manual: each by itself, and each against those before it.

use super::machine::Machine;
use super::record::Record;

/// What the records so far say about the registers.
#[derive(Default)]
pub struct Checker {
    registers: [u32; 32],
    next_pc: Option<u32>,
    orders: u64,
}

/// Checks all records of a run from reset.
pub fn check(machine: &Machine) {
    let mut checker = Checker::default();
    for record in &machine.records {
        checker.check(record);
    }
}

impl Checker {
    pub fn check(&mut self, record: &Record) {
        assert_eq!(record.order, self.orders, "{record:#x?}");
        self.orders += 1;
        assert_eq!(record.rs1_rdata, self.registers[record.rs1_addr as usize], "{record:#x?}");
        assert_eq!(record.rs2_rdata, self.registers[record.rs2_addr as usize], "{record:#x?}");
        if let (false, Some(next_pc)) = (record.intr, self.next_pc) {
            assert_eq!(record.pc_rdata, next_pc, "{record:#x?}");
        }
        self.next_pc = Some(record.pc_wdata);
        if record.trap {
            assert_eq!((record.rd_addr, record.rd_wdata), (0, 0), "{record:#x?}");
            assert_eq!((record.mem_rmask, record.mem_wmask), (0, 0), "{record:#x?}");
            return;
        }
        assert_eq!(record.cause, 0, "{record:#x?}");
        if let Some(expected) = expected(record) {
            assert_eq!(*record, expected, "{record:#x?}");
        }
        if record.rd_addr != 0 {
            self.registers[record.rd_addr as usize] = record.rd_wdata;
        }
    }
}

fn immediate(insn: u32) -> i32 {
    insn as i32 >> 20
}

/// The record as the manual has it, for instructions whose effect follows from their operands.
fn expected(record: &Record) -> Option<Record> {
    let insn = record.insn;
    let (opcode, funct3, funct7) = (insn & 0x7f, insn >> 12 & 7, insn >> 25);
    let rd = insn >> 7 & 31;
    let (a, b) = (record.rs1_rdata, record.rs2_rdata);
    let pc = record.pc_rdata;
    let next = pc.wrapping_add(4);
    let base = Record {
        rs1_addr: insn >> 15 & 31,
        rs2_addr: insn >> 20 & 31,
        rd_addr: 0,
        rd_wdata: 0,
        pc_wdata: next,
        ..*record
    };
    let writes = |from: Record, value: u32| match rd {
        0 => from,
        _ => Record { rd_addr: rd, rd_wdata: value, ..from },
    };
    let no_rs2 = Record { rs2_addr: 0, ..base };
    let no_rs = Record { rs1_addr: 0, ..no_rs2 };
    Some(match opcode {
        0x37 => writes(no_rs, insn & 0xffff_f000),
        0x17 => writes(no_rs, pc.wrapping_add(insn & 0xffff_f000)),
        0x6f => {
            let offset = (insn as i32 >> 31) as u32 & 0xfff0_0000
                | insn & 0xf_f000
                | (insn >> 20 & 1) << 11
                | (insn >> 21 & 0x3ff) << 1;
            Record { pc_wdata: pc.wrapping_add(offset), ..writes(no_rs, next) }
        }
        0x67 => {
            let target = a.wrapping_add(immediate(insn) as u32) & !1;
            Record { pc_wdata: target, ..writes(no_rs2, next) }
        }
        0x63 => {
            let offset = (insn as i32 >> 31) as u32 & 0xffff_f000
                | (insn >> 7 & 1) << 11
                | (insn >> 25 & 0x3f) << 5
                | (insn >> 8 & 0xf) << 1;
            let taken = match funct3 {
                0 => a == b,
                1 => a != b,
                4 => (a as i32) < b as i32,
                5 => a as i32 >= b as i32,
                6 => a < b,
                _ => a >= b,
            };
            Record { pc_wdata: if taken { pc.wrapping_add(offset) } else { next }, ..base }
        }
        0x13 => {
            let by = immediate(insn);
            writes(no_rs2, alu(funct3, funct3 == 5 && funct7 == 0x20, a, by as u32))
        }
        0x33 if funct7 == 1 => writes(base, multiply_or_divide(funct3, a, b)),
        0x33 => writes(base, alu(funct3, funct7 == 0x20, a, b)),
        0x03 => {
            let address = a.wrapping_add(immediate(insn) as u32);
            let (mask, lane) = ([1, 3, 15][funct3 as usize & 3], address & 3);
            let value = record.mem_rdata >> (8 * lane);
            let value = match funct3 {
                0 => value as i8 as u32,
                1 => value as i16 as u32,
                4 => value & 0xff,
                5 => value & 0xffff,
                _ => value,
            };
            let mem =
                Record { mem_addr: address & !3, mem_rmask: mask << lane, mem_wmask: 0, ..no_rs2 };
            writes(mem, value)
        }
        0x23 => {
            let offset = immediate(insn) & !31 | (insn >> 7 & 31) as i32;
            let address = a.wrapping_add(offset as u32);
            let (mask, lane) = ([1, 3, 15][funct3 as usize & 3], address & 3);
            let bytes = [0xff, 0xffff, u32::MAX][funct3 as usize & 3];
            Record {
                mem_addr: address & !3,
                mem_rmask: 0,
                mem_wmask: mask << lane,
                mem_wdata: (b & bytes) << (8 * lane),
                mem_rdata: 0,
                ..base
            }
        }
        0x0f => no_rs,
        _ => return None,
    })
}

fn alu(funct3: u32, other: bool, a: u32, b: u32) -> u32 {
    match (funct3, other) {
        (0, false) => a.wrapping_add(b),
        (0, true) => a.wrapping_sub(b),
        (1, _) => a << (b & 31),
        (2, _) => ((a as i32) < b as i32).into(),
        (3, _) => (a < b).into(),
        (4, _) => a ^ b,
        (5, false) => a >> (b & 31),
        (5, true) => (a as i32 >> (b & 31)) as u32,
        (6, _) => a | b,
        _ => a & b,
    }
}

fn multiply_or_divide(funct3: u32, a: u32, b: u32) -> u32 {
    let (sa, sb) = (i64::from(a as i32), i64::from(b as i32));
    match funct3 {
        0 => a.wrapping_mul(b),
        1 => ((sa * sb) >> 32) as u32,
        2 => ((sa * i64::from(b)) >> 32) as u32,
        3 => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        4 if b == 0 => u32::MAX,
        4 => (a as i32).wrapping_div(b as i32) as u32,
        5 => a.checked_div(b).unwrap_or(u32::MAX),
        6 if b == 0 => a,
        6 => (a as i32).wrapping_rem(b as i32) as u32,
        _ => a.checked_rem(b).unwrap_or(a),
    }
}
