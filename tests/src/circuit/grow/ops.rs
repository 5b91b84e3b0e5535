//! Growth of combinational values.

use super::{Grower, Make, Value, width_of};
use crate::circuit::grow::dice::Values as _;
use crate::circuit::{Binary, Gene, Id, Item, Kind, MAX_WIDTH, Op, Shift, Unary};
use kit::Dice;

/// Products stay below this, to keep compile times down.
const MAX_PRODUCT: u32 = 150;

impl Grower<'_> {
    /// A value that nobody asked to see under a name.
    fn hidden(&mut self, width: u32, op: Op) -> Id {
        let id = self.fresh();
        self.unit.items.push(Item::Let { id, width, op, named: false });
        id
    }

    /// `value` in exactly `width` bits; `style` chooses how.
    pub(super) fn fit(&mut self, value: Value, width: u32, style: u16) -> Id {
        let Value { id, width: from, .. } = value;
        if from == width {
            return id;
        }
        if from > width {
            if width == 1 {
                return match style % 6 {
                    0 => self.hidden(1, Op::Slice(id, 0)),
                    1 => self.hidden(1, Op::Unary(Unary::Any, id)),
                    2 => self.hidden(1, Op::Unary(Unary::Parity, id)),
                    3 => self.hidden(1, Op::Unary(Unary::All, id)),
                    _ => self.hidden(1, Op::Slice(id, u32::from(style) % from)),
                };
            }
            let lo = u32::from(style) / 2 % (from - width + 1);
            let op = if style.is_multiple_of(2) { Op::Trunc(id) } else { Op::Slice(id, lo) };
            return self.hidden(width, op);
        }
        match style % 4 {
            0 | 1 => self.hidden(width, Op::Zext(id)),
            2 => self.hidden(width, Op::Sext(id)),
            _ => {
                let copies = width.div_ceil(from);
                let repeated = self.hidden(copies * from, Op::Repeat(id, copies));
                if copies * from == width {
                    return repeated;
                }
                self.hidden(width, Op::Trunc(repeated))
            }
        }
    }

    /// An available value in `width` bits.
    pub(super) fn pick_as(&mut self, selector: u16, width: u32, style: u16) -> Id {
        let value = self.pick(selector);
        self.fit(value, width, style)
    }

    /// A value of at most `limit` bits.
    fn at_most(&mut self, value: Value, limit: u32) -> Value {
        if value.width <= limit {
            return value;
        }
        Value { id: self.hidden(limit, Op::Trunc(value.id)), width: limit, kind: None }
    }

    pub(super) fn op(&mut self, make: Make, gene: &Gene) {
        let [first, second, third] = gene.pick;
        let (width, op) = match make {
            Make::Constant => {
                let width = width_of(gene.size);
                (width, Op::Const(Dice::value(gene.seed, width)))
            }
            Make::Unary => {
                let a = self.pick(first);
                let op = Unary::ALL[second as usize % Unary::ALL.len()];
                (op.width(a.width), Op::Unary(op, a.id))
            }
            Make::Binary => self.binary(gene),
            Make::Mul => {
                let a = self.pick(first);
                let a = self.at_most(a, MAX_PRODUCT / 2);
                let b = self.pick(second);
                let b =
                    self.at_most(b, if gene.seed.is_multiple_of(2) { 16 } else { MAX_PRODUCT / 2 });
                (a.width + b.width, Op::Mul(a.id, b.id))
            }
            Make::Shift => {
                let (a, by) = (self.pick(first), self.pick(second));
                let by = match gene.seed % 4 {
                    // Mostly amounts that do not shift everything out.
                    0 => by,
                    _ => self.at_most(by, 1 + a.width.ilog2()),
                };
                (a.width, Op::Shift(shift(third), a.id, by.id))
            }
            Make::ShiftBy => {
                let a = self.pick(first);
                let by = match gene.seed % 16 {
                    0 => a.width + u32::from(second) % 1000,
                    1 => a.width,
                    _ => u32::from(second) % a.width,
                };
                (a.width, Op::ShiftBy(shift(third), a.id, by))
            }
            Make::Mux => {
                let then = self.pick(first);
                let otherwise = self.pick_as(second, then.width, gene.seed);
                let select = self.pick_as(third, 1, gene.seed / 4);
                (then.width, Op::Mux(select, then.id, otherwise))
            }
            Make::Slice => {
                let a = self.pick(first);
                let lo = u32::from(second) % a.width;
                let width =
                    if third % 4 == 0 { 1 } else { 1 + u32::from(third / 4) % (a.width - lo) };
                (width, Op::Slice(a.id, lo))
            }
            Make::At => (1, Op::At(self.pick(first).id, self.pick(second).id)),
            Make::Cat => {
                let count = 1 + usize::from(gene.size % 4);
                let limit = MAX_WIDTH / count as u32;
                let mut parts = Vec::new();
                let mut width = 0;
                for part in 0..count {
                    let selector = if part < 3 { gene.pick[part] } else { gene.seed };
                    let value = self.pick(selector);
                    let value = self.at_most(value, limit);
                    width += value.width;
                    parts.push(value.id);
                }
                (width, Op::Cat(parts))
            }
            Make::Repeat => {
                let a = self.pick(first);
                let count = 1 + u32::from(second) % 5.min(MAX_WIDTH / a.width).max(1);
                (a.width * count, Op::Repeat(a.id, count))
            }
            Make::Resize => {
                let (a, width) = (self.pick(first), width_of(gene.size));
                let op = match (width >= a.width, second % 2 == 0) {
                    (true, true) => Op::Zext(a.id),
                    (true, false) => Op::Sext(a.id),
                    (false, _) => Op::Trunc(a.id),
                };
                (width, op)
            }
            Make::Select => {
                let like = self.pick(first);
                let count = 1 + usize::from(gene.size % 6);
                let mut dice = Dice::new(gene.seed.into());
                let mut items = vec![like.id];
                while items.len() < count {
                    let item = self.pick_as(dice.selector(), like.width, dice.selector());
                    items.push(item);
                }
                let least = super::address_width(count as u32);
                let index = self.pick_as(second, least + u32::from(third % 3), third);
                (like.width, Op::Select(index, items))
            }
            _ => match self.values.iter().filter(|value| value.kind.is_some()).count() {
                0 => return self.reg(&Gene { pick: [3, second, third], ..*gene }),
                held => {
                    let place = first as usize % held;
                    let value = self.values.iter().filter(|value| value.kind.is_some()).nth(place);
                    let value = *value.expect("one of those just counted");
                    let kind = value.kind.expect("filtered above");
                    (1, Op::Is(value.id, kind, u32::from(second) % variants(kind)))
                }
            },
        };
        let id = self.fresh();
        let named = gene.seed.is_multiple_of(3);
        self.unit.items.push(Item::Let { id, width, op, named });
        self.offer(id, width, None);
    }

    fn binary(&mut self, gene: &Gene) -> (u32, Op) {
        let op = Binary::ALL[gene.pick[2] as usize % Binary::ALL.len()];
        let a = self.pick(gene.pick[0]);
        let a = if op == Binary::AddWide { self.at_most(a, MAX_WIDTH - 1) } else { a };
        // One time out of eight a number on the right.
        let b = if gene.seed % 8 == 5 {
            self.hidden(a.width, Op::Const(Dice::value(gene.size % 512, a.width)))
        } else {
            self.pick_as(gene.pick[1], a.width, gene.seed / 8)
        };
        (op.width(a.width), Op::Binary(op, a.id, b))
    }
}

fn shift(selector: u16) -> Shift {
    [Shift::Left, Shift::Right, Shift::Arithmetic][selector as usize % 3]
}

pub(super) fn variants(kind: Kind) -> u32 {
    kind.variants().len() as u32
}
