//! The color accesses of the last epochs: four signatures for each.
//!
//! ColorSafe §4.2. An item is the paper's; the hardware is free in how it lays out the bits.

use crate::signature::Shown;
use crate::{Bits, ColorHashes, ColorId, Signature};
use std::collections::VecDeque;
use std::fmt;

/// The accesses that a signature holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// Reads of this hart.
    LocalRead,
    /// Writes of this hart.
    LocalWrite,
    /// Reads of other harts.
    RemoteRead,
    /// Writes of other harts.
    RemoteWrite,
}

impl File {
    /// All files, in the order of their codes.
    pub const ALL: [Self; 4] =
        [Self::LocalRead, Self::LocalWrite, Self::RemoteRead, Self::RemoteWrite];
}

/// The accesses of one epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryItem {
    signatures: [Signature; 4],
}

impl HistoryItem {
    /// An epoch without accesses.
    pub fn new(hashes: &ColorHashes) -> Self {
        Self { signatures: [(); 4].map(|()| Signature::new(hashes)) }
    }

    /// The signature of a file.
    pub fn file(&self, file: File) -> &Signature {
        &self.signatures[file as usize]
    }

    /// Adds an access.
    pub fn insert(&mut self, hashes: &ColorHashes, file: File, color: ColorId) {
        self.signatures[file as usize].insert(hashes, color);
    }
}

/// One bit per item in each file; the oldest item is bit 0, the current one the highest.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ItemVectors {
    /// Reads of this hart.
    pub loc_r: Bits,
    /// Writes of this hart.
    pub loc_w: Bits,
    /// Reads of other harts.
    pub rem_r: Bits,
    /// Writes of other harts.
    pub rem_w: Bits,
}

impl fmt::Debug for ItemVectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ItemVectors");
        shown.field("loc_r", &Shown(&self.loc_r)).field("loc_w", &Shown(&self.loc_w));
        shown.field("rem_r", &Shown(&self.rem_r)).field("rem_w", &Shown(&self.rem_w)).finish()
    }
}

impl ItemVectors {
    fn of<'a>(
        items: impl Iterator<Item = &'a HistoryItem> + Clone,
        holds: impl Fn(&Signature) -> bool,
    ) -> Self {
        let [loc_r, loc_w, rem_r, rem_w] =
            File::ALL.map(|file| items.clone().map(|item| holds(item.file(file))).collect());
        Self { loc_r, loc_w, rem_r, rem_w }
    }

    /// The vectors of one row of one bank: the items that have the bit set.
    pub fn row<'a>(
        items: impl Iterator<Item = &'a HistoryItem> + Clone,
        bank: usize,
        row: usize,
    ) -> Self {
        Self::of(items, |signature| signature.banks()[bank][row])
    }
}

/// One row of a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanRow {
    /// Row number.
    pub row: usize,
    /// For each bank, the items that have the bit set.
    pub banks: Vec<ItemVectors>,
}

/// Inputs of one cycle; all three may be present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HistoryTaken {
    /// A color to look up.
    pub test: Option<ColorId>,
    /// An access of the current epoch.
    pub insert: Option<(File, ColorId)>,
    /// The current epoch ends.
    pub epoch_end: bool,
}

/// Outputs that follow from the inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryOutputs {
    /// The answer to the test, visible in the next cycle.
    pub answer: Option<ItemVectors>,
    /// All rows of the scan in order, one per cycle; empty if no epoch ended.
    pub scan: Vec<ScanRow>,
}

/// The last epochs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    hashes: ColorHashes,
    /// Oldest first; the current one is the last.
    items: VecDeque<HistoryItem>,
}

impl History {
    /// A history of `items` empty epochs, at least one.
    pub fn new(items: usize, hashes: ColorHashes) -> Self {
        assert!(items >= 1, "a history of 0 items; allowed: at least 1");
        let empty = HistoryItem::new(&hashes);
        Self { items: std::iter::repeat_n(empty, items).collect(), hashes }
    }

    /// Returns to the initial state.
    pub fn reset(&mut self) {
        *self = Self::new(self.items.len(), self.hashes.clone());
    }

    /// The items, oldest first.
    pub fn items(&self) -> &VecDeque<HistoryItem> {
        &self.items
    }

    /// Adds an access to the current epoch.
    pub fn insert(&mut self, file: File, color: ColorId) {
        let current = self.items.back_mut().expect("a history has at least one item");
        current.insert(&self.hashes, file, color);
    }

    /// The items that hold a color.
    pub fn test(&self, color: ColorId) -> ItemVectors {
        let holds = |signature: &Signature| signature.contains(&self.hashes, color);
        ItemVectors::of(self.items.iter(), holds)
    }

