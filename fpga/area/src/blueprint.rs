//! A design taken apart: each module by itself, as it is synthesized.

use crate::needed;
use config::Config;
use hdl::ir::{Design, Direction, Module, Op};
use std::fmt::Write;
use units::{GenerateError, Place};

/// The name of the module that goes around what is synthesized.
pub const SHELL: &str = "shell";

/// A design, module by module.
#[derive(Clone, Debug)]
pub struct Blueprint {
    /// The modules that are needed, children before parents; the last is the top.
    pub parts: Vec<Part>,
}

/// One module of a design.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name, which has its parameters in it.
    pub name: String,
    /// The unit it is: the name without parameters.
    pub unit: String,
    /// Its Verilog.
    pub text: String,
    /// A module with its ports and nothing inside.
    pub stub: String,
    /// A wrapper module that leaves unneeded ports open.
    pub shell: String,
    /// Its ports, without the unneeded ones.
    pub ports: Vec<Port>,
    /// Its instances, as indices into [`Blueprint::parts`].
    pub children: Vec<usize>,
    /// Its memories: name, rows, bits a row.
    pub memories: Vec<(String, u64, u64)>,
}

/// A port, as Verilog has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its width.
    pub width: u32,
    /// Seen from inside.
    pub is_input: bool,
    /// Whether anybody needs it.
    pub is_needed: bool,
}

impl Blueprint {
    /// The unit `top` of a configuration, as a board has it.
    pub fn new(config: &Config, top: &str) -> Result<Self, GenerateError> {
        let design = units::design_for(Place::Board, config, top)?;
        let exports = match top {
            "soc" | "memory_system" => units::soc::exports(&units::features::observers(config)),
            _ => Vec::new(),
        };
        Ok(Self::of(&design, |port| exports.iter().any(|export| port.starts_with(export.as_str()))))
    }

    fn of(design: &Design, is_open: impl Fn(&str) -> bool) -> Self {
        let needed = needed::ports(design, is_open);
        let instances: Vec<Vec<usize>> = design
            .modules
            .iter()
            .zip(&needed)
            .map(|(module, needed)| live_instances(module, needed))
            .collect();
        let mut is_used = vec![false; design.modules.len()];
        is_used[design.top.index()] = true;
        for index in (0..design.modules.len()).rev().filter(|&index| index <= design.top.index()) {
            if is_used[index] {
                instances[index].iter().for_each(|&child| is_used[child] = true);
            }
        }
        // Where each module will be in the list.
        let place = |index: usize| is_used[..index].iter().filter(|used| **used).count();
        let files = design.verilog(&[]);
        let parts = design.modules.iter().enumerate().filter(|(index, _)| is_used[*index]);
        let parts = parts.map(|(index, module)| {
            let ports = ports(module, &needed[index]);
            let children = instances[index].iter().map(|&child| place(child)).collect();
            let name_of = |name: Option<hdl::ir::Name>| {
                name.map_or("unnamed", |name| module.names[name.index()].as_str()).to_owned()
            };
            let memories = module.memories.iter();
            Part {
                name: module.name.clone(),
                unit: unit(&module.name).to_owned(),
                text: files[index].text.clone(),
                stub: stub(&module.name, &ports),
                shell: shell(&module.name, &ports),
                ports,
                children,
                memories: memories
                    .map(|memory| (name_of(memory.name), memory.depth.into(), memory.width.into()))
                    .collect(),
            }
        });
        Self { parts: parts.collect() }
    }

    /// The top.
    pub fn top(&self) -> &Part {
        self.parts.last().expect("a design has a top")
    }
}

/// The modules of the instances that anything needs.
fn live_instances(module: &Module, needed: &[bool]) -> Vec<usize> {
    let live = needed::live(module, needed);
    let is_live = |instance: &&hdl::ir::Instance| {
        let mut outputs = instance.connections.iter();
        outputs.any(|id| matches!(module.node(*id).op, Op::InstOut(..)) && live[id.index()])
    };
    module.instances.iter().filter(is_live).map(|instance| instance.module.index()).collect()
}

