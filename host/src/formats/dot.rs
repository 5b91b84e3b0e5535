//! Runs as DOT, and the part of DOT that is needed to read them back.

use super::ImportError;
use super::text::{self, Fields, edge_fields, edge_of, in_order, node_fields, node_of};
use crate::graph::{Kind, Node};
use record::{Limits, Run};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

pub fn write(run: &Run, name: &dyn Fn(Node) -> Option<String>) -> String {
    let mut out = String::from("digraph crosstalk {\n");
    for (key, value) in text::run_fields(run) {
        let _ = writeln!(out, "  {key}={};", quoted(&value));
    }
    out.push_str("  node [shape=\"box\", fontname=\"monospace\"];\n");
    let ends = run.edges.iter().flat_map(|total| [total.edge.source, total.edge.sink]);
    let nodes: BTreeSet<Node> = ends.map(|end| Node { pc: end.pc, ctx: end.ctx }).collect();
    let ids: BTreeMap<Node, usize> =
        nodes.iter().enumerate().map(|(id, node)| (*node, id)).collect();
    for (node, id) in &ids {
        let [(_, pc), (_, ctx)] = node_fields(node.pc, node.ctx);
        // A backslash before the closing quote would take it along.
        let shown = name(*node).unwrap_or_else(|| pc.clone()).replace('\\', "/");
        let (label, pc, ctx) = (quoted(&shown), quoted(&pc), quoted(&ctx));
        let _ = writeln!(out, "  n{id} [label={label}, pc={pc}, ctx={ctx}];");
    }
    for total in &run.edges {
        let (source, sink) = (total.edge.source, total.edge.sink);
        let id = |pc, ctx| ids[&Node { pc, ctx }];
        let (source, sink) = (id(source.pc, source.ctx), id(sink.pc, sink.ctx));
        let fields = edge_fields(total).map(|(key, value)| format!("{key}={}", quoted(&value)));
        // `kind` is the record's, so that it can be read back; drawn is what it means.
        let kind = Kind::of(total.edge.kind, !total.edge.source.pc.is_null());
        let style = match kind {
            Kind::Raw => "solid",
            Kind::Waw => "dashed",
            Kind::Memory | Kind::FirstWrite => "dotted",
        };
        let (tip, fields) = (kind.name(), fields.join(", "));
        let _ = writeln!(
            out,
            "  n{source} -> n{sink} [style=\"{style}\", tooltip=\"{tip}\", {fields}];"
        );
    }
    out.push_str("}\n");
    out
}

/// A DOT string. A backslash stays one; only the quote is special.
fn quoted(text: &str) -> String {
    let clean = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    let clean: String = text.chars().map(clean).collect();
    format!("\"{}\"", clean.replace('"', "\\\""))
}

pub fn read(text: &str) -> Result<Run, ImportError> {
    let mut tokens = Tokens { text, at: 0 };
    tokens.expect_word("digraph")?;
    if !matches!(tokens.next()?, (_, Token::Word(_))) {
        return Err(tokens.wrong("expected a name after `digraph`"));
    }
    tokens.expect('{')?;
    let mut run_fields = Fields::new();
    let mut nodes = BTreeMap::new();
    let mut edges = Vec::new();
    let mut places = Vec::new();
    loop {
        let word = match tokens.next()? {
            (_, Token::Sign('}')) => break,
            (_, Token::Sign(';')) => continue,
            (at, Token::Word(word)) => (at, word),
            (at, _) => return Err(ImportError::new(at, "expected a statement or `}`")),
        };
        let (at, name) = word;
        let wrong = |reason: String| ImportError::new(at, reason);
        match tokens.next()? {
            (_, Token::Sign('=')) => {
                let value = tokens.value()?;
                run_fields.insert(name, value);
            }
            (_, Token::Sign('[')) => {
                let fields = tokens.fields()?;
                if !matches!(name.as_str(), "node" | "edge" | "graph") {
                    nodes.insert(name, node_of(&fields).map_err(wrong)?);
                }
            }
            (_, Token::Arrow) => {
                let (_, Token::Word(sink)) = tokens.next()? else {
                    return Err(tokens.wrong("expected a node after `->`"));
                };
                tokens.expect('[')?;
                let fields = tokens.fields()?;
                let node = |id: &str| {
                    let unknown = || wrong(format!("`{id}` is not a node that is declared above"));
                    nodes.get(id).copied().ok_or_else(unknown)
                };
                places.push(at);
                edges.push(edge_of(&fields, node(&name)?, node(&sink)?).map_err(wrong)?);
            }
            (at, _) => {
                return Err(ImportError::new(at, "expected `=`, `[` or `->` after the name"));
            }
        }
    }
    if let Some(at) = tokens.rest() {
        return Err(ImportError::new(at, "expected the end of the file after the graph"));
    }
    let run = text::run_of(&run_fields).map_err(|reason| ImportError::new(0, reason))?;
    let limits = Limits::from(&run.header);
    for (total, at) in edges.iter().zip(places) {
        limits.check(&total.edge).map_err(|reason| ImportError::new(at, reason.to_string()))?;
    }
    Ok(Run { edges: in_order(&edges), ..run })
}

