//! Verilog without comments and redundant white space: the part that determines a model's behavior.
//! Generated files carry locations and headers in comments, which must not cause rebuilds.

use std::iter::Peekable;
use std::str::Chars;

/// What to do with lines that hold only comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// Remove them.
    Drop,
    /// Keep them as empty lines, because the model reports line numbers.
    Keep,
}

/// First words of comments that tools interpret, and that are therefore part of the design.
const PRAGMAS: [&str; 6] = ["verilator", "synopsys", "synthesis", "cadence", "pragma", "ambit"];

/// Verilog text with comments removed and runs of white space reduced to one blank. Pragmas, strings
/// and escaped identifiers are kept as they are; so are line ends, because directives end
/// there.
pub fn without_comments(verilog: &str, lines: Lines) -> String {
    let mut out = Output { text: String::with_capacity(verilog.len()), lines };
    let mut chars = verilog.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '/' if chars.peek() == Some(&'/') => out.comment(&line_comment(&mut chars)),
            '/' if chars.peek() == Some(&'*') => out.comment(&block_comment(&mut chars)),
            '"' => string(&mut chars, &mut out.text),
            // An escaped identifier extends to the next white space and may hold anything.
            '\\' => {
                out.text.push(c);
                while let Some(c) = chars.next_if(|c| !c.is_whitespace()) {
                    out.text.push(c);
                }
            }
            '\n' => out.line_end(),
            c if c.is_whitespace() => out.blank(),
            c => out.text.push(c),
        }
    }
    out.text.truncate(out.text.trim_end_matches([' ', '\n']).len());
    out.text
}

/// The rest of a `//` comment, without its line end.
fn line_comment(chars: &mut Peekable<Chars>) -> String {
    let mut text = String::from("/");
    while let Some(c) = chars.next_if(|&c| c != '\n') {
        text.push(c);
    }
    text
}

/// The rest of a `/*` comment; an unterminated one ends with the text.
fn block_comment(chars: &mut Peekable<Chars>) -> String {
    let mut text = String::from("/");
    text.extend(chars.next());
    let mut previous = ' ';
    for c in chars.by_ref() {
        text.push(c);
        if previous == '*' && c == '/' {
            break;
        }
        previous = c;
    }
    text
}

fn string(chars: &mut Peekable<Chars>, out: &mut String) {
    out.push('"');
    while let Some(c) = chars.next() {
        out.push(c);
        match c {
            '"' => break,
            '\\' => out.extend(chars.next()),
            _ => {}
        }
    }
}

struct Output {
    text: String,
    lines: Lines,
}

impl Output {
    fn comment(&mut self, comment: &str) {
        let body = comment[2.min(comment.len())..].trim_start();
        if PRAGMAS.iter().any(|word| body.starts_with(word)) {
            self.text.push_str(comment);
        } else {
            self.blank();
            for _ in comment.matches('\n') {
                self.line_end();
            }
        }
    }

    fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }

    fn line_end(&mut self) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        let idle = self.text.is_empty() || self.text.ends_with('\n');
        if !idle || self.lines == Lines::Keep {
            self.text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(text: &str) -> String {
        without_comments(text, Lines::Drop)
    }

    #[test]
    fn comments_and_layout_vanish() {
        let plain = "wire a;\nassign a = 1;";
        for same in [
            "wire a;\nassign a = 1;\n",
            "// header\n\nwire a; // a wire\nassign a  =\t1;",
            "/* header\n * lines */\nwire/**/a;\n\n  assign a = /* one **/ 1;  \n\n",
        ] {
            assert_eq!(stripped(same), plain, "{same:?}");
        }
    }

    #[test]
    fn kept_lines_hold_their_numbers() {
        let text = "// one\n/* two\nthree */ wire a; // four\n\nwire b;";
        assert_eq!(without_comments(text, Lines::Keep), "\n\nwire a;\n\nwire b;");
    }

    #[test]
    fn a_comment_still_separates_words() {
        assert_eq!(stripped("wire/* */a"), "wire a");
        assert_ne!(stripped("wire/* */a"), stripped("wirea"));
    }

    #[test]
    fn pragmas_are_part_of_the_design() {
        for text in ["wire a /*verilator public*/;", "// synopsys translate_off"] {
            assert_eq!(stripped(text), text);
        }
    }

    #[test]
    fn strings_keep_what_looks_like_a_comment() {
        let text = r#"$display("// not  a \" /* comment */");"#;
        assert_eq!(stripped(text), text);
    }

    #[test]
    fn escaped_identifiers_keep_what_looks_like_a_comment_or_string() {
        assert_eq!(stripped("wire \\a//b ;"), "wire \\a//b ;");
        assert_eq!(stripped("wire \\a\"b ; // c"), "wire \\a\"b ;");
    }

    #[test]
    fn directives_stay_on_their_line() {
        assert_eq!(stripped("`define A 1 // one\nA"), "`define A 1\nA");
    }

    #[test]
    fn unfinished_comments_and_strings_end_with_the_text() {
        assert_eq!(stripped("a /* b"), "a");
        assert_eq!(stripped("a \"b"), "a \"b");
        assert_eq!(stripped("a //"), "a");
        assert_eq!(stripped("a /*"), "a");
        assert_eq!(stripped("\\"), "\\");
    }
}
