//! Growth: genes in, a well-formed circuit out, whatever the genes are.

mod blocks;
pub(crate) mod dice;
mod effective;
mod ops;

use crate::circuit::grow::dice::Values as _;
use std::collections::HashSet;

use num_bigint::BigUint;

use super::{Circuit, Gene, Genome, Id, Item, Kind, MAX_WIDTH, MemId, Output, Unit, mask};
use kit::Dice;

/// The circuit that a genome describes.
pub fn grow(genome: &Genome) -> Circuit {
    let mut modules: Vec<Unit> = Vec::new();
    for genes in genome {
        let unit = Grower::new(&modules).unit(genes);
        modules.push(unit);
    }
    if modules.is_empty() {
        modules.push(Grower::new(&[]).unit(&[]));
    }
    let mut circuit = Circuit { modules };
    circuit.drop_unused_units();
    circuit
}

/// Widths where carries, words and limbs end, and small ones for state machines.
const WIDTHS: [u32; 64] = [
    1, 1, 2, 8, 4, 3, 16, 5, 7, 32, 1, 9, 12, 8, 64, 15, 17, 31, 33, 2, 63, 65, 24, 6, 1, 40, 128,
    10, 48, 127, 129, 96, 4, 192, 191, 255, 256, 257, 299, 300, 1, 8, 11, 3, 5, 13, 20, 28, 30, 32,
    34, 62, 64, 66, 2, 14, 1, 19, 22, 27, 36, 50, 56, 60,
];

/// A width: an interesting one fifteen times out of sixteen.
fn width_of(selector: u16) -> u32 {
    let selector = u32::from(selector);
    if selector % 16 == 15 {
        1 + selector / 16 % MAX_WIDTH
    } else {
        WIDTHS[(selector / 16) as usize % WIDTHS.len()]
    }
}

/// A value that holds bits of some kind.
#[derive(Clone, Copy)]
struct Value {
    id: Id,
    width: u32,
    kind: Option<Kind>,
}

/// A memory made so far.
struct Mem {
    id: MemId,
    depth: u32,
    width: u32,
    read: bool,
}

/// A module in growth.
struct Grower<'a> {
    earlier: &'a [Unit],
    unit: Unit,
    next: u32,
    /// What items may use from now on.
    values: Vec<Value>,
    regs: Vec<Value>,
    mems: Vec<Mem>,
    instances: usize,
}

/// What a gene makes; listed as often as it should come up, simplest first.
#[derive(Clone, Copy)]
enum Make {
    Input,
    Constant,
    Unary,
    Binary,
    Mul,
    Shift,
    ShiftBy,
    Mux,
    Slice,
    At,
    Cat,
    Repeat,
    Resize,
    Select,
    Is,
    Reg,
    RegNext,
    Memory,
    Read,
    Block,
    Instance,
}

const MAKES: [Make; 64] = {
    use Make::*;
    [
        Input, Unary, Binary, Reg, Block, Mux, Slice, Cat, Shift, Memory, Instance, Input,
        Constant, Binary, Binary, Block, Unary, Binary, Shift, ShiftBy, Resize, Binary, Mul, Mux,
        At, Cat, Repeat, Select, Is, Block, RegNext, Read, Block, Input, Reg, Binary, Slice, Unary,
        Mux, Binary, Block, Constant, Shift, At, Instance, Binary, Memory, Resize, Slice, Cat,
        Select, Reg, Input, Mul, ShiftBy, Binary, Block, Is, Read, Unary, Binary, Block, Repeat,
        Reg,
    ]
};

impl<'a> Grower<'a> {
    fn new(earlier: &'a [Unit]) -> Self {
        Grower {
            earlier,
            unit: Unit::default(),
            next: 0,
            values: Vec::new(),
            regs: Vec::new(),
            mems: Vec::new(),
            instances: 0,
        }
    }

    fn unit(mut self, genes: &[Gene]) -> Unit {
        for gene in genes {
            self.step(gene);
        }
        self.complete(genes);
        self.observe(genes);
        effective::drop_overridden(&mut self.unit);
        self.unit
    }

    fn step(&mut self, gene: &Gene) {
        match MAKES[gene.kind as usize % MAKES.len()] {
            Make::Input => drop(self.input(width_of(gene.size))),
            Make::Reg => self.reg(gene),
            Make::RegNext => {
                let next = self.pick(gene.pick[0]);
                let id = self.fresh();
                self.unit.items.push(Item::RegNext { id, width: next.width, next: next.id });
                self.offer(id, next.width, None);
            }
            Make::Memory => self.memory(gene),
            Make::Read => self.read(gene.pick[0] as usize, gene.pick[1], gene.pick[2], gene.seed),
            Make::Block => self.block(gene),
            Make::Instance => {
                if self.earlier.is_empty() || self.instances >= 2 {
                    self.block(gene);
                } else {
                    self.instance(gene.pick[0] as usize % self.earlier.len(), gene);
                }
            }
            make => self.op(make, gene),
        }
    }

