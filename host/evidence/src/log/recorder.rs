//! From the instructions of a machine, in its order, to the log.

mod threads;

use super::ending::{Condition, Ending};
use super::instruction::Kind;
use super::memory::{Bytes as _, Write};
use super::sources::Sources;
use super::stacks::Frame;
use super::thread::{Last, OpenCall, Running};
use super::{Log, Stopped};
use crate::code::Code;
use crate::event::{Access, AccessKind, Call, Event, Function, StackId, Thread};
use crate::signature::{A0, system_call};
use border::host_call::SystemCall;
use border::interrupt::{Cause, Exception};
use golden::Mode;
use golden::isa::{Hart, Retired};
use golden::machine::Points;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

const SP: u8 = 2;

/// The longest name of a file or thread that is read from the program.
const LONGEST_TEXT: u32 = 256;

/// Makes the log of a run. Shown every instruction in the machine's order, of all harts and modes.
pub struct Recorder {
    code: Arc<Code>,
    log: Log,
    /// By hart.
    running: Vec<Option<Running>>,
    /// Threads that were created and have not started, by their thread pointer.
    created: HashMap<u32, Thread>,
    /// How many threads each start function has.
    started: BTreeMap<u32, u32>,
    points: Arc<Points>,
}

impl Recorder {
    /// A recorder for a run of a program.
    pub fn new(code: Arc<Code>, points: Arc<Points>) -> Self {
        let mut log = Log::new(code.clone());
        for (address, bytes) in code.image() {
            log.memory.fill(address, bytes);
        }
        let (running, created, started) = Default::default();
        Self { code, log, running, created, started, points }
    }

    /// An instruction ended: its hart's number, the hart after it, what it did. After the statement that
    /// ends the run nothing is recorded.
    pub fn see(&mut self, number: usize, hart: &Hart, retired: &Retired) {
        if self.log.ending.is_some() {
            return;
        }
        if retired.mode != Mode::User {
            return self.firmware_wrote(retired);
        }
        if self.running.len() <= number {
            self.running.resize_with(number + 1, || None);
        }
        if Kind::of(retired.insn).accesses_memory() && self.points.includes(retired.pc_rdata) {
            self.log.performed(number);
        }
        let Some(mut running) = self.running[number].take().or_else(|| self.begin(hart)) else {
            return;
        };
        let ended = if retired.trap {
            self.trapped(&mut running, hart, retired)
        } else {
            self.executed(&mut running, hart, retired);
            false
        };
        if !ended {
            self.running[number] = Some(running);
        }
    }

    /// The thread on a hart; none before its first instruction and after its last.
    pub fn thread_on(&self, hart: usize) -> Option<Thread> {
        self.running.get(hart)?.as_ref().map(|running| running.thread)
    }

    /// The number of the next event.
    pub fn next(&self) -> u64 {
        self.log.next()
    }

    /// Whether the statement that ends the run was executed.
    pub fn is_over(&self) -> bool {
        self.log.ending.is_some()
    }

    /// The machine stopped.
    pub fn finish(mut self, stopped: Stopped) -> Log {
        self.log.ending.get_or_insert(match stopped {
            Stopped::Ended => Ending::Deadlock,
            Stopped::Limit => Ending::Limit,
        });
        self.log.conditions = vec![Vec::new(); self.log.threads.len()];
        for running in self.running.iter().flatten() {
            self.log.conditions[running.thread.0 as usize] = running.conditions();
        }
        self.log
    }

    fn firmware_wrote(&mut self, retired: &Retired) {
        let Some((first, size)) = bytes(retired.mem_wmask) else { return };
        let value = retired.mem_wdata >> (8 * first);
        let bytes = value.to_le_bytes();
        self.log.memory.fill(retired.mem_addr + first, &bytes[..usize::from(size)]);
    }

    fn executed(&mut self, running: &mut Running, hart: &Hart, retired: &Retired) {
        let pc = retired.pc_rdata;
        let kind = Kind::of(retired.insn);
        let in_program = self.code.is_program(pc);
        if in_program {
            let (stack, top) = (running.frames.stack(), running.frames.top());
            running.last = Last { pc, stack, since: top.map_or(0, |top| top.since) };
        }
        let next = self.log.next();
        let load = self.access(running, retired, in_program);
        if retired.mem_wmask != 0 {
            self.log.depends.stored(next, running.values.register(retired.rs2_addr));
        }
        self.follow_values(running, hart, retired, kind, load);
        match kind {
            Kind::Branch if in_program => {
                let sources = both(running, retired);
                if !sources.loads().is_empty() {
                    let (at, since) = (self.log.next(), running.last.since);
                    let condition = Condition { pc, sources, at, since };
                    running.tested(condition);
                    self.log.depends.tested(running.thread, condition);
                }
            }
            Kind::Call => self.called(running, hart, retired, false),
            Kind::Jump if in_program && self.is_tail_call(running, retired.pc_wdata) => {
                self.called(running, hart, retired, true);
            }
            Kind::Return => self.returned(running, hart, retired.pc_wdata),
            _ => {}
        }
    }

