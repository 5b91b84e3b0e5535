//! BB-SW is fed with the order of accesses that the hardware had: it must be the one in which the golden
//! machine, in lockstep, performs them.

use config::Config;
use cosim::machine::{Machines, Options, Run};
use crosstalk::hunt::Subject;
use std::collections::BTreeSet;
use std::io;

#[test]
fn accesses_are_seen_in_the_order_in_which_the_golden_machine_performs_them() {
    let bug = firmware::bugs::named("bank-account").unwrap();
    let build = firmware::Build { files: bug.sources(), flags: Vec::new() };
    let (subject, _) = Subject::compile(bug.name, &build).unwrap();
    let mut config = Config::default();
    let program = subject.program;
    let library = Machines::for_workspace().library(&config, false).unwrap();
    for seed in [0, 7] {
        config.simulation.seed = seed;
        let options = Options {
            limit: Some(2_000_000),
            lockstep: true,
            accesses: true,
            ..Options::default()
        };
        let mut console = io::sink();
        let run = Run::new(&library, &config, &program, options, &mut console).unwrap();
        let outcome = run.finish().unwrap();
        let (seen, performed) = (outcome.accesses, outcome.followed);
        // What comes after an access that had not ended at the end was seen, but not performed.
        assert!(performed.len() > 1000 && seen.len() < performed.len() + 100, "seed {seed}");
        let harts: BTreeSet<_> = performed.iter().map(|access| access.hart).collect();
        assert!(harts.len() >= bug.harts as usize, "seed {seed}: every thread's accesses");
        for (place, (seen, performed)) in seen.iter().zip(&performed).enumerate() {
            assert_eq!(seen, performed, "seed {seed}, access {place}");
        }
    }
}
