//! ReliefF: how well each feature separates the reconstructions of a bug from the others (Recon §4.2).
//!
//! As in Weka: for every sample, its nearest neighbors of its own class and of the other; a feature is
//! good if it differs little from the former and much from the latter.

/// A reconstruction's features, and whether it shows the bug.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// B, C, R.
    pub features: [f64; 3],
    /// Whether it shows the bug.
    pub buggy: bool,
}

/// The weight of each feature, from -1 to 1, with `neighbors` of either class (Weka's default: 10).
/// `None` where one class is missing.
pub fn relief_f(samples: &[Sample], neighbors: usize) -> Option<[f64; 3]> {
    let buggy = samples.iter().filter(|sample| sample.buggy).count();
    if buggy == 0 || buggy == samples.len() || neighbors == 0 {
        return None;
    }
    let mut scaled: Vec<[f64; 3]> = samples.iter().map(|sample| sample.features).collect();
    for feature in 0..3 {
        let values = || samples.iter().map(|sample| sample.features[feature]);
        let low = values().fold(f64::INFINITY, f64::min);
        let range = values().fold(f64::NEG_INFINITY, f64::max) - low;
        for (scaled, value) in scaled.iter_mut().zip(values()) {
            scaled[feature] = if range > 0.0 { (value - low) / range } else { 0.0 };
        }
    }
    let difference = |a: usize, b: usize| -> [f64; 3] {
        std::array::from_fn(|feature| (scaled[a][feature] - scaled[b][feature]).abs())
    };
    let mut weights = [0.0; 3];
    for (here, sample) in samples.iter().enumerate() {
        for same in [true, false] {
            let mut near: Vec<(f64, usize)> = (0..samples.len())
                .filter(|there| *there != here && (samples[*there].buggy == sample.buggy) == same)
                .map(|there| (difference(here, there).iter().sum(), there))
                .collect();
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            near.truncate(neighbors);
            // With two classes, the prior of the other class over what is not ours is 1.
            let share = if same { -1.0 } else { 1.0 } / (near.len().max(1) * samples.len()) as f64;
            for (_, there) in &near {
                let difference = difference(here, *there);
                (0..3).for_each(|feature| weights[feature] += share * difference[feature]);
            }
        }
    }
    Some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(features: [f64; 3], buggy: bool) -> Sample {
        Sample { features, buggy }
    }

    #[test]
    fn a_feature_that_separates_weighs_one_and_noise_weighs_nothing() {
        let samples = [
            sample([10.0, 0.0, 5.0], true),
            sample([10.0, 1.0, 5.0], true),
            sample([2.0, 0.0, 5.0], false),
            sample([2.0, 1.0, 5.0], false),
        ];
        // Second feature: the one neighbor of the same class differs by 1, those of the other class
        // by 0 and 1, so 0.5 - 1.
        assert_eq!(relief_f(&samples, 10), Some([1.0, -0.5, 0.0]));
    }

    #[test]
    fn one_neighbor_is_the_nearest() {
        let samples = [
            sample([0.0, 0.0, 0.0], false),
            sample([1.0, 0.0, 0.0], false),
            sample([4.0, 0.0, 0.0], true),
        ];
        // Differences over the range 4: hits 1/4, 1/4, none; misses 1, 3/4, 3/4 (nearest).
        let [weight, ..] = relief_f(&samples, 1).unwrap();
        assert!((weight - ((1.0 + 0.75 + 0.75) - (0.25 + 0.25)) / 3.0).abs() < 1e-12);
    }

    #[test]
    fn one_class_alone_says_nothing() {
        assert_eq!(relief_f(&[sample([1.0; 3], true); 4], 10), None);
        assert_eq!(relief_f(&[], 10), None);
    }
}
