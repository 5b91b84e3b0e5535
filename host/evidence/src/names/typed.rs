//! Types of the places that the source names, as far as debug information tells.

use super::expression::after_bracket;
use super::tokens::{Kind, Token};
use debuginfo::{Shape, TypeId, Variables};
use std::ops::Range;

/// A type of C: one of the program's, behind so many more pointers. Without one it is `void`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CType {
    pub of: Option<TypeId>,
    pub stars: u32,
}

/// Where an expression's value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: a result.
    Value,
    /// In a variable itself.
    Variable,
    /// Behind a pointer.
    Behind(Behind),
}

/// A part of what a pointer points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behind {
    /// What it points to.
    pub base: CType,
    /// The part's first byte, with zero for every index.
    pub offset: u32,
    /// The sizes of elements whose indexes are not known.
    pub strides: Vec<u32>,
}

/// An expression's type and place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    pub of: CType,
    pub place: Place,
}

/// Parentheses are followed only so deep.
const DEPTH: u32 = 16;

/// The types of expressions in a function.
#[derive(Clone, Copy)]
pub struct Typing<'a> {
    pub tokens: &'a [Token],
    pub variables: &'a Variables,
    pub function: &'a str,
    pub file: &'a str,
}

impl Typing<'_> {
    /// The type and place of an expression; none if anything in it is unknown.
    pub fn of(&self, range: Range<usize>) -> Option<Typed> {
        self.expression(range, DEPTH)
    }

    /// The size of a type; 0 if it is not known.
    pub fn bytes(&self, of: CType) -> u32 {
        match (of.stars, of.of) {
            (0, Some(id)) => self.variables.types.bytes(id),
            (0, None) => 0,
            _ => 4,
        }
    }

    /// What a pointer points to, or an array consists of.
    pub fn target(&self, of: CType) -> Option<CType> {
        match of.stars.checked_sub(1) {
            Some(stars) => Some(CType { stars, ..of }),
            None => {
                let types = &self.variables.types;
                match types.plain(of.of?)?.1.shape {
                    Shape::Pointer(target) | Shape::Array(target, _) => {
                        Some(CType { of: target, stars: 0 })
                    }
                    _ => None,
                }
            }
        }
    }

    /// Whether a type is an array.
    pub fn is_array(&self, of: CType) -> bool {
        let plain = || self.variables.types.plain(of.of?);
        of.stars == 0 && plain().is_some_and(|(_, of)| matches!(of.shape, Shape::Array(..)))
    }

    /// Whether a type is a `struct` or `union`.
    pub fn is_record(&self, of: CType) -> bool {
        let plain = || self.variables.types.plain(of.of?);
        of.stars == 0 && plain().is_some_and(|(_, of)| matches!(of.shape, Shape::Record(_)))
    }

    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text.as_str())
    }

    fn expression(&self, range: Range<usize>, depth: u32) -> Option<Typed> {
        let depth = depth.checked_sub(1)?;
        if range.is_empty() {
            return None;
        }
        if self.text(range.start) == "("
            && after_bracket(self.tokens, range.start) == Some(range.end)
        {
            return self.expression(range.start + 1..range.end - 1, depth);
        }
        if let Some(operator) = self.sum(range.clone()) {
            let sides = [range.start..operator, operator + 1..range.end];
            let mut typed = sides.into_iter().filter_map(|side| self.expression(side, depth));
            let pointer = typed.find(|typed| self.target(typed.of).is_some())?;
            return Some(Typed { place: Place::Value, ..pointer });
        }
        match self.text(range.start) {
            "*" => {
                let inner = self.expression(range.start + 1..range.end, depth)?;
                self.behind(&inner)
            }
            "&" => {
                let inner = self.expression(range.start + 1..range.end, depth)?;
                let of = CType { stars: inner.of.stars + 1, ..inner.of };
                Some(Typed { of, place: Place::Value })
            }
            _ => self.postfix(range, depth),
        }
    }

    /// The first `+` or `-` between two operands.
    fn sum(&self, range: Range<usize>) -> Option<usize> {
        let mut at = range.start;
        while at < range.end {
            match self.text(at) {
                "(" | "[" => at = after_bracket(self.tokens, at)?,
                "+" | "-" if at > range.start && self.is_operand(at - 1) => return Some(at),
                _ => at += 1,
            }
        }
        None
    }

    fn is_operand(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            token.kind != Kind::Mark || matches!(token.text.as_str(), ")" | "]")
        })
    }

    fn postfix(&self, range: Range<usize>, depth: u32) -> Option<Typed> {
        let (mut typed, mut at) = self.primary(range.clone(), depth)?;
        while at < range.end {
            match self.text(at) {
                "->" => {
                    typed = self.behind(&typed)?;
                    typed = self.member(typed, self.text(at + 1))?;
                    at += 2;
                }
                "." => {
                    typed = self.member(typed, self.text(at + 1))?;
                    at += 2;
                }
                "[" => {
                    typed = self.behind(&typed)?;
                    at = after_bracket(self.tokens, at)?;
                }
                "++" | "--" => at += 1,
                _ => return None,
            }
        }
        (at == range.end).then_some(typed)
    }

    fn primary(&self, range: Range<usize>, depth: u32) -> Option<(Typed, usize)> {
        let start = range.start;
        if self.text(start) == "(" {
            let end = after_bracket(self.tokens, start)?;
            let inside = start + 1..end - 1;
            if matches!(self.text(end), "->" | "." | "[") {
                return Some((self.expression(inside, depth)?, end));
            }
            // A cast: what is cast no longer matters.
            let of = self.type_name(inside)?;
            return Some((Typed { of, place: Place::Value }, range.end));
        }
        let name = self.text(start);
        if self.text(start + 1) == "(" && start + 1 < range.end {
            let of = CType { of: Some(self.variables.result(name)?), stars: 0 };
            let end = after_bracket(self.tokens, start + 1)?;
            return Some((Typed { of, place: Place::Value }, end));
        }
        let (function, file) = (self.function, self.file);
        let local = || {
            let mut locals = self.variables.locals(function, file);
            locals.find(|local| local.name == name).map(|local| local.of)
        };
        let global = || self.variables.global(name, function, file).map(|global| global.of);
        let of = local().or_else(global)?;
        Some((Typed { of: CType { of, stars: 0 }, place: Place::Variable }, start + 1))
    }

    /// A type's name: its last word that is known, and its stars.
    pub fn type_name(&self, range: Range<usize>) -> Option<CType> {
        let tokens = self.tokens.get(range)?;
        let is_word = |token: &&Token| {
            let qualifies = ["const", "volatile", "struct", "union", "enum", "_Atomic"];
            token.kind == Kind::Word && !qualifies.contains(&token.text.as_str())
        };
        let words: Vec<&str> =
            tokens.iter().filter(is_word).map(|word| word.text.as_str()).collect();
        if words.is_empty() || tokens.iter().any(|token| token.kind == Kind::Constant) {
            return None;
        }
        let stars = tokens.iter().filter(|token| token.text == "*").count() as u32;
        let of = self.variables.types.named(&words.join(" "));
        let is_void = words == ["void"];
        (of.is_some() || is_void).then_some(CType { of, stars })
    }

    /// What is behind a pointer; an element of an array stays where the array is.
    fn behind(&self, typed: &Typed) -> Option<Typed> {
        let of = self.target(typed.of)?;
        if !self.is_array(typed.of) {
            let behind = Behind { base: of, offset: 0, strides: Vec::new() };
            return Some(Typed { of, place: Place::Behind(behind) });
        }
        let mut place = typed.place.clone();
        if let Place::Behind(behind) = &mut place {
            behind.strides.push(self.bytes(of));
        }
        Some(Typed { of, place })
    }

    fn member(&self, typed: Typed, name: &str) -> Option<Typed> {
        let record = typed.of.of.filter(|_| typed.of.stars == 0)?;
        let (offset, of) = self.variables.types.member(record, name)?;
        let mut place = typed.place;
        if let Place::Behind(behind) = &mut place {
            behind.offset = behind.offset.saturating_add(offset);
        }
        Some(Typed { of: CType { of: Some(of), stars: 0 }, place })
    }
}

