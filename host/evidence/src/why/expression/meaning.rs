//! What an expression means in a program and its memory: addresses and types, by debug information.

use super::near::near;
use super::syntax::Node;
use super::{Asked, ExpressionError, WORD, is_memory};
use crate::log::Bytes;
use crate::names::Names;
use debuginfo::{Global, Shape, TypeId, Types, Variables};
use std::collections::BTreeSet;

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

/// A program, and what is in memory.
pub(super) struct Meaning<'a> {
    pub(super) names: &'a Names,
    pub(super) memory: &'a dyn Bytes,
}

impl<'a> Meaning<'a> {
    fn variables(&self) -> &'a Variables {
        self.names.variables()
    }

    fn types(&self) -> &'a Types {
        &self.names.variables().types
    }

    /// The bytes that an expression names.
    pub(super) fn asked(&self, node: &Node) -> Result<Asked, ExpressionError> {
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
        let near = if scope.is_none() && !is_own { near(self.names, name) } else { None };
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
}

fn moved(at: At<'_>, offset: u32) -> At<'_> {
    match at {
        At::Parts(parts, from) => At::Parts(parts, from.saturating_add(offset)),
        At::Address(address) => At::Address(address.wrapping_add(offset)),
    }
}
