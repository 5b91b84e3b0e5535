//! The integer registers.

use hdl::{Bundle, Module, Sig, assume, hardware, input, memory, output, ports, when};

/// The register file.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterFile;

/// Ports of [`RegisterFile`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct RegisterFileIo {
    /// The number of the first register to read.
    pub read_a: Sig,
    /// The number of the second register to read.
    pub read_b: Sig,
    /// The value of the first register before this cycle's write.
    pub value_a: Sig,
    /// The value of the second register before this cycle's write.
    pub value_b: Sig,
    /// `x0` is written with zero at the end of this cycle: once after reset, before anything is
    /// read.
    pub clear: Sig,
    /// A register is written at the end of this cycle.
    pub write_valid: Sig,
    /// The number of the register to write, never 0; valid with `write_valid`.
    pub write_address: Sig,
    /// The value to write; valid with `write_valid`.
    pub write_data: Sig,
}

/// 32 words, two read within the cycle and one written at its end. `x0` is zero because `clear` makes it so
/// and nothing else writes it.
#[hardware]
impl Module for RegisterFile {
    type Io = RegisterFileIo;

    fn name(&self) -> String {
        "register_file".into()
    }

    fn build(&self) -> RegisterFileIo {
        let io = ports(RegisterFileIo {
            read_a: input(5),
            read_b: input(5),
            value_a: output(32),
            value_b: output(32),
            clear: input(1),
            write_valid: input(1),
            write_address: input(5),
            write_data: input(32),
        });
        assume("x0_is_never_written", !io.write_valid | io.write_address.any(), "x0 stays zero");
        let words = memory(32, 32);
        io.value_a.set(words.read_async(io.read_a));
        io.value_b.set(words.read_async(io.read_b));
        let kept = (!io.clear).repeat(32);
        when(io.write_valid | io.clear, || {
            words.write(io.write_address & kept.trunc(5), io.write_data & kept);
        });
        io
    }
}
