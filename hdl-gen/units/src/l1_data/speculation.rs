//! The ephemeral transaction of the hart (docs/machine.md §14.5): which lines it has read and written, and what of that
//! others see.
//!
//! Before a transaction writes a line memory has its bytes, so to others a line that it has written looks Invalid, and an abort
//! moves no data: it just takes those lines away.

use border::color::Commit;
use hdl::{Bundle, Sig, assert, cover, hardware, input, lit, output, reg, set_when};

use super::access::{Current, Newest, Older};
use super::lookup::Lookup;
use super::marks::{Marking, Marks};
use super::order::{Conditional, Cycle};
use super::{L1Data, L1DataIo, Mesi, word_number};
use crate::one_hot;

/// Bits of the cause of a commit.
pub const CAUSE_BITS: usize = 3;

/// The port through which a data cache's transactions are begun and ended.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct SpeculationPort {
    /// The access that waits or, if none does, the one that is looked up begins a transaction if it is ordered in this
    /// cycle. Not used while one is open, and for a write to the watched word.
    pub begins: Sig,
    /// The open transaction commits as soon as it may; held until `committed` or `aborted`.
    pub commit: Sig,
    /// Why; valid with `commit`. A number of [`Commit`].
    pub cause: Sig,
    /// The hart has undone the transaction that aborted.
    pub undone: Sig,
    /// A transaction is open. From a register.
    pub open: Sig,
    /// A transaction begins in this cycle, with the access that is ordered in it.
    pub begun: Sig,
    /// The open transaction commits at the end of this cycle.
    pub committed: Sig,
    /// Why; valid with `committed`.
    pub committed_cause: Sig,
    /// The open transaction aborts in this cycle, before what the bus grants in it.
    pub aborted: Sig,
    /// A transaction has aborted, and the hart has not undone it: no access is taken or ordered. From a register.
    pub undoing: Sig,
}

impl SpeculationPort {
    /// The port as the cache has it, or a module around the cache; who begins and ends transactions has it flipped.
    #[track_caller]
    pub(crate) fn of_cache() -> SpeculationPort {
        SpeculationPort {
            begins: input(1),
            commit: input(1),
            cause: input(CAUSE_BITS),
            undone: input(1),
            open: output(1),
            begun: output(1),
            committed: output(1),
            committed_cause: output(CAUSE_BITS),
            aborted: output(1),
            undoing: output(1),
        }
    }
}

/// What is remembered of transactions.
pub(super) struct Speculation {
    port: SpeculationPort,
    pub marks: Marks,
    /// A transaction is open.
    open: Sig,
    /// One has aborted, and the hart has not undone it.
    pub undoing: Sig,
    /// The line that the access that waits writes is in memory as it was before the access.
    cleaned: Sig,
    /// The line that was looked at for another was written by the open transaction: it looks Invalid.
    hidden: Sig,
    /// The line that would leave was read or written by the open transaction. From a register.
    evicts: Sig,
}

/// What transactions mean for the accesses in this cycle.
#[derive(Clone, Copy)]
pub(super) struct Demands {
    /// What is ordered in this cycle is a member of a transaction.
    joins: Sig,
    /// If none is open, it begins one.
    begins: Sig,
    /// The newest access is a store that may need a Clean, or that changes the marks: it is not complete at once.
    pub slow_store: Sig,
    /// The older access may write the watched word: the open transaction commits before.
    commits_first: Sig,
    /// The older access hits, and its line must be in memory before.
    pub cleans_first: Sig,
    /// The older access must not be complete in this cycle.
    pub delays: Sig,
    /// A transaction is not undone: nothing is ordered.
    pub forbids: Sig,
}

#[hardware]
impl L1Data {
    /// The registers of transactions, if the cache has any.
    pub(super) fn speculation(&self, io: &L1DataIo) -> Option<Speculation> {
        let port = io.speculation?;
        let marks = Marks::of(self.geometry);
        /// A transaction is open.
        let open = reg(1).reset(0).named("transaction_open");
        /// A transaction has aborted, and the hart has not undone it.
        let undoing = reg(1).reset(0).named("transaction_undoing");
        /// Memory has the bytes from before the access that waits.
        let cleaned = reg(1).reset(0);
        /// What was looked at for another is not to be seen.
        let hidden = reg(1).reset(0);
        /// The line that would leave is a member of the open transaction.
        let evicts = reg(1).reset(0).named("evicts_member");
        port.open.set(open);
        port.undoing.set(undoing);
        Some(Speculation { port, marks, open, undoing, cleaned, hidden, evicts })
    }

