//! How findings speak of the things in a module.

use crate::ir::{Design, InstId, Module, NodeId, Op};

/// The name of an instance: its own, or its module's.
pub(crate) fn instance<'a>(design: &'a Design, module: &'a Module, id: InstId) -> &'a str {
    let instance = &module.instances[id.index()];
    match instance.name {
        Some(name) => &module.names[name.index()],
        None => &design.modules[instance.module.index()].name,
    }
}

/// What a node is and what it is called: ``wire `busy` ``.
pub(crate) fn node(design: &Design, module: &Module, id: NodeId) -> String {
    let port_of = |instance_id: InstId, port: u32| {
        let child = &design.modules[module.instances[instance_id.index()].module.index()];
        let name = child.given_name(child.ports[port as usize].node).unwrap_or("?");
        format!("`{name}` of instance `{}`", instance(design, module, instance_id))
    };
    let kind = match module.node(id).op {
        Op::InstIn(of, port) => return format!("input {}", port_of(of, port)),
        Op::InstOut(of, port) => return format!("output {}", port_of(of, port)),
        Op::MemRead(read) => {
            let memory = &module.memories[module.reads[read as usize].mem.index()];
            return match memory.name {
                Some(name) => format!("a read of `{}`", module.names[name.index()]),
                None => "a read of a memory".to_owned(),
            };
        }
        Op::Input => "input",
        Op::Output => "output",
        Op::Wire => "wire",
        Op::Reg => "register",
        op => {
            return match module.given_name(id) {
                Some(name) => format!("`{name}`"),
                None => operator(op).to_owned(),
            };
        }
    };
    match module.given_name(id) {
        Some(name) => format!("{kind} `{name}`"),
        None => format!("an unnamed {kind}"),
    }
}

/// How an operation is written in Rust.
fn operator(op: Op) -> &'static str {
    match op {
        Op::Poison => "a value that could not be made",
        Op::Const(_) => "a constant",
        Op::Input | Op::Output | Op::Wire | Op::Reg => "a signal",
        Op::InstIn(..) | Op::InstOut(..) => "a port of an instance",
        Op::MemRead(_) => "a memory read",
        Op::Not(_) => "`!`",
        Op::Neg(_) => "unary `-`",
        Op::RedAnd(_) => "`all`",
        Op::RedOr(_) => "`any`",
        Op::RedXor(_) => "`parity`",
        Op::And(..) => "`&`",
        Op::Or(..) => "`|`",
        Op::Xor(..) => "`^`",
        Op::Add(..) => "`+`",
        Op::Sub(..) => "`-`",
        Op::Mul(..) => "`*`",
        Op::Eq(..) => "`eq`",
        Op::Ne(..) => "`ne`",
        Op::Ult(..) => "`<` unsigned",
        Op::Ule(..) => "`<=` unsigned",
        Op::Slt(..) => "`<` signed",
        Op::Sle(..) => "`<=` signed",
        Op::Shl(..) => "`<<`",
        Op::Shr(..) => "`>>`",
        Op::Sra(..) => "`sra`",
        Op::Mux(..) => "`mux`",
        Op::Slice { .. } => "`bits`",
        Op::BitAt { .. } => "`at`",
        Op::Cat { .. } => "`cat`",
        Op::Repeat(_) => "`repeat`",
        Op::Zext(_) => "`zext`",
        Op::Sext(_) => "`sext`",
    }
}

/// The half-open ranges as words: `bit 3`, `bits 0..2 and 4..8`.
pub(crate) fn ranges(ranges: &[(u32, u32)]) -> String {
    if let [(lo, hi)] = ranges
        && lo + 1 == *hi
    {
        return format!("bit {lo}");
    }
    let parts: Vec<String> = ranges.iter().map(|(lo, hi)| format!("{lo}..{hi}")).collect();
    format!("bits {}", list(&parts, "and"))
}

/// ``wire `a` bit 3``, or only the name of what has one bit.
pub(crate) fn with_bit(name: String, bit: u32, width: u32) -> String {
    if width == 1 { name } else { format!("{name} bit {bit}") }
}

/// The bits of what is called `name`, or all of it, as the subject of a sentence up to its verb.
pub(crate) fn bits_are(name: String, bits: &[(u32, u32)], width: u32) -> String {
    match bits {
        [(lo, hi)] if hi - lo == width => format!("{name} is"),
        [(lo, hi)] if hi - lo == 1 => format!("{} of {name} is", ranges(bits)),
        _ => format!("{} of {name} are", ranges(bits)),
    }
}

/// `a`, `a and b`, `a, b and c`, or with `or`; a long list is cut short.
pub(crate) fn list(parts: &[String], last_word: &str) -> String {
    const SHOWN: usize = 8;
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        _ if parts.len() > SHOWN => {
            format!("{} {last_word} {} more", parts[..SHOWN].join(", "), parts.len() - SHOWN)
        }
        [most @ .., last] => format!("{} {last_word} {last}", most.join(", ")),
    }
}
