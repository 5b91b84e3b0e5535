//! What surrounds the memory system: what harts, instruction caches and the host ask of it.

use std::collections::HashMap;

use hdl::HwEnum;
use units::data_port::AccessOp;

use crate::bench::Run;
use crate::model::Due;
use crate::ports::from_bytes;
use crate::request::Request;
use crate::speculation::Speculator;
use crate::traffic::HostRequest;

/// What a hart is doing.
#[derive(Default)]
pub struct Agent {
    /// What it offers.
    pub offer: Option<Request>,
    /// Its last LR, until it offers the SC.
    pub reserved: Option<Request>,
    /// What was taken.
    pub current: Option<Request>,
    /// What is due, once the access is ordered.
    pub due: Option<Due>,
    pub withdraws: bool,
    /// It was taken in the cycle before.
    pub fresh: bool,
    /// It was a mistake: the hart cancels it.
    pub cancels: bool,
    /// Something was offered and ready in the cycle before; whether it was dropped.
    pub dropped: Option<bool>,
    /// The atomic operation has had its cycle to compute.
    pub computed: bool,
    /// Grants to each other requester while it waits.
    pub overtaken: HashMap<u64, u64>,
    /// Cycles for which the access was held back.
    pub held: u64,
}

/// An instruction cache.
#[derive(Default)]
pub struct Fetcher {
    pub wants: Option<u32>,
    pub due: Option<Vec<u8>>,
}

/// The host.
#[derive(Default)]
pub struct Host {
    pub wants: Option<HostRequest>,
    pub due: Option<Vec<u8>>,
}

impl Run {
    pub fn drive(&mut self) {
        let Run { dut, ports, traffic, dice, .. } = self;
        self.memory.drive(dut, ports);
        for (hart, agent) in self.agents.iter_mut().enumerate() {
            if agent.offer.is_none() && dice.chance(traffic.busy) {
                let request = traffic.request(dice, agent.reserved);
                match request.op {
                    AccessOp::LoadReserved => agent.reserved = Some(request),
                    AccessOp::StoreConditional => agent.reserved = None,
                    _ => {}
                }
                agent.offer = Some(request);
            }
            dut.set(ports.request_valid[hart], u64::from(agent.offer.is_some()));
            if let Some(request) = &agent.offer {
                dut.set(ports.request_address[hart], request.address.into());
                dut.set(ports.request_op[hart], request.op.code());
                dut.set(ports.request_amo[hart], request.amo.code());
                dut.set(ports.request_mask[hart], request.mask.into());
                dut.set(ports.request_load[hart], request.funct3());
                dut.set(ports.request_data[hart], request.data.into());
                if let Some(&pc) = ports.request_pc.get(hart) {
                    dut.set(pc, request.pc.into());
                    dut.set(ports.request_machine_mode[hart], request.machine_mode.into());
                }
            }
            let void = self.speculators.get(hart).is_some_and(Speculator::is_undoing);
            agent.withdraws = dice.chance(traffic.withdraws) || void;
            dut.set(ports.withdraw[hart], agent.withdraws.into());
            agent.cancels = agent.fresh && dice.chance(traffic.cancels);
            dut.set(ports.cancel[hart], agent.cancels.into());
        }
        for (hart, fetcher) in self.fetchers.iter_mut().enumerate() {
            let free = fetcher.wants.is_none() && fetcher.due.is_none();
            if free && dice.chance(traffic.fetches) {
                fetcher.wants = Some(traffic.any_line(dice));
            }
            dut.set(ports.fetch_valid[hart], fetcher.wants.is_some().into());
            dut.set(ports.fetch_address[hart], fetcher.wants.unwrap_or(0).into());
        }
        self.drive_transactions();
        let Run { dut, ports, traffic, dice, .. } = self;
        let free = self.host.wants.is_none() && self.host.due.is_none();
        if free && dice.chance(traffic.host) {
            self.host.wants = Some(traffic.host_request(dice));
        }
        dut.set(ports.host_request_valid, self.host.wants.is_some().into());
        if let Some(request) = &self.host.wants {
            dut.set(ports.host_request_write, request.write.into());
            dut.set(ports.host_request_address, request.address.into());
            dut.set_wide(ports.host_request_data, &from_bytes(&request.data));
            dut.set_wide(ports.host_request_mask, &[request.mask]);
        }
        dut.set(ports.host_response_ready, dice.chance(70).into());
        dut.set(ports.uart_tx_ready, self.transmitter_ready.into());
        dut.set(ports.uart_rx_valid, (!self.received.is_empty()).into());
        dut.set(ports.uart_rx_payload, self.received.front().copied().unwrap_or(0).into());
    }
}
