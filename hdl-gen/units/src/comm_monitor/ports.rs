//! The ports of the communication monitor.

use config::Overflow;
use hdl::{Bundle, Enum, HwEnum, Sig, bits, input, output};

use super::CommMonitor;
use crate::communication_table::{ADDRESS_BITS, WORD_BITS};
use crate::metadata::{Edge, Metadata};
use crate::observer::AccessKind;

/// This core's transaction, at its grant.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Access {
    /// A transaction of this core is granted in this cycle; never together with `snoop_valid`.
    pub valid: Sig,
    /// The kind of the transaction: Read (0), ReadX (1) or Upgrade (2).
    pub kind: Enum<AccessKind>,
    /// The pc of the instruction that makes the access.
    pub pc: Sig,
    /// The core is in M mode (1) or U mode (0).
    pub machine_mode: Sig,
    /// Some other cache holds the line of the access.
    pub communicating: Sig,
    /// The transaction is a Read of a line that no other cache holds.
    pub from_memory: Sig,
    /// The metadata of the line, as its supplier gave it.
    pub meta: Metadata,
    /// The number of this core's transaction.
    pub time: Option<Sig>,
}

/// Another core's monitored, communicating transaction with a line that this core's cache held.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Snoop {
    /// Another core's monitored transaction is granted in this cycle, and this core's cache held
    /// its line.
    pub valid: Sig,
    /// The other core's transaction is a ReadX or Upgrade (1) or a Read (0); valid with `valid`.
    pub write: Sig,
}

/// Ports of [`CommMonitor`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct CommMonitorIo {
    /// This core's number; constant.
    pub hart: Option<Sig>,
    /// This core's transaction.
    pub access: Access,
    /// Another core's transaction.
    pub snoop: Snoop,
    /// The filter selects the access, so the monitors of the cores that hold its line are to be
    /// told. Depends on `access_pc` and `access_machine_mode`, not on `access_valid`.
    pub monitored: Sig,
    /// The metadata to store with the line if the access writes. Does not depend on `access_valid`.
    pub store_meta: Metadata,
    /// The table is full and the access needs room in it: the access must wait, and has no effect
    /// in this cycle. Does not depend on `access_valid`.
    pub stall: Option<Sig>,
    /// The interrupt of the table, a level: it holds at least as many edges as its watermark, which
    /// is not 0.
    pub irq: Sig,
    /// An edge is offered to the table in this cycle, whether or not the table has room.
    pub tap_valid: Sig,
    /// The edge; valid with `tap_valid`.
    pub tap_edge: Edge,
    /// The table is full and drops the edge; valid with `tap_valid`.
    pub tap_lost: Sig,
    /// The register at `address` is read in this cycle; never together with a write.
    pub read_valid: Sig,
    /// `write_data` is written to the register at `address` in this cycle.
    pub write_valid: Sig,
    /// The word index of the register; valid with `read_valid` and `write_valid`.
    pub address: Sig,
    /// The word to write; valid with `write_valid`.
    pub write_data: Sig,
    /// The word that was read; valid from the cycle after the read until the next read.
    pub read_data: Sig,
}

impl CommMonitor {
    pub(super) fn ports(&self) -> CommMonitorIo {
        let fields = self.fields;
        let meta = fields.metadata();
        let stalls = self.overflow == Overflow::Stall;
        hdl::ports(CommMonitorIo {
            hart: meta.hart.map(input),
            access: input(Access {
                valid: bits(1),
                kind: AccessKind::shape(),
                pc: bits(self.core_pc_bits),
                machine_mode: bits(1),
                communicating: bits(1),
                from_memory: bits(1),
                meta,
                time: meta.time,
            }),
            snoop: input(Snoop { valid: bits(1), write: bits(1) }),
            monitored: output(1),
            store_meta: output(meta),
            stall: stalls.then(|| output(1)),
            irq: output(1),
            tap_valid: output(1),
            tap_edge: output(fields.edge()),
            tap_lost: output(1),
            read_valid: input(1),
            write_valid: input(1),
            address: input(ADDRESS_BITS),
            write_data: input(WORD_BITS),
            read_data: output(WORD_BITS),
        })
    }
}
