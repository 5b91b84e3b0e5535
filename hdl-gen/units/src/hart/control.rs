//! Decoding: from an instruction word to the control signals of the stages.

use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, bits, cat, hardware, input, lit, output, ports, switch, wire,
};

use super::alu::AluOp;
use super::decode_table::{Does, ROWS};
use crate::data_port::{AccessOp, AmoOp};

/// Which bits of the instruction make up its immediate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum ImmediateKind {
    /// None: zero.
    Zero,
    /// Twelve bits at the top: loads, `OP-IMM`, JALR.
    I,
    /// Twelve bits around rs1 and rs2: stores.
    S,
    /// Branches.
    B,
    /// The upper twenty bits.
    U,
    /// JAL.
    J,
}

/// Where what is written to rd comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum ResultFrom {
    /// The ALU; known at the end of the third stage.
    Alu,
    /// The address: AUIPC; known at the end of the third stage.
    Address,
    /// The pc of the next instruction; known at the end of the third stage.
    Link,
    /// The divider; in the fourth stage.
    Divider,
    /// The data access; at the end of the fourth stage.
    Access,
    /// The multiplier; in the fifth stage.
    Product,
    /// A CSR; in the fifth stage.
    Csr,
}

/// How an instruction changes the pc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum Jump {
    /// It does not.
    Never,
    /// To an address relative to the pc, if the comparison holds.
    Branch,
    /// To an address relative to the pc.
    Always,
    /// To an address relative to rs1.
    Register,
}

/// What an instruction does beyond registers and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum SystemOp {
    /// Nothing.
    Nothing,
    /// Reads and perhaps writes a CSR.
    Csr,
    /// Empties the instruction cache.
    FenceI,
    /// Returns from a trap.
    Mret,
    /// Waits for an interrupt.
    Wfi,
    /// Traps.
    Ecall,
    /// Traps.
    Ebreak,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Control {
    /// The instruction is illegal.
    pub illegal: Sig,
    /// The instruction reads rs1.
    pub reads_rs1: Sig,
    /// The instruction reads rs2.
    pub reads_rs2: Sig,
    /// The instruction writes rd.
    pub writes_rd: Sig,
    /// The format of the immediate: none (0), I (1), S (2), B (3), U (4), J (5).
    pub immediate: Enum<ImmediateKind>,
    /// The ALU's operation: `a + b` (0), `a - b` (1), `a << b` (2), `a < b` signed (3) or unsigned
    /// (4), `a >> b` logical (5) or arithmetic (6), xor (7), or (8), and (9), `b` (10).
    pub alu: Enum<AluOp>,
    /// The ALU's second operand is the immediate (1) or rs2 (0).
    pub alu_immediate: Sig,
    /// The address is the immediate plus the pc (1) or plus rs1 (0).
    pub relative: Sig,
    /// The source of the result: ALU (0), address, for AUIPC (1), pc + 4, for jumps (2), divider
    /// (3), data access (4), multiplier (5), CSR (6).
    pub result: Enum<ResultFrom>,
    /// How the instruction changes the pc: not at all (0), branch (1), JAL (2), JALR (3).
    pub jump: Enum<Jump>,
    /// The instruction makes a data access.
    pub access: Sig,
    /// The operation of the data access: load (0), store (1), LR (2), SC (3), AMO (4); 0 without
    /// one.
    pub access_op: Enum<AccessOp>,
    /// What an AMO computes: swap (0), add (1), xor (2), and (3), or (4), signed min (5), max (6),
    /// unsigned min (7), max (8).
    pub amo: Enum<AmoOp>,
    /// The effect beyond registers and memory: none (0), CSR access (1), FENCE.I (2), MRET (3), WFI
    /// (4), ECALL (5), EBREAK (6).
    pub system: Enum<SystemOp>,
}

impl Control {
    /// Its shape.
    pub fn shape() -> Control {
        Control {
            illegal: bits(1),
            reads_rs1: bits(1),
            reads_rs2: bits(1),
            writes_rd: bits(1),
            immediate: ImmediateKind::shape(),
            alu: AluOp::shape(),
            alu_immediate: bits(1),
            relative: bits(1),
            result: ResultFrom::shape(),
            jump: Jump::shape(),
            access: bits(1),
            access_op: AccessOp::shape(),
            amo: AmoOp::shape(),
            system: SystemOp::shape(),
        }
    }

