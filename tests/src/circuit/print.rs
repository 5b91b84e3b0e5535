//! Circuits as Rust that a person can paste into a test.

mod operation;

use std::collections::HashMap;
use std::fmt::Write;

use num_bigint::BigUint;

use super::{Circuit, Id, Item, Kind, Stmt, Unit, to_words};

/// The circuit in the language: one module for each unit, the top one last.
///
/// Values are named with `named` rather than by `#[hardware]`, so that pasted code gives the very
/// Verilog that was tested.
pub fn rust(circuit: &Circuit) -> String {
    let mut text = String::from("use hdl::*;\n");
    for kind in Kind::ALL {
        if circuit.modules.iter().any(|unit| format!("{unit:?}").contains(&format!("{kind:?}"))) {
            let variants = kind.variants().join(", ");
            text += &format!(
                "\n#[derive(Clone, Copy, PartialEq, HwEnum)]\nenum {kind:?} {{ {variants} }}\n"
            );
        }
    }
    for (index, unit) in circuit.modules.iter().enumerate() {
        let printer = Printer { unit, names: names(unit), text: String::new(), indent: 2 };
        text += &printer.module(&format!("Unit{index}"), index);
    }
    text
}

fn names(unit: &Unit) -> HashMap<Id, String> {
    let mut names = HashMap::new();
    for (place, (id, _)) in unit.inputs.iter().enumerate() {
        names.insert(*id, format!("io.i{place}"));
    }
    for item in &unit.items {
        match item {
            Item::Let { id, .. } => names.insert(*id, format!("v{}", id.0)),
            Item::Reg { id, .. } | Item::RegNext { id, .. } => {
                names.insert(*id, format!("r{}", id.0))
            }
            Item::Wire { id, .. } => names.insert(*id, format!("w{}", id.0)),
            Item::Read { id, .. } => names.insert(*id, format!("q{}", id.0)),
            Item::Instance { inputs, outputs, .. } => {
                let instance = item.instance_name();
                for (place, (id, _)) in inputs.iter().enumerate() {
                    names.insert(*id, format!("{instance}.i{place}"));
                }
                for (place, (id, _)) in outputs.iter().enumerate() {
                    names.insert(*id, format!("{instance}.o{place}"));
                }
                None
            }
            Item::Memory { .. } | Item::Block(_) => None,
        };
    }
    for (place, output) in unit.outputs.iter().enumerate() {
        if output.direct {
            names.insert(output.value, format!("io.o{place}"));
        }
    }
    names
}

