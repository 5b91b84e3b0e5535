//! The generated Verilog in other people's hands: other simulators, other cores, other build tools.

mod example;
mod machine;
mod package;

use crosstalk_tests::simulators::Icarus;

/// Icarus, where it is installed; else it is said that the test does nothing.
fn icarus() -> Option<Icarus> {
    let found = Icarus::new();
    if found.is_none() {
        eprintln!("skipped: Icarus is not on the PATH (Debian package `iverilog`)");
    }
    found
}
