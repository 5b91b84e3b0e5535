//! What the memory system shows in a cycle, against the golden machine's memory.

use golden::LineMeta;
use golden::memory::{BusGrant, BusKind, Hit, NOBODY, RAM, Tap, Watched};
use units::data_port::AccessOp;

use crate::bench::{Event, Run};
use crate::model::Shown;
use crate::ports::to_bytes;
use crate::request::Response;

impl Run {
    pub fn sample(&mut self) {
        self.memory.sample(&self.dut, &self.ports);
        let tap = self.order.tap(&self.dut);
        match self.order.bus(&self.dut) {
            Some(grant) => self.sample_grant(grant, tap),
            None => assert_eq!(tap, None, "{}: cycle {}", self.name, self.cycle),
        }
        for hart in 0..self.harts {
            if let Some(hit) = self.order.hit(&self.dut, hart) {
                self.sample_hit(hart, hit);
            }
        }
        self.sample_transactions();
        let mut written = None;
        for hart in 0..self.harts {
            if let Some(watched) = self.sample_hart(hart) {
                assert!(written.is_none(), "two harts write one word");
                written = Some(watched);
            }
            self.sample_fetch(hart);
        }
        self.sample_host();
        let get = |port| self.dut.get(port);
        if get(self.ports.uart_tx_valid) == 1 && self.transmitter_ready {
            self.transmitted.push(get(self.ports.uart_tx_payload) as u8);
        }
        if get(self.ports.uart_rx_ready) == 1 {
            self.received.pop_front();
        }
        let watched = (get(self.ports.watch_valid) == 1).then(|| Watched {
            hart: get(self.ports.watch_hart) as u8,
            data: get(self.ports.watch_data) as u32,
        });
        assert_eq!(watched, written, "{}: cycle {}: watch", self.name, self.cycle);
        self.counts.watched += u64::from(watched.is_some());
    }

    /// What can be seen when nothing is under way: memory behind the caches, and the tables' interrupts.
    pub fn check_the_rest(&mut self) {
        // The last write of a table's register is there a cycle after it was answered.
        self.step();
        for &line in &self.traffic.lines {
            let stored = self.golden.stored(line, self.traffic.line as usize);
            assert_eq!(self.memory.stored(line), stored, "{}: memory at {line:#x}", self.name);
        }
        for (hart, &port) in self.ports.table_interrupt.iter().enumerate() {
            let (actual, expected) = (self.dut.get(port) == 1, self.golden.table_interrupts(hart));
            assert_eq!(actual, expected, "{}: the table of hart {hart} interrupts", self.name);
        }
    }

    fn sample_grant(&mut self, grant: BusGrant, tap: Option<Tap>) {
        let BusGrant { kind, requester, address, .. } = grant;
        *self.counts.grants.entry(kind).or_default() += 1;
        self.counts.edges += u64::from(tap.is_some());
        self.counts.lost += u64::from(tap.is_some_and(|tap| tap.lost));
        let of_any_monitor = BusGrant { time: 0, monitored: false, meta: LineMeta::NULL, ..grant };
        self.events.push((self.cycle, Event::Grant(of_any_monitor)));
        let name = format!("{}: cycle {}: {grant:x?}", self.name, self.cycle);
        let hart = usize::from(requester);
        let expected = match (kind, requester) {
            (BusKind::Fetch, _) => {
                let fetcher = &mut self.fetchers[hart];
                let wanted = fetcher.wants.take().unwrap_or_else(|| panic!("{name}: no fetch"));
                let (expected, line) = self.golden.fetch(hart, wanted);
                fetcher.due = Some(line);
                self.note_hidden(kind, wanted);
                Shown::Grant(expected, None)
            }
            (_, NOBODY) => {
                let request = self.host.wants.as_ref().unwrap_or_else(|| panic!("{name}: no host"));
                let (expected, answer) = self.golden.host(request, self.cycle);
                self.host.due = Some(answer);
                if kind == BusKind::HostRead {
                    self.note_hidden(kind, address);
                }
                Shown::Grant(expected, None)
            }
            (BusKind::Walk, _) => Shown::Grant(self.walk(hart, &name), None),
            (BusKind::Clean, _) => Shown::Grant(self.clean(hart, &name), None),
            _ => {
                let agent = &mut self.agents[hart];
                let request = agent.current.unwrap_or_else(|| panic!("{name}: no access"));
                assert!(agent.due.is_none(), "{name}: ordered twice");
                assert_eq!(self.dut.get(self.ports.withdrawable[hart]), 0, "{name}");
                assert_eq!(address, request.address, "{name}");
                self.check_turn(hart, &name);
                let (expected, due) = self.order(hart, &request, &name);
                self.agents[hart].due = Some(due);
                expected
            }
        };
        assert_eq!(Shown::Grant(grant, tap), expected, "{name}");
        for (hart, agent) in self.agents.iter_mut().enumerate() {
            let beside = match kind {
                BusKind::Fetch => 256,
                BusKind::Walk => 512,
                _ => 0,
            };
            let own = beside == 0 && usize::from(requester) == hart;
            if !own {
                let who = u64::from(requester) + beside;
                *agent.overtaken.entry(who).or_default() += 1;
            }
        }
    }

