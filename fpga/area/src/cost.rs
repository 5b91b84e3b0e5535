//! Resources of a device that a design uses.

use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::{Add, Mul};

/// Counts of the four resources that every device has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Four-input lookup tables, those used as adders and small memories included.
    pub luts: u64,
    /// Flip-flops.
    pub ffs: u64,
    /// Block RAMs.
    pub brams: u64,
    /// Multipliers.
    pub dsps: u64,
}

/// One of the resources: its name, its short name for columns, and how to take it from a cost.
#[derive(Clone, Copy)]
pub struct Resource {
    /// For people.
    pub name: &'static str,
    /// For columns of CSV.
    pub key: &'static str,
    /// Its count.
    pub of: fn(&Cost) -> u64,
}

/// The resources, most looked at first.
pub const RESOURCES: [Resource; 4] = [
    Resource { name: "LUTs", key: "luts", of: |cost| cost.luts },
    Resource { name: "FFs", key: "ffs", of: |cost| cost.ffs },
    Resource { name: "block RAM", key: "brams", of: |cost| cost.brams },
    Resource { name: "DSPs", key: "dsps", of: |cost| cost.dsps },
];

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            luts: self.luts + other.luts,
            ffs: self.ffs + other.ffs,
            brams: self.brams + other.brams,
            dsps: self.dsps + other.dsps,
        }
    }
}

impl Mul<u64> for Cost {
    type Output = Cost;

    fn mul(self, times: u64) -> Cost {
        Cost {
            luts: self.luts * times,
            ffs: self.ffs * times,
            brams: self.brams * times,
            dsps: self.dsps * times,
        }
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::default(), Add::add)
    }
}

/// By how many percent `new` is above `old`; `None` if there is nothing to compare with.
pub fn percent_over(new: u64, old: u64) -> Option<f64> {
    (old > 0).then(|| 100.0 * (new as f64 - old as f64) / old as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resource_is_added_and_multiplied() {
        let one = Cost { luts: 1, ffs: 2, brams: 3, dsps: 4 };
        let sum: Cost = [one, one * 2].into_iter().sum();
        assert_eq!(RESOURCES.map(|resource| (resource.of)(&sum)), [3, 6, 9, 12]);
    }

    #[test]
    fn percent_needs_something_to_compare_with() {
        assert_eq!(percent_over(110, 100), Some(10.0));
        assert_eq!(percent_over(1, 0), None);
    }
}
