//! The units of ColorSafe: all sizes are legal circuits, with no warning and a name of their own.

use hdl::{Module, elaborate};
use std::collections::BTreeSet;
use units::color_hash::ColorHash;
use units::color_lookaside::ColorLookaside;
use units::hazard_color_set::HazardColorSet;
use units::history_buffer::HistoryBuffer;
use units::serializability_checker::SerializabilityChecker;
use units::signature::Signature;

/// The functions that a configuration has for signatures of this size.
fn configured(bits: u32, banks: u32, color_bits: u32) -> ColorHash {
    let color = config::Config::default().color;
    ColorHash::of(&config::Color {
        bits: color_bits,
        signature_bits: bits,
        signature_banks: banks,
        ..color
    })
}

/// Elaborates and gives the bits stored.
fn storage(module: impl Module) -> u64 {
    let name = module.name();
    let design = elaborate(module).unwrap_or_else(|findings| panic!("{name}:\n{findings}"));
    assert_eq!(design.warnings, [], "{name}");
    design.storage_bits()
}

#[test]
fn signatures_of_all_sizes_are_legal() {
    for bits in [2, 4, 16, 256, 1024] {
        for banks in 1..=8 {
            for color_bits in [1, 2, 12, 16] {
                let hash = configured(bits, banks, color_bits);
                let width = u64::from(bits * banks);
                assert_eq!(storage(Signature { hash: hash.clone() }), width);
                assert_eq!(storage(HazardColorSet { hash }), 2 * width);
            }
        }
    }
}

#[test]
fn histories_of_all_sizes_are_legal_and_store_four_files_of_items() {
    for (bits, banks, color_bits) in
        [(2, 1, 1), (2, 8, 16), (16, 3, 5), (256, 2, 12), (1024, 8, 16)]
    {
        for items in [1, 2, 3, 30, 64] {
            let hash = configured(bits, banks, color_bits);
            let (items_stored, banks_stored) = (items as u64, u64::from(4 * banks));
            // The newest item has two columns.
            let files = banks_stored * u64::from(bits) * (items_stored + 1);
            // What the memories show: the older items at two ports, the newest at one; and of a test
            // in a scan the item that ended, and whether the row was passed.
            let aging = if items == 1 { 0 } else { 2 };
            let shown = banks_stored * (2 * (items_stored - 1) + 1 + aging);
            // The phase, the row, the newest column, `scan_done`, `answer_valid` and whether its color
            // is one.
            let control = 2 + hash.row_bits() as u64 + 4;
            assert_eq!(storage(HistoryBuffer { items, hash }), files + shown + control);
        }
    }
}

#[test]
fn checkers_of_all_sizes_are_legal_and_store_nothing() {
    for items in [1, 2, 3, 30, 63, 64] {
        assert_eq!(storage(SerializabilityChecker { items }), 0);
    }
}

#[test]
fn lookaside_buffers_of_all_sizes_are_legal() {
    for entries in [1, 2, 3, 5, 16, 33, 64] {
        for color_bits in [1, 7, 12, 16] {
            storage(ColorLookaside { entries, color_bits });
        }
    }
}

#[test]
fn different_parameters_have_different_names() {
    let mut names = Vec::new();
    for (bits, banks, color_bits) in [(2, 1, 1), (2, 8, 1), (2, 8, 11), (16, 2, 3), (16, 2, 12)] {
        let standard = configured(bits, banks, color_bits);
        let other = vec![vec![1; standard.row_bits()]; standard.banks()];
        names.push(standard.label());
        // With colors of one bit there is only one function.
        if color_bits > 1 {
            names.push(ColorHash::new(color_bits as usize, other).label());
        }
        for items in [1, 11] {
            names.push(HistoryBuffer { items, hash: standard.clone() }.name());
        }
    }
    let different: BTreeSet<_> = names.iter().collect();
    assert_eq!(different.len(), names.len());
}
