//! Elaboration in progress: the modules being described on this thread.
//!
//! Handles such as [`Sig`] are plain numbers; the circuit they stand for grows here, in thread-local
//! state that exists only inside [`crate::module::elaborate`]. One thread elaborates one design at
//! a time; different threads do not see each other.

use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use crate::bits::{Bits, MAX_WIDTH};
use crate::diag::{Code, Diagnostic, Loc};
use crate::index::Index;
use crate::ir::*;
use crate::port::Flow;
use crate::sig::Sig;

thread_local! {
    static BUILDER: RefCell<Option<Builder>> = const { RefCell::new(None) };
    /// Numbers modules across designs, so that a handle of one is never taken for another's.
    static NEXT_SERIAL: Cell<u32> = const { Cell::new(1) };
}

/// Everything elaborated so far.
#[derive(Default)]
pub struct Builder {
    pub(crate) frames: Vec<Frame>,
    pub(crate) modules: Vec<Module>,
    /// The serial number that each of `modules` had as a frame.
    pub(crate) serials: Vec<u32>,
    pub(crate) elaborated: HashMap<String, Elaborated>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A finished module, kept for sharing.
pub(crate) struct Elaborated {
    pub id: ModuleId,
    pub kind: TypeId,
    /// The `Module` value: its parameters.
    pub parameters: Box<dyn Any>,
    /// Its `Io`, in handles of its own frame.
    pub io: Box<dyn Any>,
    pub port_of_node: HashMap<u32, u32>,
}

/// A module under construction.
pub(crate) struct Frame {
    pub serial: u32,
    pub module: Module,
    /// Open blocks, innermost last.
    pub blocks: Vec<Vec<Stmt>>,
    /// An empty block, to be used again.
    spare: Vec<Stmt>,
    /// Finds [`Module::names`].
    names: Index,
}

/// Runs `f` with an empty builder and hands back what it left there.
pub(crate) fn with_new_builder<R>(f: impl FnOnce() -> R) -> (R, Builder) {
    struct Clear;
    impl Drop for Clear {
        fn drop(&mut self) {
            BUILDER.with_borrow_mut(|slot| *slot = None);
        }
    }
    BUILDER.with_borrow_mut(|slot| {
        assert!(slot.is_none(), "hdl: elaborate() called inside elaborate(); use Module::instance for a module inside another");
        *slot = Some(Builder::default());
    });
    let clear = Clear;
    let result = f();
    let builder = BUILDER.with_borrow_mut(Option::take).expect("the builder set above");
    drop(clear);
    (result, builder)
}

/// Runs `f` on the current builder.
pub(crate) fn with_builder<R>(f: impl FnOnce(&mut Builder) -> R) -> R {
    BUILDER.with_borrow_mut(|slot| {
        f(slot.as_mut().expect("hdl: hardware can only be described inside elaborate()"))
    })
}

/// Runs `f` on the module under construction.
pub(crate) fn with_frame<R>(f: impl FnOnce(&mut Frame) -> R) -> R {
    with_builder(|builder| f(builder.frame()))
}

/// A new serial number for a frame.
pub(crate) fn next_serial() -> u32 {
    NEXT_SERIAL.replace(NEXT_SERIAL.get() + 1)
}

impl Builder {
    /// The module under construction.
    pub(crate) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("hdl: hardware can only be described inside Module::build")
    }

    /// The module, open or finished, whose handles have this serial number.
    pub fn module_of(&self, serial: u32) -> Option<&Module> {
        let open = self.frames.iter().map(|frame| (frame.serial, &frame.module));
        let mut known = open.chain(self.serials.iter().copied().zip(&self.modules));
        known.find(|(of, _)| *of == serial).map(|(_, module)| module)
    }

    /// Checks that `sig` may be used in the current module; if not, reports and gives a poison.
    pub fn own(&mut self, sig: Sig, loc: Loc) -> NodeId {
        if sig.serial == self.frame().serial {
            return NodeId(sig.node);
        }
        let here = self.frame().module.name.clone();
        let diagnostic = if let Some(flow) = Flow::of(sig) {
            Diagnostic::new(
                Code::ForeignSignal,
                "the description of a port is used as a signal",
                "use what `ports` gives back: it has the port itself",
            )
            .at(loc, "used here")
            .at(flow.loc, "described here")
        } else if sig.serial == 0 {
            Diagnostic::new(
                Code::ForeignSignal,
                format!("a shape of {} bits is used as a signal", sig.width),
                "make a signal of the shape first: `wire(shape)`, `reg(shape)`",
            )
            .at(loc, "used here")
        } else {
            let (owner, made) = match self.module_of(sig.serial) {
                Some(module) => {
                    (format!("`{}`", module.name), Some(module.nodes[sig.node as usize].loc))
                }
                None => ("another module".to_owned(), None),
            };
            let diagnostic = Diagnostic::new(
                Code::ForeignSignal,
                format!("a signal of {owner} is used in `{here}`"),
                "pass the value through a port: only ports cross module boundaries",
            )
            .at(loc, format!("used here, in `{here}`"));
            match made {
                Some(made) => diagnostic.at(made, format!("made here, in {owner}")),
                None => diagnostic,
            }
        };
        self.diagnostics.push(diagnostic);
        self.poison(sig.width, loc)
    }

    /// A stand-in for a value that could not be made.
    pub fn poison(&mut self, width: u32, loc: Loc) -> NodeId {
        self.frame().push(Op::Poison, width.max(1), loc)
    }

    /// A handle of such a stand-in.
    pub fn stand_in(&mut self, width: u32, loc: Loc) -> Sig {
        let id = self.poison(width, loc);
        self.frame().handle(id)
    }

