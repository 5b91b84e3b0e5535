//! One bank of one signature file of the history: rows of bits, one bit an item.
//!
//! Only the current item is ever inserted into, so its column is a memory of its own, one bit wide: an
//! insert is one write, with nothing to read first. The older items lie in a second memory that only
//! the scan at the end of an epoch writes. The scan passes every row, so it moves each row by one item
//! on the way: ages never need to be turned round, and the columns of the memory stay in age order.

use hdl::{
    Bundle, Module, Sig, assert, cat, hardware, index_width, input, lit, memory, output, ports,
    reg, when,
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
    /// Sets a bit of the current item.
    pub insert_valid: Sig,
    /// In this row.
    pub insert_row: Sig,
    /// Reads a row.
    pub test_valid: Sig,
    /// Which.
    pub test_row: Sig,
    /// The row, one cycle after it was asked for: oldest item in bit 0, the current one on top.
    pub test_items: Sig,
    /// Fetches the row that is rewritten in the next cycle.
    pub fetch_valid: Sig,
    /// Which.
    pub fetch_row: Sig,
    /// Writes a row: the oldest item leaves and an empty one becomes the current one.
    pub rewrite_valid: Sig,
    /// Which.
    pub rewrite_row: Sig,
    /// All items leave, not only the oldest.
    pub rewrite_empty: Sig,
    /// The contents of `rewrite_row` before this cycle's rewrite; valid with `rewrite_valid` if that row
    /// was fetched in the previous cycle.
    pub scan_items: Sig,
}

/// One bank of one signature file, a row a color hash and a column an item. A test does not see the
/// insert of its own cycle. Tests and rewriting exclude each other, so that `older` has two ports: one
/// that tests read and that rewrites, one that fetches.
#[hardware]
impl Module for HistoryBank {
    type Io = HistoryBankIo;

    fn name(&self) -> String {
        format!("history_bank_{}x{}", self.items, self.rows)
    }

    fn build(&self) -> HistoryBankIo {
        let row_bits = index_width(self.rows);
        let io = ports(HistoryBankIo {
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

        /// The current item, one bit a row.
        let current = memory(self.rows, 1);
        let current_bit = current.read_async(row);
        let tested_current = reg(1);
        when(io.test_valid, || tested_current.set(current_bit));
        when(io.rewrite_valid | io.insert_valid, || {
            current.write(io.rewrite_valid.mux(row, io.insert_row), !io.rewrite_valid);
        });

        if self.items == 1 {
            io.test_items.set(tested_current);
            io.scan_items.set(current_bit);
        } else {
            /// The items before the current one, oldest in bit 0.
            let older = memory(self.rows, self.items - 1);
            let tested_older = older.read_sync(row, io.test_valid);
            let fetched_older = older.read_sync(io.fetch_row, io.fetch_valid);
            io.test_items.set(cat([tested_current, tested_older]));
            io.scan_items.set(cat([current_bit, fetched_older]));
            when(io.rewrite_valid, || {
                let aged = io.scan_items.bits(1..);
                older.write(row, io.rewrite_empty.mux(lit(self.items - 1, 0), aged));
            });
        }

        let exclusive = !(io.rewrite_valid & (io.test_valid | io.insert_valid));
        assert(
            "rewriting_excludes_use",
            exclusive,
            "no test and no insert while rows are rewritten",
        );
        io
    }
}
