//! Which units are mutated, in which configurations, and which tests must notice.

/// A unit and its tests.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The unit's name.
    pub unit: &'static str,
    /// The test program in `tests/tests`.
    pub program: &'static str,
    /// Which of its tests.
    pub filters: &'static [&'static str],
    /// The modules that they build and that are mutated, each by itself. Small ones: a mutant of a large
    /// memory is the same mistake as one of a small memory.
    pub tops: &'static [&'static str],
    /// The module inside of them that the unit is, as its name begins; `None`: they are the unit.
    pub part: Option<&'static str>,
    /// The share of mutants, in percent, that must be killed or proved the same.
    pub required: u32,
}

/// All of them.
pub const TARGETS: &[Target] = &[
    alone("context_register", &["context_register::"], &["context_register_5"]),
    alone(
        "line_metadata",
        &["line_metadata::"],
        &[
            "line_metadata_5_p32e5h2t32_miss",
            "line_metadata_7_p33e16h3t33_first_write",
            "line_metadata_3_p16e5t7_every_write",
        ],
    ),
    alone(
        "communication_table",
        &["communication_table::"],
        &["communication_table_5_p31e3h3t33_l3", "communication_table_7_p48e7t20_stall"],
    ),
    alone("signature", &["signature::"], &["signature_16x2_c12", "signature_64x3_c9"]),
    alone(
        "hazard_color_set",
        &["hazard_color_set::"],
        &["hazard_color_set_16x2_c12", "hazard_color_set_64x3_c9"],
    ),
    in_memory_system("l1_data", "l1_data_2x2x8"),
    in_memory_system("bus", "bus_3"),
];

/// A unit that is tested by itself. All its mutants must be accounted for.
const fn alone(
    unit: &'static str,
    filters: &'static [&'static str],
    tops: &'static [&'static str],
) -> Target {
    Target { unit, program: "units", filters, tops, part: None, required: 100 }
}

/// A unit that is tested with others around it: three caches that meet on the bus.
const fn in_memory_system(unit: &'static str, part: &'static str) -> Target {
    Target {
        unit,
        program: "memory_system",
        filters: &["three_caches"],
        tops: &[
            "memory_system_3_2x2x8_p32e3h2t32_first_write_comm_monitor_32_4_p32e3h2t32_t32_perturbed",
        ],
        part: Some(part),
        required: 95,
    }
}

/// The mutants of each module, unless somebody says otherwise.
pub const COUNT: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_there_once() {
        let mut names: Vec<_> = TARGETS.iter().map(|target| target.unit).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TARGETS.len());
    }
}
