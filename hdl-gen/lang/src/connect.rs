//! `connect`: two sides of a port, joined signal by signal.

use std::collections::HashMap;

use crate::builder::{Builder, with_builder};
use crate::bundle::{Bundle, Path};
use crate::diag::{Code, Diagnostic, Loc, bits};
use crate::ir::{NodeId, Op};
use crate::sig::Sig;

/// A signal that is on both sides, under the name it has there.
struct Pair {
    name: String,
    left: Sig,
    right: Sig,
}

/// Joins two sides of a port: an instance's port with the [`flip`](Bundle::flip) of it on another
/// instance, or with the same port of the module being built, which passes it on.
///
/// Each signal is driven from the side where it comes out: an output of an instance or an input of
/// this module. The order of the two sides does not matter. Reported are signals of different
/// widths, signals that only one side has, and signals that both sides drive or neither.
#[track_caller]
pub fn connect<B: Bundle>(left: &B, right: &B) {
    use End::*;
    let loc = Loc::caller();
    let (mut both, mut neither) = (Vec::new(), Vec::new());
    for pair in pairs(left, right, loc) {
        with_builder(|b| {
            if !b.agree(&pair, loc) {
                return;
            }
            match (b.end(pair.left, loc), b.end(pair.right, loc)) {
                (Sink, Source | Either) | (Either, Source) => b.assign(pair.left, pair.right, loc),
                (Source | Either, Sink) | (Source, Either) => b.assign(pair.right, pair.left, loc),
                (Source, Source) => both.push(pair),
                (Sink, Sink) | (Either, Either) => {
                    b.excuse(pair.left, loc);
                    b.excuse(pair.right, loc);
                    neither.push(pair);
                }
            }
        });
    }
    for (pairs, code, what) in [
        (both, Code::MultipleDrivers, "both sides drive"),
        (neither, Code::NoDriver, "neither side drives"),
    ] {
        let Some(first) = pairs.first() else { continue };
        let names: Vec<&str> = pairs.iter().map(|pair| pair.name.as_str()).collect();
        let diagnostic = Diagnostic::new(
            code,
            format!("{what} {}", list(&names)),
            "connect a port with its `flip`, or with the same port of a module inside",
        )
        .at(loc, "connected here");
        with_builder(|b| {
            let diagnostic = b.show_end(diagnostic, first.left, "one side");
            let diagnostic = b.show_end(diagnostic, first.right, "the other side");
            b.diagnostics.push(diagnostic);
        });
    }
}

/// What one side of a connection is for a signal.
enum End {
    /// The value comes from here.
    Source,
    /// The value is needed here.
    Sink,
    /// A wire or register: whichever the other side is not.
    Either,
}

/// The signals that both sides have, by name; reports those that only one has.
fn pairs<B: Bundle>(left: &B, right: &B, loc: Loc) -> Vec<Pair> {
    let (left, right) = (named_leaves(left), named_leaves(right));
    let mut others: HashMap<&str, Sig> = right.iter().map(|(name, sig)| (&**name, *sig)).collect();
    let mut pairs = Vec::with_capacity(left.len());
    let mut alone = Vec::new();
    for (name, sig) in &left {
        match others.remove(&**name) {
            Some(other) => pairs.push(Pair { name: name.clone(), left: *sig, right: other }),
            None => alone.push((name, *sig)),
        }
    }
    alone.extend(
        right.iter().filter(|(name, _)| others.contains_key(&**name)).map(|(n, s)| (n, *s)),
    );
    let names: Vec<&str> = alone.iter().map(|(name, _)| name.as_str()).collect();
    if let Some((name, sig)) = alone.first() {
        let diagnostic = Diagnostic::new(
            Code::ShapeMismatch,
            format!("only one side has {}", list(&names)),
            "both sides of a connection have the same optional fields and array lengths",
        )
        .at(loc, "connected here");
        with_builder(|b| {
            let diagnostic = b.show_end(diagnostic, *sig, &format!("the side with `{name}`"));
            b.diagnostics.push(diagnostic);
            for (_, sig) in &alone {
                b.excuse(*sig, loc);
            }
        });
    }
    pairs
}

fn named_leaves<B: Bundle>(bundle: &B) -> Vec<(String, Sig)> {
    let mut leaves = Vec::new();
    bundle.map(&mut Path::default(), &mut |path, leaf| {
        leaves.push((path.name().to_owned(), leaf.sig));
        leaf.sig
    });
    leaves
}

/// The first of some names, and how many more there are.
fn list(names: &[&str]) -> String {
    match names {
        [""] => "the signal".to_owned(),
        [only] => format!("`{only}`"),
        [first, rest @ ..] => format!("`{first}` and {} more", rest.len()),
        [] => String::new(),
    }
}

impl Builder {
    /// What a side is for a signal. A signal of another module or a shape is reported, and a stand-in
    /// was reported before: both count as a source.
    fn end(&mut self, sig: Sig, loc: Loc) -> End {
        let mut id = self.own(sig, loc);
        let module = &self.frame().module;
        while let Op::Slice { from, .. } = module.node(id).op {
            id = from;
        }
        match module.node(id).op {
            Op::Output | Op::InstIn(..) => End::Sink,
            Op::Wire | Op::Reg => End::Either,
            _ => End::Source,
        }
    }

    /// Whether both sides are signals of one width; if not, reports and counts both as driven.
    fn agree(&mut self, pair: &Pair, loc: Loc) -> bool {
        let (left, right) = (pair.left, pair.right);
        let usable = [left, right].map(|sig| {
            let id = self.own(sig, loc);
            !self.frame().module.node(id).op.is_poison()
        });
        if usable == [true, true] && left.width == right.width {
            return true;
        }
        if usable == [true, true] {
            let diagnostic = Diagnostic::new(
                Code::WidthMismatch,
                format!(
                    "{} has {} on one side and {} on the other",
                    list(&[&pair.name]),
                    bits(left.width),
                    bits(right.width)
                ),
                "give both sides of the port the same parameters",
            )
            .at(loc, "connected here");
            let diagnostic = self.show_end(diagnostic, left, &bits(left.width));
            let diagnostic = self.show_end(diagnostic, right, &bits(right.width));
            self.diagnostics.push(diagnostic);
        }
        self.excuse(left, loc);
        self.excuse(right, loc);
        false
    }

    /// Adds where one end of a connection was made; for a port of an instance also where the port is
    /// described.
    fn show_end(&mut self, diagnostic: Diagnostic, sig: Sig, label: &str) -> Diagnostic {
        let module = &self.frame().module;
        let mut id = NodeId(sig.node);
        while let Op::Slice { from, .. } = module.node(id).op {
            id = from;
        }
        let node = module.node(id);
        let (what, of) = match node.op {
            Op::Input => ("an input of this module", None),
            Op::Output => ("an output of this module", None),
            Op::InstIn(of, port) => ("an input of this instance", Some((of, port))),
            Op::InstOut(of, port) => ("an output of this instance", Some((of, port))),
            Op::Wire => ("a wire", None),
            Op::Reg => ("a register", None),
            _ => ("a value", None),
        };
        let diagnostic = diagnostic.at(node.loc, format!("{label}: {what}"));
        let Some((of, port)) = of else { return diagnostic };
        let child = &self.modules
            [self.frames.last().map_or(0, |f| f.module.instances[of.index()].module.index())];
        let described = child.node(child.ports[port as usize].node).loc;
        match diagnostic.sites.iter().any(|(loc, _)| *loc == described) {
            true => diagnostic,
            false => diagnostic.at(described, "described here"),
        }
    }
}
