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

    /// The file of this hart's reads or writes.
    pub fn local(write: bool) -> Self {
        if write { Self::LocalWrite } else { Self::LocalRead }
    }

    /// The file of other harts' reads or writes.
    pub fn remote(write: bool) -> Self {
        if write { Self::RemoteWrite } else { Self::RemoteRead }
    }
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

    /// The same with only the newest `used` items; all, if there are not so many.
    pub fn newest(mut self, used: usize) -> Self {
        for bits in [&mut self.loc_r, &mut self.loc_w, &mut self.rem_r, &mut self.rem_w] {
            let unseen = bits.len().saturating_sub(used);
            bits[..unseen].fill(false);
        }
        self
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

/// An access to remember.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// It is a write.
    pub write: bool,
    /// Its color.
    pub color: ColorId,
}

/// Inputs of one cycle; all may be present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HistoryTaken {
    /// A color to look up.
    pub test: Option<ColorId>,
    /// An access of this hart, in the current epoch.
    pub local: Option<Insertion>,
    /// An access of another hart.
    pub remote: Option<Insertion>,
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

    /// One cycle: the test does not see the inserts, and all belong to the epoch that ends.
    pub fn step(&mut self, taken: &HistoryTaken) -> HistoryOutputs {
        let answer = taken.test.map(|color| self.test(color));
        if let Some(Insertion { write, color }) = taken.local {
            self.insert(File::local(write), color);
        }
        if let Some(Insertion { write, color }) = taken.remote {
            self.insert(File::remote(write), color);
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
        let red = |write| Some(Insertion { write, color: RED });
        let taken = HistoryTaken {
            test: Some(RED),
            local: red(false),
            remote: red(true),
            epoch_end: false,
        };
        let before = history.step(&taken).answer.unwrap();
        assert!(before.loc_r.not_any() && before.rem_w.not_any());
        let after = history.step(&taken).answer.unwrap();
        assert!(after.loc_r.all() && after.rem_w.all());
        assert!(after.loc_w.not_any() && after.rem_r.not_any());
    }

    #[test]
    fn only_the_newest_items_are_seen_and_none_is_forgotten() {
        let mut history = History::new(3, hashes(12, 256, 2));
        for file in File::ALL {
            history.insert(file, RED);
            history.end_epoch();
            history.insert(file, RED);
        }
        let seen = |used| history.test(RED).newest(used).rem_r;
        assert_eq!([0, 1, 2, 3, 9].map(|used| seen(used).count_ones()), [0, 0, 1, 2, 2]);
        assert_eq!(seen(3), bits![1, 1, 0]);
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
