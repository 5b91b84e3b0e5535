//! Text that has to fit into so many columns.

/// Shown in place of what was left out.
const ELLIPSIS: char = '…';

/// As much of a text as fits, from its beginning; control characters become spaces.
pub fn cut(text: &str, width: usize) -> String {
    let clean = clean(text);
    match clean.len() > width {
        true if width > 0 => clean[..width - 1].iter().chain(&[ELLIPSIS]).collect(),
        true => String::new(),
        false => clean.into_iter().collect(),
    }
}

/// A code point that fits: of a long path the folders go first, from the left, then the middle of the file's name.
/// The line number stays for as long as it fits by itself.
pub fn shorten(name: &str, width: usize) -> String {
    let clean = clean(name);
    if clean.len() <= width {
        return clean.into_iter().collect();
    }
    // Folders, from the left.
    let starts = clean.iter().enumerate().filter(|(_, letter)| **letter == '/').map(|(at, _)| at);
    for start in starts {
        if clean.len() - start < width {
            return std::iter::once(&ELLIPSIS).chain(&clean[start..]).collect();
        }
    }
    // The middle of the file's name; what follows its last dot, with the line, stays.
    let name = clean.iter().rposition(|letter| *letter == '/').map_or(0, |at| at + 1);
    let name = &clean[name..];
    let end = |mark: char| name.iter().rposition(|letter| *letter == mark).map(|at| &name[at..]);
    for end in [end('.'), end(':')].into_iter().flatten() {
        if end.len() + 2 <= width {
            let begin = &name[..(width - end.len() - 1).min(name.len() - end.len())];
            return begin.iter().chain(&[ELLIPSIS]).chain(end).collect();
        }
    }
    cut(&name.iter().collect::<String>(), width)
}

/// Running text, broken between words.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().map(|line| line.chars().count()).unwrap_or(0);
        if line > 0 && line + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

fn clean(text: &str) -> Vec<char> {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_go_first_and_from_the_left() {
        let name = "source/of/the/bank/account.c:31";
        assert_eq!(shorten(name, 40), name);
        assert_eq!(shorten(name, 30), "…/of/the/bank/account.c:31");
        assert_eq!(shorten(name, 20), "…/bank/account.c:31");
        assert_eq!(shorten(name, 15), "…/account.c:31");
    }

    #[test]
    fn the_line_stays_when_the_name_itself_is_too_long() {
        assert_eq!(shorten("a/averyveryverylongname.c:1234", 16), "averyver….c:1234");
        assert_eq!(shorten("averyveryverylongname.c:1234", 8), "av…:1234");
        assert_eq!(shorten("a.c:1234", 3), "a.…");
    }

    #[test]
    fn a_path_of_200_characters_keeps_its_file_and_line_at_any_width() {
        let name = format!("{}queue.c:417", "folder/".repeat(27));
        assert_eq!(name.len(), 200);
        for width in 13..200 {
            let short = shorten(&name, width);
            assert!(short.ends_with("/queue.c:417"), "{width}: {short}");
            assert!(short.chars().count() <= width, "{width}: {short}");
        }
        for width in 6..13 {
            let short = shorten(&name, width);
            assert!(short.ends_with(":417") && short.chars().count() <= width, "{width}: {short}");
        }
    }

    #[test]
    fn names_that_are_not_paths_are_cut() {
        assert_eq!(shorten("pthread_mutex_lock+0x1c", 10), "pthread_m…");
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("a\tb", 4), "a b");
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
    }
}
