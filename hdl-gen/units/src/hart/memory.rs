//! The fourth stage, M: the data access ends; CSRs, traps, and everything that empties the pipeline.

use hdl::{
    Enum, Sig, assert, assume, cat, cover, hardware, lit, reg, set_when, switch, when, wire,
};

use super::HartIo;
use super::access_check::{Size, exception};
use super::beside::Hooks;
use super::control::{ResultFrom, SystemOp};
use super::csr_file::{CsrFileIo, CsrOp};
use super::rvfi::Rvfi;
use super::stages::{Flow, MemoryStage};
use crate::data_port::AccessOp;

/// The stage, as its parts see it.
#[derive(Clone, Copy)]
struct Stage<'a> {
    io: &'a HartIo,
    csrs: &'a CsrFileIo,
    m: &'a MemoryStage,
    flow: &'a Flow,
    hooks: &'a Hooks,
    /// The field of the instruction that selects the size or the operation.
    funct3: Sig,
    /// There is an instruction, and no unit voids it.
    live: Sig,
}

/// The CSR access of the instruction.
#[derive(Clone, Copy)]
struct CsrAccess {
    /// The instruction accesses a CSR.
    is_csr: Sig,
    /// It writes the CSR; valid with `is_csr`.
    csr_writes: Sig,
}

/// How the instruction ends.
#[derive(Clone, Copy)]
struct Ending {
    /// The hart asks the cache to drop the access.
    withdraw: Sig,
    /// The cache drops it.
    withdrawn: Sig,
    /// An interrupt is taken in place of the instruction.
    interrupted: Sig,
    /// Neither an interrupt nor an exception from X.
    is_plain: Sig,
    /// The instruction traps.
    trapped: Sig,
    /// WFI waits.
    sleeps: Sig,
    /// The instruction has nothing to wait for.
    complete: Sig,
    /// The instruction leaves M.
    ends: Sig,
    /// The instruction leaves M and has its effect.
    retires: Sig,
}

/// Where the program goes on after what empties the pipeline.
#[derive(Clone, Copy)]
struct Resume {
    is_mret: Sig,
    /// The pc after the instruction if it does not trap.
    resume_pc: Sig,
}

/// The result of the instruction.
#[derive(Clone, Copy)]
struct Outcome {
    /// The result; of the upper half of a product, before its correction.
    result: Sig,
    /// The product's upper half is wanted; valid if the instruction multiplies.
    upper: Sig,
}

/// What the instruction did to memory, for its record.
#[derive(Clone, Copy)]
struct Accessed {
    /// The bytes that were read.
    read_mask: Sig,
    /// The bytes that were written.
    write_mask: Sig,
    /// The word that was written, each byte in its lane.
    stored: Sig,
}

/// Ends an instruction: retires it, traps, or gives it up for an interrupt. What it did goes to W as
/// an RVFI record; the result is in `rd_wdata`, less what `correction` holds.
#[hardware]
pub fn memory(
    io: &HartIo,
    csrs: &CsrFileIo,
    m: &MemoryStage,
    w: &Rvfi,
    correction: Sig,
    flow: &Flow,
    hooks: &Hooks,
) {
    assume(
        "response_to_an_access",
        !io.data.response_valid | (m.valid & m.access),
        "the cache answers what it was asked",
    );
    assume(
        "response_is_ordered",
        !(io.data.response_valid & io.data.withdrawable),
        "a complete access cannot be withdrawn",
    );
    let funct3 = m.insn.bits(12..15);
    let live = hooks.live(m.valid);
    let stage = Stage { io, csrs, m, flow, hooks, funct3, live };
    let csr = stage.access_csr();
    let ending = stage.end(csr.is_csr);
    let resume = stage.empty_pipeline(csr, &ending);
    let cause = stage.trap(csr.is_csr, &ending, resume.is_mret);
    let accessed_word = stage.accessed_word();
    let outcome = stage.result(accessed_word, ending.complete);
    stage.record(w, correction, &ending, cause, resume.resume_pc, outcome);

    let Ending { withdraw, withdrawn, interrupted, trapped, sleeps, ends, retires, .. } = ending;
    assert(
        "flush_ends",
        !hooks.live(flow.flush) | (ends & m.alone),
        "what empties the pipeline is alone and leaves",
    );
    assert("ends_once", !(retires & (trapped | interrupted)), "one end for each instruction");
    cover("gives_up_access", withdrawn, "an interrupt comes before a waiting access is ordered");
    cover("finishes_access", withdraw & io.data.response_valid, "an ordered access retires first");
    cover("sleeps", m.valid & sleeps, "WFI waits");
}

