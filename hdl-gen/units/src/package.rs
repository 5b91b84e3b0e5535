//! What a stranger needs beside the Verilog: a FuseSoC description of the files, and the port list.
//!
//! Both are taken from the elaborated circuit, so they say what the files say, in every configuration.

use std::fmt::Write as _;

use config::Config;
use hdl::ir::{Design, Direction, Module, PropertyKind, Stmt};

use crate::catalog::{GENERATED, GenerateError, RtlFile, design};

/// The units that others take as they are.
const PACKAGED: [&str; 4] = ["comm_monitor", "soc", "soc_wishbone", "soc_axi4"];

/// A `.core` file and a port list for each packaged unit that `config` switches on, or just for `top`.
pub fn packages(config: &Config, top: Option<&str>) -> Result<Vec<RtlFile>, GenerateError> {
    let mut files = Vec::new();
    for unit in PACKAGED.into_iter().filter(|unit| top.is_none_or(|top| top == *unit)) {
        let design = match design(config, unit) {
            Err(GenerateError::SwitchedOff { .. }) if top.is_none() => continue,
            design => design?,
        };
        files.push(RtlFile { name: format!("{unit}.core"), text: core(config, unit, &design) });
        files.push(RtlFile { name: format!("{unit}.md"), text: port_list(config, unit, &design) });
    }
    Ok(files)
}

/// The unit for FuseSoC (CAPI2): its files in the order in which tools want them.
fn core(config: &Config, unit: &str, design: &Design) -> String {
    let (version, top) = (env!("CARGO_PKG_VERSION"), &design.top().name);
    let about = first_sentence(&design.top().doc);
    let mut files = String::new();
    for module in &design.modules {
        put(&mut files, format_args!("      - {}.v\n", module.name));
    }
    format!(
        "CAPI=2: # {GENERATED}\n\
         # Configuration: {hash}\n\
         name: crosstalk::{unit}:{version}\n\
         description: \"{about}\"\n\
         \n\
         filesets:\n  rtl:\n    files:\n{files}    file_type: verilogSource-2005\n\
         \n\
         targets:\n  default:\n    filesets: [rtl]\n    toplevel: {top}\n\
         \x20 lint:\n    filesets: [rtl]\n    toplevel: {top}\n    default_tool: verilator\n\
         \x20   tools:\n      verilator:\n        mode: lint-only\n        verilator_options: [-Wall]\n",
        hash = config.hardware_hash(),
    )
}

/// The unit's ports as a table, and what it takes for granted.
fn port_list(config: &Config, unit: &str, design: &Design) -> String {
    let module = design.top();
    let mut text = format!(
        "<!-- {GENERATED} -->\n<!-- Configuration: {} -->\n\
         # Ports of `{unit}`\n\nModule `{}`.\n\n\
         | port | direction | bits | what |\n|---|---|---|---|\n",
        config.hardware_hash(),
        module.name,
    );
    let clock = [
        (module.needs_clock, "clk", "Rising edge."),
        (module.needs_reset, "rst", "Synchronous, active high."),
    ];
    for (_, name, what) in clock.into_iter().filter(|(there, ..)| *there) {
        row(&mut text, name, Direction::Input, 1, what);
    }
    for port in &module.ports {
        let name = module.given_name(port.node).unwrap_or_default();
        let doc = module.docs.iter().find(|(node, _)| *node == port.node);
        let what = doc.map(|(_, doc)| doc.replace('\n', " ")).unwrap_or_default();
        row(&mut text, name, port.direction, module.node(port.node).width, &what);
    }
    let assumed = assumed(module);
    if !assumed.is_empty() {
        text += "\nTaken for granted, and checked in simulation:\n\n";
        for (label, message) in assumed {
            put(&mut text, format_args!("- `{label}`: {message}\n"));
        }
    }
    text
}

fn row(text: &mut String, name: &str, direction: Direction, width: u32, what: &str) {
    let direction = match direction {
        Direction::Input => "in",
        Direction::Output => "out",
    };
    put(text, format_args!("| `{name}` | {direction} | {width} | {what} |\n"));
}

/// Label and meaning of everything that the surroundings have to see to.
fn assumed(module: &Module) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for stmt in &module.body {
        stmt.visit(&mut |stmt| {
            if let Stmt::Property { kind: PropertyKind::Assume, label, message, .. } = stmt {
                found.push((&**label, &**message));
            }
        });
    }
    found
}

fn first_sentence(doc: &str) -> String {
    let doc = doc.replace('\n', " ");
    doc.split_inclusive(['.', ':'])
        .next()
        .unwrap_or_default()
        .trim_end_matches([':', '.'])
        .to_owned()
}

fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(what);
}
