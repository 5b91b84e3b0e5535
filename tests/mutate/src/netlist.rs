//! The mutants of a module as files, made by Yosys: one Verilog text with all of them and an input that
//! selects one, and the same for the solver.

use crate::files;
use crate::model::Model;
use crate::mutant::{Mutant, select_width};
use crate::rows::fill_up;
use kit::Failure;
use kit::cache::{Cache, Key};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tools::{Installed, Tool, pin_id};

/// The Verilog with all mutants; `cosim::testing::mutation` looks for it.
pub const MUTANTS: &str = "mutants.v";
/// The folder for the Verilog as it is generated.
pub const ORIGINAL: &str = "original";
/// The mutated part for the solver.
pub const MODEL: &str = "model.smt2";
/// The design as Yosys has it before it is mutated.
const DESIGN: &str = "design.il";
/// The list of mutants.
const LIST: &str = "mutants.json";

/// Seed of the random choice of mutants.
const SEED: u32 = 1;

/// What is mutated, and how often.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The module that the tests build.
    pub top: String,
    /// Beginning of the name of the module inside it to mutate, with its children; `None`: the top module.
    pub part: Option<String>,
    /// Beginning of the name of a child that is not mutated.
    pub without: Option<String>,
    /// Number of mutants.
    pub count: usize,
}

/// A folder with the mutants of a module.
#[derive(Clone, Debug)]
pub struct Netlist {
    /// Where they are. The last part of the path is the top module's name.
    pub folder: PathBuf,
    /// The mutants, by number from 1.
    pub mutants: Vec<Mutant>,
}

impl Netlist {
    /// Mutates the Verilog in `original`, or finds it mutated below `root`.
    pub fn make(
        plan: &Plan,
        original: &[(String, String)],
        root: &Path,
        yosys: &Installed,
    ) -> Result<Netlist, Failure> {
        let part = part_module(plan, original)?;
        let names: Vec<&str> = original.iter().map(|(name, _)| name.as_str()).collect();
        let listing = listing(plan, &part, &names);
        let finish = finishing(&part, &plan.top);
        let (pin, count) = (pin_id(Tool::Yosys), plan.count.to_string());
        let texts = original.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()]);
        let decided = [&*listing, &*finish, &*pin, &*count, include_str!("rows.rs")];
        let key = Key::of(decided.into_iter().chain(texts)).name();
        let open = |entry: &Path| {
            let folder = entry.join(&plan.top);
            let list = files::read_json(&folder.join(LIST));
            let mutants = list.ok_or_else(|| files::unusable(&folder))?;
            Ok(Netlist { folder, mutants })
        };
        Cache::at(root.to_owned()).entry(&format!("{}-{key}", plan.top), open, |entry| {
            let inside = entry.join(&plan.top);
            let originals = inside.join(ORIGINAL);
            files::make(&originals)?;
            for (name, text) in original {
                files::write(&originals.join(name), text)?;
            }
            run(yosys, &inside, "list.ys", &listing)?;
            let list = files::read(&inside.join("list.txt"))?;
            let mutants = Mutant::parse_list(&list, plan.count).map_err(Failure::failed)?;
            let design = inside.join(DESIGN);
            files::write(&design, &fill_up(&files::read(&design)?))?;
            let width = select_width(mutants.len());
            let commands: String =
                mutants.iter().map(|mutant| mutant.command(width) + "\n").collect();
            run(yosys, &inside, "mutate.ys", &format!("read_rtlil {DESIGN}\n{commands}{finish}"))?;
            files::write_json(&inside.join(LIST), &mutants)
        })
    }

    /// The file for verdicts of a kind: beside the netlist, which does not change once it is made.
    pub fn verdicts(&self, kind: &str) -> PathBuf {
        let entry = self.folder.parent().unwrap_or(&self.folder);
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        entry.with_file_name(format!("{name}-{kind}"))
    }

    /// The Verilog as it was generated, by file name.
    pub fn original(&self, file: &str) -> Option<String> {
        fs::read_to_string(self.folder.join(ORIGINAL).join(file)).ok()
    }

    /// The mutated part for the solver.
    pub fn model(&self) -> Result<Model, Failure> {
        Model::parse(&files::read(&self.folder.join(MODEL))?).map_err(Failure::failed)
    }
}

