//! Execution: one tight loop for each kernel.

use super::kernel::{Context, Group, Kernel, Record};
use crate::bits::words_for;
use crate::limbs;

/// Computes the values of a group.
pub(super) fn execute(group: &Group, records: &[Record], words: &mut [u64], context: &Context<'_>) {
    let (done, to) = words.split_at_mut(group.to as usize);
    if group.kernel as u8 >= Kernel::WideNot as u8 {
        execute_wide(group, records, done, to, context);
    } else {
        execute_narrow(group, records, done, to, context);
    }
}

fn mask(unused: u32) -> u64 {
    u64::MAX >> unused
}

/// The value with its sign bit moved past its `unused` top bits.
fn signed(value: u64, unused: u32) -> i64 {
    (value << unused) as i64
}

/// Computes results of one word from up to three fields. A function of its own for each kernel,
/// which leaves all registers to its loop.
#[inline(never)]
fn each(to: &mut [u64], records: &[Record], f: impl Fn(Record) -> u64) {
    for (to, &record) in to.iter_mut().zip(records) {
        *to = f(record);
    }
}

/// Computes results of one word from one word.
#[inline(always)]
fn unary(done: &[u64], to: &mut [u64], records: &[Record], f: impl Fn(u64, u32) -> u64) {
    each(to, records, |[a, _, c]| f(done[a as usize], c));
}

/// Computes results of one word from two.
#[inline(always)]
fn binary(done: &[u64], to: &mut [u64], records: &[Record], f: impl Fn(u64, u64, u32) -> u64) {
    each(to, records, |[a, b, c]| f(done[a as usize], done[b as usize], c));
}

fn execute_narrow(
    group: &Group,
    records: &[Record],
    done: &[u64],
    to: &mut [u64],
    context: &Context<'_>,
) {
    use Kernel::*;
    match group.kernel {
        Not => unary(done, to, records, |a, unused| !a & mask(unused)),
        Neg => unary(done, to, records, |a, unused| a.wrapping_neg() & mask(unused)),
        RedAnd => unary(done, to, records, |a, unused| u64::from(a == mask(unused))),
        RedOr => unary(done, to, records, |a, _| u64::from(a != 0)),
        RedXor => unary(done, to, records, |a, _| u64::from(a.count_ones() & 1)),
        RepeatBit => unary(done, to, records, |a, unused| a.wrapping_neg() & mask(unused)),
        And => binary(done, to, records, |a, b, _| a & b),
        Or => binary(done, to, records, |a, b, _| a | b),
        Xor => binary(done, to, records, |a, b, _| a ^ b),
        Add => binary(done, to, records, |a, b, unused| a.wrapping_add(b) & mask(unused)),
        Sub => binary(done, to, records, |a, b, unused| a.wrapping_sub(b) & mask(unused)),
        Mul => binary(done, to, records, |a, b, _| a.wrapping_mul(b)),
        Eq => binary(done, to, records, |a, b, _| u64::from(a == b)),
        Ne => binary(done, to, records, |a, b, _| u64::from(a != b)),
        Ult => binary(done, to, records, |a, b, _| u64::from(a < b)),
        Ule => binary(done, to, records, |a, b, _| u64::from(a <= b)),
        Slt => binary(done, to, records, |a, b, unused| {
            u64::from(signed(a, unused) < signed(b, unused))
        }),
        Sle => binary(done, to, records, |a, b, unused| {
            u64::from(signed(a, unused) <= signed(b, unused))
        }),
        Shl => binary(
            done,
            to,
            records,
            |a, by, unused| {
                if by < 64 { a << by & mask(unused) } else { 0 }
            },
        ),
        Shr => binary(done, to, records, |a, by, _| if by < 64 { a >> by } else { 0 }),
        Sra => binary(done, to, records, |a, by, unused| {
            (signed(a, unused) >> unused >> by.min(63)) as u64 & mask(unused)
        }),
        Mux => each(to, records, |[select, then, otherwise]| {
            // Without a branch: selects are hard to predict.
            let (then, otherwise) = (done[then as usize], done[otherwise as usize]);
            otherwise ^ (then ^ otherwise) & done[select as usize].wrapping_neg()
        }),
        Slice => each(to, records, |[a, lo, unused]| done[a as usize] >> lo & mask(unused)),
        SliceSpan => each(to, records, |[a, lo, unused]| {
            (done[a as usize] >> lo | done[a as usize + 1] << (64 - lo)) & mask(unused)
        }),
        BitAt => each(to, records, |[a, index, width]| match done[index as usize] {
            index if index < u64::from(width) => {
                done[a as usize + index as usize / 64] >> (index % 64) & 1
            }
            _ => 0,
        }),
        Cat => binary(done, to, records, |high, low, width| high << width | low),
        CatMany => {
            to[0] = records
                .iter()
                .fold(0, |high, &[part, width, _]| high << width | done[part as usize]);
        }
        Sext => each(to, records, |[a, before, after]| {
            (signed(done[a as usize], before) >> before) as u64 & mask(after)
        }),
        Insert => binary(done, to, records, |into, part, field| {
            let (lo, width) = (field & 0xFF, field >> 8);
            into & !(mask(64 - width) << lo) | part << lo
        }),
        Read => each(to, records, |[memory, addr, _]| {
            let row = context.memories[memory as usize].at(done[addr as usize]);
            row.map_or(0, |row| context.contents[row.start])
        }),
        Lookup => each(to, records, |[subject, first, last]| {
            let entry = done[subject as usize].min(u64::from(last - first)) as u32;
            done[context.tables[(first + entry) as usize] as usize]
        }),
        other => unreachable!("{other:?} is no narrow kernel"),
    }
}

