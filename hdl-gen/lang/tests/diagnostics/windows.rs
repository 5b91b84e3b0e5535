//! REGISTER WINDOW: rows and behavior that do not belong together.

use hdl::window::{Access, Bus, Row, Window};

use super::*;

const fn row(name: &'static str, word: u32, access: Access) -> Row {
    Row { name, word, access, reset: 0, doc: "" }
}

const LIMIT: Row = row("limit", 0, Access::ReadWrite);
const COUNT: Row = row("count", 1, Access::ReadOnly);
const CLEAR: Row = row("clear", 2, Access::WriteOnly);

#[track_caller]
fn window(rows: &[Row], io: Io) -> Window<u32> {
    let bus = Bus { read_valid: io.c, write_valid: io.c, address: io.a, write_data: io.a };
    Window::new(rows.iter().copied(), |word| word, bus)
}

#[test]
fn rows_without_behavior() {
    fn build() -> Io {
        let io = io();
        let mut registers = window(&[LIMIT, COUNT, CLEAR], io);
        io.q.set(0);
        registers.show_now(io.q);
        io
    }
    assert_findings!(build);
}

#[test]
fn two_rows_with_one_word() {
    fn build() -> Io {
        let io = io();
        let mut registers = window(&[COUNT, row("sum", 1, Access::ReadOnly)], io);
        registers.read(1, io.a);
        io.q.set(0);
        registers.show_now(io.q);
        io
    }
    assert_findings!(build);
}

#[test]
fn row_that_the_address_cannot_name() {
    fn build() -> Io {
        let io = io();
        let mut registers = window(&[row("far", 256, Access::ReadOnly)], io);
        io.q.set(0);
        registers.show_now(io.q);
        io
    }
    assert_findings!(build);
}

#[test]
fn behavior_without_a_row() {
    fn build() -> Io {
        let io = io();
        let mut registers = window(&[COUNT], io);
        registers.read(1, io.a);
        registers.read(7, io.a);
        io.q.set(0);
        registers.show_now(io.q);
        io
    }
    assert_findings!(build);
}

#[test]
fn behavior_that_the_access_does_not_allow() {
    fn build() -> Io {
        let io = io();
        let mut registers = window(&[COUNT, CLEAR], io);
        registers.read(1, io.a);
        registers.on_write(1, |_| {});
        registers.read(2, io.a);
        registers.written(2);
        io.q.set(0);
        registers.show_now(io.q);
        io
    }
    assert_findings!(build);
}

#[test]
fn behavior_given_twice() {
    fn build() -> Io {
        let io = io();
        let mut registers = window(&[COUNT], io);
        registers.read(1, io.a);
        registers.read(1, io.a + 1);
        io.q.set(0);
        registers.show_now(io.q);
        io
    }
    assert_findings!(build);
}

#[test]
fn behavior_that_nothing_is_built_from() {
    fn build() -> Io {
        let io = io();
        let mut registers = window(&[COUNT, CLEAR], io);
        registers.read(1, io.a);
        registers.on_write(2, move |data| io.q.set(data));
        io.q.set(0);
        io
    }
    assert_findings!(build);
}
