//! How far the fixed variants are, by the ledger of the soak (`docs/soak.md`).

use crate::error::Error;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A row of the ledger, as far as the page tells of it.
#[derive(Deserialize)]
struct Passed {
    schedules: u64,
}

/// The fewest schedules that any of these programs passed on the hardware and on the golden machine, in words.
///
/// # Errors
/// If that is no ledger.
pub fn sentence(ledger: &str, programs: &[&str]) -> Result<String, Error> {
    let rows: BTreeMap<String, BTreeMap<String, Passed>> = serde_json::from_str(ledger)
        .map_err(|error| Error::Page(format!("docs/results/fixed.json: {error}")))?;
    let fewest = |on: &str| {
        let of = |name: &&str| rows.get(on)?.get(*name).map(|passed| passed.schedules);
        programs.iter().map(|name| of(name).unwrap_or(0)).min().unwrap_or(0)
    };
    Ok(format!(
        "each ran without a failure under {} schedules or more on the hardware, and under {} or more on the golden \
         machine",
        fewest("rtl"),
        fewest("golden")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_that_is_least_far_counts_and_damage_is_named() {
        let ledger = r#"{
            "golden": {"x": {"elf": "", "machine": "", "schedules": 90}},
            "rtl": {"x": {"schedules": 7}, "y": {"schedules": 5}}
        }"#;
        let both = sentence(ledger, &["x", "y"]).unwrap();
        assert!(both.contains("under 5 schedules") && both.contains("under 0 or"), "{both}");
        let one = sentence(ledger, &["x"]).unwrap();
        assert!(one.contains("under 7 schedules") && one.contains("under 90 or"), "{one}");
        let error = sentence("{", &["x"]).unwrap_err().to_string();
        assert!(error.contains("docs/results/fixed.json"), "{error}");
    }
}
