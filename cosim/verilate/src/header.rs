//! Reads the ports back from the C++ header that Verilator wrote.
//! This gives the members' C++ names, and catches a port list that does not match the Verilog.

use crate::source::{Direction, ModelSource};

/// A port as Verilator declares it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// The name in the Verilog.
    pub(crate) name: String,
    /// The name in C++.
    pub(crate) member: String,
    pub(crate) width: u32,
    pub(crate) dir: Option<Direction>,
}

/// The declared ports, from lines like `VL_INW(&wide,147,0,5);`.
pub(crate) fn members(header: &str) -> Vec<Member> {
    header.lines().filter_map(member).collect()
}

fn member(line: &str) -> Option<Member> {
    let (kind, arguments) = line.trim().strip_prefix("VL_")?.split_once('(')?;
    let kind = kind.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'W');
    let dir = match kind {
        "IN" => Some(Direction::In),
        "OUT" => Some(Direction::Out),
        "INOUT" => None,
        _ => return None,
    };
    let mut arguments = arguments.strip_suffix(");")?.split(',');
    let member = arguments.next()?.trim_start_matches('&').to_owned();
    let msb: i64 = arguments.next()?.trim().parse().ok()?;
    let lsb: i64 = arguments.next()?.trim().parse().ok()?;
    let width = u32::try_from(msb - lsb + 1).ok()?;
    Some(Member { name: decoded(&member), member, width, dir })
}

/// Undoes Verilator's spelling of names: `__0` and two hex digits for a character that C++ or
/// Verilator itself reserves, `__SYM__` before a C++ keyword.
fn decoded(member: &str) -> String {
    let member = member.strip_prefix("__SYM__").unwrap_or(member);
    let mut out = String::new();
    let mut rest = member;
    while let Some(at) = rest.find("__0") {
        out.push_str(&rest[..at]);
        match rest.get(at + 3..at + 5).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(char::from(byte));
                rest = &rest[at + 5..];
            }
            None => {
                out.push_str("__0");
                rest = &rest[at + 3..];
            }
        }
    }
    out + rest
}

/// The member of each port of the source, in its order, or what does not match.
pub(crate) fn match_ports(source: &ModelSource, header: &str) -> Result<Vec<Member>, String> {
    let mut members = members(header);
    let mut matched = Vec::with_capacity(source.ports.len());
    for port in &source.ports {
        let Some(at) = members.iter().position(|m| m.name == port.name) else {
            return Err(format!("the Verilog lacks the port `{}` of the port list", port.name));
        };
        let member = members.swap_remove(at);
        if member.dir != Some(port.dir) {
            return Err(format!(
                "port `{}` has another direction in the Verilog than in the port list",
                port.name
            ));
        }
        if member.width != port.width {
            return Err(format!(
                "port `{}` has {} bits in the Verilog, but {} in the port list",
                port.name, member.width, port.width
            ));
        }
        matched.push(member);
    }
    match members.first() {
        Some(extra) => {
            Err(format!("the Verilog has a port `{}`, which is not in the port list", extra.name))
        }
        None => Ok(matched),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_all_sizes_are_read() {
        let header = "  VL_IN8(&clk,0,0);\n VL_OUT(&c,31,0);\n  VL_INW(&w,147,0,5);\n\
                      VL_OUT64(&q,40,1);\n VL_INOUT16(&z,8,0);\n int x;\n";
        let found: Vec<_> = members(header).into_iter().map(|m| (m.name, m.width, m.dir)).collect();
        let expected = [
            ("clk", 1, Some(Direction::In)),
            ("c", 32, Some(Direction::Out)),
            ("w", 148, Some(Direction::In)),
            ("q", 40, Some(Direction::Out)),
            ("z", 9, None),
        ];
        assert_eq!(found, expected.map(|(name, width, dir)| (name.to_owned(), width, dir)));
    }

    #[test]
    fn spelled_names_are_decoded() {
        assert_eq!(decoded("plain_name"), "plain_name");
        assert_eq!(decoded("a___05Fb"), "a__b");
        assert_eq!(decoded("__SYM__int"), "int");
        assert_eq!(decoded("a__0zz"), "a__0zz");
        assert_eq!(decoded("a__02Eb"), "a.b");
    }
}
