//! RV32IMA instructions as text, in the form of Spike: mnemonic, padded, then operands by their ABI names.

use golden::isa::{AluOp, AmoOp, Condition, CsrAction, Decoded, Op, Size, decode};
use std::fmt;

const REGISTERS: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4",
    "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
    "t5", "t6",
];

/// The names of CSRs that have one.
const CSRS: [(u32, &str); 33] = [
    (0x300, "mstatus"),
    (0x301, "misa"),
    (0x304, "mie"),
    (0x305, "mtvec"),
    (0x306, "mcounteren"),
    (0x30a, "menvcfg"),
    (0x310, "mstatush"),
    (0x31a, "menvcfgh"),
    (0x320, "mcountinhibit"),
    (0x340, "mscratch"),
    (0x341, "mepc"),
    (0x342, "mcause"),
    (0x343, "mtval"),
    (0x344, "mip"),
    (0x3a0, "pmpcfg0"),
    (0x3b0, "pmpaddr0"),
    (0x3b1, "pmpaddr1"),
    (0x3b2, "pmpaddr2"),
    (0x3b3, "pmpaddr3"),
    (0xb00, "mcycle"),
    (0xb02, "minstret"),
    (0xb80, "mcycleh"),
    (0xb82, "minstreth"),
    (0xc00, "cycle"),
    (0xc01, "time"),
    (0xc02, "instret"),
    (0xc80, "cycleh"),
    (0xc81, "timeh"),
    (0xc82, "instreth"),
    (0xf11, "mvendorid"),
    (0xf12, "marchid"),
    (0xf13, "mimpid"),
    (0xf14, "mhartid"),
];

/// The name of a CSR.
pub fn csr_name(number: u32) -> String {
    let known = CSRS.iter().find(|(known, _)| *known == number);
    known.map_or_else(|| format!("unknown_{number:03x}"), |(_, name)| (*name).to_owned())
}

/// An instruction, to be shown.
pub struct Disassembled(pub u32);

impl fmt::Display for Disassembled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mnemonic, operands) = text(&decode(self.0));
        match operands.is_empty() {
            true => f.write_str(&mnemonic),
            false => write!(f, "{mnemonic:<7} {operands}"),
        }
    }
}

fn register(number: u8) -> &'static str {
    REGISTERS[usize::from(number) & 31]
}

/// How far, as Spike writes it: branches in decimal, jumps in hexadecimal.
fn target(offset: u32, hex: bool) -> String {
    let (sign, far) = ((offset as i32) < 0, (offset as i32).unsigned_abs());
    let sign = if sign { '-' } else { '+' };
    if hex { format!("pc {sign} {far:#x}") } else { format!("pc {sign} {far}") }
}

