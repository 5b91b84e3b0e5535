//! The second stage, D: decodes, and reads or forwards the operands.

use hdl::{Bundle, Module, Sig, cat, cover, hardware, lit, set_when, when};

use super::HartIo;
use super::control::{Decoder, ResultFrom};
use super::register_file::RegisterFile;
use super::stages::{DecodeStage, ExecuteStage, Flow, MemoryStage};

/// Hands an instruction to X with the values of its operands. They come from the register file or from
/// one of the three instructions ahead; where one of these does not know its result yet, D waits.
/// `starts` is 1 in the first cycle after reset.
#[hardware]
pub fn decode(
    io: &HartIo,
    d: &DecodeStage,
    x: &ExecuteStage,
    m: &MemoryStage,
    flow: &Flow,
    starts: Sig,
) {
    let insn = d.insn;
    let decoder = Decoder.instance();
    decoder.insn.set(insn);
    let control = decoder.control;
    let rs1_field = insn.bits(15..20);
    let rs2_field = insn.bits(20..25);
    let rd_field = insn.bits(7..12);

    let registers = RegisterFile.instance();
    registers.clear.set(starts);
    registers.read_a.set(rs1_field);
    registers.read_b.set(rs2_field);
    registers.write_valid.set(flow.write_rd.any() & !flow.late);
    registers.write_address.set(flow.write_rd);
    registers.write_data.set(flow.write_result);

    let ahead = Ahead { x, m, flow, loaded: io.data.response_value };
    let (rs1, rs1_unknown) = ahead.operand(rs1_field, registers.value_a);
    let (rs2, rs2_unknown) = ahead.operand(rs2_field, registers.value_b);
    let unknown = (control.reads_rs1 & rs1_unknown) | (control.reads_rs2 & rs2_unknown);

    let decode_goes = d.valid & !unknown & flow.execute_free;
    flow.decode_free.set(!d.valid | decode_goes);

    let target = d.pc + relative_immediate(insn);

    set_when(flow.execute_free, x.valid, 0);
    set_when(decode_goes & !flow.redirect, x.valid, 1);
    // What comes with it is taken whether or not there is an instruction.
    when(flow.execute_free, || {
        x.redirected.set(0);
        x.pc.set(d.pc);
        x.next_pc.set(d.next_pc);
        x.sequential.set(d.sequential);
        x.predicts_target.set(target.eq(d.next_pc));
        x.prediction.drive(&d.prediction);
        x.fault.set(d.fault);
        x.insn.set(insn);
        x.control.drive(&control);
        x.immediate.set(decoder.immediate);
        x.target.set(target);
        x.rs1_address.set(control.reads_rs1.mux(rs1_field, 0));
        x.rs2_address.set(control.reads_rs2.mux(rs2_field, 0));
        x.rs1.set(rs1);
        x.rs2.set(rs2);
        x.rd.set(control.writes_rd.mux(rd_field, 0));
    });
    set_when(flow.flush, x.valid, 0);

    cover("waits_for_operand", d.valid & unknown, "an operand is not known yet");
}

/// The immediate of an instruction that has one relative to the pc: branch, JAL or AUIPC. Two bits of the
/// opcode tell these apart; the decoder, which looks at all, is slower.
#[hardware]
fn relative_immediate(insn: Sig) -> Sig {
    let branch =
        cat([insn.bits(31..), insn.bit(7), insn.bits(25..31), insn.bits(8..12), lit(1, 0)]);
    let jump =
        cat([insn.bits(31..), insn.bits(12..20), insn.bit(20), insn.bits(21..31), lit(1, 0)]);
    let upper = cat([insn.bits(12..), lit(12, 0)]);
    insn.bit(2).mux(insn.bit(3).mux(jump.sext(32), upper), branch.sext(32))
}

/// The instructions ahead of the one in D.
struct Ahead<'a> {
    x: &'a ExecuteStage,
    m: &'a MemoryStage,
    flow: &'a Flow,
    /// What the load in M gets, if it hits.
    loaded: Sig,
}

impl Ahead<'_> {
    /// The value of a register as the instruction in D must see it, and whether it is not known yet.
    /// The youngest of those ahead that writes it counts.
    #[hardware]
    fn operand(&self, register: Sig, stored: Sig) -> (Sig, Sig) {
        let Ahead { x, m, flow, loaded } = *self;
        let some = register.any();
        let from_x = x.valid & some & x.rd.eq(register);
        let from_m = m.valid & some & m.rd.eq(register);
        let from_w = some & flow.write_rd.eq(register);
        let older = from_w.mux(flow.write_result, stored);
        let newer = from_m.mux(m.result, older);
        let known_early = from_x.mux(flow.execute_result, newer);
        // What the cache shows comes last.
        let loads = from_m & !from_x & m.result_from.is(ResultFrom::Access);
        let operand = loads.mux(loaded, known_early);
        let unknown_older = from_m.mux(!flow.memory_known, from_w & flow.late);
        let unknown = from_x.mux(!x.control.early(), unknown_older);
        (operand, unknown)
    }
}
