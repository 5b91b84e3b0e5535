//! Detects unserializable interleavings of color accesses.
//!
//! ColorSafe §3 and §4.3. Debugging mode checks one access and reports which of Table 1's five cases
//! it completes; deployment mode looks for colors that only came close.

use crate::history::{File, HistoryItem, ItemVectors};
use crate::{Bits, Signature};

/// A case of Table 1: a local access, a remote one, a local one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interleaving {
    /// Case 1: the second read sees inconsistent data.
    Rwr,
    /// Case 3: the read gets what the remote wrote.
    Wwr,
    /// Case 2: the write is based on stale data.
    Rww,
    /// Case 4: the remote read gets inconsistent data.
    Wrw,
    /// Case 5: the remote write leaves the data inconsistent.
    Www,
}

impl Interleaving {
    /// All cases.
    pub const ALL: [Self; 5] = [Self::Rwr, Self::Wwr, Self::Rww, Self::Wrw, Self::Www];

    /// The files of the three accesses: first local, remote, second local.
    pub fn files(self) -> [File; 3] {
        use File::{LocalRead, LocalWrite, RemoteRead, RemoteWrite};
        match self {
            Self::Rwr => [LocalRead, RemoteWrite, LocalRead],
            Self::Wwr => [LocalWrite, RemoteWrite, LocalRead],
            Self::Rww => [LocalRead, RemoteWrite, LocalWrite],
            Self::Wrw => [LocalWrite, RemoteRead, LocalWrite],
            Self::Www => [LocalWrite, RemoteWrite, LocalWrite],
        }
    }
}

/// The cases that an access completes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Interleavings {
    /// [`Interleaving::Rwr`].
    pub rwr: bool,
    /// [`Interleaving::Wwr`].
    pub wwr: bool,
    /// [`Interleaving::Rww`].
    pub rww: bool,
    /// [`Interleaving::Wrw`].
    pub wrw: bool,
    /// [`Interleaving::Www`].
    pub www: bool,
}

impl Interleavings {
    /// Whether the access completes any.
    pub fn any(self) -> bool {
        self != Self::default()
    }
}

/// Debugging mode: the cases that a local access completes, given the items that hold its color. Items
/// i of the first access and k of the remote one must have i ≤ k; within an item there is no order.
pub fn debugging(write: bool, items: &ItemVectors) -> Interleavings {
    let completes = |case: Interleaving| {
        let [first, remote, second] = case.files();
        write == (second == File::LocalWrite)
            && interleaves(vector(items, first), vector(items, remote))
    };
    Interleavings {
        rwr: completes(Interleaving::Rwr),
        wwr: completes(Interleaving::Wwr),
        rww: completes(Interleaving::Rww),
        wrw: completes(Interleaving::Wrw),
        www: completes(Interleaving::Www),
    }
}

/// Whether some item of `first` is not younger than some item of `remote`.
fn interleaves(first: &Bits, remote: &Bits) -> bool {
    for i in 0..first.len() {
        for k in i..remote.len() {
            if first[i] && remote[k] {
                return true;
            }
        }
    }
    false
}

fn vector(items: &ItemVectors, file: File) -> &Bits {
    match file {
        File::LocalRead => &items.loc_r,
        File::LocalWrite => &items.loc_w,
        File::RemoteRead => &items.rem_r,
        File::RemoteWrite => &items.rem_w,
    }
}

/// Deployment mode, one row of one bank: whether two different local items and some remote one have
/// the bit, in files that are a case.
pub fn deployment_row(items: &ItemVectors) -> bool {
    Interleaving::ALL.into_iter().any(|case| {
        let [first, remote, second] = case.files();
        let (first, second) = (vector(items, first), vector(items, second));
        vector(items, remote).any()
            && (0..first.len()).any(|i| (0..second.len()).any(|j| i != j && first[i] && second[j]))
    })
}

/// Deployment mode over a whole history, as built: bit by bit, so that bits of different triples come
/// together in one signature. A superset of [`exact_triples`].
pub fn deployment(items: &[HistoryItem]) -> Option<Signature> {
    let mut hazards = items.first()?.file(File::LocalRead).clone();
    hazards.clear();
    let bank_bits: Vec<_> = hazards.banks().iter().map(|bits| bits.len()).collect();
    for (bank, rows) in bank_bits.into_iter().enumerate() {
        for row in 0..rows {
            if deployment_row(&ItemVectors::row(items.iter(), bank, row)) {
                hazards.set(bank, row);
            }
        }
    }
    (!hazards.is_empty()).then_some(hazards)
}

