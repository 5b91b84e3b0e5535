//! Words that cannot be names: keywords of Verilog and SystemVerilog, and the clock and reset.
//!
//! Names that are only keywords of SystemVerilog are refused too: most tools read any file as
//! SystemVerilog unless told otherwise.

/// The clock port that every module with state has.
pub(crate) const CLOCK: &str = "clk";

/// The reset port that every module with a reset or a property has.
pub(crate) const RESET: &str = "rst";

/// Whether the generated Verilog cannot use `name` for a signal, an instance or a module.
pub(crate) fn is_reserved(name: &str) -> bool {
    name == CLOCK || name == RESET || is_keyword(name)
}

/// Whether `name` is a keyword of Verilog-2005 or SystemVerilog-2017.
pub(crate) fn is_keyword(name: &str) -> bool {
    KEYWORDS.binary_search(&name).is_ok()
}

/// Whether `name` is made as a Verilog identifier is, without escapes.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first == b'_' || first.is_ascii_alphabetic())
        && bytes.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// IEEE 1364-2005 Annex B and IEEE 1800-2017 Annex B together, sorted.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and", "assert",
    "assign", "assume", "automatic", "before", "begin", "bind", "bins", "binsof", "bit", "break",
    "buf", "bufif0", "bufif1", "byte", "case", "casex", "casez", "cell", "chandle", "checker",
    "class", "clocking", "cmos", "config", "const", "constraint", "context", "continue", "cover",
    "covergroup", "coverpoint", "cross", "deassign", "default", "defparam", "design", "disable",
    "dist", "do", "edge", "else", "end", "endcase", "endchecker", "endclass", "endclocking",
    "endconfig", "endfunction", "endgenerate", "endgroup", "endinterface", "endmodule",
    "endpackage", "endprimitive", "endprogram", "endproperty", "endsequence", "endspecify",
    "endtable", "endtask", "enum", "event", "eventually", "expect", "export", "extends", "extern",
    "final", "first_match", "for", "force", "foreach", "forever", "fork", "forkjoin", "function",
    "generate", "genvar", "global", "highz0", "highz1", "if", "iff", "ifnone", "ignore_bins",
    "illegal_bins", "implements", "implies", "import", "incdir", "include", "initial", "inout",
    "input", "inside", "instance", "int", "integer", "interconnect", "interface", "intersect",
    "join", "join_any", "join_none", "large", "let", "liblist", "library", "local", "localparam",
    "logic", "longint", "macromodule", "matches", "medium", "modport", "module", "nand", "negedge",
    "nettype", "new", "nexttime", "nmos", "nor", "noshowcancelled", "not", "notif0", "notif1",
    "null", "or", "output", "package", "packed", "parameter", "pmos", "posedge", "primitive",
    "priority", "program", "property", "protected", "pull0", "pull1", "pulldown", "pullup",
    "pulsestyle_ondetect", "pulsestyle_onevent", "pure", "rand", "randc", "randcase",
    "randsequence", "rcmos", "real", "realtime", "ref", "reg", "reject_on", "release", "repeat",
    "restrict", "return", "rnmos", "rpmos", "rtran", "rtranif0", "rtranif1", "s_always",
    "s_eventually", "s_nexttime", "s_until", "s_until_with", "scalared", "sequence", "shortint",
    "shortreal", "showcancelled", "signed", "small", "soft", "solve", "specify", "specparam",
    "static", "string", "strong", "strong0", "strong1", "struct", "super", "supply0", "supply1",
    "sync_accept_on", "sync_reject_on", "table", "tagged", "task", "this", "throughout", "time",
    "timeprecision", "timeunit", "tran", "tranif0", "tranif1", "tri", "tri0", "tri1", "triand",
    "trior", "trireg", "type", "typedef", "union", "unique", "unique0", "unsigned", "until",
    "until_with", "untyped", "use", "uwire", "var", "vectored", "virtual", "void", "wait",
    "wait_order", "wand", "weak", "weak0", "weak1", "while", "wildcard", "wire", "with", "within",
    "wor", "xnor", "xor",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_complete() {
        assert!(KEYWORDS.is_sorted_by(|a, b| a < b));
        // The 2017 annex lists 248 words, those of Verilog-2005 among them.
        assert_eq!(KEYWORDS.len(), 248);
    }

    #[test]
    fn keywords_of_both_languages_and_the_clock_are_reserved() {
        assert!(
            ["wire", "always", "logic", "xor", "clk", "rst"].map(is_reserved).iter().all(|&r| r)
        );
        assert!(!["wires", "Wire", "clock", ""].map(is_reserved).iter().any(|&r| r));
    }

    #[test]
    fn identifiers_start_with_a_letter_or_underscore() {
        assert!(is_identifier("_a9") && is_identifier("Z"));
        assert!(!["", "9a", "a-b", "é", "a$"].map(is_identifier).iter().any(|&i| i));
    }
}
