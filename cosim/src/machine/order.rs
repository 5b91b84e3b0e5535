//! The order of memory accesses as a machine exports it (docs/machine.md §5): grants, their edges, and
//! accesses without a grant. A memory system without cores has the same ports.

use golden::memory::{BusGrant, BusKind, Hit, HitKind, Tap};
use golden::{CodePoint, Ctx, Edge, EdgeKind, HartId, LineMeta, Time};

use super::ports::Names;
use crate::{Model, PortId};

/// The metadata ports that this configuration has.
#[derive(Clone, Copy, Debug)]
struct MetaPorts {
    pc: Option<PortId>,
    ctx: Option<PortId>,
    hart: Option<PortId>,
    time: Option<PortId>,
}

#[derive(Clone, Copy, Debug)]
struct BusPorts {
    valid: PortId,
    kind: PortId,
    requester: PortId,
    address: PortId,
    holders: PortId,
    supplier: PortId,
    way: PortId,
    victim: PortId,
    victim_dirty: PortId,
    victim_address: PortId,
    time: Option<PortId>,
    monitored: Option<PortId>,
    meta: Option<MetaPorts>,
}

#[derive(Clone, Copy, Debug)]
struct TapPorts {
    valid: PortId,
    source: MetaPorts,
    sink: MetaPorts,
    kind: PortId,
    lost: PortId,
}

#[derive(Clone, Copy, Debug)]
struct HitPorts {
    valid: PortId,
    kind: PortId,
    address: PortId,
    way: PortId,
}

/// The ports that export what was ordered in a cycle.
#[derive(Clone, Debug)]
pub struct OrderPorts {
    bus: BusPorts,
    tap: Option<TapPorts>,
    hits: Vec<HitPorts>,
}

impl OrderPorts {
    /// The ports for `harts` harts, looked up by `find`.
    ///
    /// # Errors
    /// The name of the first missing port.
    pub fn of(
        find: &dyn Fn(&str) -> Option<PortId>,
        harts: u32,
        monitored: bool,
    ) -> Result<Self, String> {
        let mut names = Names { find, missing: None };
        let ports = Self::named(&mut names, harts, monitored);
        names.complete(ports)
    }

    pub(super) fn named(n: &mut Names<'_>, harts: u32, monitored: bool) -> Self {
        Self {
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
                // Without a timestamp the monitors number no transaction.
                time: monitored.then(|| (n.find)("bus_time")).flatten(),
                monitored: monitored.then(|| n.port("bus_monitored")),
                meta: monitored.then(|| MetaPorts::named(n, "bus_meta")),
            },
            tap: monitored.then(|| TapPorts {
                valid: n.port("tap_valid"),
                source: MetaPorts::named(n, "tap_edge_source"),
                sink: MetaPorts::named(n, "tap_edge_sink"),
                kind: n.port("tap_edge_kind"),
                lost: n.port("tap_lost"),
            }),
            hits: (0..harts).map(|hart| HitPorts::named(n, hart)).collect(),
        }
    }

    /// The transaction granted in this cycle.
    ///
    /// # Panics
    /// If the code is not a [`BusKind`]; the hardware's type has no other values.
    #[inline]
    pub fn bus(&self, model: &Model) -> Option<BusGrant> {
        let bus = &self.bus;
        let flag = |port: PortId| model.get(port) != 0;
        flag(bus.valid).then(|| BusGrant {
            kind: BusKind::from_code(model.get(bus.kind) as u8).expect("a kind of transaction"),
            requester: model.get(bus.requester) as u8,
            address: model.get(bus.address) as u32,
            holders: model.get(bus.holders) as u32,
            supplier: model.get(bus.supplier) as u8,
            way: model.get(bus.way) as u8,
            victim: flag(bus.victim),
            victim_dirty: flag(bus.victim_dirty),
            victim_address: model.get(bus.victim_address) as u32,
            time: bus.time.map_or(0, |port| model.get(port) as u32),
            monitored: bus.monitored.is_some_and(flag),
            meta: bus.meta.map_or(LineMeta::NULL, |ports| ports.value(model)),
        })
    }

    /// The edge offered to a table in this cycle.
    #[inline]
    pub fn tap(&self, model: &Model) -> Option<Tap> {
        let tap = self.tap.as_ref()?;
        (model.get(tap.valid) != 0).then(|| Tap {
            edge: Edge {
                source: tap.source.value(model),
                sink: tap.sink.value(model),
                kind: EdgeKind::numbered(model.get(tap.kind) as u32).unwrap_or_default(),
            },
            lost: model.get(tap.lost) != 0,
        })
    }

    /// The access of a hart that was ordered in this cycle without a bus transaction.
    ///
    /// # Panics
    /// If the code is not a [`HitKind`].
    #[inline]
    pub fn hit(&self, model: &Model, hart: usize) -> Option<Hit> {
        let hit = &self.hits[hart];
        (model.get(hit.valid) != 0).then(|| Hit {
            kind: HitKind::from_code(model.get(hit.kind) as u8).expect("a kind of hit"),
            address: model.get(hit.address) as u32,
            way: model.get(hit.way) as u8,
        })
    }
}

impl MetaPorts {
    fn named(n: &Names<'_>, name: &str) -> Self {
        let field = |field: &str| (n.find)(&format!("{name}_{field}"));
        Self { pc: field("pc"), ctx: field("ctx"), hart: field("hart"), time: field("time") }
    }

    fn value(&self, model: &Model) -> LineMeta {
        let field = |port: Option<PortId>| port.map_or(0, |port| model.get(port));
        LineMeta {
            pc: CodePoint(field(self.pc)),
            ctx: Ctx(field(self.ctx) as u32),
            hart: HartId(field(self.hart) as u32),
            time: Time(field(self.time)),
        }
    }
}

impl HitPorts {
    fn named(n: &mut Names<'_>, hart: u32) -> Self {
        let mut field = |field: &str| n.port(&format!("hit_{field}_{hart}"));
        Self {
            valid: field("valid"),
            kind: field("kind"),
            address: field("address"),
            way: field("way"),
        }
    }
}
