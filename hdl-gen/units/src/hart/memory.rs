//! The fourth stage, M: a data access that hits ends; CSRs, traps, and everything that empties the pipeline.

use hdl::{
    Enum, Sig, assert, assume, cat, cover, hardware, lit, reg, set_when, switch, when, wire,
};

use super::HartIo;
use super::access_check::exception;
use super::beside::Hooks;
use super::control::{ResultFrom, SystemOp};
use super::csr_file::{CsrFileIo, CsrOp};
use super::stages::{Flow, MemoryStage};
use super::write::WriteStage;
use crate::data_port::{AccessOp, Size};

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
    /// There is an instruction, no unit voids it, and nothing older waits.
    live: Sig,
    w: &'a WriteStage,
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
    /// The access in W is given up.
    withdrawn: Sig,
    /// An interrupt is taken in place of the instruction.
    interrupted: Sig,
    /// Neither an interrupt nor an exception from X.
    is_plain: Sig,
    /// The instruction traps.
    trapped: Sig,
    /// WFI waits.
    sleeps: Sig,
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
/// an RVFI record; the result is in `rd_wdata`, less what `correction` holds. A load that misses goes on with
/// whatever the cache shows: W knows better a cycle later.
#[hardware]
pub fn memory(
    io: &HartIo,
    csrs: &CsrFileIo,
    m: &MemoryStage,
    w: &WriteStage,
    flow: &Flow,
    hooks: &Hooks,
) {
    assume(
        "response_is_ordered",
        !(io.data.late_valid & io.data.withdrawable),
        "a complete access cannot be withdrawn",
    );
    assume("response_is_awaited", !io.data.late_valid | io.data.late, "the cache answers once");
    let funct3 = m.insn.bits(12..15);
    let live = hooks.live(m.valid) & !flow.late;
    let stage = Stage { io, csrs, m, flow, hooks, funct3, live, w };
    let csr = stage.access_csr();
    let ending = stage.end(csr.is_csr);
    let resume = stage.empty_pipeline(csr, &ending);
    let cause = stage.trap(csr.is_csr, &ending, resume.is_mret);
    let outcome = stage.result(io.data.response_value);
    stage.record(&ending, cause, resume.resume_pc, outcome);

    let Ending { withdrawn, interrupted, trapped, sleeps, ends, retires, .. } = ending;
    assert(
        "flush_ends",
        !hooks.live(flow.flush) | flow.late | (ends & m.alone),
        "what empties the pipeline is alone and leaves",
    );
    assert(
        "csr_access_is_alone",
        !(csr.is_csr & flow.write_valid),
        "no instruction retires late while a CSR is read or written",
    );
    assert("ends_once", !(retires & (trapped | interrupted)), "one end for each instruction");
    assert("alone_while_late", !(flow.late & m.valid) | w.hoped, "nothing follows what waits");
    cover("gives_up_access", withdrawn, "an interrupt comes before a waiting access is ordered");
    cover(
        "finishes_access",
        csrs.interrupt & io.data.late_valid,
        "an ordered access retires before an interrupt",
    );
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
        let Stage { io, csrs, m, flow, hooks, live, w, .. } = *self;
        // What is withdrawn is fetched again: the interrupt is taken in its place when it comes to X.
        let gives_up = hooks.void.map_or(csrs.interrupt, |void| csrs.interrupt | void.valid);
        io.data.withdraw.set(gives_up);
        io.data.cancel.set(m.valid & m.exception);
        let withdrawn = gives_up & io.data.withdrawable;
        set_when(withdrawn, w.done.valid, 0);
        let interrupted = live & m.interrupt;
        let is_plain = live & !m.exception & !m.interrupt;
        let trapped = (live & m.exception & !m.interrupt) | (is_csr & csrs.illegal);
        let sleeps = m.system.is(SystemOp::Wfi) & is_plain & !csrs.wakeup;
        let ends = m.valid & !sleeps;
        let retires = ends & is_plain & !trapped;
        // Behind an access that is known to wait nothing follows.
        let follows = !m.valid | (!m.alone & !(m.access & m.waits));
        flow.memory_free.set(follows & (!flow.late | flow.late_ends & !w.hoped));
        flow.memory_ends.set(ends);
        Ending { withdrawn, interrupted, is_plain, trapped, sleeps, ends, retires }
    }

    /// Empties the pipeline for a trap, MRET, FENCE.I or a CSR write. Such an instruction makes no access,
    /// so it ends at once. And for an access that waits: what came behind it is fetched again, or, if it is
    /// given up, the access itself.
    fn empty_pipeline(&self, csr: CsrAccess, ending: &Ending) -> Resume {
        let Stage { io, csrs, m, flow, hooks, w, .. } = *self;
        let CsrAccess { is_csr, csr_writes } = csr;
        let Ending { withdrawn, interrupted, is_plain, trapped, .. } = *ending;
        let is_mret = is_plain & m.system.is(SystemOp::Mret);
        let is_fence_i = is_plain & m.system.is(SystemOp::FenceI);
        let rewrites_csr = is_csr & csr_writes & !csrs.illegal;
        io.fetch.clear.set(is_fence_i);
        let empties = interrupted | trapped | is_mret | is_fence_i | rewrites_csr;
        flow.flush.set(empties | flow.late & (w.hoped | withdrawn));
        let resume_pc = is_mret.mux(csrs.epc, m.next_pc);
        let late_pc = withdrawn.mux(w.done.pc_rdata, w.done.pc_wdata);
        let flush_pc = (interrupted | trapped).mux(csrs.trap_target, resume_pc);
        flow.flush_pc.set(flow.late.mux(late_pc, flush_pc));
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
        let Ending { interrupted, trapped, .. } = *ending;
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
        cause
    }

    /// Chooses the result, and forwards it if it is known in time.
    fn result(&self, accessed: Sig) -> Outcome {
        let Stage { csrs, m, flow, funct3, .. } = *self;
        let product = m.rs1 * m.rs2;
        let upper = funct3.trunc(2).any();
        let other_result = wire(32);
        other_result.set(m.result);
        switch(m.result_from, |result_is| {
            result_is.case(ResultFrom::Csr, || other_result.set(csrs.value));
            result_is.case(ResultFrom::Product, || {
                other_result.set(upper.mux(product.bits(32..), product.trunc(32)));
            });
        });
        // What the cache shows comes last.
        let from_access = m.result_from.is(ResultFrom::Access);
        let result = from_access.mux(accessed, other_result);
        let known_later = m.result_from.is(ResultFrom::Product) | m.result_from.is(ResultFrom::Csr);
        flow.memory_known.set(!known_later & !(m.access & m.waits));
        Outcome { result, upper }
    }

    /// What the instruction did to memory.
    fn accessed(&self) -> Accessed {
        let Stage { m, funct3, .. } = *self;
        let read_mask = wire(4);
        let write_mask = wire(4);
        read_mask.set(0);
        write_mask.set(0);
        when(m.access & !m.exception, || {
            switch(m.access_op, |op_is| {
                op_is.case([AccessOp::Load, AccessOp::LoadReserved], || read_mask.set(m.mask));
                op_is.case([AccessOp::Store, AccessOp::StoreConditional], || {
                    write_mask.set(m.mask);
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
        Accessed { read_mask, write_mask, stored }
    }

    /// Gives W the RVFI record, unless W waits.
    fn record(&self, ending: &Ending, cause: Sig, resume_pc: Sig, outcome: Outcome) {
        let Stage { io, csrs, m, flow, live, w, .. } = *self;
        let Ending { withdrawn, interrupted, trapped, retires, .. } = *ending;
        /// The next instruction is the first one of a trap handler.
        let enters_handler = reg(1).reset(0);
        /// How many instructions have retired or trapped.
        let order = reg(64).reset(0);
        let ends_in_record = retires | trapped;
        set_when(ends_in_record, enters_handler, 0);
        set_when(interrupted | trapped, enters_handler, 1);
        set_when(withdrawn, enters_handler, w.done.intr & w.done.valid);
        let leaves = w.done.valid & !flow.late;
        set_when(leaves, order, order + 1);

        let reads_nothing =
            trapped & (cause.eq(exception::ILLEGAL) | cause.eq(exception::FETCH_FAULT));
        let stays_unread = !reads_nothing;
        let accessed = self.accessed();
        let unfetched = trapped & cause.eq(exception::FETCH_FAULT);
        let is_product = m.result_from.is(ResultFrom::Product);
        let done = w.done;
        when(!flow.late, || {
            done.valid.set(ends_in_record);
            done.order.set(order + leaves.zext(64));
            done.insn.set(unfetched.mux(lit(32, 0), m.insn));
            done.trap.set(trapped);
            done.intr.set(enters_handler);
            done.mode.set(csrs.machine_mode.repeat(2));
            done.rs1_addr.set(m.rs1_address & stays_unread.repeat(5));
            done.rs2_addr.set(m.rs2_address & stays_unread.repeat(5));
            done.rs1_rdata.set(m.rs1 & (stays_unread & m.rs1_address.any()).repeat(32));
            done.rs2_rdata.set(m.rs2 & (stays_unread & m.rs2_address.any()).repeat(32));
            done.rd_addr.set(m.rd & retires.repeat(5));
            done.rd_wdata.set(outcome.result);
            done.pc_rdata.set(m.pc);
            done.pc_wdata.set(trapped.mux(csrs.trap_target, resume_pc));
            done.mem_addr
                .set(cat([m.result.bits(2..), lit(2, 0)]) & (m.access & !m.exception).repeat(32));
            done.mem_rmask.set(accessed.read_mask);
            done.mem_wmask.set(accessed.write_mask);
            done.mem_rdata.set(io.data.response_data & lanes(accessed.read_mask));
            done.mem_wdata.set(accessed.stored & lanes(accessed.write_mask));
            done.cause.set(cause.zext(32) & trapped.repeat(32));
            w.correction.set((is_product & outcome.upper).mux(m.result, 0));
            w.counts.set(retires & csrs.counts);
            w.lane.set(m.result.trunc(2));
            w.conditional.set(m.access_op.is(AccessOp::StoreConditional));
            w.amo.set(m.access_op.is(AccessOp::Amo));
        });
        w.hoped.set(live & m.access & !m.exception & !m.waits);
    }
}

/// Eight bits for each bit of a mask.
#[track_caller]
pub(super) fn lanes(mask: Sig) -> Sig {
    cat((0..mask.width()).rev().map(|place| mask.bit(place).repeat(8)))
}
