//! The hart with its instruction cache, in a bench with a naive memory.

use units::hart::Hart;
use units::hart::beside::HartUnits;
use units::hart::interrupts::TABLE;
use units::l1_instruction::L1Instruction;

/// A hart as a machine with monitors has it.
fn hart(reset_vector: u32, predictor_entries: usize) -> Hart {
    Hart {
        reset_vector,
        predictor_entries,
        origin: true,
        interrupts: vec![TABLE],
        units: HartUnits::none(),
    }
}

#[test]
fn hart_and_cache_are_legal_circuits_without_warnings() {
    let hart = hart(border::map::RAM.base, 32);
    match hdl::elaborate(hart) {
        Ok(design) => assert_eq!(design.warnings, []),
        Err(findings) => panic!("{findings}"),
    }
    for (bytes, ways, line) in
        [(4096, 2, 32), (32768, 8, 64), (32, 1, 32), (64, 2, 32), (64, 1, 16)]
    {
        match hdl::elaborate(L1Instruction { bytes, ways, line }) {
            Ok(design) => assert_eq!(design.warnings, []),
            Err(findings) => panic!("{findings}"),
        }
    }
}

mod asm;
mod check;
mod machine;
mod random;
mod record;

mod anything;
mod beside;
mod events;
mod instructions;
mod interrupts;
mod pmp;
mod traps;