/// Computes results of any number of words.
#[inline(always)]
fn each_wide(
    to: &mut [u64],
    width: u32,
    records: &[Record],
    mut f: impl FnMut(&mut [u64], Record),
) {
    for (to, &record) in to.chunks_exact_mut(words_for(width)).zip(records) {
        f(to, record);
    }
}

fn execute_wide(
    group: &Group,
    records: &[Record],
    done: &[u64],
    to: &mut [u64],
    context: &Context<'_>,
) {
    use Kernel::*;
    let Group { width, from, .. } = *group;
    let part = |place: u32, width: u32| &done[place as usize..place as usize + words_for(width)];
    // The first operand where it is as wide as the result, and where it is not.
    let same = |place: u32| part(place, width);
    let other = |place: u32| part(place, from);
    let amount = |place: u32, words: u32| {
        limbs::amount(&done[place as usize..place as usize + words as usize])
    };
    match group.kernel {
        WideNot => each_wide(to, width, records, |to, [a, ..]| limbs::not(to, same(a), width)),
        WideNeg => each_wide(to, width, records, |to, [a, ..]| limbs::neg(to, same(a), width)),
        WideRedAnd => each(to, records, |[a, ..]| limbs::red_and(other(a), from).into()),
        WideRedOr => each(to, records, |[a, ..]| limbs::red_or(other(a)).into()),
        WideRedXor => each(to, records, |[a, ..]| limbs::red_xor(other(a)).into()),
        WideAnd => each_wide(to, width, records, |to, [a, b, _]| limbs::and(to, same(a), same(b))),
        WideOr => each_wide(to, width, records, |to, [a, b, _]| limbs::or(to, same(a), same(b))),
        WideXor => each_wide(to, width, records, |to, [a, b, _]| limbs::xor(to, same(a), same(b))),
        WideAdd => each_wide(to, width, records, |to, [a, b, _]| {
            limbs::add(to, same(a), same(b), width);
        }),
        WideSub => each_wide(to, width, records, |to, [a, b, _]| {
            limbs::sub(to, same(a), same(b), width);
        }),
        WideMul => each_wide(to, width, records, |to, [a, b, _]| {
            limbs::mul(to, other(a), part(b, width - from));
        }),
        WideEq => each(to, records, |[a, b, _]| (other(a) == other(b)).into()),
        WideNe => each(to, records, |[a, b, _]| (other(a) != other(b)).into()),
        WideUlt => each(to, records, |[a, b, _]| limbs::ult(other(a), other(b)).into()),
        WideUle => each(to, records, |[a, b, _]| limbs::ule(other(a), other(b)).into()),
        WideSlt => each(to, records, |[a, b, _]| limbs::slt(other(a), other(b), from).into()),
        WideSle => each(to, records, |[a, b, _]| limbs::sle(other(a), other(b), from).into()),
        WideShl => each_wide(to, width, records, |to, [a, by, words]| {
            limbs::shl(to, same(a), amount(by, words), width);
        }),
        WideShr => each_wide(to, width, records, |to, [a, by, words]| {
            limbs::shr(to, same(a), amount(by, words), width);
        }),
        WideSra => each_wide(to, width, records, |to, [a, by, words]| {
            limbs::sra(to, same(a), amount(by, words), width);
        }),
        WideMux => each_wide(to, width, records, |to, [select, then, otherwise]| {
            let chosen = if done[select as usize] != 0 { then } else { otherwise };
            to.copy_from_slice(same(chosen));
        }),
        WideSlice => each_wide(to, width, records, |to, [a, lo, _]| {
            limbs::slice(to, other(a), lo, width);
        }),
        WideBitAt => {
            each(to, records, |[a, index, words]| limbs::bit(other(a), amount(index, words)).into())
        }
        WideCat => {
            let to = &mut to[..words_for(width)];
            for &[place, width, lo] in records {
                limbs::insert(to, lo, part(place, width), width);
            }
        }
        WideRepeat => each_wide(to, width, records, |to, [a, ..]| {
            limbs::repeat(to, other(a), from, width);
        }),
        WideZext => each_wide(to, width, records, |to, [a, ..]| limbs::zext(to, other(a))),
        WideSext => each_wide(to, width, records, |to, [a, ..]| {
            limbs::sext(to, other(a), from, width);
        }),
        WideInsert => each_wide(to, width, records, |to, [into, piece, lo]| {
            to.copy_from_slice(same(into));
            limbs::insert(to, lo, other(piece), from);
        }),
        WideRead => each_wide(to, width, records, |to, [memory, addr, _]| {
            match context.memories[memory as usize].at(done[addr as usize]) {
                Some(row) => to.copy_from_slice(&context.contents[row]),
                None => to.fill(0),
            }
        }),
        WideLookup => each_wide(to, width, records, |to, [subject, first, last]| {
            let entry = done[subject as usize].min(u64::from(last - first)) as u32;
            to.copy_from_slice(same(context.tables[(first + entry) as usize]));
        }),
        other => unreachable!("{other:?} is no wide kernel"),
    }
}