    /// The result is known at the end of the third stage.
    #[track_caller]
    pub fn early(&self) -> Sig {
        self.result.is(ResultFrom::Alu)
            | self.result.is(ResultFrom::Address)
            | self.result.is(ResultFrom::Link)
    }
}

/// The decoder.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoder;

/// Ports of [`Decoder`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct DecoderIo {
    /// The instruction word.
    pub insn: Sig,
    /// The control signals of the instruction.
    pub control: Control,
    /// The immediate of the instruction; 0 if it has none.
    pub immediate: Sig,
}

/// Compares the instruction word with every row of the table of instructions, and gives the control
/// signals of the row that matches. Combinational.
#[hardware]
impl Module for Decoder {
    type Io = DecoderIo;

    fn name(&self) -> String {
        "decoder".into()
    }

    fn build(&self) -> DecoderIo {
        let io = ports(DecoderIo {
            insn: input(32),
            control: output(Control::shape()),
            immediate: output(32),
        });
        let rows: Vec<(Sig, Does)> = ROWS
            .iter()
            .map(|row| {
                let fits = (io.insn & row.mask).eq(row.value).named(&format!("is_{}", row.name));
                (fits, row.does)
            })
            .collect();

        // At most one row fits, so a bit of a field is set if some row that sets it fits.
        let field = |target: Sig, code: &dyn Fn(&Does) -> u64| {
            let bit = |place: usize| {
                let setters: Vec<Sig> = rows
                    .iter()
                    .filter(|(_, does)| code(does) >> place & 1 == 1)
                    .map(|&(fits, _)| fits)
                    .collect();
                if setters.is_empty() { lit(1, 0) } else { cat(setters).any() }
            };
            target.set(cat((0..target.width()).rev().map(bit)));
        };
        let control = io.control;
        control.illegal.set(cat(rows.iter().map(|&(fits, _)| fits)).none());
        field(control.reads_rs1, &|does| does.rs1.into());
        field(control.reads_rs2, &|does| does.rs2.into());
        field(control.writes_rd, &|does| does.rd.into());
        field(control.immediate.sig(), &|does| does.immediate.code());
        field(control.alu.sig(), &|does| does.alu.code());
        field(control.alu_immediate, &|does| does.alu_immediate.into());
        field(control.relative, &|does| does.relative.into());
        field(control.result.sig(), &|does| does.result.code());
        field(control.jump.sig(), &|does| does.jump.code());
        field(control.access, &|does| does.access.is_some().into());
        field(control.access_op.sig(), &|does| does.access.map_or(0, AccessOp::code));
        field(control.amo.sig(), &|does| does.amo.code());
        field(control.system.sig(), &|does| does.system.code());

        let insn = io.insn;
        let sign = insn.bit(31);
        let immediate = wire(32);
        io.immediate.set(immediate);
        switch(io.control.immediate, |kind_is| {
            kind_is.case(ImmediateKind::I, || immediate.set(insn.bits(20..).sext(32)));
            kind_is.case(ImmediateKind::S, || {
                immediate.set(cat([insn.bits(25..), insn.bits(7..12)]).sext(32));
            });
            kind_is.case(ImmediateKind::B, || {
                let parts = [sign, insn.bit(7), insn.bits(25..31), insn.bits(8..12), lit(1, 0)];
                immediate.set(cat(parts).sext(32));
            });
            kind_is.case(ImmediateKind::U, || immediate.set(cat([insn.bits(12..), lit(12, 0)])));
            kind_is.case(ImmediateKind::J, || {
                let parts = [sign, insn.bits(12..20), insn.bit(20), insn.bits(21..31), lit(1, 0)];
                immediate.set(cat(parts).sext(32));
            });
            kind_is.case(ImmediateKind::Zero, || immediate.set(0));
        });
        io
    }
}
