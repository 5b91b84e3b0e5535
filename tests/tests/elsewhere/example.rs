//! The monitor on a cache and a bus that are not ours: `fpga/example`.

use std::fs;

use config::Config;
use cosim::{Builder, ModelOptions, ModelSource, PortSpec, Speed};
use crosstalk_tests::simulators::Yosys;
use tools::{Tool, workspace_root};

use crate::{Files, folder_of, icarus};

/// The monitor as `rtl/` has it, and the example without its bench.
fn circuit() -> Files {
    let monitor = units::generate(&Config::default(), Some("comm_monitor")).unwrap();
    let mut files: Files = monitor.into_iter().map(|file| (file.name, file.text)).collect();
    for name in ["example", "example_bus", "example_cache", "example_node"] {
        files.push(own(name));
    }
    files
}

/// The example with its test.
fn tested() -> Files {
    let mut files = circuit();
    files.push(own("example_test"));
    files
}

fn own(name: &str) -> (String, String) {
    let name = format!("{name}.v");
    let path = workspace_root().join("fpga/example").join(&name);
    let text = fs::read_to_string(path).unwrap();
    (name, text)
}

/// What the bench prints under Icarus.
fn simulated(files: Files) -> Option<String> {
    let icarus = icarus()?;
    let files = files.into_iter().chain([own("bench")]).collect();
    let folder = folder_of(&files);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    icarus.compile(folder.path(), &names, true).unwrap();
    Some(icarus.simulate(folder.path()).unwrap())
}

/// How the test ends in Verilator: differences found, or the complaint of an assumption.
fn verilated(files: Files) -> Result<u64, String> {
    let source = ModelSource {
        top: "example_test".into(),
        files,
        ports: vec![
            PortSpec::input("clk", 1),
            PortSpec::output("finished", 1),
            PortSpec::output("failures", 32),
        ],
        options: ModelOptions { assertions: true, speed: Speed::Once, ..ModelOptions::default() },
    };
    let library = Builder::for_workspace().library(&source).unwrap();
    let [finished, failures] = ["finished", "failures"].map(|name| library.port(name).unwrap());
    let mut model = library.model();
    for _ in 0..10_000 {
        model.tick().map_err(|failure| failure.to_string())?;
        if model.get(finished) != 0 {
            return Ok(model.get(failures));
        }
    }
    Err("the test does not end".into())
}

#[test]
fn the_edges_counted_by_hand_come_out_under_icarus() {
    if let Some(printed) = simulated(tested()) {
        assert_eq!(printed, "PASS: eleven edges, as counted by hand\n");
    }
}

#[test]
fn the_edges_counted_by_hand_come_out_under_verilator() {
    assert_eq!(verilated(tested()), Ok(0));
}

/// Ways to connect the monitor wrongly: the line, what stands there instead, and what it is.
const MISTAKES: [(&str, &str, &str); 7] = [
    (".access_valid(granted &&", ".access_valid(want &&", "an access is reported before its grant"),
    (
        "(share || invalidate) && other_monitored",
        "share || invalidate",
        "accesses that are not monitored make events",
    ),
    (".snoop_write(bus_kind != READ)", ".snoop_write(1'b0)", "every snoop is a read"),
    (
        ".access_meta_pc(supplied_meta[75:44])",
        ".access_meta_pc(32'd0)",
        "the supplier's metadata is not handed on",
    ),
    (
        ".access_communicating(communicating)",
        ".access_communicating(1'b1)",
        "every access is said to communicate",
    ),
    (".access_time(number)", ".access_time(32'd0)", "transactions have no number"),
    (".access_machine_mode(machine_mode)", ".access_machine_mode(1'b0)", "the mode is not told"),
];

#[test]
fn each_wrong_connection_is_noticed() {
    if icarus().is_none() {
        return;
    }
    for (right, wrong, what) in MISTAKES {
        let mut files = tested();
        let (_, node) = files.iter_mut().find(|(name, _)| name == "example_node.v").unwrap();
        assert!(node.contains(right), "the node reads differently now: {right}");
        *node = node.replace(right, wrong);
        let printed = simulated(files).unwrap();
        assert!(printed.contains("FAIL"), "{what}: {printed}");
    }
}

#[test]
fn what_the_monitor_takes_for_granted_is_checked_in_simulation() {
    let mut files = tested();
    let (_, node) = files.iter_mut().find(|(name, _)| name == "example_node.v").unwrap();
    *node = node.replace("granted && bus_kind != WRITE_BACK)", "granted)");
    let complaint = verilated(files).unwrap_err();
    assert!(complaint.contains("has_a_kind"), "{complaint}");
}

#[test]
fn verilator_has_no_warnings() {
    let files = tested();
    let folder = folder_of(&files);
    let verilator = tools::locate(Tool::Verilator).unwrap();
    let mut lint = verilator.command();
    lint.current_dir(folder.path()).args(["--lint-only", "-Wall", "--top-module", "example_test"]);
    let output = lint.args(files.iter().map(|(name, _)| name)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("%Warning"), "{said}");
}

#[test]
fn yosys_accepts_it() {
    let files = circuit();
    let folder = folder_of(&files);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let read = format!("read_verilog {}", names.join(" "));
    let script = format!("{read}; hierarchy -check -top example; proc; opt_clean; check -assert");
    Yosys::new().and_then(|yosys| yosys.script(folder.path(), &script)).unwrap();
}