#[hardware]
impl Stage<'_> {
    /// Reads or writes the CSR.
    fn access_csr(&self) -> CsrAccess {
        let Stage { csrs, m, funct3, live, .. } = *self;
        let is_csr = live & m.system.is(SystemOp::Csr) & !m.exception & !m.interrupt;
        let csr_op = Enum::<CsrOp>::from_sig(funct3.trunc(2));
        let rs1_field = m.insn.bits(15..20);
        let csr_writes = csr_op.is(CsrOp::Write) | rs1_field.any();
        csrs.valid.set(is_csr);
        csrs.number.set(m.insn.bits(20..));
        csrs.op.set_from(csr_op);
        csrs.writes.set(csr_writes);
        csrs.operand.set(funct3.bit(2).mux(rs1_field.zext(32), m.rs1));
        CsrAccess { is_csr, csr_writes }
    }

    /// Decides how the instruction ends, and whether it does in this cycle.
    fn end(&self, is_csr: Sig) -> Ending {
        let Stage { io, csrs, m, flow, hooks, live, .. } = *self;
        let gives_up = hooks.void.map_or(csrs.interrupt, |void| csrs.interrupt | void.valid);
        let withdraw = m.valid & m.access & gives_up;
        io.data.withdraw.set(withdraw);
        let withdrawn = withdraw & io.data.withdrawable;
        // What was withdrawn stays for a cycle, as if the interrupt had come before it entered.
        when(withdrawn, || {
            m.access.set(0);
            m.interrupt.set(1);
            m.cause.set(csrs.interrupt_cause);
            m.alone.set(1);
        });
        if let Some(void) = hooks.void {
            set_when(withdrawn & void.valid, m.valid, 0);
        }
        let interrupted = live & m.interrupt;
        let is_plain = live & !m.exception & !m.interrupt;
        let trapped = (live & m.exception & !m.interrupt) | (is_csr & csrs.illegal);
        let sleeps = m.system.is(SystemOp::Wfi) & is_plain & !csrs.wakeup;
        let complete = (!m.access | io.data.response_valid) & !sleeps;
        let ends = m.valid & complete;
        let retires = ends & is_plain & !trapped;
        flow.memory_free.set(!m.valid | (complete & !m.alone));
        flow.memory_ends.set(ends);
        Ending {
            withdraw,
            withdrawn,
            interrupted,
            is_plain,
            trapped,
            sleeps,
            complete,
            ends,
            retires,
        }
    }

    /// Empties the pipeline for a trap, MRET, FENCE.I or a CSR write. Such an instruction makes no access,
    /// so it ends at once.
    fn empty_pipeline(&self, csr: CsrAccess, ending: &Ending) -> Resume {
        let Stage { io, csrs, m, flow, hooks, .. } = *self;
        let CsrAccess { is_csr, csr_writes } = csr;
        let Ending { interrupted, is_plain, trapped, .. } = *ending;
        let is_mret = is_plain & m.system.is(SystemOp::Mret);
        let is_fence_i = is_plain & m.system.is(SystemOp::FenceI);
        let rewrites_csr = is_csr & csr_writes & !csrs.illegal;
        io.fetch.clear.set(is_fence_i);
        flow.flush.set(interrupted | trapped | is_mret | is_fence_i | rewrites_csr);
        let resume_pc = is_mret.mux(csrs.epc, m.next_pc);
        flow.flush_pc.set((interrupted | trapped).mux(csrs.trap_target, resume_pc));
        if let Some(void) = hooks.void {
            when(void.valid, || {
                flow.flush.set(1);
                flow.flush_pc.set(void.pc);
            });
        }
        Resume { is_mret, resume_pc }
    }

    /// Tells the CSR file of a trap, an MRET or a retired instruction. Returns the cause of the trap.
    fn trap(&self, is_csr: Sig, ending: &Ending, is_mret: Sig) -> Sig {
        let Stage { csrs, m, .. } = *self;
        let Ending { interrupted, trapped, retires, .. } = *ending;
        let cause = wire(5);
        cause.set(m.cause);
        when(is_csr, || cause.set(exception::ILLEGAL));
        let value = wire(32);
        switch(cause, |cause_is| {
            cause_is.case([exception::FETCH_FAULT, exception::BREAKPOINT], || value.set(m.pc));
            cause_is.case(exception::ILLEGAL, || value.set(m.insn));
            cause_is.case([exception::ECALL_FROM_U, exception::ECALL_FROM_M], || value.set(0));
            cause_is.default(|| value.set(m.result));
        });
        csrs.trap.valid.set(interrupted | trapped);
        csrs.trap.interrupt.set(interrupted);
        csrs.trap.cause.set(cause);
        csrs.trap.pc.set(m.pc);
        csrs.trap.value.set(interrupted.mux(lit(32, 0), value));
        csrs.mret.set(is_mret);
        csrs.retire.set(retires);
        cause
    }

    /// The result of the data access: the loaded value, or whether an SC failed.
    fn accessed_word(&self) -> Sig {
        let Stage { io, m, funct3, .. } = *self;
        let lane = m.result.trunc(2);
        let shifted = io.data.response_data >> cat([lane, lit(3, 0)]);
        let sign = |bit: Sig, width: usize| (bit & !funct3.bit(2)).repeat(width);
        let loaded = wire(32);
        switch(Enum::<Size>::from_sig(funct3.trunc(2)), |size_is| {
            size_is
                .case(Size::Byte, || loaded.set(cat([sign(shifted.bit(7), 24), shifted.trunc(8)])));
            size_is.case(Size::Half, || {
                loaded.set(cat([sign(shifted.bit(15), 16), shifted.trunc(16)]))
            });
            size_is.case([Size::Word, Size::Reserved], || loaded.set(io.data.response_data));
        });
        let conditional = m.access_op.is(AccessOp::StoreConditional);
        let accessed = conditional.mux(io.data.response_failed.zext(32), loaded);
        accessed
    }

    /// Chooses the result, and forwards it if it is known in time.
    fn result(&self, accessed: Sig, complete: Sig) -> Outcome {
        let Stage { csrs, m, flow, funct3, .. } = *self;
        let product = m.rs1 * m.rs2;
        let upper = funct3.trunc(2).any();
        let result = wire(32);
        result.set(m.result);
        switch(m.result_from, |result_is| {
            result_is.case(ResultFrom::Access, || result.set(accessed));
            result_is.case(ResultFrom::Csr, || result.set(csrs.value));
            result_is.case(ResultFrom::Product, || {
                result.set(upper.mux(product.bits(32..), product.trunc(32)));
            });
        });
        let from_access = m.result_from.is(ResultFrom::Access);
        let known_later = m.result_from.is(ResultFrom::Product) | m.result_from.is(ResultFrom::Csr);
        flow.memory_result.set(from_access.mux(accessed, m.result));
        flow.memory_known.set(!known_later & complete);
        Outcome { result, upper }
    }

    /// What the instruction did to memory.
    fn accessed(&self) -> Accessed {
        let Stage { io, m, funct3, .. } = *self;
        let read_mask = wire(4);
        let write_mask = wire(4);
        read_mask.set(0);
        write_mask.set(0);
        when(m.access, || {
            switch(m.access_op, |op_is| {
                op_is.case([AccessOp::Load, AccessOp::LoadReserved], || read_mask.set(m.mask));
                op_is.case(AccessOp::Store, || write_mask.set(m.mask));
                op_is.case(AccessOp::StoreConditional, || {
                    write_mask.set(m.mask & (!io.data.response_failed).repeat(4));
                });
                op_is.case(AccessOp::Amo, || {
                    read_mask.set(m.mask);
                    write_mask.set(m.mask);
                });
            });
        });
        let stored = wire(32);
        switch(Enum::<Size>::from_sig(funct3.trunc(2)), |size_is| {
            size_is.case(Size::Byte, || stored.set(m.rs2.trunc(8).repeat(4)));
            size_is.case(Size::Half, || stored.set(m.rs2.trunc(16).repeat(2)));
            size_is.case([Size::Word, Size::Reserved], || stored.set(m.rs2));
        });
        when(m.access_op.is(AccessOp::Amo), || stored.set(io.data.response_written));
        Accessed { read_mask, write_mask, stored }
    }

    /// Gives W the RVFI record.
    fn record(
        &self,
        w: &Rvfi,
        correction: Sig,
        ending: &Ending,
        cause: Sig,
        resume_pc: Sig,
        outcome: Outcome,
    ) {
        let Stage { io, csrs, m, .. } = *self;
        let Ending { interrupted, trapped, retires, .. } = *ending;
        /// The next instruction is the first one of a trap handler.
        let enters_handler = reg(1).reset(0);
        let order = reg(64).reset(0);
        let ends_in_record = retires | trapped;
        set_when(ends_in_record, enters_handler, 0);
        set_when(interrupted | trapped, enters_handler, 1);
        set_when(ends_in_record, order, order + 1);

        let reads_nothing =
            trapped & (cause.eq(exception::ILLEGAL) | cause.eq(exception::FETCH_FAULT));
        let stays_unread = !reads_nothing;
        let accessed = self.accessed();
        w.valid.set(ends_in_record);
        w.order.set(order);
        let unfetched = trapped & cause.eq(exception::FETCH_FAULT);
        w.insn.set(unfetched.mux(lit(32, 0), m.insn));
        w.trap.set(trapped);
        w.intr.set(enters_handler);
        w.mode.set(csrs.machine_mode.repeat(2));
        w.rs1_addr.set(m.rs1_address & stays_unread.repeat(5));
        w.rs2_addr.set(m.rs2_address & stays_unread.repeat(5));
        w.rs1_rdata.set(m.rs1 & (stays_unread & m.rs1_address.any()).repeat(32));
        w.rs2_rdata.set(m.rs2 & (stays_unread & m.rs2_address.any()).repeat(32));
        w.rd_addr.set(m.rd & retires.repeat(5));
        w.rd_wdata.set(outcome.result);
        correction.set((m.result_from.is(ResultFrom::Product) & outcome.upper).mux(m.result, 0));
        w.pc_rdata.set(m.pc);
        w.pc_wdata.set(trapped.mux(csrs.trap_target, resume_pc));
        w.mem_addr.set(cat([m.result.bits(2..), lit(2, 0)]) & m.access.repeat(32));
        w.mem_rmask.set(accessed.read_mask);
        w.mem_wmask.set(accessed.write_mask);
        w.mem_rdata.set(io.data.response_data & lanes(accessed.read_mask));
        w.mem_wdata.set(accessed.stored & lanes(accessed.write_mask));
        w.cause.set(cause.zext(32) & trapped.repeat(32));
    }
}

/// Eight bits for each bit of a mask.
#[track_caller]
fn lanes(mask: Sig) -> Sig {
    cat((0..mask.width()).rev().map(|place| mask.bit(place).repeat(8)))
}
