//! Builds shared by threads, damage, kills and failures.

use super::manifest::MANIFEST;
use super::*;
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

fn read(entry: &Path) -> Result<String, Unwritable> {
    let path = entry.join("file");
    fs::read_to_string(&path).map_err(Unwritable::at(&path))
}

fn write(folder: &Path, text: &str) -> Result<(), Unwritable> {
    fs::write(folder.join("file"), text).map_err(Unwritable::at(folder))
}

fn refused(reason: &str) -> Unwritable {
    Unwritable::new(Path::new("x"), reason)
}

fn cache() -> (tempfile::TempDir, Cache) {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::at(dir.path().join("deep/models"));
    (dir, cache)
}

#[test]
fn an_entry_is_built_once() {
    let (_dir, cache) = cache();
    let builds = Cell::new(0);
    for _ in 0..3 {
        let build = |folder: &Path| {
            builds.set(builds.get() + 1);
            write(folder, "text")
        };
        assert_eq!(cache.entry("a", read, build).unwrap(), "text");
    }
    assert_eq!(builds.get(), 1);
}

#[test]
fn damaged_entries_are_built_again() {
    let (_dir, cache) = cache();
    let entry = cache.root.join("a");
    let damages: [&dyn Fn(); 4] = [
        &|| fs::write(entry.join("file"), "texx").unwrap(),
        &|| fs::write(entry.join("file"), "").unwrap(),
        &|| fs::remove_file(entry.join(MANIFEST)).unwrap(),
        &|| fs::write(entry.join("foreign"), "").unwrap(),
    ];
    cache.entry("a", read, |folder| write(folder, "text")).unwrap();
    for damage in damages {
        damage();
        let built = Cell::new(false);
        let build = |folder: &Path| {
            built.set(true);
            write(folder, "text")
        };
        assert_eq!(cache.entry("a", read, build).unwrap(), "text");
        assert!(built.get());
    }
}

#[test]
fn a_failed_build_leaves_nothing_but_the_lock() {
    let (_dir, cache) = cache();
    let fail = |folder: &Path| {
        write(folder, "half")?;
        Err(refused("no tool"))
    };
    assert_eq!(cache.entry("a", read, fail).unwrap_err().reason, "no tool");
    let left: Vec<_> = fs::read_dir(&cache.root).unwrap().map(|f| f.unwrap().file_name()).collect();
    assert_eq!(left, ["a.lock"]);
}

#[test]
fn remains_of_a_killed_build_are_neither_believed_nor_kept() {
    let (_dir, cache) = cache();
    let remains = cache.root.join(".a.killed");
    fs::create_dir_all(&remains).unwrap();
    fs::write(remains.join("file"), "half").unwrap();
    let text = cache.entry("a", read, |folder| write(folder, "text")).unwrap();
    assert_eq!(text, "text");
    assert!(!remains.exists());
}

#[test]
fn an_entry_that_cannot_be_opened_is_built_again_once() {
    let (_dir, cache) = cache();
    cache.entry("a", read, |folder| write(folder, "old")).unwrap();
    let open = |entry: &Path| match read(entry)?.as_str() {
        "old" => Err(refused("old")),
        text => Ok(text.to_owned()),
    };
    assert_eq!(cache.entry("a", open, |folder| write(folder, "new")).unwrap(), "new");
    let never = |_: &Path| Err::<(), _>(refused("never"));
    let error = cache.entry("a", never, |folder| write(folder, "new")).unwrap_err();
    assert_eq!(error.reason, "never");
}

#[test]
fn threads_that_want_one_entry_share_one_build() {
    let (_dir, cache) = cache();
    let builds = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let build = |folder: &Path| {
                    builds.fetch_add(1, Ordering::Relaxed);
                    write(folder, "text")
                };
                assert_eq!(cache.entry("a", read, build).unwrap(), "text");
            });
        }
    });
    assert_eq!(builds.into_inner(), 1);
}

#[test]
fn damage_in_a_folder_inside_is_noticed() {
    let (_dir, cache) = cache();
    let build = |folder: &Path| {
        fs::create_dir(folder.join("deep")).map_err(Unwritable::at(folder))?;
        write(&folder.join("deep"), "text")
    };
    let read = |entry: &Path| read(&entry.join("deep"));
    cache.entry("a", read, build).unwrap();
    fs::write(cache.root.join("a/deep/file"), "texx").unwrap();
    assert_eq!(cache.entry("a", read, build).unwrap(), "text");
}

#[test]
fn a_file_is_made_once_and_a_failure_leaves_none() {
    let (_dir, cache) = cache();
    let fail = |path: &Path| {
        fs::write(path, "half").map_err(Unwritable::at(path))?;
        Err(refused("it does not compile"))
    };
    assert_eq!(cache.file("a.elf", fail).unwrap_err().reason, "it does not compile");
    assert!(!cache.root.join("a.elf").exists());
    let make = |path: &Path| fs::write(path, "text").map_err(Unwritable::at(path));
    let path = cache.file("a.elf", make).unwrap();
    assert_eq!(path, cache.root.join("a.elf"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "text");
    assert_eq!(cache.file("a.elf", |_| Err(refused("it is there"))).unwrap(), path);
    let mut left: Vec<_> =
        fs::read_dir(&cache.root).unwrap().map(|f| f.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["a.elf", "a.elf.lock"]);
}

#[test]
fn a_maker_that_makes_nothing_is_an_error() {
    let (_dir, cache) = cache();
    let error = cache.file("a", |_| Ok::<(), Unwritable>(())).unwrap_err();
    assert_eq!(error.path, cache.root.join("a"));
}
