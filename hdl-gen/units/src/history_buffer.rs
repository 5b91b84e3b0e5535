//! The history buffer: which colors a hart and the others accessed, epoch by epoch.
//!
//! ColorSafe §4.2: a history item holds four signatures, of the local reads and writes and the remote
//! reads and writes of one epoch; the buffer holds the last items. The signatures are stored
//! transposed, a row of a memory being one bit of all items, so that one read a bank gives the items
//! that have a color. At the end of an epoch all rows are passed once: they are shown for the search
//! of deployment mode (§4.3), and the item that ended joins the older ones. Accesses go on meanwhile.

use config::Config;
use hdl::{
    Bundle, HwEnum, Module, Sig, Stream, array, assert, bits, cat, cover, hardware, index_width,
    input, output, ports, reg, reg_next, when,
};

use crate::color_hash::{ColorHash, color_keys};
use crate::history_bank::HistoryBank;

/// The four signature files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum HistoryFile {
    /// Colors that this hart read.
    LocR,
    /// Colors that this hart wrote.
    LocW,
    /// Colors that other harts read.
    RemR,
    /// Colors that other harts wrote.
    RemW,
}

impl HistoryFile {
    /// All, in the order of their codes.
    pub const ALL: [HistoryFile; 4] =
        [HistoryFile::LocR, HistoryFile::LocW, HistoryFile::RemR, HistoryFile::RemW];

    /// The name of its hardware.
    fn name(self) -> &'static str {
        match self {
            HistoryFile::LocR => "loc_r",
            HistoryFile::LocW => "loc_w",
            HistoryFile::RemR => "rem_r",
            HistoryFile::RemW => "rem_w",
        }
    }

    /// Whether it is of other harts' accesses.
    fn is_remote(self) -> bool {
        matches!(self, HistoryFile::RemR | HistoryFile::RemW)
    }

    /// Whether it is of writes.
    fn is_write(self) -> bool {
        matches!(self, HistoryFile::LocW | HistoryFile::RemW)
    }
}

/// One bit an item for each file, the oldest item in bit 0 and the current one on top.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct ItemVectors {
    /// Items with local reads, a bit for each item, the oldest in bit 0.
    pub loc_r: Sig,
    /// Items with local writes, a bit for each item, the oldest in bit 0.
    pub loc_w: Sig,
    /// Items with remote reads, a bit for each item, the oldest in bit 0.
    pub rem_r: Sig,
    /// Items with remote writes, a bit for each item, the oldest in bit 0.
    pub rem_w: Sig,
}

impl ItemVectors {
    /// The shape of vectors over `items` items.
    pub fn shape(items: usize) -> ItemVectors {
        let vector = bits(items);
        ItemVectors { loc_r: vector, loc_w: vector, rem_r: vector, rem_w: vector }
    }

    /// The vector of a file.
    pub fn of_file(&self, file: HistoryFile) -> Sig {
        match file {
            HistoryFile::LocR => self.loc_r,
            HistoryFile::LocW => self.loc_w,
            HistoryFile::RemR => self.rem_r,
            HistoryFile::RemW => self.rem_w,
        }
    }
}

/// An access to remember.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Insertion {
    /// The access is a write (1) or a read (0).
    pub write: Sig,
    /// The color of the access; 0 is uncolored and not stored.
    pub color: Sig,
}

/// The history buffer of one hart.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryBuffer {
    /// History items, at least 1.
    pub items: usize,
    /// How many banks of how many bits a signature has, and where in them a color is.
    pub hash: ColorHash,
}

impl HistoryBuffer {
    /// The history buffer of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        let color = color_keys(config)?;
        Ok(HistoryBuffer { items: color.items as usize, hash: ColorHash::of(color) })
    }
}

/// Ports of [`HistoryBuffer`].
#[derive(Clone, Debug, Bundle)]
pub struct HistoryBufferIo {
    /// An access of this hart, to insert into the current item.
    pub local: Stream<Insertion>,
    /// An access of another hart, to insert into the current item.
    pub remote: Stream<Insertion>,
    /// A color to look up. Inserts of earlier cycles are visible, those of the same cycle are not.
    /// A test pauses a scan.
    pub test: Stream<Sig>,
    /// `answer` is valid: a test was accepted in the previous cycle.
    pub answer_valid: Sig,
    /// The items that contain the tested color; valid with `answer_valid`.
    pub answer: ItemVectors,
    /// The number of items, counted from the newest, that answers and scans show; 0 shows none,
    /// more than there are shows all.
    pub items_used: Sig,
    /// Ends the epoch; an access inserted in the same cycle still belongs to it.
    pub epoch_end: Stream<()>,
    /// A row is scanned in this cycle: `scan_row` and `scan_bank` are valid.
    pub scan_valid: Sig,
    /// The number of the scanned row.
    pub scan_row: Sig,
    /// The contents of the scanned row in each bank at the end of the epoch: bit 0 is the item that
    /// expires, the top bit the one that just ended.
    pub scan_bank: Vec<ItemVectors>,
    /// The scan is complete: its last row was output in the previous cycle.
    pub scan_done: Sig,
}

