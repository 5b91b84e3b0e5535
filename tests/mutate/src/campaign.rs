//! All mutants of one module: generated, tested, and proved equivalent where no test notices them.

use crate::equivalence::{self, Equivalence};
use crate::files;
use crate::model::Model;
use crate::mutant::Mutant;
use crate::netlist::{Netlist, Plan};
use crate::place::Place;
use crate::trial::{Tests, Trial};
use crate::verdicts::Verdicts;
use kit::Failure;
use kit::cache::Key;
use kit::progress::Progress;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use tools::{Installed, Tool, locate, pin_id};

/// Without a terminal, mutants for each line of progress.
const EVERY: usize = 50;

/// Tools, folder and number of parallel jobs of a campaign.
pub struct Workshop {
    yosys: Installed,
    z3: Installed,
    root: PathBuf,
    jobs: usize,
}

/// Results of a module.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The module.
    pub top: String,
    /// The mutants with their fates.
    pub mutants: Vec<(Mutant, Fate)>,
    /// Locations of the mutants that survived and were not proved equivalent, in order.
    pub survivors: Vec<(Mutant, Place)>,
}

/// Result of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A test failed.
    Killed(String),
    /// Proved equivalent, by an induction of this depth.
    Equivalent(usize),
    /// No test failed, and it was not proved equivalent.
    Survived,
}

impl Outcome {
    /// Number of mutants with a fate of this kind.
    pub fn count(&self, kind: impl Fn(&Fate) -> bool) -> usize {
        self.mutants.iter().filter(|(_, fate)| kind(fate)).count()
    }
}

impl Workshop {
    /// With the pinned tools; results are kept below the folder.
    pub fn new(root: &Path, jobs: usize) -> Result<Workshop, Failure> {
        Ok(Workshop {
            yosys: locate(Tool::Yosys).map_err(Failure::failed)?,
            z3: locate(Tool::Z3).map_err(Failure::failed)?,
            root: root.to_owned(),
            jobs: jobs.max(1),
        })
    }

    /// The mutants of a module that the tests build.
    pub fn mutants(&self, plan: &Plan, tests: &Tests) -> Result<Netlist, Failure> {
        let original = tests.original(&plan.top, &self.root)?;
        Netlist::make(plan, &original, &self.root, &self.yosys)
    }

    /// Tests all mutants, then tries to prove the survivors equivalent.
    pub fn run(&self, plan: &Plan, tests: &Tests) -> Result<Outcome, Failure> {
        let netlist = self.mutants(plan, tests)?;
        let trials = self.try_all(&plan.top, &netlist, tests)?;
        let unnoticed: Vec<usize> =
            (1..).zip(&trials).filter(|(_, t)| t.is_none()).map(|(n, _)| n).collect();
        let proved = self.prove_all(&plan.top, &netlist, &unnoticed)?;

        let mut mutants = Vec::new();
        let mut survivors = Vec::new();
        let mut proved = proved.into_iter();
        for (mutant, trial) in netlist.mutants.iter().zip(trials) {
            let fate = match trial {
                Some(message) => Fate::Killed(message),
                None => match proved.next() {
                    Some(Equivalence::Proved(depth)) => Fate::Equivalent(depth),
                    _ => Fate::Survived,
                },
            };
            if fate == Fate::Survived {
                survivors.push((mutant.clone(), Place::of(mutant, &netlist)));
            }
            mutants.push((mutant.clone(), fate));
        }
        Ok(Outcome { top: plan.top.clone(), mutants, survivors })
    }

    /// The message with which each mutant was noticed, if it was.
    fn try_all(
        &self,
        top: &str,
        netlist: &Netlist,
        tests: &Tests,
    ) -> Result<Vec<Option<String>>, Failure> {
        let filters = tests.filters.join(" ");
        let program = files::key_of_file(&tests.program)?;
        let key = Key::of([&*filters, &*program]).name();
        let kept = Verdicts::open(&netlist.verdicts(&format!("tried-{key}")))?;
        let numbers: Vec<usize> = (1..=netlist.mutants.len()).collect();
        if numbers.iter().any(|number| kept.get(*number).is_none()) {
            self.try_none(top, netlist, tests)?;
        }
        self.each(&format!("{top}: tried"), &numbers, &kept, |number| {
            Ok(match tests.try_on(&netlist.folder, number)? {
                Trial::Killed(message) => Some(message),
                Trial::Survived => None,
            })
        })
    }

    /// Checks that the tests pass with no mutant selected; otherwise their failures mean nothing.
    fn try_none(&self, top: &str, netlist: &Netlist, tests: &Tests) -> Result<(), Failure> {
        eprintln!(
            "{top}: {} mutants; building them, and running the tests without any",
            netlist.mutants.len()
        );
        match tests.try_on(&netlist.folder, 0)? {
            Trial::Survived => Ok(()),
            Trial::Killed(message) => Err(Failure::failed(format!(
                "the tests of `{top}` fail without any mutant: {message}"
            ))),
        }
    }

    fn prove_all(
        &self,
        top: &str,
        netlist: &Netlist,
        numbers: &[usize],
    ) -> Result<Vec<Equivalence>, Failure> {
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        let model = netlist.model()?;
        // How it is proved decides what can be.
        let key = Key::of([include_str!("equivalence.rs"), &*pin_id(Tool::Z3)]).name();
        let kept = Verdicts::open(&netlist.verdicts(&format!("proved-{key}")))?;
        self.each(&format!("{top}: compared by z3"), numbers, &kept, |number| {
            self.prove(&model, number)
        })
    }

    /// Tries to prove a mutant equivalent.
    pub fn prove(&self, model: &Model, mutant: usize) -> Result<Equivalence, Failure> {
        equivalence::prove(model, mutant, &self.z3)
    }

    /// Computes the missing results, several at a time, and stores each at once.
    fn each<T>(
        &self,
        what: &str,
        numbers: &[usize],
        kept: &Verdicts<T>,
        find_out: impl Fn(usize) -> Result<T, Failure> + Sync,
    ) -> Result<Vec<T>, Failure>
    where
        T: Clone + Send + serde::Serialize + serde::de::DeserializeOwned,
    {
        let open: Vec<usize> =
            numbers.iter().copied().filter(|number| kept.get(*number).is_none()).collect();
        let progress = Progress::new(open.len());
        progress.say(what);
        let next = AtomicUsize::new(0);
        let work = || -> Result<(), Failure> {
            while let Some(number) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                let found = find_out(*number);
                // Who fails lets the others end, too.
                let found = found.inspect_err(|_| next.store(open.len(), Ordering::Relaxed))?;
                kept.put(*number, found)?;
                progress.one_more(|done, of| {
                    let is_told = done == of || done.is_multiple_of(EVERY);
                    is_told.then(|| format!("{what} {done}/{of}"))
                });
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> =
                (0..self.jobs.min(open.len())).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("workers do not panic"))
        })?;
        Ok(numbers.iter().map(|number| kept.get(*number).expect("it was found out")).collect())
    }
}
