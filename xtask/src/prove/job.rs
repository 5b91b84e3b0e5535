//! One proof as files: the Verilog, the scripts, and the record of its success.

use super::sby::Solver;
use super::script;
use crate::failure::Failure;
use crate::folder::{self, Scope};
use hdl::VerilogFile;
use kit::cache::Key;
use kit::file::write_atomic;
use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tools::{pin_id, target_dir};
use units::proofs::{Mistake, Proof};
use verilate::{Lines, without_comments};

/// The file with the key of the last success.
const PROVED: &str = "proved";

/// A proof as text.
pub struct Source {
    files: Vec<VerilogFile>,
    scripts: Vec<(String, String)>,
}

impl Source {
    /// The current source of a proof.
    pub fn of(proof: &Proof) -> Result<Source, Failure> {
        Source::searching(proof, 0..proof.cover_depth)
    }

    /// The same with a mistake injected.
    pub fn mistaken(proof: &Proof, mistake: &Mistake) -> Result<Source, Failure> {
        let mut source = Source::searching(proof, mistake.cycles(proof))?;
        source.make(mistake)?;
        Ok(source)
    }

    fn searching(proof: &Proof, search: Range<u32>) -> Result<Source, Failure> {
        let design = proof.design().map_err(|wrong| {
            Failure::failed(format!("the proof `{}` is not a legal circuit:\n{wrong}", proof.name))
        })?;
        let mark = format!("{} for the proof `{}`.", folder::MARK, proof.name);
        let files = design.verilog(&[&mark]);
        let scripts = script::scripts(proof, &design, &files, search);
        Ok(Source { files, scripts })
    }

    /// Hash of everything that the proof depends on.
    pub fn key(&self) -> String {
        key(&self.scripts, &self.files)
    }

    fn make(&mut self, mistake: &Mistake) -> Result<(), Failure> {
        let Mistake { what, module, was, becomes, .. } = *mistake;
        let of_module = |file: &&mut VerilogFile| file.name.starts_with(module);
        let mut changed = 0;
        for file in self.files.iter_mut().filter(of_module) {
            changed += file.text.matches(was).count();
            file.text = file.text.replace(was, becomes);
        }
        match changed {
            1 => Ok(()),
            _ => Err(Failure::failed(format!(
                "cannot inject the mistake \"{what}\": expected the text `{was}` once in the Verilog of \
                 `{module}`, found it {changed} times"
            ))),
        }
    }
}

/// A proof whose files are in place.
pub struct Job {
    /// The proof.
    pub proof: &'static Proof,
    /// Folder of its files.
    pub folder: PathBuf,
    /// Hash of its source.
    pub key: String,
}

impl Job {
    /// Writes the files of a proof.
    pub fn prepare(proof: &'static Proof) -> Result<Job, Failure> {
        Job::put(proof, Source::of(proof)?, Path::new(proof.name))
    }

    /// Writes the files of a proof with a mistake injected into the hardware.
    pub fn mistaken(proof: &'static Proof, mistake: &Mistake) -> Result<Job, Failure> {
        let name = mistake.what.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        Job::put(proof, Source::mistaken(proof, mistake)?, &Path::new("mistakes").join(name))
    }

    fn put(proof: &'static Proof, source: Source, name: &Path) -> Result<Job, Failure> {
        let key = source.key();
        let folder = target_dir().join("prove").join(name);
        let files: Vec<_> = source.files.into_iter().map(|file| (file.name, file.text)).collect();
        folder::write(&folder, &files, Scope::All)?;
        for (name, text) in &source.scripts {
            write_atomic(&folder.join(name), text.as_bytes())?;
        }
        Ok(Job { proof, folder, key })
    }

    /// Results folder of a task of the script.
    pub fn results(&self, task: &str) -> PathBuf {
        Path::new(&format!("{}_{task}", self.proof.name)).to_owned()
    }

    /// Whether this source was proved before.
    pub fn is_proved(&self) -> bool {
        fs::read_to_string(self.folder.join(PROVED)).is_ok_and(|proved| proved == self.key)
    }

    /// Records the success.
    pub fn remember(&self) -> Result<(), Failure> {
        Ok(write_atomic(&self.folder.join(PROVED), self.key.as_bytes())?)
    }

    /// Removes the record of success.
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

/// Hash of everything that a proof depends on.
fn key(scripts: &[(String, String)], files: &[VerilogFile]) -> String {
    let verilog = files.iter().map(|file| without_comments(&file.text, Lines::Drop));
    let scripts = scripts.iter().map(|(_, text)| text.clone());
    Key::of(Solver::TOOLS.map(pin_id).into_iter().chain(scripts).chain(verilog)).hex()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_stands_until_its_verilog_or_its_script_changes() {
        let file = |text: &str| [VerilogFile { name: "a.v".into(), text: text.into() }];
        let script = |text: &str| [("a.sby".to_owned(), text.to_owned())];
        let first = key(&script("script"), &file("module a; // here\nendmodule\n"));
        assert_eq!(first, key(&script("script"), &file("module a; // there\nendmodule\n")));
        assert_ne!(first, key(&script("script"), &file("module b; // here\nendmodule\n")));
        assert_ne!(first, key(&script("other"), &file("module a; // here\nendmodule\n")));
    }
}
