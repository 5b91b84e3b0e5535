//! The places in memory that a piece of C names, found from its tokens.
//!
//! No parser of C: declarations and macros are not understood. Every chain of members and elements is a
//! candidate for what an access touched, and whoever asks compares it with what else is known.

use super::tokens::{Kind, Token};
use std::ops::Range;

/// What a statement does to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Reads it.
    Read,
    /// Assigns to it.
    Written,
    /// `+=`, `++` and the like.
    Updated,
}

/// A place that the source names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its tokens.
    pub text: Range<usize>,
    /// The token that the compiler gives as the place of a load.
    pub at: usize,
    /// The operator that assigns to it, if one does.
    pub operator: Option<usize>,
    /// What is done to it.
    pub role: Role,
    /// Its address is taken: `&x`.
    pub address_taken: bool,
    /// It is only the beginning of a longer chain: `x` of `x.y`.
    pub goes_on: bool,
}

/// Words that are no names of variables.
const KEYWORDS: [&str; 29] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "float", "for", "goto", "if", "int", "long", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "union", "unsigned", "void", "volatile", "while",
];

/// Whether a token can be the name of a variable or function.
pub fn is_name(token: &Token) -> bool {
    token.kind == Kind::Word && !KEYWORDS.contains(&token.text.as_str())
}

/// The statement around a token: up to `;`, `{` or `}` on both sides.
pub fn statement(tokens: &[Token], at: usize) -> Range<usize> {
    let ends = |token: &Token| matches!(token.text.as_str(), ";" | "{" | "}");
    let start = tokens[..at.min(tokens.len())].iter().rposition(ends).map_or(0, |end| end + 1);
    let end = tokens[at.min(tokens.len())..].iter().position(ends);
    start..end.map_or(tokens.len(), |end| at + end)
}

