//! What gdb's requests mean for a recorded run.

use super::Teller;
use crate::cut;
use crate::recording::Recording;
use crate::stops::{Watch, WatchKind};
use crate::walk::{Forward, Stopped, View, Walk, Why};
use gdbstub::common::{Signal, Tid};
use gdbstub::stub::MultiThreadStopReason;
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::multithread::{
    MultiThreadBase, MultiThreadRangeStepping, MultiThreadRangeSteppingOps, MultiThreadResume,
    MultiThreadResumeOps, MultiThreadSchedulerLocking, MultiThreadSchedulerLockingOps,
    MultiThreadSingleStep, MultiThreadSingleStepOps,
};
use gdbstub::target::ext::base::reverse_exec::{
    ReplayLogPosition, ReverseCont, ReverseContOps, ReverseStep, ReverseStepOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint, SwBreakpointOps,
    WatchKind as GdbWatchKind,
};
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, MonitorCmdOps};
use gdbstub::target::ext::thread_extra_info::{ThreadExtraInfo, ThreadExtraInfoOps};
use gdbstub::target::{Target, TargetError, TargetResult};
use gdbstub_arch::riscv::Riscv32;
use gdbstub_arch::riscv::reg::RiscvCoreRegs;
use std::convert::Infallible;

/// The file system is read-only: what a write to a recording gives.
const READ_ONLY: u8 = 30;
/// A bad address.
const NO_MEMORY: u8 = 14;
/// No such thread.
const NO_THREAD: u8 = 3;

/// Where gdb has asked to go.
enum Going {
    /// Heeding the stops of this hart alone, or of all.
    Forward(Forward, Option<usize>),
    Backward(Option<usize>),
}

/// A client's view of a run: the walk, and the hart that it looks at.
pub struct Session<'a> {
    recording: &'a Recording,
    walk: Walk,
    teller: &'a dyn Teller,
    /// The hart of the last stop, or the one that the client looked at since.
    current: usize,
    going: Going,
    /// The first hart that the request names.
    named: Option<usize>,
}

impl<'a> Session<'a> {
    /// At the end of a run: where it failed, if it did.
    pub fn new(recording: &'a Recording, view: View, teller: &'a dyn Teller) -> Self {
        let mut walk = Walk::new(recording.tape.clone(), view);
        let (mark, current) = recording.end();
        walk.seek(mark);
        Self {
            recording,
            walk,
            teller,
            current,
            going: Going::Forward(Forward::Continue, None),
            named: None,
        }
    }

    /// The walk.
    pub fn walk(&self) -> &Walk {
        &self.walk
    }

    /// Goes where it was told to.
    pub(super) fn go(&mut self) -> MultiThreadStopReason<u32> {
        let stopped = match &self.going {
            Going::Forward(how, only) => self.walk.forward(how, *only, self.current),
            Going::Backward(step) => self.walk.backward(*step, self.current),
        };
        self.current = stopped.hart;
        reason(stopped)
    }

    /// A client that interrupts is where it is: a walk is over before it can be interrupted.
    pub(super) fn interrupted(&self) -> MultiThreadStopReason<u32> {
        MultiThreadStopReason::SignalWithThread { tid: tid(self.current), signal: Signal::SIGINT }
    }

    /// The hart of a thread, which the client looks at from now on.
    fn look_at(&mut self, tid: Tid) -> Option<usize> {
        let hart = self.hart(tid)?;
        self.current = hart;
        Some(hart)
    }

    fn hart(&self, tid: Tid) -> Option<usize> {
        Some(tid.get() - 1).filter(|hart| *hart < self.walk.now().harts().len())
    }

    fn step(&mut self, tid: Tid, how: impl Fn(usize) -> Forward) {
        // Of several steps the first counts; the others go on in the recorded order anyway.
        if let (Some(hart), Going::Forward(Forward::Continue, _)) = (self.hart(tid), &self.going) {
            self.going = Going::Forward(how(hart), None);
            self.named = Some(hart);
        }
    }
}