fn text(decoded: &Decoded) -> (String, String) {
    let &Decoded { insn, imm, op, rd, rs1, rs2, .. } = decoded;
    let [rd_name, one, two] = [rd, rs1, rs2].map(register);
    let signed = imm as i32;
    let name = |mnemonic: &str, operands: String| (mnemonic.to_owned(), operands);
    match op {
        Op::Lui => name("lui", format!("{rd_name}, {:#x}", imm >> 12)),
        Op::Auipc => name("auipc", format!("{rd_name}, {:#x}", imm >> 12)),
        Op::Jal if rd == 0 => name("j", target(imm, true)),
        Op::Jal if rd == 1 => name("jal", target(imm, true)),
        Op::Jal => name("jal", format!("{rd_name}, {}", target(imm, true))),
        Op::Jalr if (rd, rs1, imm) == (0, 1, 0) => name("ret", String::new()),
        Op::Jalr if (rd, imm) == (0, 0) => name("jr", one.to_owned()),
        Op::Jalr if (rd, imm) == (1, 0) => name("jalr", one.to_owned()),
        Op::Jalr => name("jalr", format!("{rd_name}, {one}, {signed}")),
        Op::Branch(condition) => {
            let zero = match condition {
                Condition::Eq => Some("beqz"),
                Condition::Ne => Some("bnez"),
                Condition::Lt => Some("bltz"),
                Condition::Ge => Some("bgez"),
                Condition::Ltu | Condition::Geu => None,
            };
            let far = target(imm, false);
            match zero.filter(|_| rs2 == 0) {
                Some(mnemonic) => name(mnemonic, format!("{one}, {far}")),
                None => name(branch(condition), format!("{one}, {two}, {far}")),
            }
        }
        Op::Load { size, signed: is_signed } => {
            let mnemonic = match (size, is_signed) {
                (Size::Byte, true) => "lb",
                (Size::Byte, false) => "lbu",
                (Size::Half, true) => "lh",
                (Size::Half, false) => "lhu",
                (Size::Word, _) => "lw",
            };
            name(mnemonic, format!("{rd_name}, {signed}({one})"))
        }
        Op::Store(size) => {
            let mnemonic = match size {
                Size::Byte => "sb",
                Size::Half => "sh",
                Size::Word => "sw",
            };
            name(mnemonic, format!("{two}, {signed}({one})"))
        }
        Op::Immediate(AluOp::Add) if (rd, rs1, imm) == (0, 0, 0) => name("nop", String::new()),
        Op::Immediate(AluOp::Add) if rs1 == 0 => name("li", format!("{rd_name}, {signed}")),
        Op::Immediate(AluOp::Add) if imm == 0 => name("mv", format!("{rd_name}, {one}")),
        Op::Immediate(AluOp::Xor) if imm == u32::MAX => name("not", format!("{rd_name}, {one}")),
        Op::Immediate(AluOp::Sltu) if imm == 1 => name("seqz", format!("{rd_name}, {one}")),
        Op::Immediate(op) => {
            let mnemonic = match op {
                AluOp::Sltu => "sltiu".to_owned(),
                op => format!("{}i", arithmetic(op)),
            };
            (mnemonic, format!("{rd_name}, {one}, {signed}"))
        }
        Op::Register(AluOp::Sub) if rs1 == 0 => name("neg", format!("{rd_name}, {two}")),
        Op::Register(AluOp::Sltu) if rs1 == 0 => name("snez", format!("{rd_name}, {two}")),
        Op::Register(op) => name(arithmetic(op), format!("{rd_name}, {one}, {two}")),
        Op::Fence => name("fence", fence(insn)),
        Op::FenceI => name("fence.i", String::new()),
        Op::Csr(action) => csr(decoded, action),
        Op::Ecall => name("ecall", String::new()),
        Op::Ebreak => name("ebreak", String::new()),
        Op::Mret => name("mret", String::new()),
        Op::Wfi => name("wfi", String::new()),
        Op::LoadReserved => (format!("lr.w{}", ordering(insn)), format!("{rd_name}, ({one})")),
        Op::StoreConditional => {
            (format!("sc.w{}", ordering(insn)), format!("{rd_name}, {two}, ({one})"))
        }
        Op::Amo(op) => {
            let mnemonic = format!("amo{}.w{}", atomic(op), ordering(insn));
            (mnemonic, format!("{rd_name}, {two}, ({one})"))
        }
        Op::Illegal => name("unknown", String::new()),
    }
}

fn csr(decoded: &Decoded, action: CsrAction) -> (String, String) {
    let &Decoded { imm, rd, rs1, .. } = decoded;
    let (letter, immediate) = match action {
        CsrAction::Write { immediate } => ('w', immediate),
        CsrAction::Set { immediate } => ('s', immediate),
        CsrAction::Clear { immediate } => ('c', immediate),
    };
    let (csr, result) = (csr_name(imm), register(rd));
    let operand = match immediate {
        true => decoded.rs1_bits().to_string(),
        false => register(rs1).to_owned(),
    };
    let i = if immediate { "i" } else { "" };
    if letter == 's' && decoded.rs1_bits() == 0 {
        return ("csrr".to_owned(), format!("{result}, {csr}"));
    }
    match rd {
        0 => (format!("csr{letter}{i}"), format!("{csr}, {operand}")),
        _ => (format!("csrr{letter}{i}"), format!("{result}, {csr}, {operand}")),
    }
}

fn branch(condition: Condition) -> &'static str {
    match condition {
        Condition::Eq => "beq",
        Condition::Ne => "bne",
        Condition::Lt => "blt",
        Condition::Ge => "bge",
        Condition::Ltu => "bltu",
        Condition::Geu => "bgeu",
    }
}

