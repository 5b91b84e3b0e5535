//! What a file is, by the end of its name: C, assembly, an object, or something that is not compiled here.

use std::path::Path;

use crate::Error;

/// Ends of names of C and assembly files.
const COMPILED: [&str; 3] = ["c", "S", "s"];
/// Ends of names of what is linked as it is.
const LINKED: [&str; 2] = ["o", "a"];
/// Languages that people may expect, with the ends of their files' names.
const OTHER_LANGUAGES: [(&str, &[&str]); 8] = [
    ("C++", &["cpp", "cc", "cxx", "c++", "C", "CPP", "hpp", "hh", "hxx"]),
    ("Objective-C", &["m", "mm"]),
    ("Rust", &["rs"]),
    ("Go", &["go"]),
    ("Zig", &["zig"]),
    ("Fortran", &["f", "f90", "F90"]),
    ("Java", &["java"]),
    ("Python", &["py"]),
];

/// Whether a file is to be compiled: C or assembly.
pub fn is_source(path: &Path) -> bool {
    ends_in(path, &COMPILED)
}

/// Refuses a file whose language is known but not compiled here. Any other file may be a program.
///
/// # Errors
/// [`Error::Language`].
pub fn check_language(path: &Path) -> Result<(), Error> {
    let other = OTHER_LANGUAGES.iter().find(|(_, ends)| ends_in(path, ends));
    match other {
        Some((language, _)) => Err(Error::Language { path: path.to_owned(), language }),
        None => Ok(()),
    }
}

/// Refuses a file that can be neither compiled nor linked.
///
/// # Errors
/// [`Error::Language`] or [`Error::NotASource`].
pub fn check(path: &Path) -> Result<(), Error> {
    check_language(path)?;
    match is_source(path) || ends_in(path, &LINKED) {
        true => Ok(()),
        false => Err(Error::NotASource { path: path.to_owned() }),
    }
}

fn ends_in(path: &Path, ends: &[&str]) -> bool {
    path.extension().is_some_and(|end| ends.iter().any(|known| end == *known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_languages_are_refused_by_name() {
        let said = |name: &str| check(Path::new(name)).unwrap_err().to_string();
        assert_eq!(
            said("a/x.cpp"),
            "`a/x.cpp` is C++, which is not supported; supported are C (.c) and assembly (.S, .s)"
        );
        assert!(said("x.rs").starts_with("`x.rs` is Rust, which is not supported;"));
        assert_eq!(
            said("x.txt"),
            "`x.txt` is neither a source (.c, .S, .s) nor an object file or archive (.o, .a)"
        );
        assert!(said("x").starts_with("`x` is neither"));
    }

    #[test]
    fn c_assembly_and_objects_are_accepted() {
        ["x.c", "x.S", "x.s", "x.o", "x.a"].iter().for_each(|name| check(Path::new(name)).unwrap());
        assert!(check_language(Path::new("program")).is_ok(), "may be a linked program");
        assert!(is_source(Path::new("x.c")) && !is_source(Path::new("x.o")));
    }
}