fn ports(module: &Module, needed: &[bool]) -> Vec<Port> {
    let implied = [(module.needs_clock, verilate::CLOCK), (module.needs_reset, verilate::RESET)];
    let implied = implied.into_iter().filter(|(needs, _)| *needs).map(|(_, name)| Port {
        name: name.to_owned(),
        width: 1,
        is_input: true,
        is_needed: true,
    });
    let declared = module.ports.iter().zip(needed).map(|(port, &is_needed)| Port {
        name: module.given_name(port.node).unwrap_or_default().to_owned(),
        width: module.node(port.node).width,
        is_input: port.direction == Direction::Input,
        is_needed,
    });
    implied.chain(declared).collect()
}

/// The list of ports in a module's head.
fn declarations<'a>(ports: impl Iterator<Item = &'a Port>) -> String {
    let lines: Vec<_> = ports
        .map(|port| {
            let direction = if port.is_input { "input" } else { "output" };
            format!("  {direction} wire [{}:0] {}", port.width - 1, port.name)
        })
        .collect();
    lines.join(",\n")
}

fn stub(name: &str, ports: &[Port]) -> String {
    format!("(* blackbox *)\nmodule {name} (\n{}\n);\nendmodule\n", declarations(ports.iter()))
}

fn shell(name: &str, ports: &[Port]) -> String {
    let kept = ports.iter().filter(|port| port.is_needed);
    let mut text = format!("module {SHELL} (\n{}\n);\n", declarations(kept));
    let _ = writeln!(text, "  {name} inner (\n{}\n  );\nendmodule", connections(ports));
    text
}

/// The connections of an instance whose needed ports are wires of the same names.
pub fn connections(ports: &[Port]) -> String {
    let lines: Vec<_> = ports
        .iter()
        .map(|Port { name, is_needed, .. }| match is_needed {
            true => format!("    .{name}({name})"),
            false => format!("    .{name}()"),
        })
        .collect();
    lines.join(",\n")
}

/// A module's name without its parameters: up to the first word that is a number or a letter and a
/// number. The first word always belongs to the name: `l1_data`.
fn unit(module: &str) -> &str {
    let mut end = 0;
    for word in module.split('_') {
        let digits = word.strip_prefix(|c: char| c.is_ascii_lowercase()).unwrap_or(word);
        if end > 0 && digits.starts_with(|c: char| c.is_ascii_digit()) {
            return &module[..end - 1];
        }
        end += word.len() + 1;
    }
    module
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_called_without_its_parameters() {
        for (module, named) in [
            ("alu", "alu"),
            ("l1_data_64x2x32_p32e5h2t32_perturbed", "l1_data"),
            ("l1_data_way_64x32_21_p32e5h2t32", "l1_data_way"),
            ("core_hart_80000000_p32_l1_instruction_4096_w2_l32", "core_hart"),
            ("hazard_color_set_256x2_c12", "hazard_color_set"),
            ("color_lookaside_entry_c12", "color_lookaside_entry"),
        ] {
            assert_eq!(unit(module), named);
        }
    }

    #[test]
    fn a_machine_is_taken_apart_into_what_a_board_needs() {
        let blueprint = Blueprint::new(&Config::default(), "soc").unwrap();
        assert_eq!(blueprint.top().name, "soc");
        assert!(!blueprint.top().shell.contains("rvfi_insn_0(rvfi_insn_0)"));
        assert!(blueprint.top().shell.contains(".rvfi_insn_0()"));
        assert!(blueprint.top().shell.contains(".uart_tx_valid(uart_tx_valid)"));
        for (index, part) in blueprint.parts.iter().enumerate() {
            assert!(part.children.iter().all(|&child| child < index), "children come first");
        }
        let harts = |unit: &str| {
            let of = |part: &Part| {
                part.children.iter().filter(|&&c| blueprint.parts[c].unit == unit).count()
            };
            blueprint.parts.iter().map(of).sum::<usize>()
        };
        assert_eq!((harts("core_hart"), harts("comm_monitor"), harts("perturbation")), (4, 4, 0));
    }

    #[test]
    fn a_unit_by_itself_keeps_all_ports() {
        let blueprint = Blueprint::new(&Config::default(), "comm_monitor").unwrap();
        assert!(blueprint.top().ports.iter().all(|port| port.is_needed));
    }
}
