//! C headers with the numbers of this crate, for firmware, suites, programs and the record writer.

use std::fmt::{Display, Write as _};

use crate::host_call::{Descriptor, DeviceCommand, HostCall, MAX_HARTS, SystemCall};
use crate::interrupt::{Exception, Interrupt};
use crate::parameters::{self, ARGUMENT_BYTES, Drain, Initial, Out, Records, Type};
use crate::record::{self, Collected, FrameKind, OutcomeCode};
use crate::register::Window;
use crate::{Numbered, clint, color, map, monitor, mstatus, uart};

/// For code in M mode, C or assembly: devices, traps, host calls, the parameter block.
pub fn machine() -> String {
    let mut header = Header::new(
        "CROSSTALK_MACHINE_NUMBERS_H",
        "Numbers of the machine (docs/machine.md, docs/units.md) and of the host (docs/firmware.md).",
    );
    header.section("Address map: first addresses, and those after the last.");
    for region in map::REGIONS {
        header.define(region.name, hex8(region.base), "");
        if region.bytes != 0 {
            header.define(&format!("{}_end", region.name), hex8(region.end()), "");
        }
    }
    header
        .section("Monitor windows: bytes of a hart's window, numbers of its 32-bit words, fields.");
    header.define("monitor_stride", hex(monitor::STRIDE), "");
    header.define("monitor_stride_bits", monitor::STRIDE.trailing_zeros(), "");
    header.define("monitor_edge_words", monitor::EDGE_WORDS, "words of an edge, from word 0");
    header.window(&monitor::WINDOW);
    header.section(
        "CLINT: addresses of hart 0's words, bytes from one hart's word to the next one's.",
    );
    for word in clint::Word::ALL {
        let name = format!("clint_{}", word.name());
        header.define(&name, hex8(word.address(0)), word.doc());
        if word.stride() != 0 {
            header.define(&format!("{name}_stride"), word.stride(), "");
        }
    }
    header.section("UART: numbers of its 8-bit registers, fields.");
    header.window(&uart::WINDOW);
    header.section("Exceptions, as in mcause.");
    for exception in Exception::ALL {
        header.define(&format!("cause_{}", exception.name()), exception.mcause(), exception.doc());
    }
    header.section("Interrupts: numbers, values of mcause, bits of mie and mip.");
    for interrupt in Interrupt::ALL {
        let name = interrupt.name();
        header.define(&format!("interrupt_number_{name}"), interrupt.number(), interrupt.doc());
        header.define(&format!("interrupt_{name}"), hex8(interrupt.mcause()), "");
        header.define(&format!("mie_{name}"), hex(interrupt.bit()), "");
    }
    header.section("Fields of mstatus.");
    for field in mstatus::FIELDS {
        header.define(&format!("mstatus_{}", field.name), hex(field.mask()), field.doc);
    }
    header.section("The most harts that the firmware supports.");
    header.define("max_harts", MAX_HARTS, "");
    header.section("HTIF: high halves of `tohost` that read and write a character of the console.");
    header.define("host_read_character", hex8(DeviceCommand::ReadCharacter.high_half()), "");
    header.define("host_write_character", hex8(DeviceCommand::WriteCharacter.high_half()), "");
    header.line("");
    header.line("#ifdef __ASSEMBLER__");
    header.defines::<HostCall>("host");
    header.defines::<Descriptor>("descriptor");
    header.line("#else");
    header.line("#include <stdint.h>");
    header.enumeration::<HostCall>("host_call", "host");
    header.enumeration::<Descriptor>("descriptor", "descriptor");
    header.enumeration::<Drain>("drain_mode", "drain");
    header.enumeration::<Records>("records", "records");
    header.enumeration::<Out>("out", "out");
    header.parameters();
    header.line("#endif");
    header.finish()
}

/// For programs in U mode: system calls of the firmware.
pub fn calls() -> String {
    let mut header = Header::new(
        "CROSSTALK_CALL_NUMBERS_H",
        "Numbers between programs in U mode and the firmware (docs/firmware.md).",
    );
    header.enumeration::<SystemCall>("crosstalk_call", "crosstalk");
    header.section("Sizes.");
    header.define("crosstalk_max_harts", MAX_HARTS, "");
    header.define("crosstalk_argument_bytes", ARGUMENT_BYTES, "");
    header.finish()
}

/// For programs that color their data, and for who sets up a hart's registers of colors.
pub fn colors() -> String {
    let mut header = Header::new(
        "CROSSTALK_COLOR_NUMBERS_H",
        "Numbers of colors: the table in memory, a hart's registers (docs/machine.md, Colors).",
    );
    header.section("Entries of the table of colors: fields, kinds, how many a table has.");
    for field in color::ENTRY {
        header.define(&format!("color_entry_{}", field.name), hex(field.mask()), field.doc);
        header.define(&format!("color_entry_{}_at", field.name), field.low, "");
    }
    header.defines::<color::EntryKind>("color_kind");
    header.define("color_table_entries", color::TABLE_ENTRIES, "");
    header.define("color_most_size", color::MOST_SIZE, "");
    header.section("Numbers of a hart's 32-bit words in its monitor window, fields.");
    header.window(&color::WINDOW);
    header.section("Interleavings that cannot be serialized: bits of a detection.");
    header.defines::<color::Case>("color_case");
    header.finish()
}