/// The token after the one that closes the bracket at `open`.
pub fn after_bracket(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The arguments of the call whose `(` is at `open`; none if it is not there.
pub fn arguments(tokens: &[Token], open: usize) -> Vec<Range<usize>> {
    let is_call = tokens.get(open).is_some_and(|token| token.text == "(");
    let Some(end) = after_bracket(tokens, open).filter(|_| is_call) else { return Vec::new() };
    let (mut found, mut start, mut at) = (Vec::new(), open + 1, open + 1);
    while at + 1 < end {
        match tokens[at].text.as_str() {
            "(" | "[" | "{" => match after_bracket(tokens, at) {
                Some(after) => at = after,
                None => break,
            },
            "," => {
                found.push(start..at);
                (start, at) = (at + 1, at + 1);
            }
            _ => at += 1,
        }
    }
    if start + 1 < end {
        found.push(start..end - 1);
    }
    found
}

/// All places that the tokens of a range name.
pub fn candidates(tokens: &[Token], range: Range<usize>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let range = range.start..range.end.min(tokens.len());
    for start in range.clone() {
        if let Some(first) = primary(tokens, start) {
            chain(tokens, start..range.end, first, &mut found);
        }
    }
    found
}

/// The end of the primary expression that begins here, if a chain can begin with it.
fn primary(tokens: &[Token], start: usize) -> Option<usize> {
    let before = start.checked_sub(1).map(|before| &tokens[before]);
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    if is_name(&tokens[start]) {
        let is_member = before.is_some_and(|before| matches!(before.text.as_str(), "->" | "."));
        let is_tag = before
            .is_some_and(|before| matches!(before.text.as_str(), "struct" | "union" | "enum"));
        return (!is_member && !is_tag).then_some(start + 1);
    }
    let is_call = before.is_some_and(|before| is_name(before) || before.text == "]");
    if tokens[start].text != "(" || is_call {
        return None;
    }
    let end = after_bracket(tokens, start)?;
    let is_starred = before.is_some_and(|before| before.text == "*");
    (matches!(text(end), "->" | "." | "[") || is_starred && text(end - 2) != "*").then_some(end)
}

/// Every beginning of a chain, then the chain behind each of the stars before it.
fn chain(tokens: &[Token], range: Range<usize>, first: usize, found: &mut Vec<Candidate>) {
    let start = range.start;
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let (mut end, mut at) = (first, start);
    let mut is_place = text(start) != "(";
    let from = found.len();
    if is_declared(tokens, start) {
        // `int name[3] = …` is all of `name`.
        while let Some(after) = after_bracket(tokens, end).filter(|_| text(end) == "[") {
            end = after;
        }
        found.push(Candidate { text: start..first, ..candidate(tokens, start..end, start) });
        return;
    }
    loop {
        if is_place {
            found.push(candidate(tokens, start..end, at));
        }
        if end >= range.end {
            break;
        }
        match text(end) {
            "->" | "." if tokens.get(end + 1).is_some_and(|next| next.kind == Kind::Word) => {
                (at, end) = (end + 1, end + 2);
                is_place = true;
            }
            bracket @ ("[" | "(") => {
                let Some(after) = after_bracket(tokens, end) else { break };
                (at, end) = (start, after);
                is_place = bracket == "[";
            }
            _ => break,
        }
    }
    let cast = before_cast(tokens, start);
    let stars = tokens[..cast].iter().rev().take_while(|token| token.text == "*").count();
    if stars == 0 || follows_operand(tokens, cast - stars) {
        return;
    }
    // What is assigned to is behind the pointer, not the pointer.
    for pointer in found[from..].iter_mut().filter(|one| one.role != Role::Read) {
        let steps = |operator: usize| matches!(text(operator), "++" | "--");
        if !pointer.operator.is_some_and(steps) {
            (pointer.role, pointer.operator) = (Role::Read, None);
        }
    }
    for star in (cast - stars..cast).rev() {
        found.push(candidate(tokens, star..end, star));
    }
}

/// Whether a name is that of a declaration: it comes after a type.
fn is_declared(tokens: &[Token], start: usize) -> bool {
    let before = start.checked_sub(1).map(|before| &tokens[before]);
    before.is_some_and(|before| before.kind == Kind::Word) && follows_operand(tokens, start)
}

/// Where the cast to a pointer before an expression begins, or else the expression.
fn before_cast(tokens: &[Token], start: usize) -> usize {
    let text =
        |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.text.as_str());
    if text(start.checked_sub(1)) != Some(")") || text(start.checked_sub(2)) != Some("*") {
        return start;
    }
    tokens[..start].iter().rposition(|token| token.text == "(").unwrap_or(start)
}

/// Whether a star here multiplies, or belongs to a declaration. After `)` nobody knows.
fn follows_operand(tokens: &[Token], star: usize) -> bool {
    const BEFORE_EXPRESSIONS: [&str; 5] = ["return", "case", "else", "do", "sizeof"];
    star.checked_sub(1).map(|before| &tokens[before]).is_some_and(|before| match before.kind {
        Kind::Word => !BEFORE_EXPRESSIONS.contains(&before.text.as_str()),
        Kind::Constant => true,
        Kind::Mark => before.text == "]",
    })
}

fn candidate(tokens: &[Token], text: Range<usize>, at: usize) -> Candidate {
    let word =
        |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.text.as_str());
    let before = text.start.checked_sub(1);
    let is_step = |word: Option<&str>| matches!(word, Some("++" | "--"));
    let starred = word(Some(text.start)) == Some("*");
    let mut after = text.end;
    // `*p++ = 1` steps the pointer and assigns behind it.
    if starred && is_step(word(Some(after))) {
        after += 1;
    }
    let (role, operator) = match word(Some(after)) {
        Some("=") => (Role::Written, Some(after)),
        Some(
            "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" | "++" | "--",
        ) => (Role::Updated, Some(after)),
        _ if is_step(word(before)) => (Role::Updated, before),
        _ => (Role::Read, None),
    };
    // `a & b` is no address, but then nothing depends on it either.
    let address_taken = word(before) == Some("&");
    let goes_on = matches!(word(Some(text.end)), Some("." | "->" | "[" | "("));
    Candidate { text, at, operator, role, address_taken, goes_on }
}