    /// Gives every register a driver, every memory a reader, and the module before a use.
    fn complete(&mut self, genes: &[Gene]) {
        let last =
            genes.last().copied().unwrap_or(Gene { kind: 0, pick: [0; 3], size: 0, seed: 0 });
        if !self.earlier.is_empty() && self.instances == 0 {
            self.instance(self.earlier.len() - 1, &last);
        }
        for mem in 0..self.mems.len() {
            if !self.mems[mem].read {
                self.read(mem, last.pick[0], last.pick[1], last.seed);
            }
        }
        for reg in self.regs.clone() {
            if effective::bits_set(&self.unit, reg.id, reg.width) != mask(reg.width) {
                self.drive_register(reg, &last);
            }
        }
        if self.values.is_empty() {
            self.input(1);
        }
    }

    /// Shows on outputs what nothing else uses, and some of the rest.
    fn observe(&mut self, genes: &[Gene]) {
        let mut used = HashSet::new();
        for item in &self.unit.items {
            item.reads(&mut |id| _ = used.insert(id));
        }
        let direct: HashSet<Id> = self.unit.outputs.iter().map(|output| output.value).collect();
        for (place, value) in self.values.iter().enumerate() {
            let gene = genes.get(place % genes.len().max(1));
            let last = place + 1 == self.values.len() && self.unit.outputs.is_empty();
            let watched = last || gene.is_some_and(|gene| gene.seed % 8 == 7);
            if !direct.contains(&value.id) && (watched || !used.contains(&value.id)) {
                self.unit.outputs.push(Output {
                    value: value.id,
                    width: value.width,
                    direct: false,
                });
            }
        }
    }

    fn fresh(&mut self) -> Id {
        self.next += 1;
        Id(self.next - 1)
    }

    /// Makes the value available to later items.
    fn offer(&mut self, id: Id, width: u32, kind: Option<Kind>) -> Value {
        let value = Value { id, width, kind };
        self.values.push(value);
        value
    }

    fn input(&mut self, width: u32) -> Value {
        let id = self.fresh();
        self.unit.inputs.push((id, width));
        self.offer(id, width, None)
    }

    /// An available value: half the time one of the last four.
    fn pick(&mut self, selector: u16) -> Value {
        if self.values.is_empty() {
            return self.input(8);
        }
        let (len, place) = (self.values.len(), selector as usize / 2);
        let index = if selector % 2 == 1 { len - 1 - place % len.min(4) } else { place % len };
        self.values[index]
    }

    fn reg(&mut self, gene: &Gene) {
        let kind = (gene.pick[0] % 4 == 3).then(|| Kind::ALL[gene.pick[1] as usize % 3]);
        let width = kind.map_or(width_of(gene.size), Kind::width);
        let reset = match (gene.pick[2] % 4, kind) {
            (0, _) => None,
            (_, Some(kind)) => Some(BigUint::from(gene.seed as usize % kind.variants().len())),
            (_, None) => Some(Dice::value(gene.seed, width)),
        };
        let id = self.fresh();
        self.unit.items.push(Item::Reg { id, width, reset, kind });
        let value = self.offer(id, width, kind);
        self.regs.push(value);
    }

    fn memory(&mut self, gene: &Gene) {
        const DEPTHS: [u32; 12] = [1, 2, 4, 3, 8, 5, 16, 7, 9, 1, 17, 32];
        let depth = DEPTHS[gene.pick[0] as usize % DEPTHS.len()];
        let width = width_of(gene.size);
        let rows = gene.pick[1] as u32 % (depth + 1);
        let init = (0..rows).map(|row| Dice::value(gene.seed ^ row as u16, width)).collect();
        let id = MemId(self.mems.len() as u32);
        self.mems.push(Mem { id, depth, width, read: false });
        self.unit.items.push(Item::Memory { mem: id, depth, width, init });
    }

    fn read(&mut self, mem: usize, addr: u16, enable: u16, style: u16) {
        if self.mems.is_empty() {
            let gene = Gene { kind: 0, pick: [addr, enable, 0], size: addr, seed: style };
            self.memory(&gene);
        }
        let mem = mem % self.mems.len();
        self.mems[mem].read = true;
        let Mem { id: mem, depth, width, .. } = self.mems[mem];
        let addr = self.pick_as(addr, address_width(depth), style);
        let enable = (!enable.is_multiple_of(3)).then(|| self.pick_as(enable, 1, style / 8));
        let id = self.fresh();
        self.unit.items.push(Item::Read { id, width, mem, addr, enable });
        self.offer(id, width, None);
    }
}

/// Bits of an address of a memory: enough to tell the rows apart, at least one.
fn address_width(depth: u32) -> u32 {
    (1..).find(|&width| depth <= 1 << width).expect("a depth fits 32 bits")
}

impl Circuit {
    /// Leaves out modules that the top does not reach.
    pub fn drop_unused_units(&mut self) {
        let mut needed = vec![false; self.modules.len()];
        *needed.last_mut().expect("a circuit has a module") = true;
        for index in (0..self.modules.len()).rev() {
            if needed[index] {
                for item in &self.modules[index].items {
                    if let Item::Instance { unit, .. } = item {
                        needed[*unit] = true;
                    }
                }
            }
        }
        let place: Vec<usize> = needed
            .iter()
            .scan(0, |next, &n| {
                let p = *next;
                *next += usize::from(n);
                Some(p)
            })
            .collect();
        let mut keep = needed.iter();
        self.modules.retain(|_| *keep.next().expect("one flag a module"));
        for module in &mut self.modules {
            for item in &mut module.items {
                if let Item::Instance { unit, .. } = item {
                    *unit = place[*unit];
                }
            }
        }
    }
}
