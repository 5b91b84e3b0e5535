//! Caches and bus with ephemeral transactions are legal circuits without a warning, in every shape.

use config::Preset;
use hdl::{Module, elaborate};
use units::geometry::Geometry;
use units::memory_system::MemorySystem;

#[test]
fn machines_with_transactions_of_any_shape() {
    let of_paper = MemorySystem::from_config(&Preset::Sim4.config()).expect("a machine");
    let geometries = [(1, 1, 8), (2, 2, 8), (4, 1, 16), (1, 4, 32), (8, 2, 64)];
    for (ways, sets, line) in geometries {
        for (harts, perturbed) in [(1, false), (2, true), (4, true)] {
            let geometry = Geometry { ways, sets, line };
            let plain = MemorySystem { harts, geometry, perturbed, ..of_paper.clone() };
            let colored = MemorySystem { colored: true, ..plain.clone() };
            assert_ne!(plain.name(), colored.name());
            let name = colored.name();
            let design =
                elaborate(colored).unwrap_or_else(|findings| panic!("{name}:\n{findings}"));
            assert_eq!(design.warnings, [], "{name}");
        }
    }
}
