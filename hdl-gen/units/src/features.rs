//! The features that observe coherence or stand beside the harts: one row each. A configuration
//! switches rows on.

use std::rc::Rc;

use config::Config;

use crate::breakpoint::Breakpoints;
use crate::bugaboo::Bugaboo;
use crate::hart::beside::HartUnits;
use crate::hart::event_counters::EventCounters;
use crate::observer::Observers;

/// The observers of a machine of this configuration.
pub fn observers(config: &Config) -> Observers {
    let mut observers = Observers::none();
    if let Ok(bugaboo) = Bugaboo::from_config(config) {
        observers = observers.and(bugaboo);
    }
    if let Ok(breakpoints) = Breakpoints::from_config(config) {
        observers = observers.and(breakpoints);
    }
    observers
}

/// The units beside each hart of a machine of this configuration.
pub fn hart_units(config: &Config) -> HartUnits {
    let mut units = HartUnits::none();
    if let Ok(breakpoints) = Breakpoints::from_config(config) {
        units = units.with(Rc::new(breakpoints.comparators(config)));
    }
    if config.counters {
        units = units.with(Rc::new(EventCounters));
    }
    units
}