    /// Records the data access of an instruction; gives its event's number if it loaded and is recorded.
    fn access(&mut self, running: &Running, retired: &Retired, in_program: bool) -> Option<u64> {
        let (first, size) = bytes(retired.mem_rmask | retired.mem_wmask)?;
        let address = retired.mem_addr + first;
        let pc = retired.pc_rdata;
        let (site, stack) = match in_program {
            true => (pc, running.frames.stack()),
            false => self.program_site(running).unwrap_or_default(),
        };
        let lanes = |word: u32| match size {
            4 => word,
            _ => word >> (8 * first) & ((1 << (8 * size)) - 1),
        };
        let (kind, before, after) = match (retired.mem_rmask, retired.mem_wmask) {
            (_, 0) => (AccessKind::Read, lanes(retired.mem_rdata), lanes(retired.mem_rdata)),
            (0, _) => {
                let before = self.log.memory.value(address, size);
                (AccessKind::Write, before, lanes(retired.mem_wdata))
            }
            _ => (AccessKind::Update, lanes(retired.mem_rdata), lanes(retired.mem_wdata)),
        };
        let at = self.log.next();
        if kind.writes() {
            let place = running.at(site, stack);
            self.log.memory.write(address, size, after, Write { place, at });
        }
        let (thread, before) = (running.thread, Some(before));
        let access = Access { thread, pc, address, size, kind, before, after, stack, site };
        // How the library's locks do their work matters to schedules alone; what it copies and clears is
        // the program's doing.
        let synchronizes = |open: &OpenCall| !open.call.function.manages_memory();
        if !in_program && running.calls.last().is_some_and(synchronizes) {
            self.log.push(Event::Inside(access));
            return None;
        }
        self.log.push(Event::Access(access));
        kind.reads().then_some(at)
    }

    /// The program's call of the library that a thread is in, and its stack.
    fn program_site(&self, running: &Running) -> Option<(u32, StackId)> {
        running.frames.innermost(|frame| self.code.is_program(frame.site))
    }

    fn follow_values(
        &mut self,
        running: &mut Running,
        hart: &Hart,
        retired: &Retired,
        kind: Kind,
        load: Option<u64>,
    ) {
        let sp = hart.register(SP);
        if retired.rd_addr == SP {
            let stack = &mut self.log.threads[running.thread.0 as usize].stack;
            stack.start = stack.start.min(sp);
        }
        let values = &running.values;
        let result = match kind {
            Kind::Load | Kind::Amo => {
                let address = retired.mem_addr;
                let writer = self.log.memory.writer(address).map(|write| write.place.thread);
                let own = running.owns(address, sp) && writer == Some(running.thread);
                let kept = if own { values.kept(address) } else { Sources::default() };
                let loaded = load.map(Sources::of).unwrap_or_default();
                if kept != Sources::default() {
                    kept
                } else if writer.is_none() {
                    // A constant: what matters is why this one, which the pointer says.
                    loaded.and(values.register(retired.rs1_addr))
                } else {
                    loaded
                }
            }
            Kind::Immediate => values.register(retired.rs1_addr),
            Kind::Register => both(running, retired),
            _ => Sources::default(),
        };
        if kind == Kind::Store && running.owns(retired.mem_addr, sp) {
            let stored = values.register(retired.rs2_addr);
            running.values.keep(retired.mem_addr, stored);
        }
        if Kind::is_indirect_jump(retired.insn) {
            running.jump = (retired.pc_rdata, running.values.register(retired.rs1_addr));
        }
        running.values.set(retired.rd_addr, result);
    }

    /// Whether a jump to this address is a call at the end of a function, not a loop.
    fn is_tail_call(&self, running: &Running, target: u32) -> bool {
        let own = running.frames.top().is_some_and(|top| top.frame.entry == target);
        !own && self.code.begins_function(target)
    }