/// For the writer of the record stream.
pub fn records() -> String {
    let mut header = Header::new(
        "CROSSTALK_RECORD_NUMBERS_H",
        "Codes and sizes of the record stream (docs/records.md).",
    );
    header.enumeration::<FrameKind>("ct_frame", "ct_frame");
    header.enumeration::<Collected>("ct_collected", "ct_collected");
    header.enumeration::<OutcomeCode>("ct_outcome", "ct_outcome");
    header.section("The format.");
    for (name, byte) in ["ct_sync_0", "ct_sync_1"].into_iter().zip(record::SYNC) {
        header.define(name, hex(byte.into()), "");
    }
    let magic = String::from_utf8_lossy(&record::MAGIC).into_owned();
    header.define("ct_magic", format!("\"{magic}\""), "");
    header.define("ct_version", record::VERSION, "");
    header.section("Sizes, in bytes where they say nothing else.");
    header.define("ct_head_bytes", record::HEAD_BYTES, "of a frame, before its payload");
    header.define("ct_tail_bytes", record::TAIL_BYTES, "of a frame, after its payload");
    header.define("ct_max_payload", record::MAX_PAYLOAD, "");
    header.define("ct_edge_words", monitor::EDGE_WORDS, "32-bit words of an edge");
    header.define("ct_max_edges", record::MAX_EDGES, "edges of a frame");
    header.define("ct_header_bytes", record::HEADER_BYTES, "of a header, before the name");
    header.define("ct_lost_bytes", record::LOST_BYTES, "of a lost count");
    header.define("ct_end_bytes", record::END_BYTES, "of an end, before its text");
    header.define("ct_max_text", record::MAX_TEXT, "");
    header.section("Parts of a frame's head and of its payload: offset and size.");
    for (whole, parts) in record::LAYOUTS {
        for part in parts {
            let name = format!("ct_{whole}_{}", part.name);
            header.define(&format!("{name}_at"), part.offset, "");
            header.define(&format!("{name}_bytes"), part.bytes, "");
        }
    }
    header.finish()
}

/// A header that is being written.
struct Header(String);

impl Header {
    fn new(guard: &str, about: &str) -> Self {
        Self(format!(
            "/* {about}\n * Generated from `border` by `cargo xtask gen-border`: change it there. */\n\
             #ifndef {guard}\n#define {guard}\n"
        ))
    }

    fn finish(mut self) -> String {
        self.line("");
        self.line("#endif");
        self.0
    }

    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{line}");
    }

    fn section(&mut self, about: &str) {
        self.line("");
        self.line(&format!("/* {about} */"));
    }

    fn define(&mut self, name: &str, value: impl Display, doc: &str) {
        let comment = if doc.is_empty() { String::new() } else { format!(" /* {doc} */") };
        self.line(&format!("#define {} {value}{comment}", name.to_uppercase()));
    }

    fn window(&mut self, window: &Window) {
        for register in window.registers {
            let name = format!("{}_{}", window.name, register.name);
            self.define(&name, register.word, register.doc);
            for field in register.fields {
                self.define(&format!("{name}_{}", field.name), hex(field.mask()), field.doc);
            }
        }
    }

    fn defines<N: Numbered>(&mut self, prefix: &str) {
        for row in N::ROWS {
            self.define(&format!("{prefix}_{}", row.name), row.number, row.doc);
        }
    }

    fn enumeration<N: Numbered>(&mut self, tag: &str, prefix: &str) {
        self.line("");
        self.line(&format!("enum {tag} {{"));
        for row in N::ROWS {
            let name = format!("{prefix}_{}", row.name).to_uppercase();
            self.line(&format!("    {name} = {}, /* {} */", row.number, row.doc));
        }
        self.line("};");
    }

    fn parameters(&mut self) {
        self.line("");
        self.line("struct parameters {");
        for row in parameters::LAYOUT {
            let name = row.name;
            let declared = match row.kind {
                Type::U8 => format!("uint8_t {name}"),
                Type::U32 => format!("uint32_t {name}"),
                Type::Hash => format!("uint8_t {name}[{}]", row.kind.bytes()),
                Type::Strings => format!("char {name}[{}]", row.kind.bytes()),
            };
            self.line(&format!("    {declared}; /* {} */", row.doc));
        }
        self.line("};");
        let bytes = parameters::BLOCK_BYTES;
        self.line("#ifndef __cplusplus");
        self.line(&format!(
            "_Static_assert(sizeof(struct parameters) == {bytes}, \"no padding\");"
        ));
        self.line("#endif");
        self.section("The block's initial values.");
        self.line("#define PARAMETERS_INITIALLY \\");
        let given = parameters::LAYOUT.iter().filter(|row| row.initial != Initial::Number(0));
        let values: Vec<_> = given
            .map(|row| match row.initial {
                Initial::Number(number) => format!("    .{} = {number:#x}", row.name),
                Initial::Text(text) => format!("    .{} = \"{text}\"", row.name),
            })
            .collect();
        self.line(&values.join(", \\\n"));
    }
}

fn hex(value: u32) -> String {
    format!("{value:#x}")
}

/// A number of 32 bits, with all its digits.
fn hex8(value: u32) -> String {
    format!("{value:#010x}")
}
