//! The comments on ports.

use hdl::{
    Bundle, Leaf, Module, Path, Sig, Stream, array, bits, elaborate, hardware, input, ports,
};

#[derive(Clone, Copy, Debug, Bundle)]
struct Edge {
    /// The first end; valid with `valid`.
    source: Sig,
    sink: Sig,
}

#[derive(Clone, Debug, Bundle)]
struct Seen {
    /// An edge is seen.
    valid: Sig,
    /// `edge` or `valid` was seen before.
    or_valid: Sig,
    /// The edge.
    edge: Edge,
}

/// Bundles whose names end with a number.
#[derive(Clone, Debug)]
struct Numbered(Vec<Seen>);

impl Bundle for Numbered {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Self {
        let mapped = self.0.iter().enumerate().map(|(number, seen)| {
            seen.map(path, &mut |path, leaf| f(&path.with_suffix(&number.to_string()), leaf))
        });
        Numbered(mapped.collect())
    }
}

#[derive(Clone, Debug, Bundle)]
struct CommentsIo {
    /// Bits in a row.
    row: Vec<Sig>,
    /// What each one sees.
    each: Vec<Seen>,
    /// The same, numbered at the end.
    last: Numbered,
    /// Words to look up.
    words: Stream<Sig>,
}

/// Ports of every kind.
#[derive(Debug, PartialEq)]
struct Comments;

#[hardware]
impl Module for Comments {
    type Io = CommentsIo;
    fn name(&self) -> String {
        "comments".into()
    }
    fn build(&self) -> CommentsIo {
        let seen = || Seen {
            valid: bits(1),
            or_valid: bits(1),
            edge: Edge { source: bits(4), sink: bits(4) },
        };
        let io = ports(CommentsIo {
            row: array(2, |_| input(1)),
            each: array(2, |_| input(seen())),
            last: Numbered(array(2, |_| input(seen()))),
            words: Stream::output(8),
        });
        io.words.valid.set(io.row[0] & io.row[1]);
        io.words.payload.set(0);
        io
    }
}

/// The ports with the comments above them.
fn header() -> String {
    let design = elaborate(Comments).unwrap_or_else(|findings| panic!("{findings}"));
    let file = design.verilog(&[]).remove(0).text;
    let (_, rest) = file.split_once("module comments (\n").expect("a header");
    rest.split_once(");").expect("an end of the header").0.to_owned()
}

#[test]
fn every_port_has_its_comment_in_arrays_too_under_the_names_of_the_verilog() {
    insta::assert_snapshot!(header());
}

#[test]
fn a_list_of_ports_finds_a_comment_on_every_element_and_part() {
    let design = elaborate(Comments).unwrap_or_else(|findings| panic!("{findings}"));
    let module = design.top();
    let doc = |name: &str| {
        let port = module.ports.iter().find(|port| module.given_name(port.node) == Some(name));
        let node = port.unwrap_or_else(|| panic!("no port `{name}`")).node;
        module.docs.iter().find(|(of, _)| *of == node).map(|(_, doc)| doc.to_string())
    };
    assert_eq!(doc("row_1").as_deref(), Some("Bits in a row."));
    assert_eq!(doc("each_1_valid").as_deref(), Some("An edge is seen."));
    assert_eq!(doc("last_valid_1").as_deref(), Some("An edge is seen."));
    assert_eq!(doc("last_edge_sink_1"), None, "the source says nothing of it");
    assert_eq!(
        doc("words_ready").as_deref(),
        Some("A transfer takes place in this cycle if `words_valid` is 1 too.")
    );
}
