//! Every operator at widths around the word size, against big integers.

use hdl::*;
use num_bigint::BigUint;
use proptest::prelude::*;

use crate::support::simulate;

#[derive(Clone, Bundle)]
struct Io {
    a: Sig,
    b: Sig,
    amount: Sig,
    wide_amount: Sig,
    select: Sig,
    inverted: Sig,
    neg: Sig,
    both: Sig,
    either: Sig,
    differing: Sig,
    add: Sig,
    add_wide: Sig,
    sub: Sig,
    mul: Sig,
    eq: Sig,
    ne: Sig,
    lt: Sig,
    le: Sig,
    lt_signed: Sig,
    le_signed: Sig,
    all: Sig,
    any: Sig,
    parity: Sig,
    shl: Sig,
    shr: Sig,
    sra: Sig,
    shl_wide: Sig,
    shr_wide: Sig,
    sra_wide: Sig,
    at: Sig,
    at_wide: Sig,
    mux: Sig,
    low: Sig,
    high: Sig,
    middle: Sig,
    pair: Sig,
    many: Sig,
    thrice: Sig,
    bit_repeated: Sig,
    zext: Sig,
    sext: Sig,
}

const FAR: usize = 70;

fn operators(w: usize) -> Io {
    let io = ports(Io {
        a: input(w),
        b: input(w),
        amount: input(10),
        wide_amount: input(80),
        select: input(1),
        inverted: output(w),
        neg: output(w),
        both: output(w),
        either: output(w),
        differing: output(w),
        add: output(w),
        add_wide: output(w + 1),
        sub: output(w),
        mul: output(2 * w),
        eq: output(1),
        ne: output(1),
        lt: output(1),
        le: output(1),
        lt_signed: output(1),
        le_signed: output(1),
        all: output(1),
        any: output(1),
        parity: output(1),
        shl: output(w),
        shr: output(w),
        sra: output(w),
        shl_wide: output(w),
        shr_wide: output(w),
        sra_wide: output(w),
        at: output(1),
        at_wide: output(1),
        mux: output(w),
        low: output(w.div_ceil(2)),
        high: output(w.div_ceil(2)),
        middle: output(w.div_ceil(3)),
        pair: output(2 * w),
        many: output(3 * w + 1),
        thrice: output(3 * w),
        bit_repeated: output(w + 1),
        zext: output(w + FAR),
        sext: output(w + FAR),
    });
    let (a, b) = (io.a, io.b);
    io.inverted.set(!a);
    io.neg.set(-a);
    io.both.set(a & b);
    io.either.set(a | b);
    io.differing.set(a ^ b);
    io.add.set(a + b);
    io.add_wide.set(a.add_wide(b));
    io.sub.set(a - b);
    io.mul.set(a * b);
    io.eq.set(a.eq(b));
    io.ne.set(a.ne(b));
    io.lt.set(a.lt(b));
    io.le.set(a.le(b));
    io.lt_signed.set(a.lt_signed(b));
    io.le_signed.set(a.le_signed(b));
    io.all.set(a.all());
    io.any.set(a.any());
    io.parity.set(a.parity());
    io.shl.set(a << io.amount);
    io.shr.set(a >> io.amount);
    io.sra.set(a.sra(io.amount));
    io.shl_wide.set(a << io.wide_amount);
    io.shr_wide.set(a >> io.wide_amount);
    io.sra_wide.set(a.sra(io.wide_amount));
    io.at.set(a.at(io.amount));
    io.at_wide.set(a.at(io.wide_amount));
    io.mux.set(io.select.mux(a, b));
    io.low.set(a.bits(..w.div_ceil(2)));
    io.high.set(a.bits(w / 2..));
    io.middle.set(a.bits(w / 3..w / 3 + w.div_ceil(3)));
    io.pair.set(cat([a, b]));
    io.many.set(cat([a, io.select, b, a]));
    io.thrice.set(a.repeat(3));
    io.bit_repeated.set(io.select.repeat(w + 1));
    io.zext.set(a.zext(w + FAR));
    io.sext.set(a.sext(w + FAR));
    io
}

fn big(bits: &Bits) -> BigUint {
    BigUint::new(bits.words().iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect())
}

fn power(width: usize) -> BigUint {
    BigUint::from(1u8) << width
}

/// What the operators are applied to.
#[derive(Clone, Debug)]
struct Operands {
    a: Bits,
    b: Bits,
    amount: Bits,
    wide_amount: Bits,
    select: bool,
}