/// What the rows are passed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
enum Phase {
    /// After reset: every row becomes empty, and nothing is taken.
    Clearing,
    /// Nothing.
    Idle,
    /// The end of an epoch.
    Scanning,
}

/// Four signature files over the last epochs, and the scan at the end of each.
#[hardware]
impl Module for HistoryBuffer {
    type Io = HistoryBufferIo;

    fn name(&self) -> String {
        format!("history_buffer_{}_{}", self.items, self.hash.label())
    }

    fn build(&self) -> HistoryBufferIo {
        let (items, hash) = (self.items, &self.hash);
        let color = hash.color_bits();
        let insertion = || Insertion { write: bits(1), color: bits(color) };
        let io = ports(HistoryBufferIo {
            local: Stream::input(insertion()),
            remote: Stream::input(insertion()),
            test: Stream::input(color),
            answer_valid: output(1),
            answer: output(ItemVectors::shape(items)),
            items_used: input(index_width(items + 1)),
            epoch_end: Stream::input(()),
            scan_valid: output(1),
            scan_row: output(hash.row_bits()),
            scan_bank: array(hash.banks(), |_| output(ItemVectors::shape(items))),
            scan_done: output(1),
        });

        let phase = reg(Phase::shape()).reset(Phase::Clearing);
        /// The row that is scanned or cleared next; 0 while idle.
        let row = reg(hash.row_bits()).reset(0);
        /// The column (0 or 1) of every bank that belongs to the newest item.
        let newest = reg(1).reset(0);
        let idle = phase.is(Phase::Idle);
        let clearing = phase.is(Phase::Clearing);
        let scanning = phase.is(Phase::Scanning);
        let last_row = row.eq(hash.rows() - 1);
        let test_taken = io.test.fires();
        /// A row is scanned and rewritten in this cycle: a scan is under way, and no test takes its
        /// place.
        let scan = scanning & !test_taken;
        let passes = clearing | scan;

        when(io.epoch_end.fires(), || {
            phase.set(Phase::Scanning);
            newest.set(!newest);
        });
        when(passes, || {
            row.set(row + 1);
            when(last_row, || phase.set(Phase::Idle));
        });
        for ready in [io.local.ready, io.remote.ready, io.test.ready] {
            ready.set(!clearing);
        }
        io.epoch_end.ready.set(idle);
        io.scan_valid.set(scan);
        io.scan_row.set(row);
        let scan_done = reg(1).reset(0);
        scan_done.set(scan & last_row);
        io.scan_done.set(scan_done);

        let inserts = [&io.local, &io.remote].map(|stream| {
            let colored = stream.fires() & stream.payload.color.any();
            (colored, stream.payload.write, hash.row_of(stream.payload.color))
        });
        let test_row = hash.row_of(io.test.payload);
        /// The row that is scanned next is fetched in this cycle.
        let fetch = io.epoch_end.fires() | scan;
        let fetch_row = scanning.mux(row + 1, 0);

        let answer_valid = reg(1).reset(0);
        answer_valid.set(test_taken);
        let answer_colored = reg_next(&io.test.payload.any());
        io.answer_valid.set(answer_valid);
        /// The items that answers and scans show, the oldest in bit 0.
        let shown = cat((0..items).map(|older| io.items_used.gt(older)));

        // Of each file: the banks, and what they know of the tested color.
        let answers = HistoryFile::ALL.map(|file| {
            let (colored, write, insert_row) = &inserts[usize::from(file.is_remote())];
            let of_banks = (0..hash.banks()).map(|number| {
                let bank = HistoryBank { items, rows: hash.rows() }.instance();
                let bank = bank.named(&format!("{}_{number}", file.name()));
                bank.newest.set(newest);
                bank.scanning.set(scanning);
                bank.insert_valid.set(*colored & write.eq(usize::from(file.is_write())));
                bank.insert_row.set(insert_row[number]);
                bank.test_valid.set(test_taken);
                bank.test_row.set(test_row[number]);
                bank.fetch_valid.set(fetch);
                bank.fetch_row.set(fetch_row);
                bank.rewrite_valid.set(passes);
                bank.rewrite_row.set(row);
                bank.rewrite_empty.set(clearing);
                io.scan_bank[number].of_file(file).set(bank.scan_items & shown);
                bank.test_items
            });
            of_banks.fold(answer_colored.repeat(items) & shown, |all, items| all & items)
        });
        for (file, answer) in HistoryFile::ALL.into_iter().zip(answers) {
            io.answer.of_file(file).set(answer);
        }

        let inserted = inserts[0].0 | inserts[1].0;
        assert("starts_at_the_first_row", !idle | row.eq(0), "the next pass begins at row 0");
        cover("both_inserts", inserts[0].0 & inserts[1].0, "two inserts in one cycle");
        cover("test_with_insert", test_taken & inserted, "a test and an insert in one cycle");
        cover("insert_at_the_end", io.epoch_end.fires() & inserted, "an insert as the epoch ends");
        cover("insert_in_a_scan", scan & inserted, "an insert while a row is passed");
        cover("test_in_a_scan", scanning & test_taken, "a test pauses a scan");
        io
    }
}