fn tid(hart: usize) -> Tid {
    Tid::MIN.saturating_add(hart)
}

fn reason(stopped: Stopped) -> MultiThreadStopReason<u32> {
    let tid = tid(stopped.hart);
    let log = |pos| MultiThreadStopReason::ReplayLog { tid: Some(tid), pos };
    match stopped.why {
        Why::Stepped => MultiThreadStopReason::SignalWithThread { tid, signal: Signal::SIGTRAP },
        Why::Break => MultiThreadStopReason::SwBreak(tid),
        Why::Watch { kind, address } => {
            let kind = match kind {
                WatchKind::Write => GdbWatchKind::Write,
                WatchKind::Read => GdbWatchKind::Read,
                WatchKind::Access => GdbWatchKind::ReadWrite,
            };
            MultiThreadStopReason::Watch { tid, kind, addr: address }
        }
        Why::Begin => log(ReplayLogPosition::Begin),
        Why::End => log(ReplayLogPosition::End),
    }
}

fn watch(address: u32, length: u32, kind: GdbWatchKind) -> Watch {
    let start = u64::from(address);
    let kind = match kind {
        GdbWatchKind::Write => WatchKind::Write,
        GdbWatchKind::Read => WatchKind::Read,
        GdbWatchKind::ReadWrite => WatchKind::Access,
    };
    Watch { range: start..start + u64::from(length), kind }
}

impl Target for Session<'_> {
    type Arch = Riscv32;
    type Error = Infallible;

    fn base_ops(&mut self) -> BaseOps<'_, Riscv32, Infallible> {
        BaseOps::MultiThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadBase for Session<'_> {
    fn read_registers(
        &mut self,
        registers: &mut RiscvCoreRegs<u32>,
        tid: Tid,
    ) -> TargetResult<(), Self> {
        let hart = self.look_at(tid).ok_or(TargetError::Errno(NO_THREAD))?;
        let shown = self.walk.registers(hart).ok_or(TargetError::Errno(NO_THREAD))?;
        (registers.x, registers.pc) = (shown.x, shown.pc);
        Ok(())
    }

    fn write_registers(&mut self, _: &RiscvCoreRegs<u32>, _: Tid) -> TargetResult<(), Self> {
        Err(TargetError::Errno(READ_ONLY))
    }

    fn read_addrs(
        &mut self,
        address: u32,
        bytes: &mut [u8],
        tid: Tid,
    ) -> TargetResult<usize, Self> {
        self.look_at(tid);
        match self.walk.now().memory().read(address, bytes) {
            0 if !bytes.is_empty() => Err(TargetError::Errno(NO_MEMORY)),
            count => Ok(count),
        }
    }

    fn write_addrs(&mut self, _: u32, _: &[u8], _: Tid) -> TargetResult<(), Self> {
        Err(TargetError::Errno(READ_ONLY))
    }

    /// The current one first: it is the one that a client means that names none.
    fn list_active_threads(&mut self, is_there: &mut dyn FnMut(Tid)) -> Result<(), Infallible> {
        let harts = 0..self.walk.now().harts().len();
        is_there(tid(self.current));
        harts.filter(|hart| *hart != self.current).for_each(|hart| is_there(tid(hart)));
        Ok(())
    }

    fn support_resume(&mut self) -> Option<MultiThreadResumeOps<'_, Self>> {
        Some(self)
    }

    fn support_thread_extra_info(&mut self) -> Option<ThreadExtraInfoOps<'_, Self>> {
        Some(self)
    }
}

impl ThreadExtraInfo for Session<'_> {
    fn thread_extra_info(&self, tid: Tid, to: &mut [u8]) -> Result<usize, Infallible> {
        let Some(hart) = self.hart(tid) else { return Ok(0) };
        let text = self.teller.hart(self.recording, &self.walk, hart);
        let bytes = cut(&text, to.len());
        to[..bytes.len()].copy_from_slice(bytes);
        Ok(bytes.len())
    }
}

