//! Checks of generated Verilog by the tools that read it.