    /// Nobody may be granted more than once before one that waits, but for grants out of turn.
    fn check_turn(&mut self, hart: usize, name: &str) {
        let more: u64 = self.agents[hart].overtaken.values().map(|grants| grants - 1).sum();
        let bound = if self.schedule.seed == 0 { 0 } else { self.schedule.max_passes };
        assert!(more <= bound, "{name}: waited for {:?}", self.agents[hart].overtaken);
        self.counts.passes = self.counts.passes.max(more);
    }

    fn sample_hit(&mut self, hart: usize, hit: Hit) {
        let get = |port| self.dut.get(port);
        let ports = &self.ports;
        let name = format!("{}: cycle {}: hart {hart} {hit:x?}", self.name, self.cycle);
        assert_eq!(get(ports.held[hart]), 0, "{name}: held back");
        assert_eq!(get(ports.withdrawable[hart]), 0, "{name}");
        assert_eq!(get(ports.response_valid[hart]), 1, "{name}: a hit is complete at once");
        *self.counts.hits.entry(hit.kind).or_default() += 1;
        self.events.push((self.cycle, Event::Hit(hart, hit)));
        let agent = &self.agents[hart];
        let request = agent.current.unwrap_or_else(|| panic!("{name}: no access"));
        assert!(agent.due.is_none(), "{name}: ordered twice");
        let (expected, due) = self.order(hart, &request, &name);
        assert_eq!(Shown::Hit(hit), expected, "{name}");
        self.agents[hart].due = Some(due);
    }

