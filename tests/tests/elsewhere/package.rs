//! What goes with the Verilog: the FuseSoC files and the port lists say what the Verilog says.

use std::collections::BTreeSet;
use std::fs;

use config::{Config, Preset};
use tools::workspace_root;
use units::RtlFile;
use yaml_rust2::{Yaml, YamlLoader};

fn named<'a>(files: &'a [RtlFile], name: &str) -> &'a str {
    let file = files.iter().find(|file| file.name == name);
    &file.unwrap_or_else(|| panic!("no {name}")).text
}

fn parsed(text: &str) -> Yaml {
    assert_eq!(text.lines().next().unwrap().split(' ').next(), Some("CAPI=2:"));
    let mut documents = YamlLoader::load_from_str(text).unwrap();
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}

fn strings(list: &Yaml) -> Vec<&str> {
    list.as_vec().expect("a list").iter().map(|item| item.as_str().expect("text")).collect()
}

#[test]
fn a_core_file_names_every_file_of_its_unit_and_no_other() {
    for preset in [Preset::Sim4, Preset::Paper, Preset::Baseline] {
        let config = preset.config();
        let packages = units::packages(&config, None).unwrap();
        for unit in ["comm_monitor", "soc"] {
            if preset == Preset::Baseline && unit == "comm_monitor" {
                assert!(!packages.iter().any(|file| file.name.starts_with(unit)));
                continue;
            }
            let core = parsed(named(&packages, &format!("{unit}.core")));
            let verilog = units::generate(&config, Some(unit)).unwrap();
            let listed: BTreeSet<_> =
                strings(&core["filesets"]["rtl"]["files"]).into_iter().collect();
            let written: BTreeSet<_> = verilog.iter().map(|file| file.name.as_str()).collect();
            assert_eq!(listed, written, "{preset:?} {unit}");
            let name = core["name"].as_str().unwrap();
            assert!(name.starts_with(&format!("crosstalk::{unit}:")), "{name}");
            for target in ["default", "lint"] {
                let target = &core["targets"][target];
                assert_eq!(strings(&target["filesets"]), ["rtl"]);
                let top = format!("{}.v", target["toplevel"].as_str().unwrap());
                assert!(written.contains(top.as_str()), "{top}");
            }
        }
    }
}

/// The example's own `.core` file, which is written by hand.
#[test]
fn the_core_file_of_the_example_names_files_that_are_there() {
    let folder = workspace_root().join("fpga/example");
    let core = parsed(&fs::read_to_string(folder.join("example.core")).unwrap());
    let mut listed = BTreeSet::new();
    for fileset in ["rtl", "bench"] {
        listed.extend(strings(&core["filesets"][fileset]["files"]).into_iter().map(str::to_owned));
    }
    let there: BTreeSet<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".v"))
        .collect();
    assert_eq!(listed, there);
    let packages = units::packages(&Config::default(), Some("comm_monitor")).unwrap();
    let monitor = parsed(named(&packages, "comm_monitor.core"));
    let needed = strings(&core["filesets"]["rtl"]["depend"]);
    let name = monitor["name"].as_str().unwrap();
    assert!(needed.iter().all(|needed| name.starts_with(needed)), "{needed:?} is not {name}");
}

/// The declared ports of a module: direction, bits, name.
fn declared(verilog: &str) -> Vec<(String, String, String)> {
    let lines = verilog.lines().skip_while(|line| !line.starts_with("module ")).skip(1);
    let ports = lines.take_while(|line| *line != ");").filter(|line| !line.contains("//"));
    ports
        .map(|line| {
            let mut words = line.trim_end_matches(',').split_whitespace();
            let direction = words.next().unwrap().trim_end_matches("put");
            let rest: Vec<&str> = words.skip(1).collect();
            let (bits, name) = match rest.as_slice() {
                [range, name] => {
                    let high = range.trim_start_matches('[').trim_end_matches(":0]");
                    ((high.parse::<u32>().unwrap() + 1).to_string(), *name)
                }
                [name] => ("1".to_owned(), *name),
                _ => panic!("{line}"),
            };
            (direction.to_owned(), bits, name.to_owned())
        })
        .collect()
}

/// The rows of a port list: direction, bits, name.
fn listed(markdown: &str) -> Vec<(String, String, String)> {
    let rows = markdown.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split(" | ").collect();
        let name = cells[0].trim_start_matches("| `").trim_end_matches('`');
        (cells[1].to_owned(), cells[2].to_owned(), name.to_owned())
    })
    .collect()
}

#[test]
fn a_port_list_has_the_ports_of_the_verilog() {
    let stalling: Config = "ct.overflow = \"stall\"\ntimestamp_bits = 0".parse().unwrap();
    for config in [Config::default(), Preset::Paper.config(), stalling] {
        let packages = units::packages(&config, Some("comm_monitor")).unwrap();
        let verilog = units::generate(&config, Some("comm_monitor")).unwrap();
        let monitor = verilog.iter().find(|file| file.name.starts_with("comm_monitor")).unwrap();
        let list = named(&packages, "comm_monitor.md");
        assert_eq!(listed(list), declared(&monitor.text));
        assert!(list.contains("`apart_from_snoop`"), "{list}");
    }
}

#[test]
fn the_chapter_on_the_monitor_speaks_of_every_port_and_of_no_other() {
    let chapter = fs::read_to_string(workspace_root().join("docs/monitor.md")).unwrap();
    let config: Config = "ct.overflow = \"stall\"".parse().unwrap();
    let packages = units::packages(&config, Some("comm_monitor")).unwrap();
    let ports = listed(named(&packages, "comm_monitor.md"));
    let ports: BTreeSet<&str> = ports.iter().map(|(.., name)| name.as_str()).collect();
    // In the chapter's table of signals a row's first cell names ports, `a_*` for all that begin so.
    let rows = chapter.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let mut spoken_of = BTreeSet::new();
    for name in cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)) {
        let fits = |port: &&&str| match name.strip_suffix('*') {
            Some(start) => port.starts_with(start),
            None => **port == name,
        };
        let found: Vec<&str> = ports.iter().filter(fits).copied().collect();
        assert!(!found.is_empty(), "`{name}` is no port");
        spoken_of.extend(found);
    }
    assert_eq!(spoken_of, ports);
}