#[derive(Debug, PartialEq)]
enum Token {
    /// A bare or quoted word.
    Word(String),
    Arrow,
    Sign(char),
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl Tokens<'_> {
    fn wrong(&self, reason: &str) -> ImportError {
        ImportError::new(self.at, reason)
    }

    /// Where the next token begins, if there is one.
    fn rest(&mut self) -> Option<usize> {
        let left = &self.text[self.at..];
        self.at += left.len() - left.trim_start().len();
        (self.at < self.text.len()).then_some(self.at)
    }

    fn next(&mut self) -> Result<(usize, Token), ImportError> {
        let Some(at) = self.rest() else {
            return Err(self.wrong("the file ends inside the graph"));
        };
        let left = &self.text[at..];
        if left.starts_with("->") {
            self.at += 2;
            return Ok((at, Token::Arrow));
        }
        if let Some(quoted) = left.strip_prefix('"') {
            let Some(end) = closing_quote(quoted) else {
                return Err(self.wrong("the string that begins here has no closing quote"));
            };
            self.at += end + 2;
            return Ok((at, Token::Word(quoted[..end].replace("\\\"", "\""))));
        }
        let bare = left.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let length = bare.unwrap_or(left.len());
        if length > 0 {
            self.at += length;
            return Ok((at, Token::Word(left[..length].to_owned())));
        }
        let sign = left.chars().next().unwrap_or_default();
        self.at += sign.len_utf8();
        Ok((at, Token::Sign(sign)))
    }

    fn expect(&mut self, sign: char) -> Result<(), ImportError> {
        match self.next()? {
            (_, Token::Sign(found)) if found == sign => Ok(()),
            (at, _) => Err(ImportError::new(at, format!("expected `{sign}`"))),
        }
    }

    fn expect_word(&mut self, word: &str) -> Result<(), ImportError> {
        match self.next()? {
            (_, Token::Word(found)) if found == word => Ok(()),
            (at, _) => Err(ImportError::new(at, format!("expected `{word}`"))),
        }
    }

    fn value(&mut self) -> Result<String, ImportError> {
        match self.next()? {
            (_, Token::Word(value)) => Ok(value),
            (at, _) => Err(ImportError::new(at, "expected a value")),
        }
    }

    /// What is between brackets, after the opening one.
    fn fields(&mut self) -> Result<Fields, ImportError> {
        let mut fields = Fields::new();
        loop {
            match self.next()? {
                (_, Token::Sign(']')) => return Ok(fields),
                (_, Token::Sign(',' | ';')) => {}
                (_, Token::Word(key)) => {
                    self.expect('=')?;
                    fields.insert(key, self.value()?);
                }
                (at, _) => return Err(ImportError::new(at, "expected a key or `]`")),
            }
        }
    }
}

/// The place of the quote that ends a string, those after a backslash passed over.
fn closing_quote(text: &str) -> Option<usize> {
    let mut before = '"';
    for (at, letter) in text.char_indices() {
        if letter == '"' && before != '\\' {
            return Some(at);
        }
        before = letter;
    }
    None
}