/// The full name of the module that is mutated.
fn part_module(plan: &Plan, original: &[(String, String)]) -> Result<String, Failure> {
    let Some(part) = &plan.part else { return Ok(plan.top.clone()) };
    let modules = original.iter().flat_map(|(_, text)| text.lines()).filter_map(|line| {
        let name = line.strip_prefix("module ")?.split([' ', '(']).next()?;
        name.starts_with(part.as_str()).then_some(name)
    });
    match modules.collect::<Vec<_>>()[..] {
        [module] => Ok(module.to_owned()),
        ref found => Err(Failure::failed(format!(
            "{} modules of `{}` begin with `{part}`; expected exactly one",
            found.len(),
            plan.top
        ))),
    }
}

/// Reads the Verilog, and lists mutants of what decides the outputs: not of what only properties read.
fn listing(plan: &Plan, part: &str, names: &[&str]) -> String {
    let files: Vec<String> = names.iter().map(|name| format!("{ORIGINAL}/{name}")).collect();
    // Twice as many as wanted, for some are left out.
    let ask = 2 * plan.count;
    let without = plan.without.as_ref();
    let without = without.map_or_else(String::new, |name| format!(" {name}* %d"));
    format!(
        "read_verilog -sv -formal {files}\nhierarchy -check -top {top}\nchformal -cover -remove\n\
         prep -nordff -top {top}\nwrite_rtlil {DESIGN}\n\
         select -set below {part} %s %s %s{without}\n\
         mutate -list {ask} -seed {SEED} -o list.txt o:* %ci* @below %i\n",
        files = files.join(" "),
        top = plan.top,
    )
}

/// Writes the mutated design for Verilator, and the mutated part for the solver. What modules inside the
/// part assume is no assumption of the part.
fn finishing(part: &str, top: &str) -> String {
    let cut = if part == top { String::new() } else { format!("hierarchy -top {part}\n") };
    format!(
        "write_verilog -noattr -sv {MUTANTS}\n{cut}chformal -assume2assert {part} %n\nflatten\n\
         async2sync\nchformal -lower\ndffunmap\nopt_clean\nwrite_smt2 -wires -stbv {MODEL}\n"
    )
}

fn run(yosys: &Installed, folder: &Path, name: &str, script: &str) -> Result<(), Failure> {
    files::write(&folder.join(name), script)?;
    // It comes as WebAssembly and sees no other folder, so all names are relative.
    let mut command = yosys.command();
    command.args(["-q", "-s", name]).current_dir(folder).stdin(Stdio::null());
    let output =
        command.output().map_err(|error| Failure::failed(format!("cannot run Yosys: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let error = said.lines().find(|line| line.starts_with("ERROR:"));
    let line = error.or(said.lines().last()).unwrap_or("no output");
    Err(Failure::failed(format!("Yosys cannot mutate {}: {line}", folder.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(part: Option<&str>) -> Plan {
        let (top, part) = ("machine_2".into(), part.map(str::to_owned));
        Plan { top, part, without: None, count: 5 }
    }

    #[test]
    fn a_part_is_found_by_the_beginning_of_its_name() {
        let files =
            [("a.v".to_owned(), "module cache_4 (\nmodule way(\nmodule machine_2 (\n".into())];
        assert_eq!(part_module(&plan(Some("cache_")), &files).unwrap(), "cache_4");
        assert_eq!(part_module(&plan(None), &files).unwrap(), "machine_2");
        let none = part_module(&plan(Some("bus_")), &files).unwrap_err().to_string();
        assert_eq!(none, "0 modules of `machine_2` begin with `bus_`; expected exactly one");
    }
}
