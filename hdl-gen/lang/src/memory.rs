//! Memories: rows of bits with read and write ports, in the forms that infer block RAM.

use crate::bits::{Bits, index_width};
use crate::builder::{Builder, Frame, with_builder, with_frame};
use crate::bundle::Named;
use crate::diag::{Code, Diagnostic, Loc, bits};
use crate::ir::{MemId, MemRead, Memory, Name, NodeId, Op, Stmt};
use crate::sig::Sig;

/// A memory of the module being described. Not reset; zero or `init` at power-up.
#[derive(Clone, Copy, Debug)]
pub struct Mem {
    serial: u32,
    id: MemId,
    depth: usize,
    /// Zero if the size was refused: nothing more can be said about this memory.
    width: usize,
}

/// A memory of `depth` rows of `width` bits.
#[track_caller]
pub fn memory(depth: usize, width: usize) -> Mem {
    let loc = Loc::caller();
    with_builder(|b| {
        let row = b.checked_width(width as u64, loc);
        const MAX_DEPTH: usize = 1 << 28;
        let fits = (1..=MAX_DEPTH).contains(&depth);
        if !fits {
            let diagnostic = Diagnostic::new(
                Code::ValueOutOfRange,
                format!("a memory of {depth} rows"),
                format!("a memory has 1 to {MAX_DEPTH} rows"),
            );
            b.diagnostics.push(diagnostic.at(loc, "this depth"));
        }
        let rows = depth.clamp(1, MAX_DEPTH);
        let frame = b.frame();
        let id = MemId(frame.module.memories.len() as u32);
        frame.module.memories.push(Memory {
            name: None,
            doc: "",
            depth: rows as u32,
            width: row.unwrap_or(1),
            init: Vec::new(),
            collisions_ignored: false,
            loc,
        });
        Mem {
            serial: frame.serial,
            id,
            depth: rows,
            width: row.filter(|_| fits).unwrap_or(0) as usize,
        }
    })
}

impl Mem {
    /// The handle of a memory of this frame.
    pub(crate) fn of(frame: &Frame, id: MemId) -> Mem {
        let memory = &frame.module.memories[id.index()];
        let (depth, width) = (memory.depth as usize, memory.width as usize);
        Mem { serial: frame.serial, id, depth, width }
    }

    /// Bits of an address.
    pub fn addr_width(self) -> usize {
        index_width(self.depth)
    }

    /// Rows.
    pub fn depth(self) -> usize {
        self.depth
    }

    /// Contents of the first rows at power-up.
    #[track_caller]
    pub fn init(self, rows: Vec<Bits>) -> Mem {
        let loc = Loc::caller();
        let wrong = rows.iter().find(|row| row.width() as usize != self.width);
        let fault = if self.width == 0 {
            None
        } else if rows.len() > self.depth {
            Some((
                Code::ValueOutOfRange,
                format!("{} initial rows for a memory of {}", rows.len(), self.depth),
            ))
        } else {
            wrong.map(|row| {
                (
                    Code::WidthMismatch,
                    format!(
                        "an initial row of {} bits for a memory of {} bits",
                        row.width(),
                        self.width
                    ),
                )
            })
        };
        with_builder(|b| match fault {
            Some((code, message)) => {
                let diagnostic = Diagnostic::new(
                    code,
                    message,
                    "give at most `depth` rows of exactly the memory's width",
                );
                b.diagnostics.push(diagnostic.at(loc, "initialised here"));
            }
            None => {
                if let Some(memory) = self.own(b, loc) {
                    memory.init = rows;
                }
            }
        });
        self
    }

    /// Promises that nothing depends on what a synchronous read finds in a row that is written at the
    /// same edge. Synthesis then needs no logic around a block RAM that cannot tell; simulation finds
    /// what was there before, as ever. State the reason as an `assert`.
    #[track_caller]
    pub fn ignore_collisions(self) -> Mem {
        let loc = Loc::caller();
        with_builder(|b| {
            if let Some(memory) = self.own(b, loc) {
                memory.collisions_ignored = true;
            }
        });
        self
    }

    /// Names the memory in Verilog; inside `#[hardware]` functions `let` does this.
    pub fn named(self, name: &str) -> Mem {
        with_frame(|f| self.name(f, name, "", true));
        self
    }

    /// The memory if it belongs here; else reports.
    fn own(self, b: &mut Builder, loc: Loc) -> Option<&mut Memory> {
        if b.frame().serial == self.serial {
            return Some(&mut b.frame().module.memories[self.id.index()]);
        }
        let diagnostic = Diagnostic::new(
            Code::ForeignSignal,
            "a memory is used outside its module",
            "pass addresses and data through ports: only ports cross module boundaries",
        )
        .at(loc, "used here");
        let owner = b.module_of(self.serial);
        let made = owner.map(|module| module.memories[self.id.index()].loc);
        b.diagnostics.push(match made {
            Some(made) => diagnostic.at(made, "the memory"),
            None => diagnostic,
        });
        None
    }

