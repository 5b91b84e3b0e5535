//! Jobs in parallel: each done once, kept as soon as it is done, with progress.

use crate::Error;
use crate::cache::Cache;
use kit::progress::Progress;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Something that takes long and whose result is worth keeping.
pub trait Job: Send + Sync {
    /// Description of the job.
    fn what(&self) -> String;
    /// The name of its result.
    fn key(&self) -> &str;
    /// Roughly how long it takes, in no unit: the longest are begun first.
    fn weight(&self) -> usize;
    /// Runs it in an empty folder; the error is one sentence.
    fn run(&self, folder: &Path) -> Result<Value, String>;
}

/// Runs the jobs without cached results. Failures are reported by key; the other jobs continue.
pub fn run(
    jobs: Vec<Box<dyn Job>>,
    cache: &Cache,
    workers: usize,
) -> Result<BTreeMap<String, String>, Error> {
    let mut unique = BTreeMap::new();
    for job in jobs {
        unique.entry(job.key().to_owned()).or_insert(job);
    }
    let all = unique.len();
    let mut jobs: Vec<_> = unique.into_values().collect();
    jobs.retain(|job| cache.get::<Value>(job.key()).is_none());
    jobs.sort_by_key(|job| (std::cmp::Reverse(job.weight()), job.key().to_owned()));
    if !jobs.is_empty() {
        eprintln!("{} to synthesize; {} already known", jobs.len(), all - jobs.len());
    }
    let progress = Progress::new(jobs.len());

    let next = AtomicUsize::new(0);
    let failures = Mutex::new(BTreeMap::new());
    let work = || -> Result<(), Error> {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            progress.say(&job.what());
            let folder = cache.workplace()?;
            match job.run(folder.path()) {
                Ok(value) => cache.put(job.key(), &value)?,
                Err(reason) => {
                    let sentence = format!("cannot {}: {reason}", job.what());
                    failures.lock().expect("no panics").insert(job.key().to_owned(), sentence);
                }
            }
            progress.one_more(|done, of| Some(format!("{done}/{of}: {}", job.what())));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..workers.clamp(1, jobs.len().max(1))).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("workers do not panic"))
    })?;
    Ok(failures.into_inner().expect("no panics"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    struct Counted(&'static str, Arc<AtomicUsize>);

    impl Job for Counted {
        fn what(&self) -> String {
            format!("count {}", self.0)
        }
        fn key(&self) -> &str {
            self.0
        }
        fn weight(&self) -> usize {
            1
        }
        fn run(&self, folder: &Path) -> Result<Value, String> {
            assert!(folder.is_dir());
            self.1.fetch_add(1, Ordering::Relaxed);
            if self.0 == "bad" { Err("it is bad".into()) } else { Ok(Value::from(self.0)) }
        }
    }

    #[test]
    fn each_job_is_done_once_and_failures_stop_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned()).unwrap();
        let calls = Arc::new(AtomicUsize::new(0));
        let jobs = || -> Vec<Box<dyn Job>> {
            let names = ["a", "bad", "b", "a"];
            names.map(|name| Box::new(Counted(name, calls.clone())) as Box<dyn Job>).into()
        };
        let failures = run(jobs(), &cache, 2).unwrap();
        assert_eq!(calls.load(Ordering::Relaxed), 3);
        assert_eq!(failures["bad"], "cannot count bad: it is bad");
        assert_eq!(cache.get::<String>("b"), Some("b".into()));
        run(jobs(), &cache, 2).unwrap();
        assert_eq!(calls.load(Ordering::Relaxed), 4, "only what failed is tried again");
    }
}