struct Printer<'a> {
    unit: &'a Unit,
    names: HashMap<Id, String>,
    text: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: impl AsRef<str>) {
        writeln!(self.text, "{}{}", "    ".repeat(self.indent), line.as_ref()).expect("a string");
    }

    fn name(&self, id: Id) -> &str {
        self.names.get(&id).map_or("undefined", String::as_str)
    }

    fn module(mut self, name: &str, index: usize) -> String {
        let fields = |letter: char, count: usize| {
            (0..count).map(|place| format!("{letter}{place}: Sig")).collect::<Vec<_>>()
        };
        let all =
            [fields('i', self.unit.inputs.len()), fields('o', self.unit.outputs.len())].concat();
        let made: Vec<String> = (self.unit.inputs.iter().enumerate())
            .map(|(place, (_, width))| format!("i{place}: input({width})"))
            .chain(
                (self.unit.outputs.iter().enumerate())
                    .map(|(place, output)| format!("o{place}: output({})", output.width)),
            )
            .collect();
        let unit = self.unit;
        for item in &unit.items {
            self.item(item);
        }
        for (place, output) in unit.outputs.iter().enumerate() {
            if !output.direct {
                let value = self.bits_of(output.value);
                self.line(format!("io.o{place}.set({value});"));
            }
        }
        format!(
            "\n#[derive(Clone, Copy, Bundle)]\nstruct Io{index} {{ {} }}\n\n\
             #[derive(Debug, PartialEq)]\nstruct {name};\n\n\
             impl Module for {name} {{\n    type Io = Io{index};\n    \
             fn name(&self) -> String {{ \"unit{index}\".into() }}\n    \
             fn build(&self) -> Io{index} {{\n        \
             let io = ports(Io{index} {{ {} }});\n{}        io\n    }}\n}}\n",
            all.join(", "),
            made.join(", "),
            self.text,
        )
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Let { id, width, op, named } => {
                let name = self.name(*id).to_owned();
                let suffix = if *named { format!(".named(\"{name}\")") } else { String::new() };
                let value = self.operation(op, *width);
                let value = if *named { parenthesized(&value) } else { value };
                self.line(format!("let {name} = {value}{suffix};"));
            }
            Item::Reg { id, width, reset, kind } => {
                let name = self.name(*id).to_owned();
                match kind {
                    None => {
                        let reset = reset.as_ref().map_or(String::new(), |value| {
                            format!(".reset({})", operand(value, *width))
                        });
                        self.line(format!("let {name} = reg({width}){reset}.named(\"{name}\");"));
                    }
                    Some(kind) => {
                        let reset = reset.as_ref().map_or(String::new(), |value| {
                            format!(
                                ".reset({})",
                                variant(*kind, usize::try_from(value).unwrap_or(0))
                            )
                        });
                        self.line(format!("let {name} = reg({kind:?}::shape()){reset};"));
                        self.line(format!("{name}.sig().named(\"{name}\");"));
                    }
                }
            }
            Item::RegNext { id, next, .. } => {
                let (name, next) = (self.name(*id).to_owned(), self.bits_of(*next));
                self.line(format!("let {name} = reg_next(&{next}).named(\"{name}\");"));
            }
            Item::Wire { id, width, kind } => {
                let name = self.name(*id).to_owned();
                match kind {
                    _ if name.starts_with("io.") => {}
                    None => self.line(format!("let {name} = wire({width}).named(\"{name}\");")),
                    Some(kind) => {
                        self.line(format!("let {name} = wire({kind:?}::shape());"));
                        self.line(format!("{name}.sig().named(\"{name}\");"));
                    }
                }
            }
            Item::Memory { mem, depth, width, init } => {
                let name = format!("m{}", mem.0);
                let rows: Vec<String> = init.iter().map(|row| constant(row, *width)).collect();
                let init = match rows.is_empty() {
                    true => String::new(),
                    false => format!(".init(vec![{}])", rows.join(", ")),
                };
                self.line(format!(
                    "let {name} = memory({depth}, {width}).named(\"{name}\"){init};"
                ));
            }
            Item::Read { id, mem, addr, enable, .. } => {
                let (name, addr) = (self.name(*id).to_owned(), self.bits_of(*addr));
                let read = match enable {
                    None => format!("read_async({addr})"),
                    Some(enable) => format!("read_sync({addr}, {})", self.bits_of(*enable)),
                };
                self.line(format!("let {name} = m{}.{read}.named(\"{name}\");", mem.0));
            }
            Item::Block(body) => self.statements(body),
            Item::Instance { unit, drive, .. } => {
                let name = item.instance_name();
                self.line(format!("let {name} = Unit{unit}.instance().named(\"{name}\");"));
                self.statements(drive);
            }
        }
    }

    fn statements(&mut self, body: &[Stmt]) {
        for stmt in body {
            self.statement(stmt);
        }
    }

    fn nested(&mut self, body: &[Stmt]) {
        self.indent += 1;
        self.statements(body);
        self.indent -= 1;
    }

    /// A target or subject as bits, whether it holds an enum or not.
    fn bits_of(&self, id: Id) -> String {
        let held = self.unit.items.iter().any(|item| {
            matches!(item, Item::Reg { id: made, kind: Some(_), .. }
                | Item::Wire { id: made, kind: Some(_), .. } if *made == id)
        });
        let name = self.name(id);
        if held { format!("{name}.sig()") } else { name.to_owned() }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Set { target, part, value } => {
                let (target, value) = (self.bits_of(*target), self.bits_of(*value));
                let part = part
                    .map_or(String::new(), |(lo, width)| format!(".bits({lo}..{})", lo + width));
                self.line(format!("{target}{part}.set({value});"));
            }
            Stmt::SetVariant { target, kind, variant: code } => {
                let line =
                    format!("{}.set({});", self.name(*target), variant(*kind, *code as usize));
                self.line(line);
            }
            Stmt::When { arms, otherwise } => {
                for (place, (cond, body)) in arms.iter().enumerate() {
                    let cond = self.bits_of(*cond);
                    match place {
                        0 => self.line(format!("when({cond}, || {{")),
                        _ => self.line(format!("}}).elsewhen({cond}, || {{")),
                    }
                    self.nested(body);
                }
                if let Some(body) = otherwise {
                    self.line("}).otherwise(|| {");
                    self.nested(body);
                }
                self.line("});");
            }
            Stmt::Switch { subject, kind, arms, default } => {
                let subject = match kind {
                    Some(_) => self.name(*subject).to_owned(),
                    None => self.bits_of(*subject),
                };
                self.line(format!("switch({subject}, |s| {{"));
                self.indent += 1;
                for (labels, body) in arms {
                    let labels: Vec<String> = labels
                        .iter()
                        .map(|&label| match kind {
                            Some(kind) => variant(*kind, label as usize),
                            _ => label.to_string(),
                        })
                        .collect();
                    let labels = match &labels[..] {
                        [only] => only.clone(),
                        _ => format!("[{}]", labels.join(", ")),
                    };
                    self.line(format!("s.case({labels}, || {{"));
                    self.nested(body);
                    self.line("});");
                }
                if let Some(body) = default {
                    self.line("s.default(|| {");
                    self.nested(body);
                    self.line("});");
                }
                self.indent -= 1;
                self.line("});");
            }
            Stmt::Write { mem, addr, data, mask } => {
                let (addr, data) = (self.bits_of(*addr), self.bits_of(*data));
                let line = match mask {
                    None => format!("m{}.write({addr}, {data});", mem.0),
                    Some(mask) => {
                        format!("m{}.write_masked({addr}, {data}, {});", mem.0, self.bits_of(*mask))
                    }
                };
                self.line(line);
            }
        }
    }
}

/// An expression that a method can be called on.
fn parenthesized(text: &str) -> String {
    if text.contains(' ') || text.starts_with(['!', '-']) {
        format!("({text})")
    } else {
        text.into()
    }
}

fn variant(kind: Kind, code: usize) -> String {
    format!("{kind:?}::{}", kind.variants()[code])
}

/// A constant where a number will do.
fn operand(value: &BigUint, width: u32) -> String {
    match u64::try_from(value) {
        Ok(value) if value < 1 << 63 => format!("{value}u64"),
        _ => format!("&{}", constant(value, width)),
    }
}

fn constant(value: &BigUint, width: u32) -> String {
    let words: Vec<String> =
        to_words(value, width).iter().map(|word| format!("{word:#x}")).collect();
    format!("Bits::from_words({width}, &[{}])", words.join(", "))
}
