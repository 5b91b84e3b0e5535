//! What a person asks about: an address, or an expression over globals as C writes it.
//!
//! ```text
//! asked   = number [":" number]                   an address, and how many bytes (4)
//!         | unary
//! unary   = ("*" | "&") unary | "(" type "*"… ")" unary | postfix
//! postfix = primary ("." name | "->" name | "[" integer "]")…
//! primary = number | [scope "::"] name | "(" unary ")"
//! ```
//!
//! A scope is a function, for its `static` variables, or a file. Pointers have the values that are in memory then.

use crate::log::Bytes;
use crate::names::Names;
use debuginfo::{Global, Shape, TypeId, Types, Variables};
use std::collections::BTreeSet;
use std::fmt;

/// The longest expression that is read.
const LONGEST: usize = 1000;
/// How deep one may be nested.
const DEEPEST: u32 = 64;
/// The most bytes that can be asked about at once.
const MOST_BYTES: u32 = 65_536;
/// Bytes at an address of which nothing is known.
const WORD: u32 = 4;

/// Some bytes of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What the person calls them.
    pub text: String,
    /// The first of them.
    pub address: u32,
    /// How many.
    pub bytes: u32,
    /// Their type, if it is known.
    pub of: Option<TypeId>,
}

/// Why an expression means nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum ExpressionError {
    #[error("expected {expected} at byte {at} of `{text}`{}", found(text, *at))]
    Syntax { text: String, at: usize, expected: &'static str },
    #[error("the expression has {0} bytes; at most {LONGEST} are read")]
    TooLong(usize),
    #[error("the expression is nested more than {DEEPEST} deep")]
    TooDeep,
    #[error("there is no variable `{name}` with a fixed address{}", similar(near))]
    NoVariable { name: String, near: Option<String> },
    #[error("`{name}` can be {}; say which", .choices.join(" or "))]
    Ambiguous { name: String, choices: Vec<String> },
    #[error("there is no type `{0}`")]
    NoType(String),
    #[error("`{of}` has no member `{name}`{}", members(known))]
    NoMember { of: String, name: String, known: Vec<String> },
    #[error("`{0}` is a pointer; write `->` in place of `.`")]
    IsPointer(String),
    #[error("`{0}` is no pointer; write `.` in place of `->`")]
    IsRecord(String),
    #[error("`{0}` is neither a pointer nor an array")]
    NotIndexed(String),
    #[error("`{of}` has {count} elements; there is no element {index}")]
    NoElement { of: String, count: u32, index: i64 },
    #[error(
        "the size of what `{0}` points to is not known; write `*(int *)({0})`, or an address and a size: `0x80000000:4`"
    )]
    Void(String),
    #[error("`{text}` is at {address:#x}, where there is no memory: a pointer on the way is wrong")]
    Nowhere { text: String, address: u32 },
    #[error("`{0}` is an address, which nobody wrote; ask for what is there")]
    Value(String),
    #[error("the compiler kept no memory for `{0}`")]
    NotKept(String),
    #[error("`{text}` has {bytes} bytes; ask for a part of at most {MOST_BYTES}")]
    TooLarge { text: String, bytes: u32 },
}

fn found(text: &str, at: usize) -> String {
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        Some(letter) => format!(", got `{}`", letter.escape_default()),
        None => ", which ends there".to_owned(),
    }
}

