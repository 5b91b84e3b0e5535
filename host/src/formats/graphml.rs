//! Runs as GraphML.

use super::text::{self, Fields, edge_fields, edge_of, in_order, node_fields, node_of};
use super::{ImportError, offset_of};
use crate::graph::Node;
use record::{Ctx, Limits, Pc, Run};
use roxmltree::{Document, Node as Xml, ParsingOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const KEYS: [(&str, &str, &str); 9] = [
    ("pc", "node", "string"),
    ("ctx", "node", "long"),
    ("name", "node", "string"),
    ("kind", "edge", "string"),
    ("count", "edge", "long"),
    ("source_time", "edge", "string"),
    ("sink_time", "edge", "string"),
    ("source_hart", "edge", "int"),
    ("sink_hart", "edge", "int"),
];

pub fn write(run: &Run, name: &dyn Fn(Node) -> Option<String>) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    let fields = text::run_fields(run);
    let graph_keys = fields.iter().map(|(key, _)| (*key, "graph", "string"));
    for (key, of, kind) in KEYS.into_iter().chain(graph_keys) {
        let _ = writeln!(
            out,
            "  <key id=\"{of}_{key}\" for=\"{of}\" attr.name=\"{key}\" attr.type=\"{kind}\"/>"
        );
    }
    out.push_str("  <graph edgedefault=\"directed\">\n");
    let data = |out: &mut String, indent: &str, of: &str, key: &str, value: &str| {
        let _ = writeln!(out, "{indent}<data key=\"{of}_{key}\">{}</data>", xml(value));
    };
    fields.iter().for_each(|(key, value)| data(&mut out, "    ", "graph", key, value));
    let node = |pc: Pc, ctx: Ctx| Node { pc, ctx };
    let ends = run.edges.iter().flat_map(|total| [total.edge.source, total.edge.sink]);
    let nodes: BTreeSet<Node> = ends.map(|end| node(end.pc, end.ctx)).collect();
    let ids: BTreeMap<Node, usize> =
        nodes.iter().enumerate().map(|(id, node)| (*node, id)).collect();
    for (node, id) in &ids {
        let _ = writeln!(out, "    <node id=\"n{id}\">");
        for (key, value) in node_fields(node.pc, node.ctx) {
            data(&mut out, "      ", "node", key, &value);
        }
        if let Some(name) = name(*node) {
            data(&mut out, "      ", "node", "name", &name);
        }
        out.push_str("    </node>\n");
    }
    for total in &run.edges {
        let (source, sink) = (total.edge.source, total.edge.sink);
        let id = |pc, ctx| ids[&node(pc, ctx)];
        let (source, sink) = (id(source.pc, source.ctx), id(sink.pc, sink.ctx));
        let _ = writeln!(out, "    <edge source=\"n{source}\" target=\"n{sink}\">");
        for (key, value) in edge_fields(total) {
            data(&mut out, "      ", "edge", key, &value);
        }
        out.push_str("    </edge>\n");
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

/// Text as XML takes it.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            letter if letter.is_control() => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

pub fn read(text: &str) -> Result<Run, ImportError> {
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        let said = error.to_string();
        let reason = said.rsplit_once(" at ").map_or(said.as_str(), |(reason, _)| reason);
        ImportError::new(offset_of(text, at.row as usize, at.col as usize), reason)
    })?;
    let root = document.root_element();
    let at = |node: &Xml<'_, '_>, reason: String| ImportError::new(node.range().start, reason);
    let mut keys: BTreeMap<&str, &str> = BTreeMap::new();
    for key in elements(&root, "key") {
        if let (Some(id), Some(name)) = (key.attribute("id"), key.attribute("attr.name")) {
            keys.insert(id, name);
        }
    }
    let graph = elements(&root, "graph").next();
    let graph = graph.ok_or_else(|| at(&root, "expected a <graph> element".into()))?;
    let fields = |element: &Xml<'_, '_>| -> Fields {
        let data = elements(element, "data").filter_map(|data| {
            let name = keys.get(data.attribute("key")?)?;
            Some(((*name).to_owned(), data.text().unwrap_or_default().to_owned()))
        });
        data.collect()
    };
    let run = text::run_of(&fields(&graph)).map_err(|reason| at(&graph, reason))?;
    let limits = Limits::from(&run.header);
    let mut nodes = BTreeMap::new();
    for node in elements(&graph, "node") {
        let id = node.attribute("id").ok_or_else(|| at(&node, "the node has no id".into()))?;
        nodes.insert(id, node_of(&fields(&node)).map_err(|reason| at(&node, reason))?);
    }
    let mut edges = Vec::new();
    for edge in elements(&graph, "edge") {
        let end = |which: &str| {
            let id = edge.attribute(which);
            let node = id.and_then(|id| nodes.get(id));
            node.copied()
                .ok_or_else(|| at(&edge, format!("the edge's {which} is not the id of a node")))
        };
        let (source, sink) = (end("source")?, end("target")?);
        let total = edge_of(&fields(&edge), source, sink).map_err(|reason| at(&edge, reason))?;
        limits.check(&total.edge).map_err(|reason| at(&edge, reason.to_string()))?;
        edges.push(total);
    }
    Ok(Run { edges: in_order(&edges), ..run })
}

fn elements<'a, 'input>(
    of: &Xml<'a, 'input>,
    name: &'static str,
) -> impl Iterator<Item = Xml<'a, 'input>> {
    of.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}
