//! Scales whose marks stand where the figures are.

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::prelude::Ranged;
use std::ops::Range;

/// A scale with its own marks.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    marks: Vec<(f64, String)>,
    range: Range<f64>,
}

impl Ticks {
    /// Counts from 0 to a round number that has room for `most`.
    pub fn counts(most: f64) -> Self {
        Self::steps(0.0, most * 1.04)
    }

    /// From `low` to `high`, marked in round steps.
    pub fn steps(low: f64, high: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        let step = round_step((high - low) / FEWEST_STEPS);
        let first = (low / step).ceil() as i64;
        let last = (high / step).floor() as i64;
        let decimals = if step < 1.0 { -step.log10().floor() as usize } else { 0 };
        let mark = |at: i64| (at as f64 * step, format!("{:.decimals$}", at as f64 * step));
        Self { marks: (first..=last).map(mark).collect(), range: low..high }
    }

    /// One place for each name; the first is at the end of the scale, which is the top.
    pub fn names<'a>(names: impl DoubleEndedIterator<Item = &'a str>) -> Self {
        let marks: Vec<(f64, String)> =
            names.rev().enumerate().map(|(at, name)| (at as f64 + 0.5, name.to_owned())).collect();
        let range = 0.0..marks.len() as f64;
        Self { marks, range }
    }

    /// The same places without names.
    pub fn unnamed(count: usize) -> Self {
        Self::names(std::iter::repeat_n("", count).collect::<Vec<_>>().into_iter())
    }

    /// A mark at each value. Numbers keep their distances, on a logarithmic scale where they grow
    /// fast; words stand side by side.
    pub fn values(values: &[String]) -> Self {
        let numbers: Option<Vec<f64>> = values.iter().map(|value| value.parse().ok()).collect();
        let places = match numbers {
            Some(numbers) if grows_fast(&numbers) => numbers.iter().map(|n| n.log2()).collect(),
            Some(numbers) => numbers,
            None => (0..values.len()).map(|at| at as f64).collect::<Vec<_>>(),
        };
        let low = places.iter().copied().fold(f64::INFINITY, f64::min);
        let high = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let margin = if high > low { (high - low) * 0.07 } else { 1.0 };
        let marks = places.into_iter().zip(values.iter().cloned()).collect();
        Self { marks, range: low - margin..high + margin }
    }

    /// Where a mark stands.
    pub fn place(&self, name: &str) -> Option<f64> {
        self.marks.iter().find(|(_, other)| other == name).map(|(place, _)| *place)
    }

    /// How many marks there are.
    pub fn count(&self) -> usize {
        self.marks.len()
    }
}

fn grows_fast(numbers: &[f64]) -> bool {
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(0.0, f64::max);
    low > 0.0 && high / low >= 10.0
}

/// A scale has room for at least so many steps: with fewer marks nothing can be read from it.
const FEWEST_STEPS: f64 = 4.0;

/// The largest of 1, 2, 5, 10, 20 … that is not above `most`.
fn round_step(most: f64) -> f64 {
    let power = 10f64.powf(most.log10().floor());
    let rounded = [5.0, 2.0, 1.0].into_iter().find(|of| of * power <= most * 1.001);
    rounded.unwrap_or(1.0) * power
}

impl Ranged for Ticks {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        limit.0 + (share * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, _: H) -> Vec<f64> {
        self.marks.iter().map(|(place, _)| *place).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Ticks {
    fn format_ext(&self, value: &f64) -> String {
        let mark = self.marks.iter().find(|(place, _)| place == value);
        mark.map(|(_, name)| name.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(ticks: &Ticks) -> Vec<&str> {
        ticks.marks.iter().map(|(_, name)| name.as_str()).collect()
    }

    #[test]
    fn counts_are_marked_in_round_steps() {
        assert_eq!(marks(&Ticks::counts(4300.0)), ["0", "1000", "2000", "3000", "4000"]);
        assert_eq!(marks(&Ticks::counts(0.0)).first(), Some(&"0.0"));
        assert_eq!(marks(&Ticks::steps(1.05, 1.27)), ["1.05", "1.10", "1.15", "1.20", "1.25"]);
    }

    #[test]
    fn every_scale_has_marks_enough_to_read_it() {
        for (low, high) in [(38_120.0, 39_170.0), (8_846.0, 9_112.0), (0.0, 1.0), (1.0, 1.3)] {
            let count = Ticks::steps(low, high).count();
            assert!((4..=11).contains(&count), "{low} to {high}: {count}");
        }
    }

    #[test]
    fn values_keep_their_distances_unless_they_grow_fast() {
        let of = |values: &[&str]| {
            Ticks::values(&values.iter().map(|v| (*v).to_owned()).collect::<Vec<_>>())
        };
        let linear = of(&["1", "3", "5", "8"]);
        assert_eq!((linear.place("3"), linear.place("8")), (Some(3.0), Some(8.0)));
        assert_eq!(of(&["64", "256", "1024"]).place("256"), Some(8.0));
        assert_eq!(of(&["discard", "stall"]).place("stall"), Some(1.0));
    }
}
