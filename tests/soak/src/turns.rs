//! The soak itself: rounds of all campaigns, each in a process of its own, until the time is over or something
//! is found.

use crate::campaign::{self, Campaign, DEADLINE, Round};
use crate::{Tried, child};
use kit::random::mixed;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Interval of progress reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(60);

/// Parameters of a soak.
pub struct Soak {
    /// For so long.
    pub time: Duration,
    /// Decides the seeds of all rounds.
    pub seed: u64,
    /// The campaigns.
    pub campaigns: Vec<&'static Campaign>,
    /// Number of rounds in parallel.
    pub workers: usize,
    /// This program.
    pub me: PathBuf,
}

/// Something that should not be.
pub struct Found {
    /// By which campaign.
    pub campaign: &'static str,
    /// The seed of its round.
    pub seed: u64,
    /// Description of the failure.
    pub what: String,
}

/// How far it is.
struct Standing {
    tried: Tried,
    /// What each campaign has had.
    turns: Vec<Turns>,
    found: Option<Found>,
    told: Instant,
}

/// What a campaign has had.
#[derive(Clone, Copy, Debug, Default)]
struct Turns {
    begun: u64,
    ended: u64,
    seconds: f64,
}

/// Seconds that a round is taken for while it goes on.
const USUAL: f64 = 30.0;

impl Soak {
    /// Runs until the time is over; returns what was tried, or the failure found.
    pub fn run(&self) -> Result<Tried, Found> {
        let started = Instant::now();
        let standing = Mutex::new(Standing {
            tried: Tried::default(),
            turns: vec![Turns::default(); self.campaigns.len()],
            found: None,
            told: started,
        });
        thread::scope(|scope| {
            for _ in 0..self.workers.max(1) {
                scope.spawn(|| self.work(started, &standing));
            }
        });
        let standing = standing.into_inner().unwrap_or_else(PoisonError::into_inner);
        standing.found.map_or(Ok(standing.tried), Err)
    }

    fn work(&self, started: Instant, standing: &Mutex<Standing>) {
        let lock = || standing.lock().unwrap_or_else(PoisonError::into_inner);
        while started.elapsed() < self.time && lock().found.is_none() {
            let (place, number) = lock().next(&self.campaigns);
            let campaign = self.campaigns[place];
            let seed = seed_of(self.seed, campaign.name, number);
            let begun = Instant::now();
            let done = in_child(&self.me, campaign, seed, campaign.cases);
            let mut standing = lock();
            standing.turns[place].ended += 1;
            standing.turns[place].seconds += begun.elapsed().as_secs_f64();
            match done {
                Ok(tried) => standing.tried += tried,
                Err(what) if standing.found.is_none() => {
                    standing.found = Some(Found { campaign: campaign.name, seed, what });
                }
                Err(_) => {}
            }
            if standing.told.elapsed() > REPORT_INTERVAL {
                standing.told = Instant::now();
                let minutes = started.elapsed().as_secs_f64() / 60.0;
                println!("{minutes:>5.1} min: {}", standing.tried);
            }
        }
    }
}

impl Standing {
    /// The campaign that had the least of its share so far, and the number of its next round.
    fn next(&mut self, campaigns: &[&Campaign]) -> (usize, u64) {
        let had = |place: &usize| {
            let Turns { begun, ended, seconds } = self.turns[*place];
            (seconds + USUAL * (begun - ended) as f64) / f64::from(campaigns[*place].share)
        };
        let least = (0..campaigns.len()).min_by(|one, other| had(one).total_cmp(&had(other)));
        let place = least.unwrap_or(0);
        self.turns[place].begun += 1;
        (place, self.turns[place].begun)
    }
}

/// The seed of a campaign's round, the same for ever.
fn seed_of(soak: u64, campaign: &str, round: u64) -> u64 {
    let name = campaign.bytes().fold(0, |hash, byte| mixed(hash ^ u64::from(byte)));
    mixed(mixed(soak ^ name).wrapping_add(round))
}

/// One round in a process of its own: whatever happens there is told here.
///
/// # Errors
/// What was found.
pub fn in_child(me: &Path, campaign: &Campaign, seed: u64, cases: u32) -> Result<Tried, String> {
    let mut command = Command::new(me);
    let (seed, cases) = (format!("{seed:#x}"), cases.to_string());
    command.args(["--only", campaign.name, "--round", &seed, "--cases", &cases]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let ended = child::run(&mut command, DEADLINE).map_err(|error| error.to_string())?;
    let said = ended.errors.trim();
    match (ended.late, ended.code) {
        (true, _) => Err(format!("it hangs: still running after {} s\n{said}", DEADLINE.as_secs())),
        (_, Some(0)) => {
            let line = ended.out.lines().last().unwrap_or_default();
            serde_json::from_str(line).map_err(|_| format!("unexpected output of a round: {line}"))
        }
        (_, Some(_)) => Err(said.strip_prefix("error: ").unwrap_or(said).to_owned()),
        (_, None) => {
            let signal = ended.signal.unwrap_or_default();
            Err(format!("it was killed by signal {signal}\n{said}"))
        }
    }
}

/// One round in this process, in a folder that vanishes.
///
/// # Errors
/// What was found.
pub fn round(campaign: &Campaign, seed: u64, cases: u32, me: &Path) -> Result<Tried, String> {
    child::end_with_parent();
    let folder = tempfile::tempdir().map_err(|error| format!("a temporary folder: {error}"))?;
    (campaign.run)(&Round { seed, cases, folder: folder.path(), me })
}

/// The campaigns of these names, or all.
///
/// # Errors
/// A name that no campaign has.
pub fn chosen(names: &[String]) -> Result<Vec<&'static Campaign>, String> {
    if names.is_empty() {
        return Ok(campaign::ALL.iter().collect());
    }
    let find = |name: &String| {
        let all: Vec<_> = campaign::ALL.iter().map(|campaign| campaign.name).collect();
        campaign::named(name)
            .ok_or_else(|| format!("unknown campaign `{name}`; expected one of {}", all.join(", ")))
    };
    names.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_shared_as_the_campaigns_say() {
        let campaigns: Vec<_> = campaign::ALL.iter().collect();
        let turns = vec![Turns::default(); campaigns.len()];
        let (tried, told) = (Tried::default(), Instant::now());
        let mut standing = Standing { tried, turns, found: None, told };
        for _ in 0..10_000 {
            let (place, _) = standing.next(&campaigns);
            standing.turns[place].ended += 1;
            standing.turns[place].seconds += 10.0;
        }
        let all: f64 = standing.turns.iter().map(|turns| turns.seconds).sum();
        let shares: u32 = campaigns.iter().map(|campaign| campaign.share).sum();
        for (campaign, turns) in campaigns.iter().zip(&standing.turns) {
            let (share, due) = (turns.seconds / all, f64::from(campaign.share) / f64::from(shares));
            assert!((share - due).abs() < 0.01, "{}: {share} of {due}", campaign.name);
            assert!(turns.begun > 0);
        }
    }

    #[test]
    fn every_round_has_a_seed_of_its_own_for_ever() {
        let mut seeds = std::collections::BTreeSet::new();
        for soak in 1..4 {
            for campaign in campaign::ALL {
                seeds.extend((1..50).map(|round| seed_of(soak, campaign.name, round)));
            }
        }
        assert_eq!(seeds.len(), 3 * campaign::ALL.len() * 49);
        assert_eq!(seed_of(1, "lockstep", 1), seed_of(1, "lockstep", 1));
    }
}
