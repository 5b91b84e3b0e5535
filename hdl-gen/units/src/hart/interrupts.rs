//! The interrupts of a hart, as rows: a line, a bit in `mip` and `mie`, and a priority.

use border::interrupt::Interrupt as Number;
use hdl::{Sig, input};

use crate::observer::{Each, Lane};

/// One interrupt. Its line comes from outside the hart or from a unit beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// Names its line: `irq_table`.
    pub name: &'static str,
    /// Its number: the code in `mcause` and its bit in `mip` and `mie`, below 32.
    pub number: usize,
    /// Of several that could be taken the one with the highest priority is taken. No two are equal.
    pub priority: usize,
}

/// `msip` of this hart is set.
pub const SOFTWARE: Interrupt = Interrupt::new(Number::Software, 3);
/// `mtime` has reached `mtimecmp`.
pub const TIMER: Interrupt = Interrupt::new(Number::Timer, 2);
/// The communication table holds at least as many edges as its watermark.
pub const TABLE: Interrupt = Interrupt::new(Number::Table, 16);

impl Interrupt {
    /// An interrupt under its number and name in `border`.
    const fn new(of: Number, priority: usize) -> Self {
        Self { name: of.name(), number: of.number() as usize, priority }
    }
}

/// The part of a module's name that says which interrupts there are beside software and timer. The
/// usual hart has the table's, which its name leaves out.
pub(super) fn tag(added: &[Interrupt]) -> String {
    match added {
        [TABLE] => String::new(),
        _ => added.iter().fold("_i".to_owned(), |tag, row| format!("{tag}{}", row.number)),
    }
}

/// All interrupts of a hart with these beside software and timer.
///
/// # Panics
/// As [`check`].
pub(super) fn rows(added: &[Interrupt]) -> Vec<Interrupt> {
    let rows: Vec<Interrupt> = [SOFTWARE, TIMER].iter().chain(added).copied().collect();
    check(&rows);
    rows
}

/// Input ports for the lines of all interrupts.
#[track_caller]
pub(super) fn lines(added: &[Interrupt]) -> Each<Sig> {
    let line = |row: &Interrupt| Lane {
        name: format!("irq_{}", row.name),
        doc: "The interrupt that names this port is pending: a level.",
        of: input(1),
    };
    rows(added).iter().map(line).collect()
}

/// Refuses rows that cannot work together.
///
/// # Panics
/// If two rows share a number, a name or a priority, or a number has no bit in `mie`.
fn check(rows: &[Interrupt]) {
    for (place, row) in rows.iter().enumerate() {
        assert!(row.number < 32, "interrupt `{}`: expected a number below 32", row.name);
        for other in &rows[..place] {
            let apart = row.number != other.number
                && row.name != other.name
                && row.priority != other.priority;
            assert!(apart, "interrupts `{}` and `{}` are not distinct", row.name, other.name);
        }
    }
}
