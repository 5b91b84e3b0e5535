//! The ports of the top `soc`, looked up once.

use border::event::Event;
use config::Config;

use super::order::OrderPorts;
use crate::{Library, PortId};

/// Handshake ports of a ready/valid stream, without its payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreamPorts {
    pub valid: PortId,
    pub ready: PortId,
}

/// A request for a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinePorts {
    pub stream: StreamPorts,
    pub write: PortId,
    pub address: PortId,
    pub data: PortId,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RvfiPorts {
    pub valid: PortId,
    pub order: PortId,
    pub insn: PortId,
    pub trap: PortId,
    pub intr: PortId,
    pub mode: PortId,
    pub rs1_addr: PortId,
    pub rs2_addr: PortId,
    pub rs1_rdata: PortId,
    pub rs2_rdata: PortId,
    pub rd_addr: PortId,
    pub rd_wdata: PortId,
    pub pc_rdata: PortId,
    pub pc_wdata: PortId,
    pub mem_addr: PortId,
    pub mem_rmask: PortId,
    pub mem_wmask: PortId,
    pub mem_rdata: PortId,
    pub mem_wdata: PortId,
    pub cause: PortId,
}

/// The ports of one hart's breakpoints.
#[derive(Clone, Copy, Debug)]
pub(super) struct BreakpointPorts {
    pub events: PortId,
    pub entry: PortId,
    pub party: PortId,
    pub first: PortId,
    pub second: PortId,
    pub ended: PortId,
}

/// Ports of one hart, except those of [`OrderPorts`].
#[derive(Clone, Debug)]
pub(super) struct HartPorts {
    pub rvfi: RvfiPorts,
    pub wait_pc: PortId,
    pub wait_reason: PortId,
    /// `None` in a machine without breakpoints.
    pub breakpoint: Option<BreakpointPorts>,
    /// In the order of [`Event::ALL`]; none on a machine that does not count events.
    pub events: Vec<PortId>,
}

/// The schedule's seed and settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct PerturbationPorts {
    pub seed: PortId,
    pub chance: PortId,
    pub burst: PortId,
    pub max_stall: PortId,
    pub max_passes: PortId,
    pub rest_chance: PortId,
    pub max_rest: PortId,
    pub max_hold: PortId,
    pub changes: PortId,
    pub change_range: PortId,
}

#[derive(Clone, Debug)]
pub(super) struct Ports {
    pub rst: PortId,
    pub run: PortId,
    pub ram_last: PortId,
    pub watch_address: PortId,
    pub watch_valid: PortId,
    pub watch_data: PortId,
    pub watch_hart: PortId,
    pub perturbation: PerturbationPorts,
    pub memory: LinePorts,
    pub memory_response: StreamPorts,
    pub memory_response_data: PortId,
    pub host: LinePorts,
    pub host_mask: PortId,
    pub host_response: StreamPorts,
    pub host_response_data: PortId,
    pub uart_tx: StreamPorts,
    pub uart_tx_byte: PortId,
    pub uart_rx: StreamPorts,
    pub uart_rx_byte: PortId,
    pub order: OrderPorts,
    pub harts: Vec<HartPorts>,
    /// `None` in a machine without breakpoints.
    pub breakpoints_cleared: Option<PortId>,
}

/// Looks up port names and remembers the first missing one.
pub(super) struct Names<'a> {
    pub find: &'a dyn Fn(&str) -> Option<PortId>,
    pub missing: Option<String>,
}

impl Names<'_> {
    pub fn port(&mut self, name: &str) -> PortId {
        (self.find)(name).unwrap_or_else(|| {
            self.missing.get_or_insert_with(|| name.to_owned());
            // Never used: a missing name makes the whole lookup fail.
            PortId(0)
        })
    }

    /// The ports found, or the first missing name.
    pub fn complete<T>(self, found: T) -> Result<T, String> {
        self.missing.map_or(Ok(found), Err)
    }

    fn stream(&mut self, name: &str) -> StreamPorts {
        let (valid, ready) = (format!("{name}_valid"), format!("{name}_ready"));
        StreamPorts { valid: self.port(&valid), ready: self.port(&ready) }
    }

    fn line(&mut self, name: &str) -> LinePorts {
        LinePorts {
            stream: self.stream(name),
            write: self.port(&format!("{name}_payload_write")),
            address: self.port(&format!("{name}_payload_address")),
            data: self.port(&format!("{name}_payload_data")),
        }
    }
}

