//! Short names of source files: as many of their folders as make them unique.

use hashbrown::HashMap;

/// A name has at most this many parts; a file that needs more keeps its whole path.
const MOST_PARTS: usize = 8;

/// The files of a program, by their ends.
#[derive(Debug, Default)]
pub struct FileNames {
    /// How many files end so, for every end that could be a name.
    ends: HashMap<String, u32>,
}

impl FileNames {
    /// Of these files; each may be named more than once in a row.
    pub fn of<'a>(files: impl Iterator<Item = &'a str>) -> Self {
        let mut ends: HashMap<String, u32> = HashMap::new();
        let mut last = None;
        for file in files.filter(|file| last.replace(*file) != Some(*file)) {
            for end in ends_of(file) {
                *ends.entry_ref(end).or_default() += 1;
            }
        }
        Self { ends }
    }

    /// The shortest end of a path that no other file has.
    pub fn short<'a>(&self, file: &'a str) -> &'a str {
        ends_of(file).find(|end| self.ends.get(*end) == Some(&1)).unwrap_or(file)
    }
}

/// `c`, `b/c`, `a/b/c` of `a/b/c`.
fn ends_of(file: &str) -> impl Iterator<Item = &str> {
    let starts = file.rmatch_indices('/').map(|(place, _)| place + 1).chain([0]);
    starts.map(|start| &file[start..]).filter(|end| !end.is_empty()).take(MOST_PARTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_called_by_as_little_of_its_path_as_tells_it_apart() {
        let files = ["a/log.c", "a/queue.c", "a/queue.c", "b/log.c", "log.c"];
        let names = FileNames::of(files.into_iter());
        let short = files.map(|file| names.short(file));
        assert_eq!(short, ["a/log.c", "queue.c", "queue.c", "b/log.c", "log.c"]);
    }

    #[test]
    fn odd_paths_keep_their_names() {
        let deep = "d/".repeat(20) + "x.c";
        let other = "e/".to_owned() + &deep;
        let names = FileNames::of([deep.as_str(), other.as_str(), "dir/"].into_iter());
        assert_eq!(names.short(&deep), deep);
        assert_eq!(names.short("dir/"), "dir/");
        assert_eq!(names.short(""), "");
        assert_eq!(names.short("never/seen.c"), "never/seen.c");
    }
}
