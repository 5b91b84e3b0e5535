//! What the tools are told: scripts for SymbiYosys, and for Yosys and ABC where PDR proves.

use hdl::VerilogFile;
use hdl::ir::Design;
use std::ops::Range;
use units::proofs::{Proof, Reach, Resets, Solver};

/// The task of SymbiYosys that checks what must hold.
pub const CHECK: &str = "check";
/// The task that looks for what must be able to happen.
pub const COVER: &str = "cover";
/// The task that looks for a run from reset, where a proof says only that it does not know.
pub const SEARCH: &str = "search";

/// The script that makes Yosys run PDR.
pub const PDR: &str = "pdr.ys";
/// Where PDR's answer is.
pub const ANSWER: &str = "pdr.answer";

/// All scripts of a proof, by name, that search in these cycles.
pub fn scripts(
    proof: &Proof,
    design: &Design,
    files: &[VerilogFile],
    search: Range<u32>,
) -> Vec<(String, String)> {
    let circuit = circuit(proof, design, files);
    let mut scripts = vec![(sby_name(proof), sby(proof, files, &circuit, search))];
    if proof.reach == Reach::Invariant {
        scripts.push((PDR.to_owned(), pdr(&circuit)));
        scripts.push((ABC.to_owned(), ABC_COMMANDS.to_owned()));
    }
    scripts
}

/// The name of the script for SymbiYosys.
pub fn sby_name(proof: &Proof) -> String {
    format!("{}.sby", proof.name)
}

/// How Yosys gets at the circuit. The proof's top module alone may assume: what others assume is
/// proved, and what others cover is not asked for. The first cycle is a reset. A row that is read while
/// it is written, where the design says that it does not care, is any value.
fn circuit(proof: &Proof, design: &Design, files: &[VerilogFile]) -> String {
    let top = &design.top().name;
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let inner = match files.len() {
        1 => String::new(),
        _ => format!("chformal -assume2assert {top} %n\nchformal -cover -remove {top} %n\n"),
    };
    let later = match proof.resets {
        Resets::Any => "1'bz",
        Resets::First => "1'b0",
    };
    format!(
        "read_verilog -formal {verilog}\nhierarchy -check -top {top}\nproc\n{inner}\
         flatten\nfminit -seq rst 1'b1,{later}\nprep -top {top}\nmemory_nordff\nsetundef -anyseq\n\
         memory_map\nopt -full\n",
        verilog = names.join(" "),
    )
}

fn sby(proof: &Proof, files: &[VerilogFile], circuit: &str, search: Range<u32>) -> String {
    let cover_depth = proof.cover_depth;
    let skip = match search.start {
        0 => String::new(),
        start => format!("{SEARCH}: skip {start}\n"),
    };
    let search = format!("mode bmc\n{skip}{SEARCH}: depth {}", search.end);
    let (task, options) = match proof.reach {
        Reach::Unbounded(depth) => (CHECK, format!("mode prove\n{CHECK}: depth {depth}")),
        Reach::Bounded(depth) => (CHECK, format!("mode bmc\n{CHECK}: depth {depth}")),
        // PDR checks; searching is left to SymbiYosys.
        Reach::Invariant => (SEARCH, search.clone()),
    };
    let (tasks, search) = match task {
        SEARCH => (format!("{COVER}\n{SEARCH}"), String::new()),
        _ => (format!("{CHECK}\n{COVER}\n{SEARCH}"), format!("{SEARCH}: {search}\n")),
    };
    let solver = match proof.solver {
        Solver::Z3 => "z3",
        Solver::Yices => "yices",
    };
    let list: String = files.iter().map(|file| format!("{}\n", file.name)).collect();
    format!(
        "# The proof `{name}`, for SymbiYosys.\n\
         [tasks]\n{tasks}\n\n\
         [options]\n{task}: {options}\n\
         {COVER}: mode cover\n{COVER}: depth {cover_depth}\n{search}\n\
         [engines]\nsmtbmc {solver}\n\n\
         [script]\n{circuit}\n\
         [files]\n{list}",
        name = proof.name,
    )
}

