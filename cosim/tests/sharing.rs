//! One build for everybody: the cache as threads, processes and later runs see it.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use common::{builder, cache_without_models, counter};
use cosim::{Builder, ModelSource, Stage};

/// A builder on `root` that counts the models it builds.
fn counting(root: &Path) -> (Builder, Arc<AtomicU32>) {
    let builds = Arc::new(AtomicU32::new(0));
    let counter = builds.clone();
    let builder = builder(root).on_progress(move |stage| {
        if stage == Stage::Model {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    });
    (builder, builds)
}

fn works(builder: &Builder, source: &ModelSource) {
    let mut model = builder.library(source).unwrap().model();
    model.set(model.port("en").unwrap(), 1);
    for _ in 0..4 {
        model.tick().unwrap();
    }
    assert_eq!(model.get(model.port("count").unwrap()), 3);
}

fn the_library(root: &Path) -> PathBuf {
    let entries = fs::read_dir(root).unwrap().map(|found| found.unwrap().path().join("model.so"));
    let found: Vec<_> = entries.filter(|path| path.exists()).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

#[test]
fn comments_do_not_cause_a_build_but_code_does() {
    let dir = tempfile::tempdir().unwrap();
    cache_without_models(dir.path());
    let (builder, builds) = counting(dir.path());
    let mut source = counter();
    works(&builder, &source);
    source.files[0].1.insert_str(0, "// generated from counter.rs:17\n/* at noon */\n\n");
    works(&builder, &source);
    assert_eq!(builds.load(Ordering::Relaxed), 1);
    source.files[0].1 = source.files[0].1.replace("endmodule", "wire unused;\nendmodule");
    works(&builder, &source);
    assert_eq!(builds.load(Ordering::Relaxed), 2);
}

#[test]
fn threads_share_one_build() {
    let dir = tempfile::tempdir().unwrap();
    cache_without_models(dir.path());
    let (builder, builds) = counting(dir.path());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| works(&builder, &counter()));
        }
    });
    assert_eq!(builds.load(Ordering::Relaxed), 1);
}

/// Starts this program again, to build the counter in the cache at `root`.
fn build_in_a_process(root: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes_share_one_build", "--nocapture"])
        .env(ROOT, root)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Names the folder to such a process.
const ROOT: &str = "COSIM_TEST_ROOT";

#[test]
fn processes_share_one_build() {
    if let Some(root) = std::env::var_os(ROOT) {
        let (builder, builds) = counting(Path::new(&root));
        works(&builder, &counter());
        println!("built {} models", builds.load(Ordering::Relaxed));
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    cache_without_models(dir.path());
    let children: Vec<_> = (0..3).map(|_| build_in_a_process(dir.path())).collect();
    let built = children.into_iter().map(|child| {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        let (_, rest) = text.split_once("built ").unwrap();
        rest.split(' ').next().unwrap().parse::<u32>().unwrap()
    });
    assert_eq!(built.sum::<u32>(), 1);
}

#[test]
fn a_damaged_library_is_built_again() {
    let dir = tempfile::tempdir().unwrap();
    cache_without_models(dir.path());
    let (builder, builds) = counting(dir.path());
    works(&builder, &counter());
    let path = the_library(dir.path());
    let whole = fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for (round, damage) in [&whole[..whole.len() / 2], &flipped, b"", b"not ELF"].iter().enumerate()
    {
        // A new file: the old one may still be mapped by this process.
        fs::remove_file(&path).unwrap();
        fs::write(&path, damage).unwrap();
        works(&builder, &counter());
        assert_eq!(builds.load(Ordering::Relaxed), round as u32 + 2);
    }
}

#[test]
fn a_whole_library_of_another_model_is_not_believed() {
    let dirs = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let [first, second, mixed] = dirs.each_ref().map(|dir| dir.path());
    dirs.iter().for_each(|dir| cache_without_models(dir.path()));
    let mut other = counter();
    other.files[0].1 = other.files[0].1.replace("count + 1", "count + 8'd1");
    works(&builder(first), &counter());
    works(&builder(second), &other);

    let entry = |root| the_library(root).parent().unwrap().to_path_buf();
    let foreign = mixed.join(entry(first).file_name().unwrap());
    fs::create_dir(&foreign).unwrap();
    for found in fs::read_dir(entry(second)).unwrap() {
        let found = found.unwrap();
        fs::copy(found.path(), foreign.join(found.file_name())).unwrap();
    }
    let (builder, builds) = counting(mixed);
    works(&builder, &counter());
    assert_eq!(builds.load(Ordering::Relaxed), 1);
}

#[test]
fn what_a_killed_build_leaves_is_swept_up() {
    let dir = tempfile::tempdir().unwrap();
    cache_without_models(dir.path());
    let (builder, builds) = counting(dir.path());
    works(&builder, &counter());
    let entry = the_library(dir.path()).parent().unwrap().to_path_buf();
    let name = entry.file_name().unwrap().to_str().unwrap();
    let remains = dir.path().join(format!(".{name}.abcdef"));
    fs::rename(&entry, &remains).unwrap();
    fs::remove_file(remains.join("manifest")).unwrap();
    works(&builder, &counter());
    assert_eq!(builds.load(Ordering::Relaxed), 2);
    assert!(!remains.exists());
}

#[test]
fn a_build_that_is_killed_does_not_hinder_the_next() {
    let dir = tempfile::tempdir().unwrap();
    cache_without_models(dir.path());
    let mut child = build_in_a_process(dir.path());
    let under_way = || {
        let mut found = fs::read_dir(dir.path()).unwrap().map(|found| found.unwrap().file_name());
        found.any(|name| name.to_string_lossy().starts_with('.'))
    };
    while !under_way() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let (builder, builds) = counting(dir.path());
    works(&builder, &counter());
    assert!(builds.load(Ordering::Relaxed) <= 1);
}
