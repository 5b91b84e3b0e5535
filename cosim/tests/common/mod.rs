//! Small designs and caches for the tests.
#![allow(dead_code)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use cosim::{Builder, Library, ModelOptions, ModelSource, PortSpec, Toolchain};

/// Ports from `"in clk 1"` lines.
pub fn ports(list: &[&str]) -> Vec<PortSpec> {
    let port = |text: &&str| {
        let words: Vec<_> = text.split(' ').collect();
        let width = words[2].parse().unwrap();
        match words[0] {
            "in" => PortSpec::input(words[1], width),
            "out" => PortSpec::output(words[1], width),
            other => panic!("{other} is no direction"),
        }
    };
    list.iter().map(port).collect()
}

/// A design in one file, `m.v`, with the top module `m`.
pub fn source(list: &[&str], verilog: &str) -> ModelSource {
    ModelSource {
        top: "m".into(),
        files: vec![("m.v".into(), verilog.into())],
        ports: ports(list),
        options: ModelOptions::default(),
    }
}

/// An 8-bit counter with enable.
pub fn counter() -> ModelSource {
    source(
        &["in clk 1", "in rst 1", "in en 1", "out count 8"],
        "module m(input wire clk, input wire rst, input wire en, output reg [7:0] count);
           always @(posedge clk) if (rst) count <= 0; else if (en) count <= count + 1;
         endmodule",
    )
}

/// The library of a source, from the workspace's cache.
pub fn library(source: &ModelSource) -> Library {
    Builder::for_workspace().library(source).unwrap_or_else(|error| panic!("{error}"))
}

/// Fills `root` with a cache that has the Verilator runtime and no model.
pub fn cache_without_models(root: &Path) {
    library(&counter());
    let shared = tools::target_dir().join("models");
    for found in fs::read_dir(&shared).unwrap() {
        let name = found.unwrap().file_name().into_string().unwrap();
        let kept = name.starts_with("runtime-") || name.starts_with("headers-");
        if kept && !name.ends_with(".lock") {
            symlink(shared.join(&name), root.join(&name)).unwrap();
        }
    }
}

/// A builder with such a cache.
pub fn builder(root: &Path) -> Builder {
    Builder::new(root, Toolchain::of_workspace())
}
