//! Properties: read by formal tools and checked by Verilator, invisible to others.

use super::plan::Plan;
use crate::ir::Stmt;

impl Plan<'_> {
    /// The `always` block of all properties, behind a macro.
    pub fn property_block(&mut self, out: &mut String) {
        let mut any = false;
        for stmt in &self.module.body {
            stmt.visit(&mut |stmt| any |= matches!(stmt, Stmt::Property { .. }));
        }
        if !any {
            return;
        }
        *out += "\n`ifdef FORMAL\n  `define CHECK_PROPERTIES\n`elsif VERILATOR\n  `define CHECK_PROPERTIES\n`endif\n";
        *out += "`ifdef CHECK_PROPERTIES\n  always @(posedge clk) begin\n    if (!rst) begin\n";
        self.property_statements(out, 6);
        *out += "    end\n  end\n`undef CHECK_PROPERTIES\n`endif\n";
    }
}
