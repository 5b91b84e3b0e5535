//! One hart, an instruction at a time.

use super::csr::{self, Csr, Csrs};
use super::environment::{Answer, DataAccess, DataKind, Done, Environment, Fetched};
use super::pmp::Permission;
use super::{CsrAction, Decoded, Op, Retired, Size};
use crate::Mode;
use border::interrupt::Exception;

/// Why an instruction does not retire.
enum Stop {
    /// It traps.
    Trap(Exception, u32),
    /// It must be retried.
    Later,
}

type Outcome<T> = Result<T, Stop>;

/// Registers, CSRs and pc of one hart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hart {
    x: [u32; 32],
    pc: u32,
    csrs: Csrs,
    /// The next instruction is the first of a handler.
    entering: bool,
    /// Number of records so far.
    order: u64,
}

/// What a transaction must be able to bring back: the registers and the pc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    x: [u32; 32],
    pc: u32,
}

impl Hart {
    /// After reset, about to execute at `reset_vector`; `interrupts` are the bits of `mie` that exist.
    pub fn new(number: u32, reset_vector: u32, interrupts: u32) -> Self {
        let csrs = Csrs::new(number, interrupts);
        Self { x: [0; 32], pc: reset_vector, csrs, entering: false, order: 0 }
    }

    /// The same with counters of events.
    pub fn counting_events(self) -> Self {
        Self { csrs: self.csrs.counting_events(), ..self }
    }

    /// A register; `x0` is 0.
    pub fn register(&self, number: u8) -> u32 {
        self.x[usize::from(number & 31)]
    }

    /// All registers.
    pub fn registers(&self) -> &[u32; 32] {
        &self.x
    }

    /// Sets a register, to start in the middle of a program. `x0` stays 0.
    pub fn set_register(&mut self, number: u8, value: u32) {
        if number != 0 {
            self.x[usize::from(number & 31)] = value;
        }
    }

