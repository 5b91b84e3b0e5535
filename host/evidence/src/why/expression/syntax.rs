//! The expressions themselves: their grammar, and what they look like written out again.

use super::{DEEPEST, ExpressionError, LONGEST, WORD};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Number(u32),
    Name { scope: Option<String>, name: String },
    Member(Box<Node>, String),
    Arrow(Box<Node>, String),
    Index(Box<Node>, i64),
    Target(Box<Node>),
    Address(Box<Node>),
    Cast { of: String, stars: usize, node: Box<Node> },
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = |node: &Self| match node {
            Self::Target(_) | Self::Address(_) | Self::Cast { .. } => format!("({node})"),
            _ => node.to_string(),
        };
        match self {
            Self::Number(number) => write!(f, "{number:#x}"),
            Self::Name { scope: Some(scope), name } => write!(f, "{scope}::{name}"),
            Self::Name { scope: None, name } => f.write_str(name),
            Self::Member(node, name) => write!(f, "{}.{name}", inner(node)),
            Self::Arrow(node, name) => write!(f, "{}->{name}", inner(node)),
            Self::Index(node, index) => write!(f, "{}[{index}]", inner(node)),
            Self::Target(node) => write!(f, "*{node}"),
            Self::Address(node) => write!(f, "&{node}"),
            Self::Cast { of, stars, node } => write!(f, "({of} {}){node}", "*".repeat(*stars)),
        }
    }
}

/// What was asked: an address and how many bytes, or an expression.
pub(super) enum Question {
    Bytes(u32, u32),
    Expression(Node),
}

