//! From a board to its bitstream: Yosys, nextpnr, and the packer of the device.

use crate::board::Board;
use crate::memories::{Memory, memories};
use crate::steps::Steps;
use area::cost::Cost;
use area::place::{Placed, explained};
use area::target::Target;
use area::timing::placed;
use area::{Error, cache, synthesis, tool};
use std::fs;
use std::path::PathBuf;
use tools::{Installed, Tool};

/// The seed of a board's placement.
const SEED: u32 = 1;

/// The tools that a board needs.
pub struct Tools {
    yosys: Installed,
    nextpnr: Installed,
    pack: Installed,
}

impl Tools {
    /// Finds them.
    pub fn locate(target: Target) -> Result<Self, Error> {
        let (nextpnr, pack) = family(target);
        let nextpnr = tools::locate(nextpnr)?;
        let pack = nextpnr.other(pack)?;
        Ok(Self { yosys: tools::locate(Tool::Yosys)?, nextpnr, pack })
    }
}

/// nextpnr of a device, and the packer that comes with it.
fn family(target: Target) -> (Tool, &'static str) {
    match target {
        Target::Ice40 => (Tool::NextpnrIce40, "yowasp-icepack"),
        _ => (Tool::NextpnrEcp5, "yowasp-ecppack"),
    }
}

/// Results of a build.
pub struct Built {
    /// Cost of the design.
    pub cost: Cost,
    /// How its memories were mapped.
    pub memories: Vec<Memory>,
    /// Clock and utilization.
    pub placed: Placed,
    /// The name of the bitstream.
    pub bitstream: String,
}

/// Synthesizes a board.
pub fn synthesize(board: &Board, tools: &Tools, steps: &Steps) -> Result<Synthesized, Error> {
    let design = (board.design)(board);
    let mut files: Vec<(String, String)> =
        design.verilog(&[]).into_iter().map(|file| (file.name, file.text)).collect();
    files.push(("pads.v".into(), board.pads.into()));
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let synthesis_command = board.target.synthesis(board.name);
    let command = synthesis_command.trim();
    let script = format!(
        "read_verilog {}\n{command} -run begin:map_ram\ntee -q -o memories.txt dump t:$mem_v2\n\
         {command} -run map_ram:\ntee -q -o stat.json stat -json\nwrite_json net.json\n",
        names.join(" "),
    );
    let texts = files.iter().map(|(_, text)| text.as_str());
    let key = cache::key([&*script, &tools::pin_id(Tool::Yosys)], texts);
    let log = "yosys.log";
    let folder = steps.step(
        &format!("synthesize {} with Yosys", board.name),
        &key,
        &[(log, log.to_owned())],
        |folder| {
            tool::write_files(folder, &files)?;
            tool::write_files(folder, &[("synthesize.ys".into(), script.clone())])?;
            tool::run(
                tools.yosys.command().args(["-q", "-l", log, "-s", "synthesize.ys"]),
                folder,
            )?;
            Ok(())
        },
    )?;
    let read = |name: &str| tool::read(&folder, name).map_err(Error::Failed);
    let cells = synthesis::cells(&read("stat.json")?, board.name).map_err(Error::Failed)?;
    let cost = board.target.cost(&cells, |_| false).map_err(Error::Failed)?;
    let lut_cells = board.target.lut_cells(&cells);
    let memories = memories(&read("memories.txt")?, &read(log)?, board.target);
    Ok(Synthesized { key, netlist: folder.join("net.json"), cost, lut_cells, memories })
}

/// A synthesized board.
pub struct Synthesized {
    key: String,
    netlist: PathBuf,
    /// Cost of the design.
    pub cost: Cost,
    /// Cells that are lookup tables and nothing else.
    pub lut_cells: u64,
    /// How its memories were mapped.
    pub memories: Vec<Memory>,
}

/// Places and routes it, whatever clock that gives, and packs the bitstream.
pub fn build(
    board: &Board,
    synthesized: Synthesized,
    tools: &Tools,
    steps: &Steps,
) -> Result<Built, Error> {
    let (nextpnr, packer) = family(board.target);
    let (pins_arg, pins, laid_arg, laid, bits) = match board.target {
        Target::Ice40 => ("--pcf", "pins.pcf", "--asc", "placed.asc", "bin"),
        _ => ("--lpf", "pins.lpf", "--textcfg", "placed.config", "bit"),
    };
    let (mhz, seed) = (board.mhz().to_string(), SEED.to_string());
    let mut args: Vec<&str> = board.place_args.to_vec();
    args.extend(["--json", "net.json", pins_arg, pins, laid_arg, laid]);
    args.extend([
        "--report",
        "timing.json",
        "--timing-allow-fail",
        "--seed",
        &seed,
        "--freq",
        &mhz,
    ]);
    args.extend(["--log", "nextpnr.log", "--quiet"]);
    let pin = tools::pin_id(nextpnr);
    let done = [&*synthesized.key, &*pin, board.pins].into_iter().chain(args.iter().copied());
    let key = cache::key(done, []);
    let shown =
        [("nextpnr.log", "nextpnr.log".to_owned()), ("timing.json", "timing.json".to_owned())];
    let what = format!("place and route {} on an {} with nextpnr", board.name, board.device);
    let folder = steps.step(&what, &key, &shown, |folder| {
        tool::link(&synthesized.netlist, &folder.join("net.json"))?;
        tool::write_files(folder, &[(pins.into(), board.pins.into())])?;
        let done = tool::run(tools.nextpnr.command().args(&args), folder);
        // It is large, and kept where it was made.
        let _ = fs::remove_file(folder.join("net.json"));
        done.map(drop).map_err(|complaint| explained(&complaint, board.device, nextpnr))
    })?;
    let timing = tool::read(&folder, "timing.json").map_err(Error::Failed)?;
    let placed =
        placed(&timing, SEED, synthesized.cost, synthesized.lut_cells).map_err(Error::Failed)?;

    let bitstream = format!("{}.{bits}", board.name);
    let key = cache::key([&*key, packer], []);
    let shown = [(&*bitstream, bitstream.clone())];
    steps.step(&format!("pack {bitstream}"), &key, &shown, |place| {
        tool::link(&folder.join(laid), &place.join(laid))?;
        let mut command = tools.pack.command();
        if board.target == Target::Ecp5 {
            command.arg("--compress");
        }
        tool::run(command.args([laid, &bitstream]), place).map(drop)
    })?;
    Ok(Built { cost: synthesized.cost, memories: synthesized.memories, placed, bitstream })
}
