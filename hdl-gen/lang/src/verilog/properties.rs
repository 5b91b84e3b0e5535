//! Properties: read by formal tools and checked by Verilator, invisible to others.

use super::plan::Plan;
use crate::ir::Stmt;

impl Plan<'_> {
    /// The `always` block of all properties, behind a macro.
    pub fn property_block(&mut self, out: &mut String) {
        if !self.module.body.iter().any(has_property) {
            return;
        }
        *out += "\n`ifdef FORMAL\n  `define CHECK_PROPERTIES\n`elsif VERILATOR\n  `define CHECK_PROPERTIES\n`endif\n";
        *out += "`ifdef CHECK_PROPERTIES\n  always @(posedge clk) begin\n    if (!rst) begin\n";
        self.property_statements(out, 6);
        *out += "    end\n  end\n`undef CHECK_PROPERTIES\n`endif\n";
    }
}

fn has_property(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Property { .. } => true,
        Stmt::When { then, otherwise, .. } => then.iter().chain(otherwise).any(has_property),
        Stmt::Switch { arms, default, .. } => arms.iter().map(|arm| &arm.body).chain(default).flatten().any(has_property),
        _ => false,
    }
}