impl Ports {
    /// The ports of a machine of this configuration, or the name of a missing one.
    pub fn of(library: &Library, config: &Config) -> Result<Self, String> {
        let monitored = config.context.events > 0;
        let breakpoints = !config.breakpoints.is_off();
        let find = |name: &str| library.port(name);
        let mut names = Names { find: &find, missing: None };
        let n = &mut names;
        let ports = Self {
            rst: n.port("rst"),
            run: n.port("run"),
            ram_last: n.port("ram_last"),
            watch_address: n.port("watch_address"),
            watch_valid: n.port("watch_valid"),
            watch_data: n.port("watch_data"),
            watch_hart: n.port("watch_hart"),
            perturbation: n.perturbation(),
            memory: n.line("memory_request"),
            memory_response: n.stream("memory_response"),
            memory_response_data: n.port("memory_response_payload"),
            host: n.line("host_request"),
            host_mask: n.port("host_request_payload_mask"),
            host_response: n.stream("host_response"),
            host_response_data: n.port("host_response_payload"),
            uart_tx: n.stream("uart_tx"),
            uart_tx_byte: n.port("uart_tx_payload"),
            uart_rx: n.stream("uart_rx"),
            uart_rx_byte: n.port("uart_rx_payload"),
            order: OrderPorts::named(n, config.harts, monitored),
            harts: (0..config.harts).map(|hart| n.hart(hart, config)).collect(),
            breakpoints_cleared: breakpoints.then(|| n.port("breakpoint_cleared")),
        };
        names.complete(ports)
    }
}

impl Names<'_> {
    fn perturbation(&mut self) -> PerturbationPorts {
        let mut port = |setting: &str| self.port(&format!("perturbation_{setting}"));
        PerturbationPorts {
            seed: port("seed"),
            chance: port("chance"),
            burst: port("burst"),
            max_stall: port("max_stall"),
            max_passes: port("max_passes"),
            rest_chance: port("rest_chance"),
            max_rest: port("max_rest"),
            max_hold: port("max_hold"),
            changes: port("changes"),
            change_range: port("change_range"),
        }
    }

    fn breakpoint(&mut self, hart: u32) -> BreakpointPorts {
        let mut port = |name: &str| self.port(&format!("breakpoint_{name}_{hart}"));
        BreakpointPorts {
            events: port("events"),
            entry: port("entry"),
            party: port("party"),
            first: port("first"),
            second: port("second"),
            ended: port("ended"),
        }
    }

    fn hart(&mut self, hart: u32, config: &Config) -> HartPorts {
        let breakpoints = !config.breakpoints.is_off();
        let counted = Event::ALL.iter().filter(|_| config.counters);
        let events = counted.map(|event| format!("event_{}_{hart}", event.name()));
        let events = events.map(|name| self.port(&name)).collect();
        let rvfi = |n: &mut Self, field: &str| n.port(&format!("rvfi_{field}_{hart}"));
        HartPorts {
            rvfi: RvfiPorts {
                valid: rvfi(self, "valid"),
                order: rvfi(self, "order"),
                insn: rvfi(self, "insn"),
                trap: rvfi(self, "trap"),
                intr: rvfi(self, "intr"),
                mode: rvfi(self, "mode"),
                rs1_addr: rvfi(self, "rs1_addr"),
                rs2_addr: rvfi(self, "rs2_addr"),
                rs1_rdata: rvfi(self, "rs1_rdata"),
                rs2_rdata: rvfi(self, "rs2_rdata"),
                rd_addr: rvfi(self, "rd_addr"),
                rd_wdata: rvfi(self, "rd_wdata"),
                pc_rdata: rvfi(self, "pc_rdata"),
                pc_wdata: rvfi(self, "pc_wdata"),
                mem_addr: rvfi(self, "mem_addr"),
                mem_rmask: rvfi(self, "mem_rmask"),
                mem_wmask: rvfi(self, "mem_wmask"),
                mem_rdata: rvfi(self, "mem_rdata"),
                mem_wdata: rvfi(self, "mem_wdata"),
                cause: rvfi(self, "cause"),
            },
            wait_pc: self.port(&format!("wait_pc_{hart}")),
            wait_reason: self.port(&format!("wait_reason_{hart}")),
            breakpoint: breakpoints.then(|| self.breakpoint(hart)),
            events,
        }
    }
}
