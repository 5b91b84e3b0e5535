//! The campaigns: their names, their shares of the time, and what a round of each is given.

use crate::{Tried, arguments, files, growth, kills, lockstep, parsers, schedules};
use kit::Dice;
use std::path::Path;
use std::time::Duration;

/// One round of a campaign.
pub struct Round<'a> {
    /// The seed, which decides everything in it.
    pub seed: u64,
    /// Number of cases to try; the campaign defines a case.
    pub cases: u32,
    /// An empty folder.
    pub folder: &'a Path,
    /// The program that plays all roles.
    pub me: &'a Path,
}

impl Round<'_> {
    /// The random generator of this seed.
    pub fn dice(&self) -> Dice {
        Dice::new(self.seed)
    }
}

/// A randomized test that is repeated.
pub struct Campaign {
    /// Its name on a command line.
    pub name: &'static str,
    /// Short description.
    pub about: &'static str,
    /// Its share of the time, relative to the other campaigns.
    pub share: u32,
    /// Default number of cases in a round.
    pub cases: u32,
    /// Runs a round; the error describes what was found.
    pub run: fn(&Round<'_>) -> Result<Tried, String>,
}

/// Time limit for a round of any campaign; one that takes longer hangs. Rounds take a minute or less on an idle
/// machine.
pub const DEADLINE: Duration = Duration::from_secs(30 * 60);

/// The campaigns.
pub const ALL: &[Campaign] = &[
    Campaign {
        name: "lockstep",
        about: "random programs, suites and threaded C on the default machine, beside the golden one",
        share: 10,
        cases: 5,
        run: lockstep::usual,
    },
    Campaign {
        name: "machines",
        about: "random programs on unusual machines, with the design's own properties checked",
        share: 3,
        cases: 2,
        run: lockstep::unusual,
    },
    Campaign {
        name: "growth",
        about: "long lockstep loops, whose memory must not grow",
        share: 1,
        cases: 6,
        run: growth::round,
    },
    Campaign {
        name: "schedules",
        about: "random schedules of the fixed bug suite on the golden machine",
        share: 1,
        cases: 100,
        run: schedules::round,
    },
    Campaign {
        name: "parsers",
        about: "damaged bytes for everything that reads bytes",
        share: 1,
        cases: 5000,
        run: parsers::round,
    },
    Campaign {
        name: "files",
        about: "damaged files for the commands that read them",
        share: 2,
        cases: 100,
        run: files::round,
    },
    Campaign {
        name: "arguments",
        about: "random command lines of every crosstalk command",
        share: 2,
        cases: 150,
        run: arguments::round,
    },
    Campaign {
        name: "kill-hunt",
        about: "kill -9 during hunts, then --resume: the same bytes",
        share: 2,
        cases: 8,
        run: kills::hunt::round,
    },
    Campaign {
        name: "kill-area",
        about: "kill -9 during area studies, then again: the same bytes",
        share: 1,
        cases: 4,
        run: kills::area::round,
    },
    Campaign {
        name: "kill-model",
        about: "kill -9 while a model is built, then again: the same simulation",
        share: 1,
        cases: 4,
        run: kills::model::round,
    },
];

/// The campaign of this name.
pub fn named(name: &str) -> Option<&'static Campaign> {
    ALL.iter().find(|campaign| campaign.name == name)
}
