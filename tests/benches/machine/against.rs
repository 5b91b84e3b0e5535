//! The Verilog of another version of the machine, which `cargo xtask bench --against COMMIT` has generated.

use std::fs;
use std::path::PathBuf;

use measure::command;
use verilate::ModelSource;

/// Another version: a folder for each number of harts, with its Verilog.
pub struct Other {
    /// Its name: the commit.
    pub name: String,
    folder: PathBuf,
}

impl Other {
    /// The one that `--against` names, if it does: the folder, named after the commit.
    pub fn asked_for() -> Option<Other> {
        let folder = PathBuf::from(command::value_of("--against")?);
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        Some(Other { name: name.unwrap_or_default(), folder })
    }

    /// The machine with so many harts; built as `like`, whose top module has the same name.
    pub fn source(&self, like: &ModelSource, harts: u32) -> Result<ModelSource, String> {
        let folder = self.folder.join(harts.to_string());
        let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder).map_err(wrong)? {
            let path = entry.map_err(wrong)?.path();
            if path.extension().is_some_and(|end| end == "v") {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                files.push((name, fs::read_to_string(&path).map_err(wrong)?));
            }
        }
        files.sort();
        Ok(ModelSource { files, ..like.clone() })
    }
}
