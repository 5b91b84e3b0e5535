//! UNNAMED, NAME COLLISION, RESERVED NAME: names that the Verilog could not have.

use crate::diag::{Code, Diagnostic, Loc};
use crate::ir::{Module, Name, Op};
use crate::keywords::{CLOCK, RESET, is_identifier, is_keyword};

use super::flat::Flat;

/// Reports names that are missing, taken or not allowed.
pub(crate) fn check(module: &Module, flat: &Flat, findings: &mut Vec<Diagnostic>) {
    legal(&module.name, "module", module.loc, findings);
    unnamed(module, findings);
    let names: Vec<_> = exact_names(module, flat).collect();
    for &(name, what, loc) in &names {
        legal(name, what, loc, findings);
    }
    // Equal names have equal hashes; sorting those is faster than a map of a million strings.
    let mut hashes: Vec<(u64, u32)> =
        names.iter().zip(0..).map(|((name, ..), index)| (hash(name), index)).collect();
    hashes.sort_unstable();
    let mut repeated: Vec<(u32, u32)> = Vec::new();
    for group in hashes.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        for (at, &(_, index)) in group.iter().enumerate() {
            let same =
                |&&(_, first): &&(_, u32)| names[first as usize].0 == names[index as usize].0;
            repeated.extend(group[..at].iter().find(same).map(|&(_, first)| (index, first)));
        }
    }
    repeated.sort_unstable();
    for (index, first) in repeated {
        let (name, what, loc) = names[index as usize];
        let (_, first_what, first_loc) = names[first as usize];
        findings.push(
            Diagnostic::new(
                Code::NameCollision,
                format!("two things in `{}` are named `{name}`", module.name),
                "give one of them another name",
            )
            .at(loc, format!("this {what}"))
            .at(first_loc, format!("and this {first_what}")),
        );
    }
}

/// FNV-1a.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The names that must be had as they are, each with what bears it.
fn exact_names<'a>(
    module: &'a Module,
    flat: &'a Flat,
) -> impl Iterator<Item = (&'a str, &'static str, Loc)> {
    let exact = |name: Option<Name>| {
        let name = name.filter(|name| name.is_exact())?;
        Some(module.names[name.index()].as_str()).filter(|name| !name.is_empty())
    };
    let nodes = module.nodes.iter().filter_map(move |node| {
        Some((exact(node.name)?, kind(node.op).unwrap_or("signal"), node.loc))
    });
    let memories = module
        .memories
        .iter()
        .filter_map(move |memory| Some((exact(memory.name)?, "memory", memory.loc)));
    let instances = module
        .instances
        .iter()
        .filter_map(move |instance| Some((exact(instance.name)?, "instance", instance.loc)));
    let properties =
        flat.properties.iter().map(|property| (property.label, "property", property.loc));
    nodes.chain(memories).chain(instances).chain(properties)
}

/// What a node that needs a name is called.
fn kind(op: Op) -> Option<&'static str> {
    match op {
        Op::Input => Some("input"),
        Op::Output => Some("output"),
        Op::Wire => Some("wire"),
        Op::Reg => Some("register"),
        _ => None,
    }
}

fn legal(name: &str, what: &str, loc: Loc, findings: &mut Vec<Diagnostic>) {
    let (fault, help) = if !is_identifier(name) {
        (
            "is not an identifier of Verilog",
            "use letters, digits and `_`, and do not start with a digit",
        )
    } else if is_keyword(name) {
        ("is a keyword of Verilog", "choose another name")
    } else if name == CLOCK || name == RESET {
        (
            "is the name that the language gives to the clock or reset",
            "choose another name; modules with state get `clk` and `rst` by themselves",
        )
    } else {
        return;
    };
    findings.push(
        Diagnostic::new(Code::ReservedName, format!("`{name}` {fault}"), help)
            .at(loc, format!("the name of this {what}")),
    );
}

fn unnamed(module: &Module, findings: &mut Vec<Diagnostic>) {
    for node in &module.nodes {
        let (message, help) = match (node.op, kind(node.op)) {
            (Op::Input | Op::Output, Some(what)) if node.name.is_none() => (
                format!("an {what} has no name"),
                "give `ports` a bundle with a field for each port",
            ),
            (Op::Wire | Op::Reg, Some(what)) if node.name.is_none() => {
                (format!("a {what} has no name"), NAMING)
            }
            _ => continue,
        };
        findings.push(Diagnostic::new(Code::Unnamed, message, help).at(node.loc, "made here"));
    }
    for memory in module.memories.iter().filter(|memory| memory.name.is_none()) {
        let message = "a memory has no name";
        findings.push(Diagnostic::new(Code::Unnamed, message, NAMING).at(memory.loc, "made here"));
    }
}

const NAMING: &str =
    "bind it with `let` in a function marked `#[hardware]`, or call `.named(\"…\")`";