fn similar(near: &Option<String>) -> String {
    near.as_ref().map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

fn members(known: &[String]) -> String {
    match known {
        [] => String::new(),
        known => format!("; it has {}", known.join(", ")),
    }
}

impl Asked {
    /// What an expression means where this is in memory.
    ///
    /// # Errors
    /// If it means nothing: says why.
    pub fn read(names: &Names, memory: &dyn Bytes, text: &str) -> Result<Self, ExpressionError> {
        if text.len() > LONGEST {
            return Err(ExpressionError::TooLong(text.len()));
        }
        let mut parser = Parser { text, at: 0, depth: 0 };
        let asked = match parser.range()? {
            Some((address, bytes)) => {
                Self { text: text.trim().to_owned(), address, bytes, of: None }
            }
            None => {
                let node = parser.unary()?;
                parser.end()?;
                let meaning = Meaning { names, memory };
                meaning.asked(&node)?
            }
        };
        let Self { bytes, address, .. } = asked;
        if bytes > MOST_BYTES {
            return Err(ExpressionError::TooLarge { text: asked.text, bytes });
        }
        if !is_memory(address) || address.checked_add(bytes).is_none() {
            return Err(ExpressionError::Nowhere { text: asked.text, address });
        }
        Ok(asked)
    }

    /// The addresses of the bytes.
    pub fn range(&self) -> std::ops::Range<u32> {
        self.address..self.address + self.bytes
    }
}

fn is_memory(address: u32) -> bool {
    address >= border::map::RAM.base
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
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

/// Where a place is: of a variable some bytes may exist only in parts.
enum At<'a> {
    Parts(Vec<&'a Global>, u32),
    Address(u32),
}

enum Value<'a> {
    /// A part of memory; of bytes of unknown type, how many.
    Place { at: At<'a>, of: Option<Of>, bytes: u32 },
    /// A pointer that is in no memory, and what it points to.
    Pointer(u32, Option<Of>),
}

/// A type, or so many pointers to it.
#[derive(Clone, Copy)]
struct Of {
    of: TypeId,
    stars: usize,
}

impl From<TypeId> for Of {
    fn from(of: TypeId) -> Self {
        Self { of, stars: 0 }
    }
}

struct Meaning<'a> {
    names: &'a Names,
    memory: &'a dyn Bytes,
}

impl<'a> Meaning<'a> {
    fn variables(&self) -> &'a Variables {
        self.names.variables()
    }

    fn types(&self) -> &'a Types {
        &self.names.variables().types
    }

    fn asked(&self, node: &Node) -> Result<Asked, ExpressionError> {
        let text = node.to_string();
        let Value::Place { at, of, bytes } = self.value(node)? else {
            return Err(ExpressionError::Value(text));
        };
        let bytes = of.map_or(bytes, |of| self.bytes(of)).max(bytes);
        if bytes == 0 {
            return Err(ExpressionError::Void(text));
        }
        let address = self.address(&at, bytes, node)?;
        let of = of.filter(|of| of.stars == 0).map(|of| of.of);
        Ok(Asked { text, address, bytes, of })
    }

    fn bytes(&self, of: Of) -> u32 {
        if of.stars > 0 { WORD } else { self.types().bytes(of.of) }
    }

    /// What is behind names and qualifiers; nothing of a pointer that a cast made.
    fn shape(&self, of: Of) -> Option<&'a Shape> {
        self.types().plain(of.of).filter(|_| of.stars == 0).map(|(_, plain)| &plain.shape)
    }

    /// What a pointer points to.
    fn target(&self, of: Of) -> Option<Of> {
        match of.stars {
            0 => self.types().target(of.of).map(Of::from),
            stars => Some(Of { stars: stars - 1, ..of }),
        }
    }

    fn address(&self, at: &At<'_>, bytes: u32, node: &Node) -> Result<u32, ExpressionError> {
        match at {
            At::Address(address) => Ok(*address),
            At::Parts(parts, offset) => {
                let end = u64::from(*offset) + u64::from(bytes);
                let holds = |part: &&&Global| {
                    part.offset <= *offset && end <= u64::from(part.offset) + u64::from(part.bytes)
                };
                let part = parts.iter().find(holds);
                let part = part.ok_or_else(|| ExpressionError::NotKept(node.to_string()))?;
                Ok(part.address + (offset - part.offset))
            }
        }
    }

    fn value(&self, node: &Node) -> Result<Value<'a>, ExpressionError> {
        match node {
            Node::Number(number) => Ok(Value::Pointer(*number, None)),
            Node::Name { scope, name } => self.variable(scope.as_deref(), name),
            Node::Member(inner, name) => {
                let Value::Place { at, of, .. } = self.value(inner)? else {
                    return Err(ExpressionError::IsPointer(inner.to_string()));
                };
                if of.is_some_and(|of| self.is_pointer(of)) {
                    return Err(ExpressionError::IsPointer(inner.to_string()));
                }
                self.member(at, of, name, inner)
            }
            Node::Arrow(inner, name) => {
                let value = self.value(inner)?;
                if let Value::Place { of: Some(of), .. } = &value
                    && matches!(self.shape(*of), Some(Shape::Record(_)))
                {
                    return Err(ExpressionError::IsRecord(inner.to_string()));
                }
                match self.element(value, 0, inner)? {
                    Value::Place { at, of, .. } => self.member(at, of, name, inner),
                    Value::Pointer(..) => Err(ExpressionError::NotIndexed(inner.to_string())),
                }
            }
            Node::Index(inner, index) => self.element(self.value(inner)?, *index, inner),
            Node::Target(inner) => self.element(self.value(inner)?, 0, inner),
            Node::Address(inner) => {
                let Value::Place { at, of, bytes } = self.value(inner)? else {
                    return Err(ExpressionError::Value(inner.to_string()));
                };
                let size = of.map_or(bytes, |of| self.bytes(of));
                let address = self.address(&at, size, inner)?;
                Ok(Value::Pointer(address, of))
            }
            Node::Cast { of, stars, node } => {
                let id = self.type_named(of)?;
                let address = match self.value(node)? {
                    Value::Pointer(address, _) => address,
                    place => self.pointer(place, node)?.0,
                };
                Ok(Value::Pointer(address, Some(Of { of: id, stars: stars - 1 })))
            }
        }
    }

    fn is_pointer(&self, of: Of) -> bool {
        of.stars > 0 || matches!(self.shape(of), Some(Shape::Pointer(_)))
    }

    fn type_named(&self, words: &str) -> Result<TypeId, ExpressionError> {
        let is_said =
            |word: &&str| !matches!(*word, "struct" | "union" | "enum" | "const" | "volatile");
        let name = words.split(' ').filter(is_said).collect::<Vec<_>>().join(" ");
        let usual = match name.as_str() {
            "unsigned" => "unsigned int",
            "signed" => "int",
            name => name,
        };
        self.types().named(usual).ok_or_else(|| ExpressionError::NoType(words.to_owned()))
    }

    fn member(
        &self,
        at: At<'a>,
        of: Option<Of>,
        name: &str,
        inner: &Node,
    ) -> Result<Value<'a>, ExpressionError> {
        let found = of.filter(|of| of.stars == 0);
        let found = found.and_then(|of| self.types().member(of.of, name));
        let Some((offset, member)) = found else {
            let known = of.map_or_else(Vec::new, |of| self.member_names(of));
            let (of, name) = (inner.to_string(), name.to_owned());
            return Err(ExpressionError::NoMember { of, name, known });
        };
        Ok(Value::Place { at: moved(at, offset), of: Some(member.into()), bytes: 0 })
    }

    fn member_names(&self, of: Of) -> Vec<String> {
        match self.shape(of) {
            Some(Shape::Record(members)) => {
                members.iter().filter_map(|member| member.name.clone()).take(12).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The value of a pointer in memory, and what it points to.
    fn pointer(&self, place: Value<'a>, node: &Node) -> Result<(u32, Option<Of>), ExpressionError> {
        match place {
            Value::Pointer(address, to) => Ok((address, to)),
            Value::Place { at, of, .. } => {
                let address = self.address(&at, WORD, node)?;
                if !is_memory(address) {
                    return Err(ExpressionError::Nowhere { text: node.to_string(), address });
                }
                let to = of.and_then(|of| self.target(of));
                Ok((self.memory.value(address, WORD as u8), to))
            }
        }
    }

    /// An element of an array, or of what a pointer points to.
    fn element(
        &self,
        value: Value<'a>,
        index: i64,
        node: &Node,
    ) -> Result<Value<'a>, ExpressionError> {
        if let Value::Place { at, of: Some(of), .. } = &value
            && let Some(shape) = self.shape(*of)
        {
            match *shape {
                Shape::Array(Some(element), count) => {
                    let bytes = i64::from(self.types().bytes(element));
                    let is_inside = index >= 0
                        && count.is_none_or(|count| count == 0 || index < i64::from(count));
                    let offset = index.checked_mul(bytes).and_then(|to| u32::try_from(to).ok());
                    let Some(offset) = offset.filter(|_| is_inside) else {
                        let count = count.unwrap_or(0);
                        return Err(ExpressionError::NoElement {
                            of: node.to_string(),
                            count,
                            index,
                        });
                    };
                    let at = match at {
                        At::Parts(parts, from) => {
                            At::Parts(parts.clone(), from.saturating_add(offset))
                        }
                        At::Address(address) => At::Address(address.wrapping_add(offset)),
                    };
                    return Ok(Value::Place { at, of: Some(element.into()), bytes: 0 });
                }
                Shape::Pointer(_) => {}
                _ => return Err(ExpressionError::NotIndexed(node.to_string())),
            }
        }
        // An address alone is that of a word.
        let is_number = matches!(value, Value::Pointer(_, None));
        let (pointer, of) = self.pointer(value, node)?;
        let bytes = match of {
            Some(of) => self.bytes(of),
            None if is_number => WORD,
            None => 0,
        };
        if bytes == 0 {
            return Err(ExpressionError::Void(node.to_string()));
        }
        let address = pointer.wrapping_add((index.wrapping_mul(i64::from(bytes))) as u32);
        if !is_memory(address) {
            let text = if index == 0 { format!("*{node}") } else { format!("{node}[{index}]") };
            return Err(ExpressionError::Nowhere { text, address });
        }
        let bytes = if of.is_some() { 0 } else { bytes };
        Ok(Value::Place { at: At::Address(address), of, bytes })
    }

    fn variable(&self, scope: Option<&str>, name: &str) -> Result<Value<'a>, ExpressionError> {
        let named = self.variables().globals().filter(|global| global.name == name);
        let is_meant = |global: &&Global| match scope {
            Some(scope) => {
                let file = scope.rsplit('/').next().unwrap_or(scope);
                global.function.as_deref() == Some(scope) || *global.unit == *file
            }
            None => true,
        };
        let all: Vec<&Global> = named.filter(is_meant).collect();
        let own = |global: &&&Global| !self.names.is_library(&global.unit);
        let outside = |global: &&&Global| global.function.is_none();
        // The program's own come before the library's, and those of files before those of functions.
        let mut choices = all.clone();
        for is_better in [&own as &dyn Fn(&&&Global) -> bool, &outside] {
            if choices.iter().any(|global| is_better(&global)) {
                choices.retain(|global| is_better(&global));
            }
        }
        // What only the library calls so is hardly meant where the program has something like it.
        let is_own = choices.iter().any(|global| own(&global));
        let near = if scope.is_none() && !is_own { self.near(name) } else { None };
        let Some(first) = choices.first().copied().filter(|_| near.is_none()) else {
            return Err(ExpressionError::NoVariable { name: name.to_owned(), near });
        };
        let key = |global: &Global| match &global.function {
            Some(function) => format!("{function}::{name}"),
            None => format!("{}::{name}", global.unit),
        };
        let kinds: BTreeSet<String> = choices.iter().map(|global| key(global)).collect();
        if kinds.len() > 1 {
            let choices = kinds.into_iter().map(|choice| format!("`{choice}`")).collect();
            return Err(ExpressionError::Ambiguous { name: name.to_owned(), choices });
        }
        let bytes = if first.of.is_some() { 0 } else { first.bytes };
        Ok(Value::Place { of: first.of.map(Of::from), at: At::Parts(choices, 0), bytes })
    }

    /// A variable whose name differs little.
    fn near(&self, name: &str) -> Option<String> {
        let own = self.variables().globals().filter(|global| !self.names.is_library(&global.unit));
        let names = own.map(|global| global.name.as_str()).collect::<BTreeSet<_>>();
        let most = 1 + name.chars().count() / 4;
        // The name of a member says which variable is meant.
        let has_it =
            |global: &&Global| global.of.is_some_and(|of| self.types().member(of, name).is_some());
        let own = self.variables().globals().filter(|global| !self.names.is_library(&global.unit));
        if let Some(global) = own.filter(|global| global.name != name).find(has_it) {
            return Some(format!("{}.{name}", global.name));
        }
        let near = names.into_iter().map(|known| (distance(name, known), known));
        near.filter(|(far, _)| *far <= most).min().map(|(_, known)| known.to_owned())
    }
}

fn moved(at: At<'_>, offset: u32) -> At<'_> {
    match at {
        At::Parts(parts, from) => At::Parts(parts, from.saturating_add(offset)),
        At::Address(address) => At::Address(address.wrapping_add(offset)),
    }
}

/// How many letters have to be changed, added or left out.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (place, letter) in one.chars().take(64).enumerate() {
        let mut corner = std::mem::replace(&mut row[0], place + 1);
        for (at, known) in other.iter().enumerate() {
            let changed = corner + usize::from(*known != letter);
            corner = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(corner + 1);
        }
    }
    row[other.len()]
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

    #[test]
    fn distances_count_letters() {
        assert_eq!(distance("total", "total"), 0);
        assert_eq!(distance("totla", "total"), 2);
        assert_eq!(distance("", "abc"), 3);
    }
}