    fn called(&mut self, running: &mut Running, hart: &Hart, retired: &Retired, tail: bool) {
        let frame = Frame { site: retired.pc_rdata, entry: retired.pc_wdata };
        let function = match self.code.is_program(frame.site) {
            true => self.code.function_at(frame.entry),
            false => None,
        };
        let stack = running.frames.stack();
        let (sp, next) = (hart.register(SP), self.log.next());
        if tail {
            running.frames.tail_call(&mut self.log.stacks, frame, sp, next);
        } else {
            running.frames.call(&mut self.log.stacks, frame, sp, next);
        }
        if self.code.set_name() == Some(frame.entry) {
            self.named(hart.register(A0), hart.register(A0 + 1));
        }
        let Some(function) = function else { return };
        let values = [0, 1, 2, 3].map(|argument| hart.register(A0 + argument));
        let (thread, site) = (running.thread, frame.site);
        let call = Call { thread, function, values, site, stack };
        if function == Function::Fail {
            running.failing = Some(running.failure(call.place(), next, running.last.since));
        }
        running.calls.push(OpenCall { call, depth: running.frames.depth() });
        self.log.push(Event::Call(call));
    }

    fn returned(&mut self, running: &mut Running, hart: &Hart, target: u32) {
        running.frames.return_to(target, hart.register(SP));
        let depth = running.frames.depth();
        while let Some(open) = running.calls.pop_if(|open| open.depth > depth) {
            let mut call = open.call;
            call.values[0] = hart.register(A0);
            self.log.push(Event::Return(call));
        }
    }

    /// An exception in U mode; true if the thread is over.
    fn trapped(&mut self, running: &mut Running, hart: &Hart, retired: &Retired) -> bool {
        if retired.cause != Some(Exception::EcallFromUser.into()) {
            self.faulted(running, hart, retired);
            return false;
        }
        let [a, b, c] = [0, 1, 2].map(|argument| hart.register(A0 + argument));
        match system_call(hart) {
            Some(SystemCall::Exit) => {
                let code = running.values.register(A0);
                self.ended(running, Ending::Exit { code: a });
                if let Some(failure) = &mut self.log.failure {
                    failure.code = code;
                }
            }
            Some(SystemCall::Assertion) => {
                let file = self.log.memory.text(a, LONGEST_TEXT).unwrap_or_default();
                self.ended(running, Ending::Assertion { file, line: b });
            }
            Some(SystemCall::Start) => self.create(running, a, b, c),
            Some(SystemCall::Unpark) => {
                let woken = self.running.get(a as usize).and_then(Option::as_ref);
                if let Some(woken) = woken.map(|running| running.thread) {
                    self.log.push(Event::Wake { by: running.thread, woken });
                }
            }
            Some(SystemCall::Finish) => {
                self.log.push(Event::End(running.thread));
                return true;
            }
            Some(SystemCall::Write | SystemCall::Park) | None => {}
        }
        running.values.set(A0, Sources::default());
        false
    }

    /// The run ends, by what the program called or by its last instruction.
    fn ended(&mut self, running: &mut Running, ending: Ending) {
        let Last { pc, stack, since } = running.last;
        let place = running.at(pc, stack);
        let here = || running.failure(place, self.log.next(), since);
        self.log.failure = Some(running.failing.clone().unwrap_or_else(here));
        self.log.ending = Some(ending);
    }

    fn faulted(&mut self, running: &mut Running, hart: &Hart, retired: &Retired) {
        let pc = retired.pc_rdata;
        let address = hart.csrs().trap_value;
        let is_fetch = retired.cause == Some(Exception::FetchAccess.into());
        let pointer = match is_fetch {
            true => running.jump.1,
            false => running.values.register(retired.rs1_addr),
        };
        let (site, stack) = if self.code.is_program(pc) {
            (pc, running.frames.stack())
        } else if is_fetch && self.code.is_program(running.jump.0) {
            let jumped = running.frames.top().is_some_and(|top| top.frame.entry == pc);
            let frames = &running.frames;
            (running.jump.0, if jumped { frames.below() } else { frames.stack() })
        } else {
            self.program_site(running).unwrap_or((running.last.pc, running.last.stack))
        };
        let place = running.at(site, stack);
        let failure = running.failure(place, self.log.next(), running.last.since);
        self.log.failure = Some(failure);
        let cause = retired.cause.map_or(0, Cause::mcause);
        self.log.ending = Some(Ending::Fault { pc, address, cause, pointer });
    }
}

/// The sources of what an instruction computed from two registers.
fn both(running: &Running, retired: &Retired) -> Sources {
    let values = &running.values;
    values.register(retired.rs1_addr).and(values.register(retired.rs2_addr))
}

/// The first byte of a mask within its word, and how many there are.
fn bytes(mask: u8) -> Option<(u32, u8)> {
    (mask != 0).then(|| (mask.trailing_zeros(), mask.count_ones() as u8))
}
