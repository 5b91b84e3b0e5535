//! One bug from its source to its figures, on the golden machine.

use crosstalk::hunt::On;
use paper::collect::{How, collect};
use paper::collection::RUNS;
use paper::measure::measure;
use paper::measured::Tracking;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_bug_is_collected_once_and_measured_the_same_every_time() {
    let cache = tempfile::tempdir().unwrap();
    let how = How { on: On::named("golden").unwrap(), trials: 1, cache: cache.path().to_owned() };
    let bug = firmware::bugs::named("bank-account").unwrap();
    let steps = AtomicUsize::new(0);
    let run = || {
        steps.store(0, Ordering::Relaxed);
        let count = || steps.fetch_add(1, Ordering::Relaxed);
        let collection = collect(bug, &how, &|_| _ = count()).unwrap();
        measure(bug, &collection, &|_| ()).unwrap()
    };
    let first = run();
    assert!(
        steps.load(Ordering::Relaxed) > 2 * RUNS,
        "schedules were run, and runs looked at again"
    );
    assert_eq!(first.runs, 2 * RUNS);
    assert!(first.failed as usize >= RUNS && first.schedules > first.failed);
    for tracking in Tracking::ALL {
        let found = first.found(tracking);
        assert!(found.labeled.exception.always(), "{tracking:?}: {found:?}");
        assert!(
            found.unlabeled.printed.0.len() == 1 && found.contexts.iter().all(|n| n.0.len() == 1)
        );
    }
    assert!(first.reconstructed[0].best.is_some(), "{:?}", first.reconstructed);
    let [without, with] = first.sizes;
    assert!(without.nodes < with.nodes && without.edges < with.edges, "{:?}", first.sizes);
    assert!(first.convergence.iter().all(|added| added.len() == RUNS - 1));
    assert_eq!(first.work, None, "there is no hardware");
    assert_eq!(run(), first);
    assert_eq!(steps.load(Ordering::Relaxed), 0, "nothing was run again");
}