/// Tokens as a person would write them.
pub fn written(tokens: &[Token], range: Range<usize>) -> String {
    let tokens = tokens.get(range).unwrap_or_default();
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let last = at.checked_sub(1).map(|last| &tokens[last]);
        let next = tokens.get(at + 1).map_or("", |next| next.text.as_str());
        let operand = last.is_some_and(|last| {
            last.kind != Kind::Mark || matches!(last.text.as_str(), ")" | "]" | "++" | "--")
        });
        let words = token.kind != Kind::Mark && last.is_some_and(|last| last.kind != Kind::Mark);
        let binary = operand && is_binary(&token.text);
        if words || binary {
            text.push(' ');
        }
        text.push_str(&token.text);
        if binary && !matches!(next, ")" | "*") || token.text == "," {
            text.push(' ');
        }
    }
    text
}

/// Operators that have spaces around them where they join two operands.
fn is_binary(text: &str) -> bool {
    const OPERATORS: [&str; 21] = [
        "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&",
        "||", "?", ":", "=",
    ];
    OPERATORS.contains(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::tokens::tokens;

    fn all(line: &str) -> Vec<String> {
        let tokens = tokens(&[line.to_owned()]);
        let found = candidates(&tokens, 0..tokens.len());
        let shown = found.into_iter().map(|one| {
            let role = match one.role {
                Role::Read => "",
                Role::Written => "=",
                Role::Updated => "+",
            };
            let taken = if one.address_taken { "&" } else { "" };
            let column = tokens[one.at].column;
            format!("{taken}{}{role}@{column}", written(&tokens, one.text))
        });
        shown.collect()
    }

    #[test]
    fn every_part_of_a_chain_is_a_place_with_the_column_of_the_compiler() {
        assert_eq!(
            all("t->slots[i]->next.n += 1;"),
            [
                "t@1",
                "t->slots@4",
                "t->slots[i]@1",
                "t->slots[i]->next@14",
                "t->slots[i]->next.n+@19",
                "i@10"
            ]
        );
    }

    #[test]
    fn stars_groups_and_casts_are_followed() {
        assert_eq!(all("*p = **q;"), ["p@2", "*p=@1", "q@8", "*q@7", "**q@6"]);
        assert_eq!(all("x = *(int *)p;"), ["x=@1", "p@13", "*(int *)p@5"]);
        assert_eq!(all("(*p).x = 1;"), ["(*p).x=@6", "p@3", "*p@2"]);
        assert_eq!(all("((struct node *)q)->next = 0;"), ["((struct node *)q)->next=@21", "q@17"]);
        assert_eq!(all("*(p + i) = 1;"), ["*(p + i)=@1", "p@3", "i@7"]);
        assert_eq!(all("++t->n;"), ["t+@3", "t->n+@6"]);
        assert_eq!(all("*p++ = 1;"), ["p+@2", "*p=@1"]);
    }

    #[test]
    fn stars_that_multiply_or_declare_are_no_pointers() {
        assert_eq!(all("int *p = a * b;"), ["p=@6", "a@10", "b@14"]);
        assert_eq!(all("return *p;"), ["p@9", "*p@8"]);
        assert_eq!(all("struct job job[2] = {a};"), ["job=@12", "a@22"]);
    }

    #[test]
    fn results_are_no_places_but_what_they_point_to_is() {
        assert_eq!(all("find(k)->n = 1;"), ["find@1", "find(k)->n=@10", "k@6"]);
        assert_eq!(all("f(&a->b, c);"), ["f@1", "&a@4", "&a->b@7", "c@10"]);
        assert_eq!(all("t->hook(1);"), ["t@1", "t->hook@4"]);
    }

    #[test]
    fn arguments_are_split_at_their_own_commas() {
        let tokens = tokens(&["f(a, g(b, c), d[1, 2]) ; h()".to_owned()]);
        let shown: Vec<_> =
            arguments(&tokens, 1).into_iter().map(|one| written(&tokens, one)).collect();
        assert_eq!(shown, ["a", "g(b, c)", "d[1, 2]"]);
        let last = tokens.len() - 2;
        assert_eq!(arguments(&tokens, last), []);
        assert_eq!(arguments(&tokens, 0), [], "no bracket");
    }
}