    /// What transactions ask of the accesses in this cycle.
    pub(super) fn demands(
        &self,
        io: &L1DataIo,
        current: &Current,
        lookup: &Lookup,
        conditional: Conditional,
        speculation: &Speculation,
    ) -> Demands {
        let Current { newest, older, .. } = current;
        let Speculation { port, open, .. } = *speculation;
        let older_writes = writes(older);
        let older_watched = older_writes & self.is_watched(io, older.access.address);
        let begins = port.begins & !(older.waits & older_watched);
        let joins = open | begins;

        // The newest.
        let watched = self.is_watched(io, newest.access.address);
        let newest_written = speculation.marks.written(&lookup.matches, current.shown_address);
        let changes = port.begins | open & !newest_written;
        let slow_store = newest.kind.is_store & !watched & changes;

        // The one that waits.
        let waits = older.waits & !older.granted & !(older.kind.is_conditional & conditional.fails);
        let commits_first = waits & older_watched & open;
        let way = one_hot::apart(older.way);
        let older_written = speculation.marks.written(&way, older.access.address);
        let dirty = older.enough & !older.exclusive & !older_written;
        let cleans_first =
            waits & older_writes & dirty & joins & !commits_first & !speculation.cleaned;
        let forbids = speculation.undoing;
        let delays = commits_first | cleans_first | forbids;
        Demands { joins, begins, slow_store, commits_first, cleans_first, delays, forbids }
    }

    /// Whether an address is in the watched word.
    fn is_watched(&self, io: &L1DataIo, address: Sig) -> Sig {
        word_number(address).eq(word_number(io.watch.address))
    }

    /// What keeps the newest access from being ordered: a transaction that is not undone; for a store to the watched word
    /// one that is open.
    pub(super) fn holds_back(
        &self,
        io: &L1DataIo,
        newest: &Newest,
        speculation: &Speculation,
    ) -> Sig {
        let watched = self.is_watched(io, newest.access.address);
        let must_commit = newest.valid & newest.kind.is_store & watched & speculation.open;
        must_commit | speculation.undoing
    }

    /// Marks what is ordered, and begins, commits and aborts.
    pub(super) fn keep_speculation(
        &self,
        cycle: &Cycle<'_>,
        speculation: &Speculation,
        demands: Demands,
    ) {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let Current { ref newest, ref older, .. } = *current;
        let Speculation { port, open, undoing, cleaned, hidden, evicts, .. } = *speculation;
        let Demands { joins, begins, commits_first, .. } = demands;
        let verdict = io.bus.verdict;

        // What is ordered.
        let late = outcome.array_done & !older.granted;
        let own_grant = self.own_grant(cycle);
        let ordered = outcome.read_hits | late | own_grant;
        let begun = ordered & begins & !open;
        port.begun.set(begun);

        // What the bus asks of this cache's lines.
        hidden.set(speculation.hides(io, &lookup.matches, current.shown_address));
        let others_read =
            speculation.marks.read(&one_hot::apart(lookup.answered.matches), current.shown_address);
        let foreign = verdict.deciding & !verdict.mine;
        let conflict = hidden & (verdict.share | verdict.invalidate)
            | lookup.answered.held & others_read & verdict.invalidate;
        let aborted = foreign & open & conflict;
        port.aborted.set(aborted);

        // The line that would leave.
        let leaves = speculation.marks.member(&lookup.chosen, current.shown_address);
        evicts.set(lookup.asking & older.waits & !lookup.held & open & leaves);
        let evicts_now = verdict.deciding & verdict.mine & evicts & older.waits & older.asks;

        // No commit falls between a look and its verdict.
        let may_commit = open & !verdict.answering & !aborted;
        let committed = may_commit & (port.commit | commits_first | evicts_now);
        port.committed.set(committed);
        let cause_of = |cause: Commit| lit(CAUSE_BITS, cause.number());
        let own_cause = evicts_now.mux(cause_of(Commit::Eviction), cause_of(Commit::Watched));
        port.committed_cause.set(port.commit.mux(port.cause, own_cause));

        set_when(begun, open, 1);
        set_when(committed | aborted, open, 0);
        set_when(port.undone, undoing, 0);
        set_when(aborted, undoing, 1);

        // The marks.
        let address = hdl::mux(older.waits, &older.access.address, &newest.access.address);
        let granted_way = lookup.answered.chosen;
        let found_way = older.waits.mux(older.way, one_hot::together(&lookup.matches));
        let way = one_hot::apart(own_grant.mux(granted_way, found_way));
        let member = ordered & joins;
        let stores = older.waits & writes(older);
        speculation.marks.mark(&Marking {
            address,
            way: &way,
            replaces: own_grant,
            reads: member & !stores,
            writes: member & stores,
            committed,
            aborted,
        });

        // The access that waits, and a Clean of its line.
        set_when(self.own_clean(cycle), cleaned, 1);
        set_when(!older.waits | outcome.late_done, cleaned, 0);
        self.check_speculation(cycle, speculation, own_grant);
    }

