//! The Verilog around a design that has more ports than a device has pins.
//!
//! Inputs are fed from a shift register and outputs folded into one pin; both are modules of their own, which
//! count for nothing.

use crate::blueprint::{Blueprint, Port, connections};

/// The module around the design.
pub const HARNESS: &str = "harness";
/// The shift register behind the inputs.
pub const FEED: &str = "harness_feed";
/// What folds the outputs.
pub const FOLD: &str = "harness_fold";
/// The instance of the design in the harness.
pub const INNER: &str = "inner";

/// Verilog that feeds the inputs of the top and folds its outputs.
pub fn harness(blueprint: &Blueprint) -> String {
    let top = blueprint.top();
    let ports: Vec<&Port> =
        top.ports.iter().filter(|port| port.is_needed && port.name != verilate::CLOCK).collect();
    let wires = |inputs: bool| -> (u32, String) {
        let those: Vec<&&Port> = ports.iter().filter(|port| port.is_input == inputs).collect();
        let names: Vec<&str> = those.iter().map(|port| port.name.as_str()).collect();
        (those.iter().map(|port| port.width).sum(), names.join(", "))
    };
    let (inputs, input_names) = wires(true);
    let (outputs, output_names) = wires(false);
    let clock = verilate::CLOCK;
    let declared: Vec<String> = ports
        .iter()
        .map(|port| format!("  wire [{}:0] {};\n", port.width - 1, port.name))
        .collect();
    format!(
        "(* keep_hierarchy *)\n\
         module {FEED} (input wire {clock}, input wire pin, output reg [{fed}:0] fed);\n  \
           always @(posedge {clock}) fed <= {{fed, pin}};\n\
         endmodule\n\
         (* keep_hierarchy *)\n\
         module {FOLD} (input wire {clock}, input wire [{folded}:0] from, output reg pin);\n  \
           reg [{folded}:0] held;\n  \
           always @(posedge {clock}) begin\n    held <= from;\n    pin <= ^held;\n  end\n\
         endmodule\n\
         module {HARNESS} (input wire {clock}, input wire pin_in, output wire pin_out);\n\
         {}  \
           {FEED} feed (.{clock}({clock}), .pin(pin_in), .fed({{{input_names}}}));\n  \
           {FOLD} fold (.{clock}({clock}), .from({{{output_names}}}), .pin(pin_out));\n  \
           {} {INNER} (\n{}\n  );\n\
         endmodule\n",
        declared.concat(),
        top.name,
        connections(&top.ports),
        fed = inputs.max(1) - 1,
        folded = outputs.max(1) - 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_harness_reaches_every_pin_but_the_clock() {
        let blueprint = Blueprint::new(&config::Config::default(), "context_register").unwrap();
        let text = harness(&blueprint);
        assert!(
            text.contains(".fed({rst, event_valid, event_kind, write_valid, write_data})"),
            "{text}"
        );
        assert!(text.contains(".from({ctx})"));
    }
}