fn arithmetic(op: AluOp) -> &'static str {
    match op {
        AluOp::Add => "add",
        AluOp::Sub => "sub",
        AluOp::Sll => "sll",
        AluOp::Slt => "slt",
        AluOp::Sltu => "sltu",
        AluOp::Xor => "xor",
        AluOp::Srl => "srl",
        AluOp::Sra => "sra",
        AluOp::Or => "or",
        AluOp::And => "and",
        AluOp::Mul => "mul",
        AluOp::Mulh => "mulh",
        AluOp::Mulhsu => "mulhsu",
        AluOp::Mulhu => "mulhu",
        AluOp::Div => "div",
        AluOp::Divu => "divu",
        AluOp::Rem => "rem",
        AluOp::Remu => "remu",
    }
}

fn atomic(op: AmoOp) -> &'static str {
    match op {
        AmoOp::Swap => "swap",
        AmoOp::Add => "add",
        AmoOp::Xor => "xor",
        AmoOp::And => "and",
        AmoOp::Or => "or",
        AmoOp::Min => "min",
        AmoOp::Max => "max",
        AmoOp::Minu => "minu",
        AmoOp::Maxu => "maxu",
    }
}

/// The ordering of an atomic.
fn ordering(insn: u32) -> &'static str {
    match insn >> 25 & 3 {
        0 => "",
        1 => ".rl",
        2 => ".aq",
        _ => ".aqrl",
    }
}

/// What a fence orders: predecessors, then successors.
fn fence(insn: u32) -> String {
    let set = |bits: u32| {
        let letters = ['w', 'r', 'o', 'i'].into_iter().enumerate().rev();
        let set: String = letters.filter(|(bit, _)| bits >> bit & 1 != 0).map(|it| it.1).collect();
        if set.is_empty() { "unknown".to_owned() } else { set }
    };
    format!("{},{}", set(insn >> 24 & 15), set(insn >> 20 & 15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_read_as_in_spike() {
        for (insn, text) in [
            (0x0000_0297, "auipc   t0, 0x0"),
            (0x8000_0537, "lui     a0, 0x80000"),
            (0x0102_8593, "addi    a1, t0, 16"),
            (0xff01_0113, "addi    sp, sp, -16"),
            (0x0000_0013, "nop"),
            (0x0000_0513, "li      a0, 0"),
            (0x0005_8513, "mv      a0, a1"),
            (0xf140_2573, "csrr    a0, mhartid"),
            (0x3052_9073, "csrw    mtvec, t0"),
            (0x3004_7073, "csrci   mstatus, 8"),
            (0x3400_1573, "csrrw   a0, mscratch, zero"),
            (0x0182_b283, "unknown"),
            (0x0182_a283, "lw      t0, 24(t0)"),
            (0xfe51_2e23, "sw      t0, -4(sp)"),
            (0x0000_8067, "ret"),
            (0x0005_0067, "jr      a0"),
            (0x0005_00e7, "jalr    a0"),
            (0x0007_8663, "beqz    a5, pc + 12"),
            (0xfe00_0ae3, "beqz    zero, pc - 12"),
            (0x00b5_6463, "bltu    a0, a1, pc + 8"),
            (0x0000_006f, "j       pc + 0x0"),
            (0xff5f_f0ef, "jal     pc - 0xc"),
            (0x02b5_0533, "mul     a0, a0, a1"),
            (0x40b0_0533, "neg     a0, a1"),
            (0x0015_3513, "seqz    a0, a0"),
            (0x4025_5513, "srai    a0, a0, 2"),
            (0x00c5_a52f, "amoadd.w a0, a2, (a1)"),
            (0x0ec5_a52f, "amoswap.w.aqrl a0, a2, (a1)"),
            (0x1005_a52f, "lr.w    a0, (a1)"),
            (0x18c5_a52f, "sc.w    a0, a2, (a1)"),
            (0x0ff0_000f, "fence   iorw,iorw"),
            (0x0330_000f, "fence   rw,rw"),
            (0x0000_0073, "ecall"),
            (0x3020_0073, "mret"),
            (0, "unknown"),
        ] {
            assert_eq!(Disassembled(insn).to_string(), text, "{insn:#010x}");
        }
    }
}
