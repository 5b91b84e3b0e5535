//! Writes the C++ that joins one Verilated design to the fixed interface in `cpp/`.

use std::fmt::Write;

use crate::form::Form;
use crate::header::Member;
use crate::ports::PortTable;
use crate::source::{Direction, ModelSource};

/// The version of the interface in `cpp/abi.h`.
pub const ABI_VERSION: u32 = 1;

/// The declarations that mirror a model's table, for those who link one.
pub const ABI_HEADER: &str = include_str!("../cpp/abi.h");

/// What is compiled into the runtime's archive, besides the Verilator runtime itself.
pub(crate) const RUNTIME: [(&str, &str); 2] = [
    ("runtime.h", include_str!("../cpp/runtime.h")),
    ("runtime.cpp", include_str!("../cpp/runtime.cpp")),
];

/// The fixed headers that every model includes.
pub(crate) const HEADERS: [(&str, &str); 3] = [
    ("runtime.h", include_str!("../cpp/runtime.h")),
    ("abi.h", ABI_HEADER),
    ("driver.h", include_str!("../cpp/driver.h")),
];

/// How a model is evaluated; see [`crate::direct`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Evaluation {
    /// Through the generated class.
    Usual,
    /// Past its bookkeeping, once the first evaluation has initialised the design.
    Direct,
}

/// The generated part: copies between buffers and ports, and the table of the model.
pub(crate) fn generate(
    source: &ModelSource,
    form: Form<'_>,
    members: &[Member],
    evaluation: Evaluation,
    key: &str,
) -> String {
    let (prefix, entry) = (form.prefix(), form.entry());
    let table = PortTable::lay_out(&source.ports);
    let mut load = String::new();
    let mut store = String::new();
    let mut clock = String::new();
    let mut ports = String::new();
    for ((spec, port), member) in source.ports.iter().zip(&table.ports).zip(members) {
        let (member, word) = (&member.member, port.word);
        let direction = match port.dir {
            Direction::In if spec.is_clock() => {
                clock = format!("top.{member} = level;");
                2
            }
            Direction::In if port.width > 64 => {
                line(&mut load, format_args!("crosstalk::load_wide(top.{member}, in + {word});"));
                0
            }
            Direction::In => {
                line(&mut load, format_args!("top.{member} = in[{word}];"));
                0
            }
            Direction::Out if port.width > 64 => {
                line(
                    &mut store,
                    format_args!("crosstalk::store_wide(top.{member}, out + {word});"),
                );
                1
            }
            Direction::Out => {
                line(&mut store, format_args!("out[{word}] = top.{member};"));
                1
            }
        };
        let name = port.name.replace('\\', "\\\\").replace('"', "\\\"");
        let (width, words) = (port.width, port.words);
        let row = format_args!("{{\"{name}\", {width}, {direction}, {word}, {words}}},");
        line(&mut ports, row);
    }
    let evaluate = match evaluation {
        Evaluation::Usual => "top.eval();".to_owned(),
        Evaluation::Direct => format!("{prefix}___024root___eval(top.rootp);"),
    };
    let clocked = !clock.is_empty();
    let (inputs, outputs) = (table.input_words, table.output_words);
    let (trace, coverage) = (u8::from(source.options.trace), u8::from(source.options.coverage));
    let (top, count) = (&source.top, table.ports.len());
    format!(
        r#"#include "{prefix}.h"
#define CROSSTALK_TRACE {trace}
#define CROSSTALK_COVERAGE {coverage}
#include "driver.h"

class {prefix}___024root;
void {prefix}___024root___eval({prefix}___024root*);

namespace {{

struct Design {{
    using Top = {prefix};
    static constexpr bool kClocked = {clocked};
    static constexpr uint32_t kInputWords = {inputs};
    static constexpr uint32_t kOutputWords = {outputs};

    static void load(Top& top, const uint64_t* in) {{
        (void)top, (void)in;
{load}    }}
    static void store(const Top& top, uint64_t* out) {{
        (void)top, (void)out;
{store}    }}
    static void clock(Top& top, uint8_t level) {{
        (void)top, (void)level;
        {clock}
    }}
    static void evaluate(Top& top) {{ {evaluate} }}
}};

// The last, empty entry keeps the array legal for a design without ports.
const CrosstalkPort kPorts[] = {{
{ports}        {{nullptr, 0, 0, 0, 0}},
}};

using Driver = crosstalk::Driver<Design>;

const CrosstalkModel kModel = {{
    {ABI_VERSION},
    {count},
    "{key}",
    "{top}",
    kPorts,
    {inputs},
    {outputs},
    {trace},
    {coverage},
    Driver::create,
    Driver::destroy,
    Driver::inputs,
    Driver::outputs,
    Driver::eval,
    Driver::tick,
    Driver::run,
    Driver::cycle,
    Driver::take_failure,
    Driver::take_printed,
    Driver::trace_open,
    Driver::trace_close,
    Driver::write_coverage,
}};

}}  // namespace

extern "C" __attribute__((visibility("default"))) const CrosstalkModel* {entry}() {{
    return &kModel;
}}
"#
    )
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "        {text}");
}
