//! The table of keys: the values allowed for each key on its own.
//!
//! The limits of a single key are in this table only. A test compares it with the
//! fields of [`Config`](crate::Config).

use crate::Problem;
use toml::{Table, Value};

/// Values allowed for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// An integer from the first to the second, both included.
    Range(u64, u64),
    /// As `Range`, and a power of two.
    PowerOfTwo(u64, u64),
    /// 0, or as `PowerOfTwo`.
    ZeroOrPowerOfTwo(u64, u64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// `true` or `false`.
    Switch,
}

/// One key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key with its tables, separated by dots.
    pub path: &'static str,
    /// Its allowed values.
    pub allowed: Allowed,
}

const fn key(path: &'static str, allowed: Allowed) -> Key {
    Key { path, allowed }
}

use Allowed::{PowerOfTwo, Range, Switch, Word, ZeroOrPowerOfTwo};

/// All keys.
pub const KEYS: &[Key] = &[
    key("harts", Range(1, 16)),
    key("standalone", Switch),
    key("reset_vector", Range(0, 0xffff_fffc)),
    key("pc_bits", Range(8, 64)),
    key("timestamp_bits", Range(0, 64)),
    key("counters", Switch),
    key("l1.line", PowerOfTwo(8, 256)),
    key("l1.data.bytes", PowerOfTwo(64, 1 << 20)),
    key("l1.data.ways", PowerOfTwo(1, 16)),
    key("l1.instruction.bytes", PowerOfTwo(64, 1 << 20)),
    key("l1.instruction.ways", PowerOfTwo(1, 16)),
    key("context.events", Range(0, 16)),
    key("metadata.update", Word(&["miss", "first-write", "every-write"])),
    key("metadata.home", Word(&["l1", "memory"])),
    key("metadata.grain", Word(&["line", "word"])),
    key("ct.depth", Range(4, 65536)),
    key("ct.placement", Word(&["per-hart", "central"])),
    key("ct.overflow", Word(&["discard", "stall"])),
    key("color.bits", Range(1, 16)),
    key("color.clb_entries", PowerOfTwo(1, 256)),
    key("color.epoch", Range(1, 65535)),
    key("color.items", Range(0, 64)),
    key("color.signature_bits", PowerOfTwo(16, 4096)),
    key("color.signature_banks", Range(1, 8)),
    key("breakpoints.entries", Range(0, border::breakpoint::MAX_ENTRIES as u64)),
    key("bridge.wishbone_bits", ZeroOrPowerOfTwo(32, 64)),
    key("bridge.axi4_bits", ZeroOrPowerOfTwo(32, 1024)),
    key("simulation.ram_bytes", PowerOfTwo(1 << 16, 1 << 30)),
    key("simulation.memory_latency", Range(1, 1000)),
    key("simulation.seed", Range(0, i64::MAX as u64)),
    key("simulation.perturbation.chance", Range(0, 256)),
    key("simulation.perturbation.burst", Range(0, 256)),
    key("simulation.perturbation.max_stall", Range(0, 1024)),
    key("simulation.perturbation.max_passes", Range(0, 64)),
    key("simulation.perturbation.rest_chance", Range(0, 65535)),
    key("simulation.perturbation.max_rest", Range(0, 32768)),
    key("simulation.perturbation.max_hold", Range(0, 32768)),
    key("simulation.perturbation.changes", Range(0, 4)),
    key("simulation.perturbation.change_range", Range(0, 65535)),
];

impl Allowed {
    fn admits(self, value: &Value) -> bool {
        let integer = value.as_integer().and_then(|i| u64::try_from(i).ok());
        match self {
            Range(min, max) => integer.is_some_and(|i| (min..=max).contains(&i)),
            PowerOfTwo(min, max) => {
                integer.is_some_and(|i| (min..=max).contains(&i) && i.is_power_of_two())
            }
            ZeroOrPowerOfTwo(min, max) => integer == Some(0) || PowerOfTwo(min, max).admits(value),
            Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Switch => value.is_bool(),
        }
    }
}

