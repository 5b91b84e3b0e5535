//! One proof as files: the Verilog, the script, and whether it was proved already.

use super::sby::Solver;
use crate::failure::Failure;
use crate::file;
use crate::folder::{self, Scope};
use hdl::VerilogFile;
use hdl::ir::Design;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tools::{pin_id, target_dir};
use units::proofs::{self, Mistake, Proof, Reach, Resets};
use verilate::{Lines, without_comments};

/// The task of a script that checks what must hold.
pub const CHECK: &str = "check";
/// The task that looks for what must be able to happen.
pub const COVER: &str = "cover";
/// The task that looks for a run from reset, where an induction says only that it does not know.
pub const SEARCH: &str = "search";

/// The file that names what was proved last.
const PROVED: &str = "proved";

/// A proof as text.
pub struct Source {
    files: Vec<VerilogFile>,
    script: String,
}

impl Source {
    /// What a proof is of now.
    pub fn of(proof: &Proof) -> Result<Source, Failure> {
        let design = proof.design().map_err(|wrong| {
            Failure::failed(format!("the proof `{}` is not a legal circuit:\n{wrong}", proof.name))
        })?;
        let mark = format!("{} for the proof `{}`.", folder::MARK, proof.name);
        let files = design.verilog(&[&mark]);
        let script = script(proof, &design, &files);
        Ok(Source { files, script })
    }

    /// What decides whether a proof still stands.
    pub fn key(&self) -> String {
        key(&self.script, &self.files)
    }

    /// The same with a mistake in it.
    pub fn with(mut self, mistake: &Mistake) -> Result<Source, Failure> {
        let Mistake { what, module, was, becomes, .. } = *mistake;
        let of_module = |file: &&mut VerilogFile| file.name.starts_with(module);
        let mut changed = 0;
        for file in self.files.iter_mut().filter(of_module) {
            changed += file.text.matches(was).count();
            file.text = file.text.replace(was, becomes);
        }
        match changed {
            1 => Ok(self),
            _ => Err(Failure::failed(format!(
                "the mistake \"{what}\" is in {changed} places of `{module}`, not in one: its line is \
                 no more `{was}`"
            ))),
        }
    }
}

/// A proof whose files are in place.
pub struct Job {
    /// The proof.
    pub proof: &'static Proof,
    /// Where its files are.
    pub folder: PathBuf,
    /// What it is of.
    pub key: String,
}

impl Job {
    /// Writes the files of a proof.
    pub fn prepare(proof: &'static Proof) -> Result<Job, Failure> {
        Job::put(proof, Source::of(proof)?, Path::new(proof.name))
    }

    /// Writes the files of a proof of hardware with a mistake in it.
    pub fn mistaken(proof: &'static Proof, mistake: &Mistake) -> Result<Job, Failure> {
        let name = mistake.what.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        Job::put(proof, Source::of(proof)?.with(mistake)?, &Path::new("mistakes").join(name))
    }

    fn put(proof: &'static Proof, source: Source, name: &Path) -> Result<Job, Failure> {
        let key = source.key();
        let folder = target_dir().join("prove").join(name);
        let files: Vec<_> = source.files.into_iter().map(|file| (file.name, file.text)).collect();
        folder::write(&folder, &files, Scope::All)?;
        file::put(&folder.join(script_name(proof)), &source.script)?;
        Ok(Job { proof, folder, key })
    }

    /// The script's name.
    pub fn script(&self) -> String {
        script_name(self.proof)
    }

    /// Where a task of the script leaves its results, inside the folder.
    pub fn results(&self, task: &str) -> PathBuf {
        Path::new(&format!("{}_{task}", self.proof.name)).to_owned()
    }

    /// Whether exactly this was proved before.
    pub fn is_proved(&self) -> bool {
        fs::read_to_string(self.folder.join(PROVED)).is_ok_and(|proved| proved == self.key)
    }

    /// This was proved.
    pub fn remember(&self) -> Result<(), Failure> {
        file::put(&self.folder.join(PROVED), &self.key)
    }

    /// Nothing is known to be proved.
    pub fn forget(&self) -> Result<(), Failure> {
        let place = self.folder.join(PROVED);
        match fs::remove_file(&place) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(Failure::failed(format!("cannot remove {}: {error}", place.display())))
            }
            _ => Ok(()),
        }
    }
}

fn script_name(proof: &Proof) -> String {
    format!("{}.sby", proof.name)
}

/// The hash of all that a proof depends on.
fn key(script: &str, files: &[VerilogFile]) -> String {
    let mut hash = Sha256::new();
    let verilog = files.iter().map(|file| without_comments(&file.text, Lines::Drop));
    let parts = Solver::TOOLS.map(pin_id).into_iter().chain([script.to_owned()]);
    for part in parts.chain(verilog) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// The SymbiYosys script. The proof's top module alone may assume: what others assume is proved, and
/// what others cover is not asked for. The first cycle is a reset.
/// A row that is read while it is written, where the design says that it does not care, is any value.
fn script(proof: &Proof, design: &Design, files: &[VerilogFile]) -> String {
    let top = &design.top().name;
    let (mode, depth) = match proof.reach {
        Reach::Unbounded(depth) => ("prove", depth),
        Reach::Bounded(depth) => ("bmc", depth),
    };
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let inner = match files.len() {
        1 => String::new(),
        _ => format!("chformal -assume2assert {top} %n\nchformal -cover -remove {top} %n\n"),
    };
    format!(
        "# The proof `{name}`, for SymbiYosys.\n\
         [tasks]\n{CHECK}\n{COVER}\n{SEARCH}\n\n\
         [options]\n{CHECK}: mode {mode}\n{CHECK}: depth {depth}\n\
         {COVER}: mode cover\n{COVER}: depth {cover_depth}\n\
         {SEARCH}: mode bmc\n{SEARCH}: depth {cover_depth}\n\n\
         [engines]\nsmtbmc {solver}\n\n\
         [script]\nread_verilog -formal {verilog}\nhierarchy -check -top {top}\nproc\n{inner}\
         flatten\nfminit -seq rst 1'b1,{later}\nprep -top {top}\nmemory_nordff\nsetundef -anyseq\n\
         memory_map\nopt -full\n\n\
         [files]\n{list}\n",
        name = proof.name,
        solver = match proof.solver {
            proofs::Solver::Z3 => "z3",
            proofs::Solver::Yices => "yices",
        },
        later = match proof.resets {
            Resets::Any => "1'bz",
            Resets::First => "1'b0",
        },
        cover_depth = proof.cover_depth,
        verilog = names.join(" "),
        list = names.join("\n"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::proofs::PROOFS;

    #[test]
    fn a_proof_stands_until_its_verilog_or_its_script_changes() {
        let file = |text: &str| [VerilogFile { name: "a.v".into(), text: text.into() }];
        let first = key("script", &file("module a; // here\nendmodule\n"));
        assert_eq!(first, key("script", &file("module a; // there\nendmodule\n")));
        assert_ne!(first, key("script", &file("module b; // here\nendmodule\n")));
        assert_ne!(first, key("other", &file("module a; // here\nendmodule\n")));
    }

    #[test]
    fn assumptions_of_inner_modules_are_proved() {
        for proof in PROOFS {
            let design = proof.design().unwrap();
            let files = design.verilog(&[]);
            let text = script(proof, &design, &files);
            let turned = format!("chformal -assume2assert {} %n", design.top().name);
            assert_eq!(text.contains(&turned), files.len() > 1, "{text}");
        }
    }
}
