//! What a person may have meant by a name that does not exist.

use crate::names::Names;
use debuginfo::Global;
use std::collections::BTreeSet;

/// A variable of the program whose name differs little, or that has a member of this name.
pub(super) fn near(names: &Names, name: &str) -> Option<String> {
    let own = || names.variables().globals().filter(|global| !names.is_library(&global.unit));
    let types = &names.variables().types;
    // The name of a member says which variable is meant.
    let has_it = |global: &&Global| global.of.is_some_and(|of| types.member(of, name).is_some());
    if let Some(global) = own().filter(|global| global.name != name).find(has_it) {
        return Some(format!("{}.{name}", global.name));
    }
    let most = 1 + name.chars().count() / 4;
    let known = own().map(|global| global.name.as_str()).collect::<BTreeSet<_>>();
    let near = known.into_iter().map(|known| (distance(name, known), known));
    near.filter(|(far, _)| *far <= most).min().map(|(_, known)| known.to_owned())
}

/// How many letters have to be changed, added or left out.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (place, letter) in one.chars().take(64).enumerate() {
        let mut corner = std::mem::replace(&mut row[0], place + 1);
        for (at, known) in other.iter().enumerate() {
            let changed = corner + usize::from(*known != letter);
            corner = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(corner + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_letters() {
        assert_eq!(distance("total", "total"), 0);
        assert_eq!(distance("totla", "total"), 2);
        assert_eq!(distance("", "abc"), 3);
    }
}
