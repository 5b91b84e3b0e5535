//! cocotb, the peer in which most test benches around Verilator are written: in Python.

use std::env;
use std::path::Path;

use tools::Tool;
use verilate::ModelSource;

use crate::build;
use crate::peer::Peer;
use crate::ports;

/// As the report calls it.
pub const NAME: &str = "cocotb 2.1.0";

/// Starts it; it builds the model first, with its own runner.
pub fn start(source: &ModelSource, rows: &Path) -> Result<Peer, String> {
    let python = tools::locate(Tool::Cocotb).map_err(|missing| missing.to_string())?;
    let verilator = tools::locate(Tool::Verilator).map_err(|missing| missing.to_string())?;
    let verilator = verilator.other("verilator").map_err(|missing| missing.to_string())?;
    let list =
        |ports: &[verilate::Port]| ports::lines(ports, |port| format!("    {:?},", port.name));
    let design = format!(
        "TOP = {top:?}\nSOURCES = {sources:?}\nFLAGS = {flags:?}\nOPTIMIZATION = {speed:?}\n\
         INPUTS = [\n{inputs}]\nOUTPUTS = [\n{outputs}]\n",
        top = source.top,
        sources = source.files.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        flags = build::shared_flags(source),
        speed = source.options.speed.flag(),
        inputs = list(&ports::inputs(source)),
        outputs = list(&ports::outputs(source)),
    );
    let mut files = vec![
        ("design.py", &*design),
        ("start.py", include_str!("cocotb/start.py")),
        ("loop.py", include_str!("cocotb/loop.py")),
    ];
    files.extend(source.files.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let folder = build::folder("cocotb", &files)?;

    let mut command = python.command();
    command.current_dir(&folder).arg("start.py").env("CROSSTALK_ROWS", rows);
    command.envs(build::variables(&verilator));
    let path = env::var_os("PATH").unwrap_or_default();
    let beside = verilator.program().parent().map(Path::to_path_buf);
    let path = env::join_paths(beside.into_iter().chain(env::split_paths(&path)));
    command.env("PATH", path.map_err(|error| error.to_string())?);
    Peer::start(NAME, &mut command)
}