    /// The answer of a hart, and what it offers. Gives the watched word if it is written.
    fn sample_hart(&mut self, hart: usize) -> Option<Watched> {
        let get = |port| self.dut.get(port);
        let ports = &self.ports;
        let name = || format!("{}: cycle {}: hart {hart}", self.name, self.cycle);
        let held = get(ports.held[hart]) == 1;
        let waiting = get(ports.waiting[hart]);
        let withdrawable = get(ports.withdrawable[hart]) == 1;
        let fired = get(ports.request_valid[hart]) == 1 && get(ports.request_ready[hart]) == 1;
        let taken = get(ports.request_taken[hart]) == 1;
        let late = get(ports.late[hart]) == 1;
        let answered = get(ports.response_valid[hart]) == 1;
        let transactional = !self.speculators.is_empty();
        let agent = &mut self.agents[hart];
        // What was taken behind an access that waits is dropped, and nothing else is.
        if let Some(dropped) = agent.dropped.take() {
            assert_eq!(dropped, late, "{}: dropped, or kept", name());
        }
        // What is cancelled does nothing. It can only be what was taken in the cycle before.
        if agent.cancels {
            assert!(!late && !answered && agent.due.is_none(), "{}: cancelled", name());
            agent.current = None;
            self.counts.cancelled += 1;
        }
        // What an access waits for: 1 its line, 2 a device, 3 room in the table, 4 the perturbation.
        let to_device = agent.current.map(|request| request.address < RAM);
        let takes_two = agent.current.is_some_and(|request| {
            matches!(request.op, AccessOp::Amo | AccessOp::StoreConditional)
        });
        let may_wait = match (to_device, waiting) {
            (None, _) => waiting == 0 && !late,
            (Some(_), _) if !late => waiting == 0,
            // A transaction may have to commit, or clean its line.
            (Some(_), 4) => agent.held > 0 || transactional,
            (Some(false), 0) if transactional => true,
            (Some(true), _) => waiting == 2,
            (Some(false), 0) if answered => true,
            // An atomic operation that hits computes for one cycle; an SC finds out whether it fails.
            (Some(false), 0) => takes_two && !std::mem::replace(&mut agent.computed, true),
            (Some(false), _) => waiting != 2,
        };
        assert!(may_wait, "{}: waits for {waiting}: {:x?}", name(), agent.current);
        assert!(!(held && late) || waiting == 4, "{}: held, but waits for {waiting}", name());
        let (mut watched, mut retired) = (None, None);
        if agent.current.is_some() {
            agent.held += u64::from(held);
            self.counts.held += u64::from(held);
            let longest = self.schedule.longest_hold(self.harts);
            assert!(agent.held <= longest, "{}: held too long", name());
        }
        if !matches!(waiting, 1 | 2) || agent.due.is_some() {
            agent.overtaken.clear();
        }
        self.counts.stalled += u64::from(waiting == 3);
        if answered {
            let due = agent.due.take().unwrap_or_else(|| panic!("{}", name()));
            watched = due.watched;
            let request = agent.current.take().unwrap_or_else(|| panic!("{}", name()));
            let word = get(if late { ports.late_data[hart] } else { ports.response_data[hart] });
            if request.op == AccessOp::Load && !late {
                let value = get(ports.response_value[hart]) as u32;
                assert_eq!(value, request.loaded(word as u32), "{}: {request:x?}", name());
            }
            let shown = |shows: bool, word: u64| if shows { word as u32 } else { 0 };
            let writes = matches!(request.op, AccessOp::Store | AccessOp::StoreConditional);
            let is_amo = request.op == AccessOp::Amo;
            let mut actual = Response {
                data: shown(!writes, word),
                written: shown(is_amo, get(ports.late_written[hart])),
                failed: late && get(ports.late_failed[hart]) == 1,
            };
            if due.open {
                actual.data = due.response.data;
            }
            assert_eq!(actual, due.response, "{}: {request:x?}", name());
            self.counts.responses += 1;
            self.events.push((self.cycle, Event::Response(hart)));
            retired = Some(request);
        } else if agent.withdraws && withdrawable {
            assert!(agent.current.take().is_some() && agent.due.is_none(), "{}", name());
            self.counts.withdrawn += 1;
        } else {
            assert!(!withdrawable || agent.due.is_none(), "{}: ordered", name());
        }
        if fired {
            agent.dropped = Some(!taken);
        }
        agent.fresh = taken;
        if taken {
            assert!(fired && agent.current.is_none(), "{}: taken too early", name());
            agent.current = agent.offer.take();
            if let Some(speculator) = self.speculators.get_mut(hart) {
                speculator.cleaned = false;
            }
            agent.overtaken.clear();
            agent.held = 0;
            agent.computed = false;
        }
        if let Some(request) = retired {
            self.retire(hart, &request);
        }
        watched
    }

    fn sample_fetch(&mut self, hart: usize) {
        if self.dut.get(self.ports.fetch_response_valid[hart]) == 0 {
            return;
        }
        let line = to_bytes(self.dut.get_wide(self.ports.fetch_response_line[hart]));
        let due = self.fetchers[hart].due.take();
        assert_eq!(Some(line), due, "{}: cycle {}: fetch {hart}", self.name, self.cycle);
    }

    fn sample_host(&mut self) {
        let get = |port| self.dut.get(port);
        if get(self.ports.host_request_valid) == 1 && get(self.ports.host_request_ready) == 1 {
            assert!(self.host.due.is_some(), "{}: the host is taken unordered", self.name);
            self.host.wants = None;
        }
        if get(self.ports.host_response_valid) == 1 && get(self.ports.host_response_ready) == 1 {
            let line = to_bytes(self.dut.get_wide(self.ports.host_response_payload));
            let due = self.host.due.take();
            assert_eq!(Some(line), due, "{}: cycle {}: host", self.name, self.cycle);
        }
    }
}
