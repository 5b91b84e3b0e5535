//! Units to mutate, in which configurations, and the tests that must notice.

/// A unit and its tests.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The unit's name.
    pub unit: &'static str,
    /// The modules that are mutated, each by itself.
    pub subjects: &'static [Subject],
    /// Share of mutants, in percent, that must be killed or proved equivalent.
    pub required: u32,
}

/// A module that tests build.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Its name. A small one: a mutant of a large memory is the same mistake as one of a small memory.
    pub top: &'static str,
    /// Beginning of the name of the module inside it to mutate, with its children; `None`: the module itself.
    pub part: Option<&'static str>,
    /// Beginning of the name of a child that is not mutated.
    pub without: Option<&'static str>,
    /// The test program in `tests/tests`.
    pub program: &'static str,
    /// Filters that select its tests.
    pub filters: &'static [&'static str],
}

/// The units to mutate.
pub const TARGETS: &[Target] = &[
    all_of("context_register", &[alone("context_register_5", &["context_register::"])]),
    all_of(
        "line_metadata",
        &[
            alone("line_metadata_5_p32e5h2t32_miss", &["line_metadata::"]),
            alone("line_metadata_7_p33e16h3t33_first_write", &["line_metadata::"]),
            alone("line_metadata_3_p16e5t7_every_write", &["line_metadata::"]),
        ],
    ),
    all_of(
        "communication_table",
        &[
            alone("communication_table_5_p31e3h3t33_l3", &["communication_table::"]),
            alone("communication_table_7_p48e7t20_stall", &["communication_table::"]),
        ],
    ),
    all_of(
        "signature",
        &[
            alone("signature_16x2_c12", &["signature::"]),
            alone("signature_64x3_c9", &["signature::"]),
        ],
    ),
    all_of(
        "hazard_color_set",
        &[
            alone("hazard_color_set_16x2_c12", &["hazard_color_set::"]),
            alone("hazard_color_set_64x3_c9", &["hazard_color_set::"]),
        ],
    ),
    all_of(
        "comm_monitor",
        &[
            around_table("comm_monitor_32_5_p64e5h8t1"),
            around_table("comm_monitor_40_7_p33e3h2t33_stall"),
        ],
    ),
    all_of(
        "serializability_checker",
        &[alone("serializability_checker_5", &["serializability_checker::"])],
    ),
    // What is beside a `valid` that is 0 is nobody's business, and it can differ.
    most_of("history_buffer", &[alone("history_buffer_3_8x2_c12", &["history_buffer::"])]),
    most_of("color_lookaside", &[alone("color_lookaside_3_c5", &["color_lookaside::"])]),
    most_of("l1_data", &[in_memory_system("l1_data_2x2x8", None)]),
    // Whose turn it is, and who is passed over, can be told exactly only of the arbiter by itself.
    most_of(
        "bus",
        &[
            in_memory_system("bus_3", Some("bus_arbiter_")),
            alone("bus_arbiter_7_perturbed", &["bus_arbiter::"]),
        ],
    ),
];

/// A unit of which every mutant must be accounted for.
const fn all_of(unit: &'static str, subjects: &'static [Subject]) -> Target {
    Target { unit, subjects, required: 100 }
}

/// A unit of which some may be beyond both the tests and the solver.
const fn most_of(unit: &'static str, subjects: &'static [Subject]) -> Target {
    Target { unit, subjects, required: 95 }
}

/// A module that is tested by itself.
const fn alone(top: &'static str, filters: &'static [&'static str]) -> Subject {
    Subject { top, part: None, without: None, program: "units", filters }
}

/// A monitor without its table, which is mutated by itself.
const fn around_table(top: &'static str) -> Subject {
    let without = Some("communication_table_");
    Subject { without, ..alone(top, &["comm_monitor::"]) }
}

/// A module that is tested with others around it: three caches that meet on the bus.
const fn in_memory_system(part: &'static str, without: Option<&'static str>) -> Subject {
    Subject {
        top: "memory_system_3_2x2x8_p32e3h2t11_first_write_comm_monitor_32_4_p32e3h2t11_t11_perturbed",
        part: Some(part),
        without,
        program: "memory_system",
        filters: &["three_caches"],
    }
}

/// Default number of mutants of each module.
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
