//! One module synthesized by itself, with the modules inside it as black boxes.
//!
//! So its cost is its own, is the same wherever it stands, and has to be found once. The price is
//! that nothing is optimized across the borders of modules; docs/area.md says how much that is.

use crate::blueprint::{Part, SHELL};
use crate::target::Target;
use crate::work::Job;
use crate::{cache, tool};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use tools::{Installed, Tool};

/// Results of synthesis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synthesized {
    /// Number of cells by kind.
    pub cells: BTreeMap<String, u64>,
    /// The resource of each memory, by name.
    pub memories: BTreeMap<String, String>,
}

/// A module to be synthesized.
pub struct Synthesis {
    name: String,
    files: Vec<(String, String)>,
    script: String,
    key: String,
    yosys: Installed,
}

impl Synthesis {
    /// The job for a part of a design; `stubs` are the modules inside it.
    pub fn new<'a>(
        part: &Part,
        stubs: impl IntoIterator<Item = &'a Part>,
        target: Target,
        yosys: &Installed,
    ) -> Self {
        let mut inside: Vec<(&str, &str)> =
            stubs.into_iter().map(|child| (&*child.name, &*child.stub)).collect();
        inside.sort_unstable();
        inside.dedup();
        let stubs: Vec<&str> = inside.iter().map(|(_, text)| *text).collect();
        let script = format!(
            "read_verilog module.v\nread_verilog -lib stubs.v\nread_verilog shell.v\n\
             {}tee -q -o stat.json stat -json\n",
            target.synthesis(SHELL)
        );
        let files = [
            ("module.v", part.text.clone()),
            ("stubs.v", stubs.concat()),
            ("shell.v", part.shell.clone()),
        ];
        let files = files.map(|(name, text)| (name.to_owned(), text)).to_vec();
        let texts = files.iter().map(|(_, text)| text.as_str());
        let key = cache::key([&*script, &tools::pin_id(Tool::Yosys)], texts);
        Self { name: part.name.clone(), files, script, key, yosys: yosys.clone() }
    }
}

impl Job for Synthesis {
    fn what(&self) -> String {
        format!("synthesize {}", self.name)
    }

    fn key(&self) -> &str {
        &self.key
    }

    fn weight(&self) -> usize {
        self.files.iter().map(|(_, text)| text.len()).sum()
    }

    fn run(&self, folder: &Path) -> Result<Value, String> {
        tool::write_files(folder, &self.files)?;
        tool::write_files(folder, &[("synthesize.ys".into(), self.script.clone())])?;
        let log = tool::run(self.yosys.command().args(["-s", "synthesize.ys"]), folder)?;
        let found = Synthesized {
            cells: cells(&tool::read(folder, "stat.json")?, SHELL)?,
            memories: memories(&log),
        };
        Ok(serde_json::to_value(found).expect("plain data"))
    }
}

/// The cells of one module in the output of `stat -json`.
pub fn cells(stat: &str, module: &str) -> Result<BTreeMap<String, u64>, String> {
    let odd = || "unexpected format of the output of Yosys's `stat`".to_owned();
    let stat: Value = serde_json::from_str(stat).map_err(|error| format!("{}: {error}", odd()))?;
    let module = stat.pointer(&format!("/modules/\\{module}")).ok_or_else(odd)?;
    // A module inside is listed apart from cells by newer versions.
    let lists = ["num_cells_by_type", "num_submodules_by_type"];
    let lists = lists.iter().filter_map(|list| module.get(list)?.as_object());
    let mut cells = BTreeMap::new();
    for (kind, count) in lists.flatten() {
        let kind = kind.trim_start_matches('\\').to_owned();
        cells.insert(kind, count.as_u64().ok_or_else(odd)?);
    }
    Ok(cells)
}

/// How each memory was mapped, from the log.
pub fn memories(log: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for line in log.lines() {
        let mapped = line.strip_prefix("mapping memory ").and_then(|rest| rest.split_once(" via "));
        let flip_flops = line.strip_prefix("using FF mapping for memory ");
        let (memory, into) = match (mapped, flip_flops) {
            (Some((memory, cell)), _) => (memory, cell.trim().trim_matches(['$', '_'])),
            (None, Some(memory)) => (memory, "flip-flops"),
            (None, None) => continue,
        };
        let memory = memory.trim().trim_start_matches(SHELL).trim_start_matches(['.', '\\']);
        let memory = memory.trim_start_matches("inner.").to_owned();
        found.insert(memory, into.to_owned());
    }
    found
}