impl Behind {
    /// Whether a part of this size can be at this many bytes from the beginning of a block, if the block is
    /// one or several of what the pointer points to. None if sizes are unknown.
    pub fn fits(&self, typing: &Typing<'_>, from_block: u32, part: u32) -> Option<bool> {
        let whole = typing.bytes(self.base);
        if whole == 0 || part == 0 {
            return None;
        }
        let Some(mut rest) = (from_block % whole).checked_sub(self.offset) else {
            return Some(false);
        };
        for stride in self.strides.iter().filter(|stride| **stride > 0) {
            rest %= stride;
        }
        Some(rest < part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::expression::{arguments, candidates, statement, written};
    use crate::names::tokens::tokens;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever stands in a source file, something is made of it.
        #[test]
        fn any_text_is_looked_through(text in "[ab1()\\[\\]{}*&>.,;=+ \n\"'/-]{0,60}") {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let tokens = tokens(&lines);
            let variables = Variables::default();
            let typing = Typing { tokens: &tokens, variables: &variables, function: "a", file: "" };
            for at in 0..tokens.len() {
                let around = statement(&tokens, at);
                prop_assert!(around.start <= at && around.end <= tokens.len());
                let found = candidates(&tokens, around).into_iter().map(|one| one.text);
                prop_assert!(found.clone().all(|range| range.end <= tokens.len()));
                for range in found.chain(arguments(&tokens, at)) {
                    written(&tokens, range.clone());
                    typing.type_name(range.clone());
                    typing.of(range);
                }
            }
        }
    }
}
