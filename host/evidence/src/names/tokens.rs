//! The tokens of a C file, with their places.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// A number, a character or a string.
    Constant,
    /// Anything else.
    Mark,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// As it is written.
    pub text: String,
    /// What it is.
    pub kind: Kind,
    /// Its line, from 1.
    pub line: u32,
    /// Its first byte in the line, from 1, as the compiler counts.
    pub column: u32,
}

/// Operators of more than one character, longest first.
const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==",
    "!=", "<=", ">=", "&&", "||", "<<", ">>",
];

/// The tokens of a file. Comments and preprocessor lines are left out; a file that is not C gives some tokens.
pub fn tokens(lines: &[String]) -> Vec<Token> {
    let mut found = Vec::new();
    let (mut in_comment, mut in_directive) = (false, false);
    for (number, line) in lines.iter().enumerate() {
        let directive = in_directive || !in_comment && line.trim_start().starts_with('#');
        in_directive = directive && line.trim_end().ends_with('\\');
        let number = u32::try_from(number + 1).unwrap_or(u32::MAX);
        scan(line, number, directive, &mut in_comment, &mut found);
    }
    found
}

fn scan(line: &str, number: u32, skip: bool, in_comment: &mut bool, found: &mut Vec<Token>) {
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        if *in_comment {
            let Some(end) = rest.find("*/") else { return };
            at += end + 2;
            *in_comment = false;
            continue;
        }
        if rest.starts_with("//") {
            return;
        }
        if rest.starts_with("/*") {
            *in_comment = true;
            at += 2;
            continue;
        }
        let first = rest.chars().next().unwrap_or(' ');
        let (length, kind) = length(rest, first);
        if let (Some(kind), false) = (kind, skip) {
            let text = rest[..length].to_owned();
            found.push(Token { text, kind, line: number, column: at as u32 + 1 });
        }
        at += length;
    }
}

/// How long the token at the beginning of a text is, and what it is; none if it is white space.
fn length(rest: &str, first: char) -> (usize, Option<Kind>) {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let run = |more: fn(char) -> bool| {
        rest.find(|letter| !is_part(letter) && !more(letter)).unwrap_or(rest.len())
    };
    if first.is_whitespace() {
        (first.len_utf8(), None)
    } else if first.is_ascii_digit() {
        (run(|letter| letter == '.'), Some(Kind::Constant))
    } else if is_part(first) {
        (run(|_| false), Some(Kind::Word))
    } else if first == '"' || first == '\'' {
        (quoted(rest, first), Some(Kind::Constant))
    } else {
        let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
        (operator.map_or(first.len_utf8(), |operator| operator.len()), Some(Kind::Mark))
    }
}

/// The length of a string or character; it ends with its line at the latest.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        if letter == quote && !escaped {
            return at + 1;
        }
        escaped = letter == '\\' && !escaped;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_directives_and_strings_hide_what_is_in_them() {
        let text = "#define A \\\n  b->c\nx->y /* a.b\nc */ += \"a->\\\"b\" 'c' 1.5; // z";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let found = tokens(&lines);
        let texts: Vec<&str> = found.iter().map(|token| token.text.as_str()).collect();
        assert_eq!(texts, ["x", "->", "y", "+=", "\"a->\\\"b\"", "'c'", "1.5", ";"]);
        assert_eq!((found[2].line, found[2].column, found[3].line, found[3].column), (3, 4, 4, 6));
    }

    #[test]
    fn odd_text_ends() {
        for text in ["\"open", "'", "/*", "é→ü", "@\u{0}", ""] {
            tokens(&[text.to_owned()]);
        }
    }
}