impl std::fmt::Display for Allowed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Range(min, max) => write!(f, "{min} to {max}"),
            PowerOfTwo(min, max) => write!(f, "a power of two from {min} to {max}"),
            ZeroOrPowerOfTwo(min, max) => write!(f, "0, or {}", PowerOfTwo(min, max)),
            Word(words) => {
                let quoted: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
                f.write_str(&quoted.join(", "))
            }
            Switch => f.write_str("true, false"),
        }
    }
}

/// The problem of a number outside a key's limits.
pub(crate) fn out_of_range(path: &str, value: u64) -> Option<Problem> {
    let Key { path: key, allowed } = *KEYS.iter().find(|key| key.path == path)?;
    Some(Problem::OutOfRange { key, value: value.to_string(), allowed })
}

/// All problems in `table` that concern one key only.
pub(crate) fn problems(table: &Table) -> Vec<Problem> {
    let mut found = Vec::new();
    walk("", table, &mut found);
    found
}

fn walk(prefix: &str, table: &Table, found: &mut Vec<Problem>) {
    for (name, value) in table {
        let path = format!("{prefix}{name}");
        let inner = format!("{path}.");
        if let Some(key) = KEYS.iter().find(|key| key.path == path) {
            if !key.allowed.admits(value) {
                found.push(Problem::OutOfRange {
                    key: key.path,
                    value: shown(value),
                    allowed: key.allowed,
                });
            }
        } else if !KEYS.iter().any(|key| key.path.starts_with(&inner)) {
            found.push(Problem::UnknownKey { nearest: nearest(&path), key: path });
        } else if let Value::Table(table) = value {
            walk(&inner, table, found);
        } else {
            found.push(Problem::NotATable { key: path, value: shown(value) });
        }
    }
}

/// A value as written, shortened.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::Table(_) => "a table".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        other => other.to_string(),
    };
    if text.chars().count() <= 60 {
        text
    } else {
        text.chars().take(60).chain("…".chars()).collect()
    }
}

/// The key that was probably meant.
fn nearest(path: &str) -> Option<&'static str> {
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let candidates = KEYS.iter().map(|key| {
        // `depth` alone most likely means `ct.depth`.
        let misplaced = usize::from(last(key.path) != last(path));
        let misspelled = distance(path, key.path);
        (misplaced.min(1) * misspelled, misspelled, key.path)
    });
    let (closeness, _, found) = candidates.min()?;
    (closeness <= path.chars().count().max(3) / 3).then_some(found)
}

/// Levenshtein distance. Long input is truncated: no misspelled key is that long.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(100).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn leaves(prefix: &str, table: &Table, out: &mut Vec<String>) {
        for (name, value) in table {
            match value {
                Value::Table(inner) => leaves(&format!("{prefix}{name}."), inner, out),
                _ => out.push(format!("{prefix}{name}")),
            }
        }
    }

    #[test]
    fn the_table_of_keys_and_the_structure_have_the_same_keys() {
        // Without breakpoints their table is not written, nor are counters that are off.
        let breakpoints = crate::Breakpoints { entries: 1 };
        let all = Config { breakpoints, counters: true, ..Config::every_unit() };
        let table = Table::try_from(all).unwrap();
        let mut fields = Vec::new();
        leaves("", &table, &mut fields);
        fields.sort();
        let mut keys: Vec<_> = KEYS.iter().map(|key| key.path).collect();
        keys.sort_unstable();
        assert_eq!(keys, fields);
    }

    #[test]
    fn misspelled_and_misplaced_keys_find_their_meaning() {
        assert_eq!(nearest("hearts"), Some("harts"));
        assert_eq!(nearest("context.event"), Some("context.events"));
        assert_eq!(nearest("depth"), Some("ct.depth"));
        assert_eq!(nearest("ct.dept"), Some("ct.depth"));
        assert_eq!(nearest("zebra"), None);
    }
}