/// The script of ABC.
const ABC: &str = "pdr.abc";
/// The circuit for ABC.
const MODEL: &str = "pdr.aig";

/// Makes the circuit one of gates, as SymbiYosys does it for ABC. Yosys brings ABC along, but
/// only its pass `abc` runs it: it is given a circuit that does not matter to run the script on.
fn pdr(circuit: &str) -> String {
    format!(
        "{circuit}\
         async2sync\nchformal -assume -early\nformalff -setundef -clk2ff -ff2anyinit -hierarchy\n\
         chformal -live -fair -cover -remove\nopt_clean\ncheck\nsetundef -undriven -anyseq\n\
         opt -fast\nformalff -assume\nsetattr -unset keep\ndelete -output\nopt -full\ntechmap\n\
         opt -fast\nformalff -clk2ff -ff2anyinit\nsimplemap\ndffunmap\naigmap\nopt_clean\n\
         write_aiger -I -B -zinit -no-startoffset {MODEL}\n\
         design -reset\n\
         read_verilog <<EOT\n\
         module carrier (input a, input b, output y); assign y = a & b; endmodule\n\
         EOT\n\
         simplemap\nabc -script {ABC}\n"
    )
}

/// Assumptions go into the properties (`fold`), registers that are equal become one (`scorr`), and all
/// properties one. At the end ABC has the circuit again that it was called with.
const ABC_COMMANDS: &str = "\
write_blif carrier.blif
read_aiger pdr.aig
strash
fold
scorr
dc2
scorr
dc2
orpos
pdr
write_status pdr.answer
read_blif carrier.blif
strash
map
";

#[cfg(test)]
mod tests {
    use super::*;
    use units::proofs::PROOFS;

    fn scripts_of(proof: &Proof) -> (usize, Vec<(String, String)>, String) {
        let design = proof.design().unwrap();
        let files = design.verilog(&[]);
        (files.len(), scripts(proof, &design, &files, 0..5), design.top().name.clone())
    }

    #[test]
    fn assumptions_of_inner_modules_are_proved() {
        for proof in PROOFS {
            let (modules, scripts, top) = scripts_of(proof);
            let turned = format!("chformal -assume2assert {top} %n");
            for (name, text) in scripts.iter().filter(|(name, _)| name != ABC) {
                assert_eq!(text.contains(&turned), modules > 1, "{name}:\n{text}");
            }
        }
    }

    #[test]
    fn every_task_that_is_run_is_in_the_script() {
        for proof in PROOFS {
            let (_, scripts, _) = scripts_of(proof);
            let by_pdr = proof.reach == Reach::Invariant;
            assert_eq!(scripts.iter().any(|(name, _)| name == PDR), by_pdr, "{}", proof.name);
            for (task, wanted) in [(CHECK, !by_pdr), (COVER, true), (SEARCH, true)] {
                let text = &scripts[0].1;
                assert_eq!(text.contains(&format!("\n{task}: depth ")), wanted, "{text}");
            }
        }
    }

    #[test]
    fn a_search_skips_the_cycles_before_it() {
        for proof in PROOFS {
            let design = proof.design().unwrap();
            let text = &scripts(proof, &design, &design.verilog(&[]), 7..9)[0].1;
            let window = format!("\n{SEARCH}: mode bmc\n{SEARCH}: skip 7\n{SEARCH}: depth 9\n");
            assert!(text.contains(&window), "{text}");
            let whole = &scripts(proof, &design, &design.verilog(&[]), 0..9)[0].1;
            assert!(!whole.contains("skip"), "{whole}");
        }
    }

    #[test]
    fn the_files_of_pdr_have_the_names_that_its_scripts_use() {
        assert!(ABC_COMMANDS.contains(&format!("read_aiger {MODEL}\n")));
        assert!(ABC_COMMANDS.contains(&format!("write_status {ANSWER}\n")));
    }
}