    /// This cache's own transaction is granted, and orders its access.
    fn own_grant(&self, cycle: &Cycle<'_>) -> Sig {
        let Cycle { io, current, .. } = *cycle;
        let verdict = io.bus.verdict;
        let granted = verdict.deciding & verdict.mine & verdict.granted;
        granted & !current.older.kind.is_device & !self.own_clean(cycle)
    }

    /// This cache's own Clean is granted.
    pub(super) fn own_clean(&self, cycle: &Cycle<'_>) -> Sig {
        let Cycle { io, current, lookup, .. } = *cycle;
        let verdict = io.bus.verdict;
        let granted = verdict.deciding & verdict.mine & verdict.granted;
        let of_line = !current.older.kind.is_device & lookup.answered.state.is(Mesi::Modified);
        granted & of_line & !current.older.kind.is_read
    }

    /// What never happens in transactions, and what should be seen to happen.
    fn check_speculation(&self, cycle: &Cycle<'_>, speculation: &Speculation, own_grant: Sig) {
        let Cycle { io, current, outcome, .. } = *cycle;
        let Speculation { port, open, undoing, evicts, .. } = *speculation;
        let ordered = outcome.ordered_here | own_grant;
        let members = speculation.marks.any_member();
        assert("members_of_open", open | !members, "no set without a transaction");
        assert(
            "abort_comes_alone",
            !(port.aborted & ordered),
            "no access is ordered with an abort",
        );
        assert("undone_first", !(undoing & ordered), "nothing is ordered until all is undone");
        assert("undoing_is_closed", !(undoing & open), "what is undone is not open");
        let late = outcome.array_done & !current.older.granted;
        let looked_at = io.bus.verdict.answering & !io.bus.verdict.mine;
        assert(
            "no_write_joins_between",
            !(looked_at & late & !current.older.kind.is_read),
            "no line is written between a look and its verdict",
        );
        cover(
            "aborted_by_read",
            port.aborted & io.bus.verdict.share,
            "another reads what is written",
        );
        cover("commit_meets_abort", port.commit & port.aborted, "an abort comes before a commit");
        cover("outgrows_cache", port.committed & evicts, "a transaction outgrows its cache");
        cover(
            "cleans",
            self.own_clean(cycle),
            "a line is written to memory before a transaction's",
        );
    }
}

impl Speculation {
    /// Whether what is looked at now for another must not be seen by it.
    #[track_caller]
    pub(super) fn hides(&self, io: &L1DataIo, matches: &[Sig], shown: Sig) -> Sig {
        io.bus.verdict.answering & !io.bus.verdict.mine & self.marks.written(matches, shown)
    }

    /// The request of the access that waits still stands, as far as transactions go.
    #[track_caller]
    pub(super) fn lets_stand(&self) -> Sig {
        !self.undoing & !self.evicts
    }
}

/// A signal as it is with transactions, where there are any.
pub(super) fn adjusted<T>(of: Sig, with: Option<T>, change: impl FnOnce(Sig, T) -> Sig) -> Sig {
    match with {
        Some(with) => change(of, with),
        None => of,
    }
}

/// The access writes if it is ordered and does not fail.
#[track_caller]
fn writes(older: &Older) -> Sig {
    !older.kind.is_read & !older.kind.is_device
}
