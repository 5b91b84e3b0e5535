//! A hash so small that its rows are known by heart, for the contracts of the units that hash colors.

use units::color_hash::ColorHash;

/// Two banks of 4 rows for colors of 3 bits: colors 1, 2, 4 have rows 1, 2, 3 in bank 0 and 1, 2, 1 in
/// bank 1.
pub fn small() -> ColorHash {
    ColorHash::new(3, SMALL.map(Vec::from).to_vec())
}

/// Its masks, by bank.
pub const SMALL: [[u32; 2]; 2] = [[0b101, 0b110], [0b101, 0b010]];

/// The row of a color, in software.
pub fn row(masks: &[u32], color: u32) -> u32 {
    masks.iter().enumerate().map(|(bit, mask)| ((color & mask).count_ones() % 2) << bit).sum()
}

/// The small signature of some colors, in software.
pub fn small_signature(colors: &[u32]) -> u64 {
    let bits = colors.iter().flat_map(|&color| [row(&SMALL[0], color), 4 + row(&SMALL[1], color)]);
    bits.fold(0, |value, bit| value | 1 << bit)
}

#[test]
fn the_small_hash_is_what_its_comment_says() {
    assert_eq!([1, 2, 4].map(|color| row(&SMALL[0], color)), [1, 2, 3]);
    assert_eq!([1, 2, 4].map(|color| row(&SMALL[1], color)), [1, 2, 1]);
    assert_eq!(small_signature(&[1]), 0b0010_0010);
}
