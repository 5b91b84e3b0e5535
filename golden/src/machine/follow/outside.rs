//! Accesses of no instruction: line fetches and the host.

use super::{Event, Follower, OrderedAccess};
use crate::machine::compare;
use crate::machine::disagreement::{Disagreement, Problem, Who};
use crate::machine::exports::HostRequest;
use crate::memory::{BusGrant, BusKind, DeviceRead, NOBODY, Ordered, Region};

impl Follower {
    /// A request of the host; call before its grant is exported.
    pub fn host_request(&mut self, request: HostRequest) {
        self.requests.push_back(request);
    }

    /// The response to the host; call after the grant was exported. A write is answered with zeros.
    pub fn host_response(&mut self, data: &[u8]) -> Result<(), Disagreement> {
        let Some(expected) = self.responses.pop_front() else {
            return Err(self.disagreement(self.cycle, Who::Host, None, Problem::NotAsked));
        };
        let difference = expected.and_then(|expected| compare::responses(&expected, data));
        match difference {
            None => Ok(()),
            Some(problem) => Err(self.disagreement(self.cycle, Who::Host, None, problem)),
        }
    }

    /// Processes the next ordered access if it belongs to no instruction.
    pub(super) fn next_needs_no_record(&mut self) -> Result<bool, Disagreement> {
        let Some(&Event { cycle, access: OrderedAccess::Bus { grant, tap, records } }) =
            self.order.front()
        else {
            return Ok(false);
        };
        let of_host = grant.requester == NOBODY;
        if grant.kind != BusKind::Fetch && !of_host {
            return Ok(false);
        }
        let who = if of_host { Who::Host } else { Who::Hart(grant.requester.into()) };
        let expected = if of_host { self.host(cycle) } else { self.fetch(cycle, &grant, records) };
        let problem = match expected {
            Ok(expected) => compare::grants((&expected, &None), (&grant, &tap)),
            Err(problem) => Some(problem),
        };
        if let Some(problem) = problem {
            return Err(self.disagreement(cycle, who, None, problem));
        }
        self.order.pop_front();
        Ok(true)
    }

    /// Processes an instruction line fetch.
    fn fetch(&mut self, cycle: u64, grant: &BusGrant, records: u64) -> Result<BusGrant, Problem> {
        let hart = usize::from(grant.requester);
        let address = grant.address;
        let expected = self.memory.fetch(hart, address);
        if self.memory.map().region(address) != Region::Ram {
            return Err(Problem::NotAsked);
        }
        let bytes = self.memory.current_line(address);
        self.harts[hart].fetches.pop_front();
        self.harts[hart].lines.fill(address, bytes, cycle, records);
        Ok(expected)
    }

    /// Performs the host's next request.
    fn host(&mut self, cycle: u64) -> Result<BusGrant, Problem> {
        let request = self.requests.pop_front().ok_or(Problem::NotAsked)?;
        let address = request.address();
        match self.memory.map().region(address) {
            Region::Ram => Ok(match request {
                HostRequest::Read { .. } => {
                    let line = self.memory.current_line(address).to_vec();
                    self.responses.push_back(Some(line));
                    self.memory.host_read(address)
                }
                HostRequest::Write { data, mask, .. } => {
                    self.responses.push_back(Some(vec![0; self.line]));
                    let chosen = |byte: usize| mask.get(byte).copied().unwrap_or(false);
                    let line = address & !(self.line as u32 - 1);
                    self.shown.host_wrote_line(line, &data, chosen);
                    self.memory.host_write(address, &data, chosen)
                }
            }),
            _ => {
                let word = match request {
                    HostRequest::Read { .. } => None,
                    HostRequest::Write { data, .. } => {
                        let byte = |place: usize| data.get(place).copied().unwrap_or(0);
                        Some(u32::from_le_bytes(std::array::from_fn(byte)))
                    }
                };
                let ordered = self.memory.host_device(address, word, cycle);
                let Some(Ordered::Device { grant, read, .. }) = ordered else {
                    return Err(Problem::NotAsked);
                };
                // A write is answered with zeros.
                let read = read.unwrap_or(DeviceRead::known(0));
                let known = read.unpredictable.is_none();
                self.responses.push_back(known.then(|| {
                    let mut line = read.value.to_le_bytes().to_vec();
                    line.resize(self.line, 0);
                    line
                }));
                self.refresh_all(cycle, None);
                self.note_written();
                Ok(grant)
            }
        }
    }
}
