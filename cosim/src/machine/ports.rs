//! The ports of the top `soc`, looked up once.

use config::Config;

use crate::{Library, PortId};

/// A ready/valid stream; the payload's ports are its own.
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

/// The fields of metadata that exist.
#[derive(Clone, Copy, Debug)]
pub(super) struct MetaPorts {
    pub pc: Option<PortId>,
    pub ctx: Option<PortId>,
    pub hart: Option<PortId>,
    pub time: Option<PortId>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BusPorts {
    pub valid: PortId,
    pub kind: PortId,
    pub requester: PortId,
    pub address: PortId,
    pub holders: PortId,
    pub supplier: PortId,
    pub way: PortId,
    pub victim: PortId,
    pub victim_dirty: PortId,
    pub victim_address: PortId,
    pub time: PortId,
    pub monitored: PortId,
    pub meta: Option<MetaPorts>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TapPorts {
    pub valid: PortId,
    pub source: MetaPorts,
    pub sink: MetaPorts,
    pub kind: PortId,
    pub lost: PortId,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct HitPorts {
    pub valid: PortId,
    pub kind: PortId,
    pub address: PortId,
    pub way: PortId,
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

/// Everything that one hart shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct HartPorts {
    pub hit: HitPorts,
    pub rvfi: RvfiPorts,
    pub wait_pc: PortId,
    pub wait_reason: PortId,
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
    pub seed: PortId,
    pub chance: PortId,
    pub burst: PortId,
    pub max_stall: PortId,
    pub max_passes: PortId,
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
    pub bus: BusPorts,
    pub tap: Option<TapPorts>,
    pub harts: Vec<HartPorts>,
}

/// Looks names up and remembers the first that is missing.
struct Names<'a> {
    library: &'a Library,
    missing: Option<String>,
}

impl Names<'_> {
    fn maybe(&self, name: &str) -> Option<PortId> {
        self.library.port(name)
    }

    fn port(&mut self, name: &str) -> PortId {
        self.maybe(name).unwrap_or_else(|| {
            self.missing.get_or_insert_with(|| name.to_owned());
            // Any number will do: the missing name makes the whole lookup fail.
            PortId(0)
        })
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

    fn meta(&self, name: &str) -> MetaPorts {
        MetaPorts {
            pc: self.maybe(&format!("{name}_pc")),
            ctx: self.maybe(&format!("{name}_ctx")),
            hart: self.maybe(&format!("{name}_hart")),
            time: self.maybe(&format!("{name}_time")),
        }
    }
}

impl Ports {
    /// The ports of a machine of this configuration, or the name of one it lacks.
    pub fn of(library: &Library, config: &Config) -> Result<Self, String> {
        let monitored = config.context.events > 0;
        let mut names = Names { library, missing: None };
        let n = &mut names;
        let ports = Self {
            rst: n.port("rst"),
            run: n.port("run"),
            ram_last: n.port("ram_last"),
            watch_address: n.port("watch_address"),
            watch_valid: n.port("watch_valid"),
            watch_data: n.port("watch_data"),
            watch_hart: n.port("watch_hart"),
            seed: n.port("perturbation_seed"),
            chance: n.port("perturbation_chance"),
            burst: n.port("perturbation_burst"),
            max_stall: n.port("perturbation_max_stall"),
            max_passes: n.port("perturbation_max_passes"),
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
            bus: BusPorts {
                valid: n.port("bus_valid"),
                kind: n.port("bus_kind"),
                requester: n.port("bus_requester"),
                address: n.port("bus_address"),
                holders: n.port("bus_holders"),
                supplier: n.port("bus_supplier"),
                way: n.port("bus_way"),
                victim: n.port("bus_victim"),
                victim_dirty: n.port("bus_victim_dirty"),
                victim_address: n.port("bus_victim_address"),
                time: n.port("bus_time"),
                monitored: n.port("bus_monitored"),
                meta: monitored.then(|| n.meta("bus_meta")),
            },
            tap: monitored.then(|| TapPorts {
                valid: n.port("tap_valid"),
                source: n.meta("tap_edge_source"),
                sink: n.meta("tap_edge_sink"),
                kind: n.port("tap_edge_kind"),
                lost: n.port("tap_lost"),
            }),
            harts: (0..config.harts).map(|hart| n.hart(hart)).collect(),
        };
        match names.missing {
            None => Ok(ports),
            Some(name) => Err(name),
        }
    }
}

impl Ports {
    /// The outputs that can want something of the surroundings.
    pub fn surroundings(&self) -> Vec<PortId> {
        let LinePorts { stream, write, address, data } = self.memory;
        let memory = [stream.valid, write, address, data, self.memory_response.ready];
        let host = [self.host.stream.ready, self.host_response.valid, self.host_response_data];
        let line = [self.uart_tx.valid, self.uart_tx_byte, self.uart_rx.ready];
        let watch = [self.watch_valid, self.watch_data, self.watch_hart];
        let retired = self.harts.iter().map(|hart| hart.rvfi.valid);
        memory.into_iter().chain(host).chain(line).chain(watch).chain(retired).collect()
    }
}

impl Names<'_> {
    fn hart(&mut self, hart: u32) -> HartPorts {
        let hit = |n: &mut Self, field: &str| n.port(&format!("hit_{field}_{hart}"));
        let rvfi = |n: &mut Self, field: &str| n.port(&format!("rvfi_{field}_{hart}"));
        HartPorts {
            hit: HitPorts {
                valid: hit(self, "valid"),
                kind: hit(self, "kind"),
                address: hit(self, "address"),
                way: hit(self, "way"),
            },
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
        }
    }
}
