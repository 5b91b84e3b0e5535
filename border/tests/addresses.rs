//! No address of a device, nor RAM's, is typed outside this crate.
//!
//! What counts is a number in code: comments and strings are for people. A number is an address if it is the
//! first one of RAM, a page of a device's region, the first one after the region, or a register of hart 0.
//! Other numbers in the same ranges, such as instructions, are none. Test data that happens to be such a
//! number, like the most negative integer, is written another way (`i32::MIN as u32`, `1 << 31`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use border::map::{self, Region};
use border::{clint, monitor, uart};

/// Folders that are not searched: this crate, what is built, and programs that others wrote, which know nothing of the machine and are
/// never edited.
const APART: [&str; 6] = [
    "border",
    "target",
    "firmware/validation",
    "firmware/second-set",
    "firmware/third-set",
    "firmware/fourth-set",
];
const SOURCES: [&str; 6] = ["rs", "c", "h", "S", "cpp", "hpp"];
const PAGE: u32 = 0x1000;

/// The addresses, and what each is.
fn addresses() -> BTreeMap<u32, String> {
    let mut found = BTreeMap::from([(map::RAM.base, "ram".to_owned())]);
    for Region { name, base, bytes, .. } in [map::CLINT, map::UART, map::MONITORS] {
        let pages = (0..bytes).step_by(PAGE as usize).chain([bytes]);
        found.extend(pages.map(|offset| (base + offset, format!("{name} + {offset:#x}"))));
    }
    let of = |window: &str, word: &str| format!("{window}'s {word}");
    found.extend(clint::Word::ALL.map(|word| (word.address(0), of("clint", word.name()))));
    found.extend(uart::Word::ALL.map(|word| (word.address(), of("uart", word.name()))));
    found.extend(monitor::Word::ALL.map(|w| (monitor::address(0, w), of("monitor", w.name()))));
    found
}

/// The code of a source: comments and strings become spaces, lines stay.
fn code_of(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("r\"") || rest.starts_with("r#") {
            let hashes = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
            let end = format!("\"{}", "#".repeat(hashes));
            let begin = 2 + hashes;
            let quoted = rest.as_bytes().get(begin - 1) == Some(&b'"');
            let found = rest.get(begin..).and_then(|text| text.find(&end)).filter(|_| quoted);
            found.map_or(1, |at| begin + at + end.len())
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\'") {
            3
        } else if next == '"' {
            string_length(rest)
        } else {
            code.push(next);
            rest = &rest[next.len_utf8()..];
            continue;
        };
        code.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[length..];
    }
    code
}

/// Bytes of the string literal that `rest` begins with.
fn string_length(rest: &str) -> usize {
    let mut escaped = true;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'"' if !escaped => return at + 1,
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    rest.len()
}

/// The hexadecimal numbers of a line of code that fit 32 bits.
fn numbers(line: &str) -> impl Iterator<Item = u32> {
    let lower = line.to_lowercase();
    let starts: Vec<_> = lower.match_indices("0x").map(|(at, _)| at + 2).collect();
    starts.into_iter().filter_map(move |at| {
        let digits = lower[at..].chars().take_while(|c| c.is_ascii_hexdigit() || *c == '_');
        u32::from_str_radix(&digits.filter(|c| *c != '_').collect::<String>(), 16).ok()
    })
}

fn search(folder: &Path, root: &Path, found: &mut Vec<String>) {
    let addresses = addresses();
    let generated = border::generated::files(root).unwrap();
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let inside = path.strip_prefix(root).unwrap();
        let name = inside.file_name().unwrap_or_default().to_string_lossy();
        let ends = |end: &str| path.extension().is_some_and(|extension| extension == end);
        if path.is_dir() {
            let is_apart = APART.iter().any(|folder| Path::new(folder) == inside);
            if !is_apart && !name.starts_with('.') {
                search(&path, root, found);
            }
        } else if SOURCES.iter().any(|end| ends(end))
            && !generated.iter().any(|file| Path::new(file.path) == inside)
        {
            let code = code_of(&fs::read_to_string(&path).unwrap());
            for (line, text) in (1..).zip(code.lines()) {
                let strays = numbers(text).filter_map(|number| addresses.get(&number));
                found.extend(strays.map(|what| format!("{}:{line}: {what}", inside.display())));
            }
        }
    }
}

#[test]
fn no_address_of_the_map_is_typed_outside_border() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    search(root, root, &mut found);
    assert!(found.is_empty(), "use `border` or its C header instead:\n{}", found.join("\n"));
}

#[test]
fn an_address_is_seen_in_every_spelling() {
    for text in ["0x1100_0000", "0X11000000u", "0x1100_0000_u32", "f(0x11000000)", "0x0200BFF8"] {
        assert_eq!(numbers(text).filter(|n| addresses().contains_key(n)).count(), 1, "{text}");
    }
    for text in ["0x0200_0033", "0x1000_202f", "0x1_1100_0000", "0x1100_00004"] {
        assert_eq!(numbers(text).filter(|n| addresses().contains_key(n)).count(), 0, "{text}");
    }
}

#[test]
fn comments_and_strings_are_no_code() {
    let source = "a // 0x1\nb /* \n 0x2 */ c \"0x3 \\\" 0x4\" d r#\"0x5 \" 0x6\"# e '\"' 0x7";
    let code = code_of(source);
    assert_eq!(code.split_whitespace().collect::<Vec<_>>(), ["a", "b", "c", "d", "e", "0x7"]);
    assert_eq!(code.lines().count(), source.lines().count());
}
