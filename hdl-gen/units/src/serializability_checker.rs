//! The serializability checker: finds interleavings of accesses that no serial execution has.
//!
//! ColorSafe Table 1 names the unserializable interleavings of two local accesses and a remote one
//! between them: RWR, WWR, RWW, WRW, WWW (local, remote, local). Debugging mode asks whether an access
//! completes one of them (§4.3); deployment mode asks whether accesses that were made could have made
//! one in another order.

use config::Config;
use hdl::{Bundle, Module, Sig, assert, cover, hardware, input, output, ports};

use crate::color_hash::color_keys;
use crate::history_buffer::ItemVectors;

/// The checker for one answer and one scanned row.
#[derive(Clone, Debug, PartialEq)]
pub struct SerializabilityChecker {
    /// History items, at least 1.
    pub items: usize,
}

impl SerializabilityChecker {
    /// The checker of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        Ok(SerializabilityChecker { items: color_keys(config)?.items as usize })
    }
}

/// The interleavings that an access completes, named by local, remote and local access.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Interleavings {
    /// The access completes local read, remote write, local read.
    pub rwr: Sig,
    /// The access completes local write, remote write, local read.
    pub wwr: Sig,
    /// The access completes local read, remote write, local write.
    pub rww: Sig,
    /// The access completes local write, remote read, local write.
    pub wrw: Sig,
    /// The access completes local write, remote write, local write.
    pub www: Sig,
}

/// Ports of [`SerializabilityChecker`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct SerializabilityCheckerIo {
    /// Debugging mode: the access is a write (1) or a read (0).
    pub write: Sig,
    /// Debugging mode: the history items that contain the color of the access, without the access
    /// itself.
    pub history: ItemVectors,
    /// Debugging mode: the unserializable interleavings that the access completes.
    pub case: Interleavings,
    /// Deployment mode: one scanned row of one bank.
    pub row: ItemVectors,
    /// Deployment mode: accesses to the colors of this row could interleave unserializably.
    pub hazard: Sig,
}

/// Finds the interleavings that ColorSafe's Table 1 calls unserializable. Combinational.
#[hardware]
impl Module for SerializabilityChecker {
    type Io = SerializabilityCheckerIo;

    fn name(&self) -> String {
        format!("serializability_checker_{}", self.items)
    }

    fn build(&self) -> SerializabilityCheckerIo {
        let interleavings = Interleavings {
            rwr: output(1),
            wwr: output(1),
            rww: output(1),
            wrw: output(1),
            www: output(1),
        };
        let io = ports(SerializabilityCheckerIo {
            write: input(1),
            history: input(ItemVectors::shape(self.items)),
            case: interleavings,
            row: input(ItemVectors::shape(self.items)),
            hazard: output(1),
        });
        io.case.drive(&completed(io.write, &io.history));
        io.hazard.set(hazard(&io.row));

        let case = io.case;
        let read_case = case.rwr | case.wwr;
        let write_case = case.rww | case.wrw | case.www;
        assert(
            "the_access_fits",
            !(read_case & write_case),
            "an access ends cases of its own kind",
        );
        cover("every_write_case", case.rww & case.wrw & case.www, "one write completes all three");
        io
    }
}

/// The interleavings that a local access completes: it is a `write` or a read, and `history` has the
/// items of its color, without the access itself.
#[track_caller]
#[hardware]
pub fn completed(write: Sig, history: &ItemVectors) -> Interleavings {
    let ItemVectors { loc_r, loc_w, rem_r, rem_w } = *history;
    let read_then_write = in_order(loc_r, rem_w);
    let write_then_read = in_order(loc_w, rem_r);
    let write_then_write = in_order(loc_w, rem_w);
    Interleavings {
        rwr: !write & read_then_write,
        wwr: !write & write_then_write,
        rww: write & read_then_write,
        wrw: write & write_then_read,
        www: write & write_then_write,
    }
}

/// Whether some local item is as old as some remote item or older. Order within an item is unknown,
/// so one item serves as both (§4.3: k ≥ i).
#[track_caller]
fn in_order(local: Sig, remote: Sig) -> Sig {
    // x | -x: the lowest one, which is the oldest item, and every bit above it.
    ((local | -local) & remote).any()
}

/// Whether two local accesses in different items and a remote one, of any item, would be
/// unserializable in some order.
#[track_caller]
#[hardware]
pub fn hazard(row: &ItemVectors) -> Sig {
    let ItemVectors { loc_r, loc_w, rem_r, rem_w } = *row;
    let two_reads = several(loc_r);
    let two_writes = several(loc_w);
    /// A write and a read, not all in the same items: then two of them are in different ones. Where
    /// they are in the same items, several of these are two reads.
    let write_and_read = loc_w.any() & loc_r.any() & loc_w.ne(loc_r);
    let remote_read = rem_r.any();
    let remote_write = rem_w.any();
    ((two_reads | write_and_read | two_writes) & remote_write) | (two_writes & remote_read)
}

/// Whether more than one bit is set.
#[track_caller]
fn several(items: Sig) -> Sig {
    (items & (items - 1)).any()
}