/// Deployment mode as the paper has it: the union of all intersections of two different local items
/// with any remote one that are not empty.
pub fn exact_triples(items: &[HistoryItem]) -> Option<Signature> {
    let mut hazards: Option<Signature> = None;
    for case in Interleaving::ALL {
        let [first, remote, second] = case.files();
        for (i, one) in items.iter().enumerate() {
            for (j, other) in items.iter().enumerate() {
                if i == j {
                    continue;
                }
                let local = one.file(first).intersection(other.file(second));
                for item in items {
                    let triple = local.intersection(item.file(remote));
                    if !triple.is_empty() {
                        hazards = Some(hazards.map_or(triple.clone(), |sum| sum.union(&triple)));
                    }
                }
            }
        }
    }
    hazards
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::tests::any_history;
    use crate::signature::tests::hashes;
    use crate::{ColorId, History};
    use bitvec::bitvec;
    use bitvec::prelude::Lsb0;
    use proptest::prelude::*;

    const RED: ColorId = ColorId(0x5ed);

    fn items(history: &History) -> Vec<HistoryItem> {
        history.items().iter().cloned().collect()
    }

    /// ColorSafe Figure 3: the string is read, the remote writes string and length, the length is
    /// read; both variables are red.
    fn figure_3() -> History {
        let mut history = History::new(4, hashes(12, 256, 2));
        history.insert(File::LocalRead, RED);
        history.end_epoch();
        history.insert(File::RemoteWrite, RED);
        history.insert(File::RemoteWrite, RED);
        history.end_epoch();
        history
    }

    #[test]
    fn figure_3_is_case_1_as_soon_as_the_length_is_read() {
        let history = figure_3();
        let found = debugging(false, &history.test(RED));
        assert_eq!(found, Interleavings { rwr: true, ..Default::default() });
        assert!(!debugging(false, &history.test(ColorId(0xb1e))).any());
        assert_eq!(deployment(&items(&history)), None, "one local access is no pair");
    }

    #[test]
    fn remote_writes_before_both_reads_matter_to_deployment_only() {
        let mut history = History::new(4, hashes(12, 256, 2));
        history.insert(File::RemoteWrite, RED);
        history.end_epoch();
        history.insert(File::LocalRead, RED);
        history.end_epoch();
        assert!(!debugging(false, &history.test(RED)).any());
        history.insert(File::LocalRead, RED);
        let hazards = deployment(&items(&history)).unwrap();
        assert!(hazards.contains(&hashes(12, 256, 2), RED));
        assert_eq!(exact_triples(&items(&history)), Some(hazards));
    }

    #[test]
    fn within_an_item_there_is_no_order() {
        let mut history = History::new(1, hashes(12, 256, 2));
        history.insert(File::RemoteWrite, RED);
        history.insert(File::LocalWrite, RED);
        let found = debugging(true, &history.test(RED));
        assert_eq!(found, Interleavings { www: true, ..Default::default() });
    }

    #[test]
    fn table_1_has_five_cases_and_no_more() {
        let local = [(File::LocalRead, false), (File::LocalWrite, true)];
        let mut found = Vec::new();
        for (first, _) in local {
            for remote in [File::RemoteRead, File::RemoteWrite] {
                for (_, write) in local {
                    let mut history = History::new(3, hashes(12, 256, 2));
                    history.insert(first, RED);
                    history.end_epoch();
                    history.insert(remote, RED);
                    history.end_epoch();
                    let cases = debugging(write, &history.test(RED));
                    let Interleavings { rwr, wwr, rww, wrw, www } = cases;
                    found.push([rwr, wwr, rww, wrw, www].map(u32::from));
                }
            }
        }
        let expected = [
            [0, 0, 0, 0, 0], // RRR
            [0, 0, 0, 0, 0], // RRW
            [1, 0, 0, 0, 0], // RWR
            [0, 0, 1, 0, 0], // RWW
            [0, 0, 0, 0, 0], // WRR
            [0, 0, 0, 1, 0], // WRW
            [0, 1, 0, 0, 0], // WWR
            [0, 0, 0, 0, 1], // WWW
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_pair_is_of_two_different_items() {
        let none = bitvec![u64, Lsb0; 0, 0];
        let oldest = bitvec![u64, Lsb0; 1, 0];
        let both = bitvec![u64, Lsb0; 1, 1];
        let row = |loc_r: &Bits, loc_w: &Bits, rem_r: &Bits, rem_w: &Bits| {
            deployment_row(&ItemVectors {
                loc_r: loc_r.clone(),
                loc_w: loc_w.clone(),
                rem_r: rem_r.clone(),
                rem_w: rem_w.clone(),
            })
        };
        assert!(!row(&oldest, &oldest, &both, &both));
        assert!(row(&both, &none, &none, &oldest));
        assert!(!row(&both, &none, &both, &none), "two reads and a remote read are harmless");
        assert!(row(&both, &oldest, &none, &oldest));
        assert!(!row(&both, &oldest, &oldest, &none));
        assert!(row(&none, &both, &oldest, &none));
        assert!(row(&none, &both, &none, &oldest));
        assert!(!row(&both, &both, &none, &none));
    }

    proptest! {
        #[test]
        fn deployment_reports_all_that_the_papers_triples_report(history in any_history()) {
            let items = items(&history);
            if let Some(exact) = exact_triples(&items) {
                let collapsed = deployment(&items);
                prop_assert!(collapsed.is_some_and(|collapsed| exact.is_subset(&collapsed)));
            }
        }
    }
}