impl MultiThreadResume for Session<'_> {
    /// The walk itself is made when the protocol waits for its stop.
    fn resume(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn clear_resume_actions(&mut self) -> Result<(), Infallible> {
        (self.going, self.named) = (Going::Forward(Forward::Continue, None), None);
        Ok(())
    }

    fn set_resume_action_continue(
        &mut self,
        tid: Tid,
        _: Option<Signal>,
    ) -> Result<(), Infallible> {
        self.named = self.named.or(self.hart(tid));
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_range_step(&mut self) -> Option<MultiThreadRangeSteppingOps<'_, Self>> {
        Some(self)
    }

    fn support_reverse_step(&mut self) -> Option<ReverseStepOps<'_, Tid, Self>> {
        Some(self)
    }

    fn support_reverse_cont(&mut self) -> Option<ReverseContOps<'_, Tid, Self>> {
        Some(self)
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadSingleStep for Session<'_> {
    fn set_resume_action_step(&mut self, tid: Tid, _: Option<Signal>) -> Result<(), Infallible> {
        self.step(tid, Forward::Step);
        Ok(())
    }
}

impl MultiThreadRangeStepping for Session<'_> {
    fn set_resume_action_range_step(
        &mut self,
        tid: Tid,
        start: u32,
        end: u32,
    ) -> Result<(), Infallible> {
        self.step(tid, |hart| Forward::Within(hart, start..end));
        Ok(())
    }
}

/// A recording has one order: harts that a client wants to hold go on as they did, but it hears of no stop of theirs.
impl MultiThreadSchedulerLocking for Session<'_> {
    fn set_resume_action_scheduler_lock(&mut self) -> Result<(), Infallible> {
        if let Going::Forward(_, only) = &mut self.going {
            *only = self.named;
        }
        Ok(())
    }
}

impl ReverseStep<Tid> for Session<'_> {
    fn reverse_step(&mut self, tid: Tid) -> Result<(), Infallible> {
        self.going = Going::Backward(self.hart(tid).or(Some(self.current)));
        Ok(())
    }
}

impl ReverseCont<Tid> for Session<'_> {
    fn reverse_cont(&mut self) -> Result<(), Infallible> {
        self.going = Going::Backward(None);
        Ok(())
    }
}

impl Breakpoints for Session<'_> {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl SwBreakpoint for Session<'_> {
    fn add_sw_breakpoint(&mut self, pc: u32, _: usize) -> TargetResult<bool, Self> {
        self.walk.stops.add_break(pc);
        Ok(true)
    }

    fn remove_sw_breakpoint(&mut self, pc: u32, _: usize) -> TargetResult<bool, Self> {
        Ok(self.walk.stops.remove_break(pc))
    }
}

impl HwWatchpoint for Session<'_> {
    fn add_hw_watchpoint(
        &mut self,
        address: u32,
        length: u32,
        kind: GdbWatchKind,
    ) -> TargetResult<bool, Self> {
        self.walk.stops.add_watch(watch(address, length, kind));
        Ok(true)
    }

    fn remove_hw_watchpoint(
        &mut self,
        address: u32,
        length: u32,
        kind: GdbWatchKind,
    ) -> TargetResult<bool, Self> {
        Ok(self.walk.stops.remove_watch(&watch(address, length, kind)))
    }
}

impl MonitorCmd for Session<'_> {
    fn handle_monitor_cmd(
        &mut self,
        command: &[u8],
        mut out: ConsoleOutput<'_>,
    ) -> Result<(), Infallible> {
        let command = String::from_utf8_lossy(command);
        let answer = self.teller.monitor(self.recording, &self.walk, command.trim());
        // A packet a line: clients have limits too.
        for line in answer.lines() {
            out.write_raw(line.as_bytes());
            out.write_raw(b"\n");
            out.flush();
        }
        Ok(())
    }
}