/// All operators on one set of operands.
fn check((sim, io): &mut (Simulator, Io), operands: &Operands) {
    let Operands { a, b, amount, wide_amount, select } = operands;
    let (w, select) = (io.a.width(), *select);
    sim.set_bits(io.a, a);
    sim.set_bits(io.b, b);
    sim.set_bits(io.amount, amount);
    sim.set_bits(io.wide_amount, wide_amount);
    sim.set(io.select, select.into());
    let (x, y, m) = (big(a), big(b), power(w));
    let one = |condition: bool| BigUint::from(u8::from(condition));
    let negative = x.bit(w as u64 - 1);
    let order = |value: &BigUint| (value + power(w - 1)) % power(w);
    let shifted = |amount: &Bits| {
        let by = amount.to_u64().unwrap_or(u64::MAX).min(w as u64) as usize;
        let down = &x >> by;
        let ones = if negative { &m - (&m >> by) } else { BigUint::ZERO };
        ((&x << by) % &m, down.clone(), down | ones)
    };
    let at = |amount: &Bits| one(amount.to_u64().is_some_and(|at| x.bit(at)));
    let (shl, shr, sra) = shifted(amount);
    let (shl_wide, shr_wide, sra_wide) = shifted(wide_amount);
    let expected = [
        ("inverted", io.inverted, &m - 1u8 - &x),
        ("neg", io.neg, (&m - &x) % &m),
        ("both", io.both, &x & &y),
        ("either", io.either, &x | &y),
        ("differing", io.differing, &x ^ &y),
        ("add", io.add, (&x + &y) % &m),
        ("add_wide", io.add_wide, &x + &y),
        ("sub", io.sub, (&x + &m - &y) % &m),
        ("mul", io.mul, &x * &y),
        ("eq", io.eq, one(x == y)),
        ("ne", io.ne, one(x != y)),
        ("lt", io.lt, one(x < y)),
        ("le", io.le, one(x <= y)),
        ("lt_signed", io.lt_signed, one(order(&x) < order(&y))),
        ("le_signed", io.le_signed, one(order(&x) <= order(&y))),
        ("all", io.all, one(&x + 1u8 == m)),
        ("any", io.any, one(x != BigUint::ZERO)),
        ("parity", io.parity, one(x.count_ones() % 2 == 1)),
        ("shl", io.shl, shl),
        ("shr", io.shr, shr),
        ("sra", io.sra, sra),
        ("shl_wide", io.shl_wide, shl_wide),
        ("shr_wide", io.shr_wide, shr_wide),
        ("sra_wide", io.sra_wide, sra_wide),
        ("at", io.at, at(amount)),
        ("at_wide", io.at_wide, at(wide_amount)),
        ("mux", io.mux, if select { x.clone() } else { y.clone() }),
        ("low", io.low, &x % power(w.div_ceil(2))),
        ("high", io.high, &x >> (w / 2)),
        ("middle", io.middle, (&x >> (w / 3)) % power(w.div_ceil(3))),
        ("pair", io.pair, (&x << w) + &y),
        ("many", io.many, (((&x << 1) + one(select)) << (2 * w)) + (&y << w) + &x),
        ("thrice", io.thrice, (((&x << w) + &x) << w) + &x),
        ("bit_repeated", io.bit_repeated, if select { power(w + 1) - 1u8 } else { BigUint::ZERO }),
        ("zext", io.zext, x.clone()),
        ("sext", io.sext, if negative { &x + power(w + FAR) - &m } else { x.clone() }),
    ];
    for (name, port, value) in expected {
        let got = sim.get_bits(port);
        assert_eq!(big(&got), value, "{name} at {w} bits of {operands:?}");
        assert!(big(&got) < power(port.width()), "{name} has bits past its width");
    }
}

fn value(width: usize) -> impl Strategy<Value = Bits> {
    let width = width as u32;
    prop_oneof![
        4 => prop::collection::vec(any::<u64>(), width.div_ceil(64) as usize)
            .prop_map(move |words| Bits::from_words(width, &words)),
        1 => Just(Bits::zero(width)),
        1 => Just(Bits::ones(width)),
        1 => (0..3u128).prop_map(move |low| Bits::truncated(width, low)),
    ]
}

/// Operands of one width, with shift amounts that are mostly within it.
fn operands() -> impl Strategy<Value = Operands> {
    prop_oneof![
        3 => prop::sample::select(vec![1usize, 2, 32, 63, 64, 65, 127, 128, 129, 300]),
        1 => 1usize..200,
    ]
    .prop_flat_map(|w| {
        let near = (0..w as u128 + 3).prop_map(|amount| Bits::truncated(10, amount));
        let near_wide = (0..w as u128 + 3).prop_map(|amount| Bits::truncated(80, amount));
        let wide = prop_oneof![3 => near_wide, 1 => value(80)];
        (value(w), value(w), near, wide, any::<bool>())
    })
    .prop_map(|(a, b, amount, wide_amount, select)| Operands {
        a,
        b,
        amount,
        wide_amount,
        select,
    })
}

proptest! {
    #[test]
    fn operators_agree_with_big_integers(operands in operands()) {
        check(&mut simulate("operators", operands.a.width() as usize, operators), &operands);
    }
}

/// Where sign, carry and word boundaries matter.
fn corners(width: u32) -> Vec<Bits> {
    let top = |low: u64| {
        let mut words = vec![0; width.div_ceil(64) as usize];
        words[0] = low;
        words[(width as usize - 1) / 64] |= 1 << ((width - 1) % 64);
        Bits::from_words(width, &words)
    };
    let pattern = vec![0x5555_5555_5555_5555; width.div_ceil(64) as usize];
    vec![
        Bits::zero(width),
        Bits::truncated(width, 1),
        Bits::ones(width),
        top(0),
        top(1),
        Bits::from_words(width, &pattern),
    ]
}

#[test]
fn operators_agree_with_big_integers_at_every_corner() {
    for w in [1, 2, 63, 64, 65, 127, 128, 129, 192, 300] {
        let mut circuit = simulate("operators", w, operators);
        for a in corners(w as u32) {
            for b in corners(w as u32) {
                for by in [0, 1, 62, 63, 64, 65, w - 1, w, w + 1, 1023] {
                    let amount = Bits::truncated(10, by as u128);
                    // The high word alone must already count as too far.
                    let wide_amount = Bits::truncated(80, by as u128 | (by as u128 & 1) << 70);
                    let (a, b, select) = (a.clone(), b.clone(), by % 2 == 0);
                    check(&mut circuit, &Operands { a, b, amount, wide_amount, select });
                }
            }
        }
    }
}