    /// All rows in their current state.
    pub fn scan(&self) -> Vec<ScanRow> {
        let vectors = |bank, row| ItemVectors::row(self.items.iter(), bank, row);
        let banks = |row| (0..self.hashes.banks()).map(|bank| vectors(bank, row)).collect();
        (0..self.hashes.bank_bits()).map(|row| ScanRow { row, banks: banks(row) }).collect()
    }

    /// Drops the oldest epoch and starts a new one.
    pub fn end_epoch(&mut self) {
        self.items.pop_front();
        self.items.push_back(HistoryItem::new(&self.hashes));
    }

    /// One cycle: the test does not see the insert, and both belong to the epoch that ends.
    pub fn step(&mut self, taken: &HistoryTaken) -> HistoryOutputs {
        let answer = taken.test.map(|color| self.test(color));
        if let Some((file, color)) = taken.insert {
            self.insert(file, color);
        }
        let mut scan = Vec::new();
        if taken.epoch_end {
            scan = self.scan();
            self.end_epoch();
        }
        HistoryOutputs { answer, scan }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::signature::tests::{any_hashes, hashes};
    use bitvec::bits;
    use bitvec::prelude::Lsb0;
    use proptest::prelude::*;

    const RED: ColorId = ColorId(0x123);

    #[test]
    fn the_oldest_item_is_in_bit_0() {
        let mut history = History::new(3, hashes(12, 256, 2));
        history.insert(File::LocalWrite, RED);
        assert_eq!(history.test(RED).loc_w, bits![0, 0, 1]);
        history.end_epoch();
        history.insert(File::RemoteRead, RED);
        assert_eq!(history.test(RED).loc_w, bits![0, 1, 0]);
        assert_eq!(history.test(RED).rem_r, bits![0, 0, 1]);
        history.end_epoch();
        history.end_epoch();
        assert_eq!(history.test(RED).loc_w, bits![0, 0, 0]);
        assert_eq!(history.test(RED).rem_r, bits![1, 0, 0]);
    }

    #[test]
    fn a_test_does_not_see_the_insert_of_its_own_cycle() {
        let mut history = History::new(1, hashes(12, 256, 2));
        let taken = HistoryTaken {
            test: Some(RED),
            insert: Some((File::LocalRead, RED)),
            epoch_end: false,
        };
        assert_eq!(history.step(&taken).answer.unwrap().loc_r, bits![0]);
        assert_eq!(history.step(&taken).answer.unwrap().loc_r, bits![1]);
    }

    #[test]
    fn a_scan_shows_the_item_that_expires() {
        let hashes = hashes(12, 16, 2);
        let mut history = History::new(1, hashes.clone());
        history.insert(File::RemoteWrite, RED);
        let outputs = history.step(&HistoryTaken { epoch_end: true, ..Default::default() });
        assert_eq!(outputs.scan.len(), 16);
        for ScanRow { row, banks } in outputs.scan {
            for (bank, vectors) in banks.iter().enumerate() {
                assert_eq!(vectors.rem_w[0], row == hashes.index(bank, RED));
                assert!(vectors.loc_r.not_any());
            }
        }
        assert!(history.test(RED).rem_w.not_any());
    }

    #[test]
    fn no_color_is_in_no_item() {
        let mut history = History::new(2, hashes(1, 16, 1));
        history.insert(File::LocalRead, ColorId(1));
        history.insert(File::LocalRead, ColorId::UNCOLORED);
        assert!(history.test(ColorId::UNCOLORED).loc_r.not_any());
    }

    /// Histories with a few accesses in each epoch.
    pub(crate) fn any_history() -> impl Strategy<Value = History> {
        let access = (0usize..4, 1u32..12);
        let epochs = prop::collection::vec(prop::collection::vec(access, 0..6), 1..7);
        (any_hashes(), epochs).prop_map(|(hashes, epochs)| {
            let mut history = History::new(epochs.len(), hashes);
            for accesses in epochs {
                history.end_epoch();
                for (file, color) in accesses {
                    history.insert(File::ALL[file], ColorId(color));
                }
            }
            history
        })
    }

    proptest! {
        #[test]
        fn an_answer_is_the_conjunction_of_the_colors_rows(
            history in any_history(), color in 1u32..12,
        ) {
            let color = ColorId(color);
            let rows = history.scan();
            let answer = history.test(color);
            for item in 0..history.items().len() {
                let mut banks = 0..history.hashes.banks();
                let expected = banks.all(|bank| {
                    rows[history.hashes.index(bank, color)].banks[bank].loc_w[item]
                });
                prop_assert_eq!(answer.loc_w[item], expected);
            }
        }
    }
}
