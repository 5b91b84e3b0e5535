//! Observers of coherence: features beside the bus that watch transactions.
//!
//! Bus, caches and memory system know no feature. They are built with a list of [`Observers`], ask each
//! what it needs, and give it a place: signals on requests, a port on the bus, an array in every way of
//! the data caches, ports of the machine. What a feature does not ask for is not generated. The
//! contract is docs/machine.md §9.

mod opaque;
mod ports;

use std::fmt::Debug;
use std::rc::Rc;

use hdl::{Bundle, Sig};

pub use opaque::{Each, Lane, Opaque};
pub use ports::{
    AccessKind, GrantFacts, Granting, Keeper, LineUpdate, LinkPort, LinkShape, ObserverHart,
    ObserverPort, Seat, Served, UpdateCause,
};

use crate::hart::interrupts::Interrupt;
use crate::parts::Parts;

/// Which harts an observer notifies of a transaction that it marks `monitored` for the requester.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The harts whose data caches hold the line.
    Holders,
    /// Every hart but the requester.
    Others,
}

/// A feature that observes coherence. Every method but the names has a default that adds nothing.
pub trait Observer: Debug {
    /// Begins the names of its ports on the bus.
    fn name(&self) -> &'static str;

    /// The module beside the bus, for the name of the memory system.
    fn module(&self) -> String;

    /// What it changes in bus and caches, for the names of these: `_p32e5h2t32`.
    fn tag(&self) -> String {
        String::new()
    }

    /// Data requests carry the pc and the mode of their instruction.
    fn needs_origin(&self) -> bool {
        false
    }

    /// Bits of the transaction number that it needs; 0: none. The widest need counts for all.
    fn time_bits(&self) -> usize {
        0
    }

    /// Which harts are notified of a transaction; `None`: it has no port on the bus and sees no transaction.
    fn audience(&self) -> Option<Audience> {
        None
    }

    /// It may refuse a grant.
    fn stalls(&self) -> bool {
        false
    }

    /// The shape of what the audience is given with a transaction, chosen on the requester's side.
    fn word(&self) -> Option<Opaque> {
        None
    }

    /// What travels with every line, as a shape under the name that its signals begin with.
    fn line(&self) -> Option<Lane<Opaque>> {
        None
    }

    /// Its part of what travels with a line for all observers.
    fn line_in<'a>(&self, all: &'a Each<Opaque>) -> Option<&'a Opaque> {
        self.line().and_then(|lane| all.get(&lane.name))
    }

    /// A store that hits can change what travels with the line.
    fn marks_hits(&self) -> bool {
        false
    }

    /// Builds the array that keeps what travels with the lines of one way. Returns the entry of the set
    /// read in the cycle before. Called only if [`Observer::line`] has a shape.
    fn keep(&self, _way: &Keeper) -> Opaque {
        unreachable!("{} keeps nothing with a line", self.name())
    }

    /// What it adds to the export of a grant, as a shape; the names begin with `bus_`.
    fn grant_export(&self) -> Option<Opaque> {
        None
    }

    /// What that is for the transaction granted in this cycle.
    fn export_grant(&self, _grant: &GrantFacts) -> Opaque {
        unreachable!("{} exports nothing with a grant", self.name())
    }

    /// Ports of the machine that it drives, as a shape under the name that they begin with.
    fn export(&self) -> Option<Lane<Opaque>> {
        None
    }

    /// The interrupt that it raises in each hart.
    fn interrupt(&self) -> Option<Interrupt> {
        None
    }

    /// Signals between it and its unit beside each hart, as shapes under a name.
    fn link(&self) -> Option<Lane<LinkShape>> {
        None
    }

    /// Builds it inside the memory system, driving all its outputs on `seat`.
    fn attach(&self, seat: &Seat) -> Served;
}

/// The observers of a machine, in the order in which their interrupts and ports are listed.
#[derive(Clone, Debug, PartialEq)]
pub struct Observers(Parts<dyn Observer>);

impl Observers {
    /// None: the machine without any feature.
    pub fn none() -> Observers {
        Observers(Parts::none())
    }

    /// These and one more.
    pub fn and(self, observer: impl Observer + 'static) -> Observers {
        Observers(self.0.with(Rc::new(observer)))
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Observer> {
        self.0.iter()
    }

    /// Data requests carry the pc and the mode of their instruction.
    pub fn need_origin(&self) -> bool {
        self.iter().any(Observer::needs_origin)
    }

    /// Bits of the number of a transaction; 0: they are not numbered.
    pub fn time_bits(&self) -> usize {
        self.iter().map(Observer::time_bits).max().unwrap_or(0)
    }

    /// The interrupts that they raise.
    pub fn interrupts(&self) -> Vec<Interrupt> {
        self.iter().filter_map(Observer::interrupt).collect()
    }

    /// What travels with every line.
    pub(crate) fn line(&self) -> Each<Opaque> {
        self.iter().filter_map(Observer::line).collect()
    }

    /// What a store that hits brings to the line, under the name that its signals begin with; those
    /// that mark no hits have none.
    pub(crate) fn store(&self) -> Each<Opaque> {
        let marking = self.iter().filter(|observer| observer.marks_hits());
        marking.filter_map(Observer::line).collect()
    }

    /// Ports of the machine that they drive.
    pub fn export(&self) -> Each<Opaque> {
        self.iter().filter_map(Observer::export).collect()
    }

    /// The signals between them and the units beside each hart.
    pub(crate) fn link(&self) -> Each<LinkShape> {
        self.iter().filter_map(Observer::link).collect()
    }

    /// What they add to the export of a grant.
    pub(crate) fn grant_export(&self) -> Each<Opaque> {
        self.on_bus().filter_map(Observer::grant_export).map(unnamed).collect()
    }

    /// What they export of the transaction granted in this cycle.
    #[track_caller]
    pub(crate) fn export_grant(&self, facts: &[GrantFacts]) -> Each<Opaque> {
        let on_bus = self.on_bus().zip(facts);
        let exporting = on_bus.filter(|(observer, _)| observer.grant_export().is_some());
        exporting.map(|(observer, facts)| unnamed(observer.export_grant(facts))).collect()
    }

    /// Those with a port on the bus.
    pub(crate) fn on_bus(&self) -> impl Iterator<Item = &dyn Observer> {
        self.iter().filter(|observer| observer.audience().is_some())
    }

    /// Those that keep something with every line.
    pub(crate) fn keeping(&self) -> impl Iterator<Item = &dyn Observer> {
        self.iter().filter(|observer| observer.line().is_some())
    }

    /// One of them may refuse a grant.
    pub(crate) fn stall(&self) -> bool {
        self.iter().any(Observer::stalls)
    }

    /// For the names of caches: what each adds to them.
    pub(crate) fn tag(&self) -> String {
        self.iter().map(Observer::tag).collect()
    }

    /// For the names of what numbers transactions.
    pub(crate) fn time_tag(&self) -> String {
        match self.0.is_empty() {
            true => String::new(),
            false => format!("_t{}", self.time_bits()),
        }
    }
}

/// A bundle whose signals bring their full names.
fn unnamed(of: Opaque) -> Lane<Opaque> {
    Lane { name: String::new(), doc: "", of }
}

/// The bundle where `condition` is 1, else zeros.
#[track_caller]
pub(crate) fn gated<B: Bundle>(bundle: &B, condition: Sig) -> B {
    bundle.map(&mut hdl::Path::default(), &mut |_, leaf| {
        leaf.sig & condition.repeat(leaf.sig.width())
    })
}
