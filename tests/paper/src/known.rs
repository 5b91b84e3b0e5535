//! An analysis of runs whose bug is known: which code points are the bug's.

use crate::evaluate::{self, Inspected, Judged, Shown};
use crosstalk::analysis::Analysis;
use crosstalk::code::{self, PointKey};
use crosstalk::recon::{Part, Reconstruction, Sample, relief_f};
use firmware::bugs::Mark;
use std::collections::BTreeMap;

/// Weka's default, as in Recon §4.2.
const NEIGHBORS: usize = 10;

/// An analysis, and the marks of the bug.
pub struct Known<'a> {
    analysis: &'a Analysis,
    /// The steps of each mark.
    steps: Vec<Vec<u32>>,
    /// The mark of each marked code point that communicated.
    marked: BTreeMap<PointKey, usize>,
}

impl<'a> Known<'a> {
    /// Finds the marks among the code points.
    pub fn new(analysis: &'a Analysis, marks: &[Mark]) -> Self {
        let names: Vec<String> = marks.iter().map(name).collect();
        let mut marked = BTreeMap::new();
        for key in &analysis.census.points {
            let point = analysis.describe(*key);
            if let Some(mark) = names.iter().position(|name| code::is_meant(&point, name)) {
                marked.insert(*key, mark);
            }
        }
        Self { analysis, steps: marks.iter().map(|mark| mark.steps.clone()).collect(), marked }
    }

    /// Inspections until the first code point with a mark.
    pub fn inspections(&self) -> Option<Inspected> {
        let ranking: Vec<_> = self.analysis.ranking.iter().map(|row| row.point).collect();
        let functions: Vec<_> =
            ranking.iter().map(|point| self.analysis.describe(*point).function).collect();
        let rows = ranking.iter().zip(&functions);
        evaluate::inspections(
            rows.map(|(point, function)| (self.marked.contains_key(point), function.as_deref())),
        )
    }

    /// The first reconstruction whose source or sink carries a mark of the bug: its rank from 1, and how
    /// well it shows the bug.
    pub fn reconstruction(&self) -> Option<(usize, Judged)> {
        let found = &self.analysis.findings.reconstructions;
        let place = found.iter().position(|found| self.shows(found))?;
        Some((place + 1, evaluate::judge(&self.shown(&found[place]), &self.steps)))
    }

    /// The rank, from 1, of the first reconstruction that shows two steps of the bug or more, in the bug's
    /// order, wherever they stand in it.
    pub fn illustration(&self) -> Option<usize> {
        let found = &self.analysis.findings.reconstructions;
        let illustrates = |found: &Reconstruction| {
            evaluate::judge(&self.shown(found), &self.steps).in_order == Some(true)
        };
        Some(found.iter().position(illustrates)? + 1)
    }

    /// ReliefF of B, C and R (Recon, Table 1).
    pub fn relief(&self) -> Option<[f64; 3]> {
        let sample = |found: &Reconstruction| Sample {
            features: [found.features.b, found.features.c, found.features.r],
            buggy: self.shows(found),
        };
        let samples: Vec<_> = self.analysis.findings.reconstructions.iter().map(sample).collect();
        relief_f(&samples, NEIGHBORS)
    }

    fn shows(&self, found: &Reconstruction) -> bool {
        self.ends(found).into_iter().any(|point| self.marked.contains_key(&point))
    }

    fn ends(&self, found: &Reconstruction) -> [PointKey; 2] {
        let census = &self.analysis.census;
        let edge = &census.edges[found.edge as usize];
        [edge.source, edge.sink].map(|node| census.point(node))
    }

    fn shown(&self, found: &Reconstruction) -> Vec<(usize, Shown<PointKey>)> {
        let [source, sink] = self.ends(found);
        let region = |part: Part| {
            let members = found.region(part).map_or(&[][..], |region| &region.points);
            members.iter().map(|member| member.what).collect::<Vec<_>>()
        };
        let parts: [Vec<PointKey>; evaluate::PLACES] = [
            region(Part::Prefix),
            vec![source],
            region(Part::Body),
            vec![sink],
            region(Part::Suffix),
        ];
        let mut shown = Vec::new();
        for (place, points) in parts.into_iter().enumerate() {
            let known = points.into_iter().filter(|point| *point != PointKey::Nothing);
            shown.extend(known.map(|point| match self.marked.get(&point) {
                Some(mark) => (place, Shown::Marked(*mark)),
                None => (place, Shown::Other(point)),
            }));
        }
        shown
    }
}

/// How a person names a mark: the file without its folder, and the line.
fn name(mark: &Mark) -> String {
    let file = mark.file.file_name().unwrap_or_default().to_string_lossy();
    format!("{file}:{}", mark.line)
}