    fn name(self, frame: &mut Frame, name: &str, doc: &'static str, exact: bool) {
        if frame.serial != self.serial {
            return;
        }
        let given = frame.module.memories[self.id.index()].name;
        if given.is_some_and(|given| given.is_exact() || !exact) {
            return;
        }
        let index = frame.intern(name);
        let memory = &mut frame.module.memories[self.id.index()];
        memory.name = Some(Name::new(index, exact));
        memory.doc = doc;
    }

    /// Checks that the memory belongs here and `sig` has `width` bits.
    fn operand(self, what: &str, sig: Sig, width: usize, loc: Loc) -> Option<NodeId> {
        with_builder(|b| {
            self.own(b, loc)?;
            let id = b.own(sig, loc);
            let node = *b.frame().module.node(id);
            if node.op == Op::Poison || self.width == 0 {
                return None;
            }
            if node.width as usize != width {
                let made = b.frame().module.memories[self.id.index()].loc;
                b.diagnostics.push(
                    Diagnostic::new(
                        Code::WidthMismatch,
                        format!("the {what} has {} instead of {width}", bits(node.width)),
                        format!(
                            "this memory has {} rows of {} bits and addresses of {} bits",
                            self.depth,
                            self.width,
                            self.addr_width()
                        ),
                    )
                    .at(loc, "used here")
                    .at(node.loc, bits(node.width))
                    .at(made, "the memory"),
                );
                return None;
            }
            Some(id)
        })
    }

    fn read(self, addr: Option<NodeId>, enable: Option<Option<NodeId>>, loc: Loc) -> Sig {
        with_builder(|b| {
            let id = match (addr, enable) {
                (None, _) | (_, Some(None)) => b.poison(self.width as u32, loc),
                (Some(addr), enable) => {
                    let frame = b.frame();
                    let index = frame.module.reads.len() as u32;
                    frame.module.reads.push(MemRead { mem: self.id, addr, sync: enable.flatten() });
                    frame.push(Op::MemRead(index), self.width as u32, loc)
                }
            };
            b.frame().handle(id)
        })
    }

    /// The row at `addr`, within the cycle. Rows past the depth read as zero.
    #[track_caller]
    pub fn read_async(self, addr: Sig) -> Sig {
        let loc = Loc::caller();
        let addr = self.operand("address", addr, self.addr_width(), loc);
        self.read(addr, None, loc)
    }

    /// The row at `addr`, one cycle later, where `enable` is 1; otherwise the value stays. A row
    /// written at the same edge reads as it was before. This is the form that infers block RAM.
    #[track_caller]
    pub fn read_sync(self, addr: Sig, enable: Sig) -> Sig {
        let loc = Loc::caller();
        let addr = self.operand("address", addr, self.addr_width(), loc);
        let enable = self.operand("read enable", enable, 1, loc);
        self.read(addr, Some(enable), loc)
    }

    /// Writes a row at the clock edge, where the enclosing conditions hold. Addresses past the depth
    /// are ignored.
    #[track_caller]
    pub fn write(self, addr: Sig, data: Sig) {
        self.write_port(addr, data, None, Loc::caller());
    }

    /// Writes the lanes of a row whose bit in `mask` is 1: with 4 mask bits and rows of 32 bits,
    /// the lanes are bytes. The mask's width divides the row's.
    #[track_caller]
    pub fn write_masked(self, addr: Sig, data: Sig, mask: Sig) {
        self.write_port(addr, data, Some(mask), Loc::caller());
    }

    fn write_port(self, addr: Sig, data: Sig, mask: Option<Sig>, loc: Loc) {
        let addr = self.operand("address", addr, self.addr_width(), loc);
        let data = self.operand("data", data, self.width, loc);
        let mask = match mask {
            Some(mask) if with_builder(|b| b.is_poison(mask)) => return,
            Some(mask) if !self.width.is_multiple_of(mask.width()) => {
                with_builder(|b| {
                    let diagnostic = Diagnostic::new(
                        Code::WidthMismatch,
                        format!(
                            "a write mask of {} bits for rows of {} bits",
                            mask.width(),
                            self.width
                        ),
                        "choose a mask width that divides the width of the row",
                    );
                    b.diagnostics.push(diagnostic.at(loc, "written here"));
                });
                return;
            }
            Some(mask) => match self.operand("mask", mask, mask.width(), loc) {
                Some(id) => Some(id),
                None => return,
            },
            None => None,
        };
        if let (Some(addr), Some(data)) = (addr, data) {
            with_frame(|f| f.stmt(Stmt::MemWrite { mem: self.id, addr, data, mask, loc }));
        }
    }
}

impl Named for Mem {
    fn give_name(&self, name: &str, doc: &'static str) {
        with_frame(|f| self.name(f, name, doc, false));
    }
}
