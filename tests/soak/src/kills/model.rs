//! Building a model, killed and begun again. The model is a small unit, so that a build takes seconds; what keeps
//! it is the same for all.

use super::{interrupted, whole};
use crate::{Round, Tried, role};
use config::Config;
use cosim::{Builder, Direction, ModelSource, Toolchain};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The unit.
const UNIT: &str = "communication_table";
/// Cycles that are simulated of it.
const CYCLES: u64 = 200;

/// One round: a build in a cache of its own, whole and interrupted so many times.
pub fn round(round: &Round<'_>) -> Result<Tried, String> {
    let dice = &mut round.dice();
    // Now and then the simulator's own parts have to be built too, and are killed as well.
    let all = dice.one_in(4);
    let cache = |name: &str| {
        let folder = round.folder.join(name);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        if !all {
            borrow(&tools::target_dir().join("models"), &folder)?;
        }
        Ok::<_, String>(folder)
    };
    let model = |cache: &Path| {
        let mut command: Command = role::model(round.me, round.folder);
        command.arg(cache);
        command
    };
    let (reference, takes) = whole(&mut model(&cache("whole")?), 0)?;
    let killed = cache("killed")?;
    let kills = interrupted(|| model(&killed), round.cases, takes, dice)?;
    let (resumed, _) = whole(&mut model(&killed), 0)?;
    if resumed.out != reference.out {
        return Err("a model that was built after interrupted builds behaves differently".into());
    }
    remains(&killed)?;
    Ok(Tried { kills, ..Tried::default() })
}

/// Links what all models share from one cache into another.
fn borrow(from: &Path, to: &Path) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", from.display());
    for found in fs::read_dir(from).map_err(wrong)?.flatten() {
        let name = found.file_name().to_string_lossy().into_owned();
        let shared = name.starts_with("runtime-") || name.starts_with("headers-");
        if shared && !name.ends_with(".lock") {
            std::os::unix::fs::symlink(found.path(), to.join(&name)).map_err(wrong)?;
        }
    }
    Ok(())
}

/// What killed builds leave is removed by the build that succeeds.
fn remains(cache: &Path) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", cache.display());
    for found in fs::read_dir(cache).map_err(wrong)?.flatten() {
        let name = found.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            return Err(format!("a killed build left {name} behind"));
        }
    }
    Ok(())
}

/// Builds the model in the cache that the command line names, simulates it and prints all that it shows.
pub fn main() -> ExitCode {
    kit::ended(simulate().map(|()| ExitCode::SUCCESS).map_err(kit::Failure::failed))
}

fn simulate() -> Result<(), String> {
    let cache =
        std::env::args_os().nth(1).ok_or("expected the folder of a cache as the argument")?;
    let design = units::design(&Config::default(), UNIT).map_err(|error| error.to_string())?;
    let source = ModelSource::of(&design);
    let builder = Builder::new(cache, Toolchain::of_workspace());
    let library = builder.library(&source).map_err(|error| error.to_string())?;
    let mut model = library.model();
    let inputs: Vec<_> = library.ports().iter().filter(|port| port.dir == Direction::In).collect();
    for cycle in 0..CYCLES {
        for port in inputs.iter().filter(|port| port.words == 1) {
            let ones = u64::MAX >> (64 - port.width);
            let bits = kit::random::mixed(cycle ^ u64::from(port.word) << 32) & ones;
            model.poke(&port.name, bits);
        }
        model.tick().map_err(|failure| failure.to_string())?;
        println!("{:x?}", model.outputs());
    }
    Ok(())
}
