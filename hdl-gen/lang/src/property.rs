//! Properties: what a design guarantees, expects and should be able to do.
//!
//! A property holds at every clock edge out of reset where the enclosing conditions hold. The native
//! simulator and Verilator check it while they run; formal tools prove it.

use crate::builder::with_builder;
use crate::diag::Loc;
use crate::ir::{PropertyKind, Stmt};
use crate::sig::Sig;

#[track_caller]
fn property(kind: PropertyKind, label: &str, cond: Sig, message: &str) {
    let loc = Loc::caller();
    with_builder(|b| {
        let cond = b.own(cond, loc);
        if b.one_bit("a property", cond, loc) {
            b.frame().stmt(Stmt::Property {
                kind,
                cond,
                label: label.into(),
                message: message.into(),
                loc,
            });
        }
    });
}

/// The design guarantees that `cond` is 1. `label` is an identifier, unique in the module.
#[track_caller]
pub fn assert(label: &str, cond: Sig, message: &str) {
    property(PropertyKind::Assert, label, cond, message);
}

/// The environment guarantees that `cond` is 1.
#[track_caller]
pub fn assume(label: &str, cond: Sig, message: &str) {
    property(PropertyKind::Assume, label, cond, message);
}

/// `cond` can become 1: counted in simulation, searched for by formal tools.
#[track_caller]
pub fn cover(label: &str, cond: Sig, message: &str) {
    property(PropertyKind::Cover, label, cond, message);
}
