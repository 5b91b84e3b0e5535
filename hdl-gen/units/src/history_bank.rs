//! One bank of one signature file of the history: rows of bits, one bit for each item.
//!
//! Only the newest item is ever inserted into, so its column is a memory of its own, one bit wide: an
//! insert is one write, with nothing to read first. There are two such columns, which take turns: while
//! the scan at the end of an epoch passes the column of the item that ended, inserts go to the other.
//! The older items lie in a memory that only the scan writes. The scan passes every row, so it moves
//! each row by one item on the way: ages never need to be turned round, and the columns of that
//! memory stay in age order.

use hdl::{
    Bundle, Module, Sig, array, assert, cat, hardware, index_width, input, lit, memory, output,
    ports, reg, when,
};

/// One bank of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryBank {
    /// History items, at least 1.
    pub items: usize,
    /// Rows, at least 2.
    pub rows: usize,
}

/// Ports of [`HistoryBank`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct HistoryBankIo {
    /// The column (0 or 1) that belongs to the newest item.
    pub newest: Sig,
    /// A scan is under way: the other column belongs to the item that ended.
    pub scanning: Sig,
    /// The newest item's bit in `insert_row` is set in this cycle.
    pub insert_valid: Sig,
    /// The number of the row to set a bit in; valid with `insert_valid`.
    pub insert_row: Sig,
    /// `test_row` is read in this cycle.
    pub test_valid: Sig,
    /// The number of the row to read; valid with `test_valid`.
    pub test_row: Sig,
    /// The row read, valid in the cycle after `test_valid`: the oldest item in bit 0, the newest in
    /// the top bit.
    pub test_items: Sig,
    /// `fetch_row` is fetched in this cycle, to be rewritten next.
    pub fetch_valid: Sig,
    /// The number of the row to fetch; valid with `fetch_valid`.
    pub fetch_row: Sig,
    /// `rewrite_row` is rewritten in this cycle: the oldest item leaves it, and the item that ended
    /// joins the older ones.
    pub rewrite_valid: Sig,
    /// The number of the row to rewrite; while scanning, always the one that is rewritten next.
    pub rewrite_row: Sig,
    /// All items leave the row, not only the oldest; valid with `rewrite_valid`.
    pub rewrite_empty: Sig,
    /// The contents of `rewrite_row` before it is rewritten, without the newest item; valid with
    /// `rewrite_valid` if that row was the last to be fetched.
    pub scan_items: Sig,
}

/// One bank of one signature file: a row for each hash of a color, a column for each item. A test
/// does not see the insert of its own cycle. A row is never tested and rewritten in one cycle, so
/// `older` needs two ports: one for tests and rewrites, one for fetches.
#[hardware]
impl Module for HistoryBank {
    type Io = HistoryBankIo;

    fn name(&self) -> String {
        format!("history_bank_{}x{}", self.items, self.rows)
    }

    fn build(&self) -> HistoryBankIo {
        let row_bits = index_width(self.rows);
        let io = ports(HistoryBankIo {
            newest: input(1),
            scanning: input(1),
            insert_valid: input(1),
            insert_row: input(row_bits),
            test_valid: input(1),
            test_row: input(row_bits),
            test_items: output(self.items),
            fetch_valid: input(1),
            fetch_row: input(row_bits),
            rewrite_valid: input(1),
            rewrite_row: input(row_bits),
            rewrite_empty: input(1),
            scan_items: output(self.items),
        });
        /// The row that is tested or rewritten.
        let row = io.rewrite_valid.mux(io.rewrite_row, io.test_row);

        // The two columns. One is written by inserts; the other is emptied as it is passed.
        let in_column = array(2, |number| {
            let column = memory(self.rows, 1).named(&format!("column_{number}"));
            let is_newest = io.newest.eq(number);
            let erases = io.rewrite_valid & (io.rewrite_empty | !is_newest);
            when(erases | (io.insert_valid & is_newest), || {
                column.write(erases.mux(row, io.insert_row), !erases);
            });
            column.read_async(row)
        });
        let in_newest = io.newest.mux(in_column[1], in_column[0]);
        let in_ended = io.newest.mux(in_column[0], in_column[1]);
        let tested_newest = reg(1);
        when(io.test_valid, || tested_newest.set(in_newest));

        if self.items == 1 {
            io.test_items.set(tested_newest);
            io.scan_items.set(in_ended);
        } else {
            /// The items before the newest, the oldest in bit 0; in rows that a scan has not
            /// reached, without the item that ended.
            let older = memory(self.rows, self.items - 1);
            let tested_older = older.read_sync(row, io.test_valid);
            let fetched_older = older.read_sync(io.fetch_row, io.fetch_valid);
            /// The tested row had not been reached by the scan.
            let tested_unaged = reg(1);
            let tested_ended = reg(1);
            when(io.test_valid, || {
                tested_unaged.set(io.scanning & io.test_row.ge(io.rewrite_row));
                tested_ended.set(in_ended);
            });
            let unaged = cat([tested_ended, tested_older]).bits(1..);
            io.test_items.set(cat([tested_newest, tested_unaged.mux(unaged, tested_older)]));
            io.scan_items.set(cat([in_ended, fetched_older]));
            when(io.rewrite_valid, || {
                let aged = io.scan_items.bits(1..);
                older.write(row, io.rewrite_empty.mux(lit(self.items - 1, 0), aged));
            });
        }

        assert(
            "rewriting_excludes_tests",
            !(io.rewrite_valid & io.test_valid),
            "no test while a row is rewritten",
        );
        assert(
            "clearing_excludes_inserts",
            !(io.rewrite_valid & io.rewrite_empty & io.insert_valid),
            "no insert while all items leave",
        );
        io
    }
}
