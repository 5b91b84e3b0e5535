//! The rows that a memory has in hardware beyond those it is declared with.
//!
//! A RAM has a power of two of them. In Verilog a row past the end is unknown, which simulators and solvers
//! with two values take for zero; that is also what a guard against such rows gives, so a mutant without
//! the guard would look the same. With the rows there, full of ones, it does not.

/// More rows than this are not added: an address so wide is not that of a memory of its size.
const MOST: u64 = 1 << 16;

/// Gives every memory in a design, as Yosys writes it, all rows that its addresses can name.
pub fn fill_up(design: &str) -> String {
    let mut out = String::new();
    let mut rest = design;
    while let Some(start) = rest.find("\n  cell $mem_v2 ") {
        let end = rest[start..].find("\n  end").map_or(rest.len(), |end| start + end);
        out.push_str(&rest[..start]);
        let cell = &rest[start..end];
        out.push_str(&filled_up(cell).unwrap_or_else(|| cell.to_owned()));
        rest = &rest[end..];
    }
    out + rest
}

/// The same for one cell; `None` if there is nothing to do.
fn filled_up(cell: &str) -> Option<String> {
    let (width, size) = (number(cell, "WIDTH")?, number(cell, "SIZE")?);
    let all = 1_u64.checked_shl(u32::try_from(number(cell, "ABITS")?).ok()?)?;
    if all <= size || all - size > MOST {
        return None;
    }
    let init = parameter(cell, "INIT")?;
    let (_, digits) = init.split_once('\'')?;
    // What is not written is as the highest bit that is.
    let missing = (size * width) as usize - digits.len();
    let highest = digits.get(..1)?;
    let ones = "1".repeat(((all - size) * width) as usize);
    let filled = format!("{}'{ones}{}{digits}", all * width, highest.repeat(missing));
    let replaced = |name: &str, old: &str, new: &str, text: &str| {
        text.replacen(
            &format!("parameter \\{name} {old}\n"),
            &format!("parameter \\{name} {new}\n"),
            1,
        )
    };
    let text = replaced("SIZE", &size.to_string(), &all.to_string(), cell);
    Some(replaced("INIT", init, &filled, &text))
}

fn parameter<'a>(cell: &'a str, name: &str) -> Option<&'a str> {
    let start = format!("    parameter \\{name} ");
    cell.lines().find_map(|line| line.strip_prefix(&start))
}

fn number(cell: &str, name: &str) -> Option<u64> {
    parameter(cell, name)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(size: u32, init: &str) -> String {
        format!(
            "module \\m\n  cell $mem_v2 \\rows\n    parameter \\WIDTH 2\n    parameter \\SIZE {size}\n    \
             parameter \\INIT {init}\n    parameter \\ABITS 2\n    connect \\RD_ADDR \\a\n  end\nend\n"
        )
    }

    #[test]
    fn rows_past_the_end_are_ones() {
        assert_eq!(fill_up(&design(3, "6'000100")), design(4, "8'11000100"));
        assert_eq!(fill_up(&design(3, "6'0")), design(4, "8'11000000"));
        assert_eq!(fill_up(&design(4, "8'00000000")), design(4, "8'00000000"));
        assert_eq!(fill_up("module \\m\nend\n"), "module \\m\nend\n");
    }
}