/// Reads what was asked.
pub(super) fn parse(text: &str) -> Result<Question, ExpressionError> {
    if text.len() > LONGEST {
        return Err(ExpressionError::TooLong(text.len()));
    }
    let mut parser = Parser { text, at: 0, depth: 0 };
    if let Some((address, bytes)) = parser.range()? {
        return Ok(Question::Bytes(address, bytes));
    }
    let node = parser.unary()?;
    parser.end()?;
    Ok(Question::Expression(node))
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn wrong<T>(&mut self, expected: &'static str) -> Result<T, ExpressionError> {
        self.rest();
        Err(ExpressionError::Syntax { text: self.text.to_owned(), at: self.at, expected })
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at += sign.len();
        }
        is_next
    }

    fn end(&mut self) -> Result<(), ExpressionError> {
        if self.rest().is_empty() { Ok(()) } else { self.wrong("`.`, `->`, `[` or the end") }
    }

    /// An address alone, with or without a number of bytes.
    fn range(&mut self) -> Result<Option<(u32, u32)>, ExpressionError> {
        if !self.rest().starts_with(|letter: char| letter.is_ascii_digit()) {
            return Ok(None);
        }
        let address = self.number()?;
        let bytes = match self.takes(":") {
            true => self.number()?,
            false => WORD,
        };
        if bytes == 0 {
            return self.wrong("at least one byte");
        }
        self.end()?;
        Ok(Some((address, bytes)))
    }

    fn number(&mut self) -> Result<u32, ExpressionError> {
        let rest = self.rest();
        let is_digit = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let length = rest.find(|letter| !is_digit(letter)).unwrap_or(rest.len());
        let digits = rest[..length].replace('_', "");
        let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => digits.parse().ok(),
        };
        let Some(number) = number else { return self.wrong("a number of at most 32 bits") };
        self.at += length;
        Ok(number)
    }

    fn name(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let name = &rest[..length];
        let is_name = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        is_name.then(|| {
            self.at += length;
            name
        })
    }

    fn unary(&mut self) -> Result<Node, ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ExpressionError::TooDeep);
        }
        let node = if self.takes("*") {
            Node::Target(Box::new(self.unary()?))
        } else if self.takes("&") {
            Node::Address(Box::new(self.unary()?))
        } else if let Some((of, stars)) = self.cast() {
            Node::Cast { of, stars, node: Box::new(self.unary()?) }
        } else {
            self.postfix()?
        };
        self.depth -= 1;
        Ok(node)
    }

    /// `(struct node *)`; without a star it is no cast.
    fn cast(&mut self) -> Option<(String, usize)> {
        let before = self.at;
        let found = self.cast_from_here();
        if found.is_none() {
            self.at = before;
        }
        found
    }

    fn cast_from_here(&mut self) -> Option<(String, usize)> {
        if !self.takes("(") {
            return None;
        }
        let mut words = Vec::new();
        while let Some(word) = self.name() {
            words.push(word);
        }
        let mut stars = 0;
        while self.takes("*") {
            stars += 1;
        }
        let is_cast = stars > 0 && !words.is_empty() && self.takes(")");
        is_cast.then(|| (words.join(" "), stars))
    }

    fn postfix(&mut self) -> Result<Node, ExpressionError> {
        let mut node = self.primary()?;
        for _ in 0..DEEPEST {
            if self.takes("->") {
                let Some(name) = self.name() else { return self.wrong("a member") };
                node = Node::Arrow(Box::new(node), name.to_owned());
            } else if self.takes(".") {
                let Some(name) = self.name() else { return self.wrong("a member") };
                node = Node::Member(Box::new(node), name.to_owned());
            } else if self.takes("[") {
                let is_below = self.takes("-");
                if !self.rest().starts_with(|letter: char| letter.is_ascii_digit()) {
                    return self.wrong("a constant index");
                }
                let index = i64::from(self.number()?);
                if !self.takes("]") {
                    return self.wrong("`]`");
                }
                node = Node::Index(Box::new(node), if is_below { -index } else { index });
            } else {
                return Ok(node);
            }
        }
        Err(ExpressionError::TooDeep)
    }

    fn primary(&mut self) -> Result<Node, ExpressionError> {
        if self.takes("(") {
            let node = self.unary()?;
            return if self.takes(")") { Ok(node) } else { self.wrong("`)`") };
        }
        if self.rest().starts_with(|letter: char| letter.is_ascii_digit()) {
            return Ok(Node::Number(self.number()?));
        }
        let scope = self.scope();
        match self.name() {
            Some(name) => Ok(Node::Name { scope, name: name.to_owned() }),
            None => self.wrong("a variable or an address"),
        }
    }

    /// What stands before `::`.
    fn scope(&mut self) -> Option<String> {
        let rest = self.rest();
        let is_part = |letter: char| letter.is_alphanumeric() || "_.-/+".contains(letter);
        let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let is_scope = length > 0 && rest[length..].starts_with("::");
        is_scope.then(|| {
            self.at += length + 2;
            rest[..length].to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<String, ExpressionError> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let node = parser.unary()?;
        parser.end()?;
        Ok(node.to_string())
    }

    #[test]
    fn expressions_read_as_c_does() {
        for (text, read) in [
            ("a", "a"),
            (" a . b -> c [ 0x10 ] ", "a.b->c[16]"),
            ("*a[1]", "*a[1]"),
            ("(*a)[1]", "(*a)[1]"),
            ("*p->q", "*p->q"),
            ("(*p).q", "(*p).q"),
            ("((a))", "a"),
            ("* ( struct node * * ) 0x80000000", "*(struct node **)0x80000000"),
            ("queue.c::size", "queue.c::size"),
            ("push::count[-1]", "push::count[-1]"),
            ("**p", "**p"),
            ("*&a", "*&a"),
        ] {
            assert_eq!(parsed(text).as_deref(), Ok(read), "{text}");
        }
    }

    #[test]
    fn what_is_no_expression_is_refused_where_it_stops_being_one() {
        for (text, at, expected) in [
            ("", 0, "a variable or an address"),
            ("a.", 2, "a member"),
            ("a[i]", 2, "a constant index"),
            ("a[1", 3, "`]`"),
            ("a + b", 2, "`.`, `->`, `[` or the end"),
            ("(a", 2, "`)`"),
            ("a->7", 3, "a member"),
            ("*", 1, "a variable or an address"),
            ("0x", 0, "a number of at most 32 bits"),
            ("é::", 4, "a variable or an address"),
        ] {
            let wrong = ExpressionError::Syntax { text: text.into(), at, expected };
            assert_eq!(parsed(text), Err(wrong), "{text}");
        }
        assert_eq!(parsed(&"(".repeat(999)), Err(ExpressionError::TooDeep));
        assert_eq!(parsed(&"*".repeat(999)), Err(ExpressionError::TooDeep));
        assert_eq!(parsed(&("a".to_owned() + &"[1]".repeat(300))), Err(ExpressionError::TooDeep));
    }
}
