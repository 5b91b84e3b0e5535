//! WIDTH MISMATCH and VALUE OUT OF RANGE: operands and sizes that do not go together.

use super::*;

#[test]
fn operands_of_different_widths() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let nibble = io.a.bits(0..4);
        io.q.set(io.a + nibble);
        io
    }
    assert_findings!(build);
}

#[test]
fn widening_sum_of_different_widths() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(io.a.add_wide(io.c).trunc(8));
        io
    }
    assert_findings!(build);
}

#[test]
fn assigned_value_of_another_width() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(io.c);
        io
    }
    assert_findings!(build);
}

#[test]
fn condition_of_several_bits() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(0);
        when(io.a, || io.q.set(1));
        io
    }
    assert_findings!(build);
}

#[test]
fn select_of_several_bits() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(io.a.mux(io.a, 0));
        io
    }
    assert_findings!(build);
}

#[test]
fn extension_that_would_narrow() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(io.a.zext(4).zext(8));
        io
    }
    assert_findings!(build);
}

#[test]
fn constant_from_bits_of_another_width() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(lit(8, &Bits::zero(4)));
        io
    }
    assert_findings!(build);
}

#[test]
fn bundle_unpacked_from_too_few_bits() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let (high, low) = (bits(4), bits(8)).unpack(io.a);
        io.q.set(cat([high, low.trunc(4)]));
        io
    }
    assert_findings!(build);
}

#[test]
fn bundles_of_different_lengths() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let parts = wire(vec![bits(4), bits(4)]);
        parts.drive(&vec![io.a.trunc(4)]);
        io.q.set(parts.pack());
        io
    }
    assert_findings!(build);
}

#[test]
fn variant_taken_from_too_many_bits() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let state = Enum::<State>::from_sig(io.a);
        io.q.set(state.sig().zext(8));
        io
    }
    assert_findings!(build);
}

#[test]
fn memory_address_of_another_width() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let table = memory(10, 8);
        io.q.set(table.read_async(io.a));
        io
    }
    assert_findings!(build);
}

#[test]
fn write_mask_that_does_not_divide_the_row() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let table = memory(10, 8);
        table.write_masked(io.a.trunc(4), io.a, io.a.trunc(3));
        io.q.set(0);
        io
    }
    assert_findings!(build);
}

#[test]
fn initial_rows_of_another_width() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let table = memory(10, 8).init(vec![Bits::zero(9)]);
        io.q.set(table.read_async(io.a.trunc(4)));
        io
    }
    assert_findings!(build);
}

#[test]
fn constant_too_large() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(io.a + 256);
        io
    }
    assert_findings!(build);
}

#[test]
fn constant_too_negative() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(-129);
        io
    }
    assert_findings!(build);
}

#[test]
fn negative_shift_amount() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(io.a << -1);
        io
    }
    assert_findings!(build);
}

#[test]
fn bits_past_the_end() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(io.a.bits(4..12));
        io
    }
    assert_findings!(build);
}

#[test]
fn width_of_zero_is_reported_once_whatever_is_done_with_the_signal() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let empty = wire(0);
        empty.set(io.a);
        io.q.set(empty.bits(2..4).zext(8) + 200);
        io
    }
    assert_findings!(build);
}

#[test]
fn signal_wider_than_any_may_be() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(io.a.repeat(10_000).trunc(8));
        io
    }
    assert_findings!(build);
}

#[test]
fn memory_without_rows() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let table = memory(0, 8);
        io.q.set(table.read_async(io.a));
        io
    }
    assert_findings!(build);
}

#[test]
fn more_initial_rows_than_rows() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        let table = memory(2, 8).init(vec![Bits::zero(8); 3]);
        io.q.set(table.read_async(io.c));
        io
    }
    assert_findings!(build);
}

#[test]
fn index_that_cannot_name_all_items() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        io.q.set(select(io.c, &[io.a, io.a, io.a]));
        io
    }
    assert_findings!(build);
}

#[test]
fn case_label_too_large() {
    #[hardware]
    fn build() -> Io {
        let io = io();
        switch(io.c, |s| {
            s.case(0, || io.q.set(0));
            s.case(2, || io.q.set(1));
        });
        io
    }
    assert_findings!(build);
}