    /// The next instruction's address.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// Its registers and pc.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { x: self.x, pc: self.pc }
    }

    /// Goes back to a checkpoint. CSRs and the number of instructions stay.
    pub fn roll_back(&mut self, to: &Checkpoint) {
        (self.x, self.pc) = (to.x, to.pc);
    }

    /// Number of instructions completed, including those that trapped.
    pub fn ended(&self) -> u64 {
        self.order
    }

    /// Whether it is in a trap loop: it trapped at the first instruction of its own trap handler.
    pub fn traps_for_ever(&self) -> bool {
        self.entering && self.csrs.exception_pc == self.pc
    }

    /// The CSRs.
    pub fn csrs(&self) -> &Csrs {
        &self.csrs
    }

    #[cfg(test)]
    pub(super) fn csrs_mut(&mut self) -> &mut Csrs {
        &mut self.csrs
    }

    /// Whether the next instruction is the first of a handler.
    pub fn is_entering(&self) -> bool {
        self.entering
    }

    /// Executes one instruction, after taking an interrupt if one is due. `None`: the environment
    /// deferred it, and nothing changed except an interrupt taken.
    #[inline]
    pub fn step<E: Environment>(&mut self, env: &mut E) -> Option<Retired> {
        if !self.entering {
            self.take_interrupt(env);
        }
        let mut record = Retired {
            order: self.order,
            intr: self.entering,
            mode: self.csrs.mode,
            pc_rdata: self.pc,
            ..Retired::default()
        };
        let counted = self.csrs.counts_instructions();
        self.csrs.instret_written = false;
        match self.execute(env, &mut record) {
            Ok(next) => {
                if counted && !self.csrs.instret_written {
                    self.csrs.instret = self.csrs.instret.wrapping_add(1);
                }
                self.entering = false;
                self.pc = next;
            }
            Err(Stop::Trap(cause, value)) => {
                record.trap = true;
                record.cause = Some(cause.into());
                self.pc = self.csrs.enter(cause.mcause(), self.pc, value);
                self.entering = true;
            }
            Err(Stop::Later) => return None,
        }
        record.pc_wdata = self.pc;
        self.order += 1;
        Some(record)
    }

    fn take_interrupt<E: Environment>(&mut self, env: &mut E) {
        let enabled = self.csrs.takeable();
        if enabled == 0 {
            return;
        }
        if let Some(taken) = env.interrupt(enabled) {
            self.pc = self.csrs.enter(taken.interrupt.mcause(), self.pc, 0);
            self.csrs.cause_uncertain = !taken.certain;
            self.entering = true;
        }
    }

    /// Executes the instruction at the pc; returns the next pc.
    fn execute<E: Environment>(&mut self, env: &mut E, record: &mut Retired) -> Outcome<u32> {
        let pc = self.pc;
        if !self.csrs.pmp.allows(pc, Permission::Execute, self.csrs.mode) {
            return Err(Stop::Trap(Exception::FetchAccess, pc));
        }
        let decoded = match env.fetch(pc) {
            Fetched::Instruction(decoded) => decoded,
            Fetched::Fault => return Err(Stop::Trap(Exception::FetchAccess, pc)),
            Fetched::Later => return Err(Stop::Later),
        };
        let Decoded { insn, imm, op, rd, rs1, rs2, .. } = decoded;
        let (a, b) = (self.register(rs1), self.register(rs2));
        record.insn = insn;
        (record.rs1_addr, record.rs1_rdata) = (rs1, a);
        (record.rs2_addr, record.rs2_rdata) = (rs2, b);
        let following = pc.wrapping_add(4);
        let trap = |cause: Exception, value: u32| Err(Stop::Trap(cause, value));
        let mut next = following;
        let result = match op {
            Op::Immediate(op) => op.apply(a, imm),
            Op::Register(op) => op.apply(a, b),
            Op::Lui => imm,
            Op::Auipc => pc.wrapping_add(imm),
            Op::Jal => {
                next = aligned(pc.wrapping_add(imm))?;
                following
            }
            Op::Jalr => {
                next = aligned(a.wrapping_add(imm) & !1)?;
                following
            }
            Op::Branch(condition) => {
                if condition.holds(a, b) {
                    next = aligned(pc.wrapping_add(imm))?;
                }
                0
            }
            Op::Load { size, signed } => {
                let address = a.wrapping_add(imm);
                let done = self.access(env, DataKind::Load, size, address, 0, record)?;
                size.extract(done.before, address, signed)
            }
            Op::Store(size) => {
                self.access(env, DataKind::Store, size, a.wrapping_add(imm), b, record)?;
                0
            }
            Op::LoadReserved => {
                self.access(env, DataKind::LoadReserved, Size::Word, a, 0, record)?.before
            }
            Op::StoreConditional => {
                let kind = DataKind::StoreConditional;
                let done = self.access(env, kind, Size::Word, a, b, record)?;
                (!done.wrote).into()
            }
            Op::Amo(op) => self.access(env, DataKind::Amo(op), Size::Word, a, b, record)?.before,
            Op::Csr(action) => self.csr(env, &decoded, action, a)?,
            Op::Fence => 0,
            Op::FenceI => {
                env.forget_instructions();
                0
            }
            Op::Ecall => {
                let cause = match self.csrs.mode {
                    Mode::User => Exception::EcallFromUser,
                    Mode::Machine => Exception::EcallFromMachine,
                };
                return trap(cause, 0);
            }
            Op::Ebreak => return trap(Exception::Breakpoint, pc),
            Op::Mret if self.csrs.mode == Mode::Machine => {
                next = self.csrs.leave();
                0
            }
            Op::Wfi => {
                if !env.wakes(self.csrs.enabled) {
                    return Err(Stop::Later);
                }
                0
            }
            Op::Mret | Op::Illegal => return trap(Exception::IllegalInstruction, insn),
        };
        if rd != 0 {
            self.x[usize::from(rd)] = result;
            (record.rd_addr, record.rd_wdata) = (rd, result);
        }
        Ok(next)
    }

    #[inline]
    fn access<E: Environment>(
        &self,
        env: &mut E,
        kind: DataKind,
        size: Size,
        address: u32,
        data: u32,
        record: &mut Retired,
    ) -> Outcome<Done> {
        let (misaligned, fault, permission) = if kind.is_store() {
            (Exception::MisalignedStore, Exception::StoreAccess, Permission::Write)
        } else {
            (Exception::MisalignedLoad, Exception::LoadAccess, Permission::Read)
        };
        if !size.is_aligned(address) {
            return Err(Stop::Trap(misaligned, address));
        }
        let rights = self.csrs.data_mode();
        if !self.csrs.pmp.allows(address, permission, rights) {
            return Err(Stop::Trap(fault, address));
        }
        let mode = self.csrs.mode;
        let done = match env.access(&DataAccess {
            kind,
            size,
            address,
            data,
            pc: self.pc,
            mode,
            rights,
        }) {
            Answer::Done(done) => done,
            Answer::Fault => return Err(Stop::Trap(fault, address)),
            Answer::Later => return Err(Stop::Later),
        };
        let lanes = size.lanes(address);
        let reads = !matches!(kind, DataKind::Store | DataKind::StoreConditional);
        if reads {
            (record.mem_rmask, record.mem_rdata) = (lanes, done.before);
        }
        if done.wrote {
            (record.mem_wmask, record.mem_wdata) = (lanes, done.after);
        }
        if reads || done.wrote {
            record.mem_addr = address & !3;
        }
        Ok(done)
    }

    /// Executes a CSR instruction; returns the old value.
    fn csr<E: Environment>(
        &mut self,
        env: &mut E,
        decoded: &Decoded,
        action: CsrAction,
        register: u32,
    ) -> Outcome<u32> {
        let number = decoded.imm;
        let operand = |immediate| if immediate { decoded.rs1_bits() } else { register };
        let writes = matches!(action, CsrAction::Write { .. }) || decoded.rs1_bits() != 0;
        let user = self.csrs.mode == Mode::User;
        let illegal = Err(Stop::Trap(Exception::IllegalInstruction, decoded.insn));
        let Some(csr) = csr::find(number) else { return illegal };
        let too_low = user && csr::least_mode(number) == Mode::Machine;
        let forbidden = user && !too_low && !self.csrs.user_may_count(number);
        if too_low || forbidden || writes && csr::is_read_only(number) {
            return illegal;
        }
        let now = env.now();
        // A value that is discarded need not be observed.
        let seen = decoded.rd != 0;
        let old = match csr {
            Csr::Pending if seen => env.pending(),
            Csr::Time(half) if seen => env.time(half),
            Csr::Cycle(half) if seen && self.csrs.is_unsure(half) => {
                let value = env.unsure_cycle(half, self.csrs.cycles(now));
                self.csrs.saw_cycles(half, value, now);
                value
            }
            Csr::Cycle(half) if seen => env.cycle(half, self.csrs.cycles(now)),
            Csr::Events(event, half) if seen => match self.csrs.event_bounds(event, now) {
                Some((least, most)) => {
                    let value = env.events(half, least, most);
                    self.csrs.saw_events(event, half, value, now);
                    value
                }
                None => 0,
            },
            Csr::Cause if seen && self.csrs.cause_uncertain => {
                self.csrs.cause = env.cause(self.csrs.cause);
                self.csrs.cause_uncertain = false;
                self.csrs.cause
            }
            _ => self.csrs.read(csr, now),
        };
        if writes {
            let new = match action {
                CsrAction::Write { immediate } => operand(immediate),
                CsrAction::Set { immediate } => old | operand(immediate),
                CsrAction::Clear { immediate } => old & !operand(immediate),
            };
            match (csr, action) {
                (Csr::Cycle(half), CsrAction::Set { .. } | CsrAction::Clear { .. }) if !seen => {
                    self.csrs.write_unseen_cycles(half, new, now);
                }
                _ => self.csrs.write(csr, new, now),
            }
        }
        Ok(old)
    }
}

/// A jump target, if aligned.
fn aligned(target: u32) -> Outcome<u32> {
    if target & 3 == 0 { Ok(target) } else { Err(Stop::Trap(Exception::MisalignedFetch, target)) }
}