    /// Adds the node, or a poison if an operand is one: one mistake is reported once.
    pub fn push(&mut self, op: Op, width: u32, loc: Loc) -> NodeId {
        let frame = self.frame();
        let (fixed, _) = op.operands();
        let poisoned = fixed.into_iter().flatten().any(|id| frame.module.node(id).op.is_poison());
        frame.push(if poisoned { Op::Poison } else { op }, width, loc)
    }

    /// Whether the signal is a stand-in, so that what is wrong with it has been reported.
    pub fn is_poison(&mut self, sig: Sig) -> bool {
        let frame = self.frame();
        sig.serial == frame.serial && frame.module.node(NodeId(sig.node)).op.is_poison()
    }

    /// The width that an integer beside this node takes; any integer fits beside a stand-in.
    pub fn integer_width(&mut self, beside: NodeId) -> u32 {
        let node = self.frame().module.node(beside);
        if node.op.is_poison() { MAX_WIDTH } else { node.width }
    }

    /// Counts `sig`, or what it is cut from, as driven: an attempt to drive it has been reported.
    pub fn excuse(&mut self, sig: Sig, loc: Loc) {
        let Some(frame) = self.frames.iter_mut().find(|frame| frame.serial == sig.serial) else {
            return;
        };
        let mut target = NodeId(sig.node);
        while let Op::Slice { from, .. } = frame.module.node(target).op {
            target = from;
        }
        let node = *frame.module.node(target);
        if node.op.is_driven() {
            let value = frame.push(Op::Poison, node.width, loc);
            frame.blocks[0].push(Stmt::Assign { target, lo: 0, value, loc });
        }
    }

    /// The width if a signal may have it; else reports.
    pub fn checked_width(&mut self, width: u64, loc: Loc) -> Option<u32> {
        if (1..=u64::from(MAX_WIDTH)).contains(&width) {
            return Some(width as u32);
        }
        self.diagnostics.push(
            Diagnostic::new(
                Code::ValueOutOfRange,
                format!("a signal of {width} bits"),
                format!("a width is 1 to {MAX_WIDTH}; leave a signal out altogether with `Option`"),
            )
            .at(loc, "this width"),
        );
        None
    }
}

/// A module of so many nodes gets room for [`ROOM`] more at once: address space that is not used
/// costs nothing, moving the nodes each time their number has doubled does.
const LARGE: usize = 1 << 16;
const ROOM: usize = 1 << 20;

impl Frame {
    pub fn new(name: String, parameters: String, doc: String, loc: Loc) -> Frame {
        let module = Module {
            name,
            parameters,
            doc,
            loc,
            nodes: Vec::new(),
            operands: Vec::new(),
            constants: Vec::new(),
            names: Vec::new(),
            docs: Vec::new(),
            enums: Vec::new(),
            ports: Vec::new(),
            resets: Vec::new(),
            memories: Vec::new(),
            reads: Vec::new(),
            instances: Vec::new(),
            body: Vec::new(),
            needs_clock: false,
            needs_reset: false,
        };
        let blocks = vec![Vec::new()];
        Frame { serial: next_serial(), module, blocks, spare: Vec::new(), names: Index::default() }
    }

    pub fn push(&mut self, op: Op, width: u32, loc: Loc) -> NodeId {
        let nodes = &mut self.module.nodes;
        if nodes.len() == LARGE && nodes.capacity() == LARGE {
            nodes.reserve_exact(ROOM);
        }
        let id = NodeId(nodes.len() as u32);
        nodes.push(Node { op, width, name: None, loc });
        id
    }

    pub fn constant(&mut self, value: Bits, loc: Loc) -> NodeId {
        let width = value.width();
        let index = self.module.constants.len() as u32;
        self.module.constants.push(value);
        self.push(Op::Const(index), width, loc)
    }

    /// The handle of a node of this frame.
    pub fn handle(&self, id: NodeId) -> Sig {
        Sig::of(self.serial, id.0, self.module.node(id).width)
    }

    pub fn stmt(&mut self, stmt: Stmt) {
        self.blocks.last_mut().expect("a frame has at least one open block").push(stmt);
    }

    /// Statements from now on are gathered apart.
    pub fn open_block(&mut self) {
        self.blocks.push(std::mem::take(&mut self.spare));
    }

    /// The statements since the innermost block was opened, in no more memory than they need:
    /// most blocks are short.
    pub fn close_block(&mut self) -> Block {
        self.spare = self.blocks.pop().expect("a block that was opened");
        self.spare.drain(..).collect()
    }

    /// The place of a name in [`Module::names`]; a loop in Rust asks for the same ones over and over.
    pub fn intern(&mut self, name: &str) -> usize {
        let names = &mut self.module.names;
        match self.names.find(name, |number| &names[number as usize]) {
            Ok(number) => number as usize,
            Err(absent) => {
                self.names.insert(absent, names.len() as u32);
                names.push(name.to_owned());
                names.len() - 1
            }
        }
    }

    /// Names and documents a node, unless it has a name already or is a constant.
    pub fn name(&mut self, id: NodeId, name: &str, doc: Cow<'static, str>, exact: bool) {
        let node = self.module.node(id);
        if node.name.is_some_and(|name| name.is_exact() || !exact)
            || matches!(node.op, Op::Const(_))
        {
            return;
        }
        let index = self.intern(name);
        self.module.nodes[id.index()].name = Some(Name::new(index, exact));
        if !doc.is_empty() {
            self.module.docs.push((id, doc));
        }
    }
}
