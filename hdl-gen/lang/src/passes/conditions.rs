//! CONSTANT CONDITION: choices that always go the same way.

use crate::diag::{Code, Diagnostic};
use crate::fold::Constants;
use crate::ir::Stmt;

use super::flat::Flat;

/// Warns of every `when` and `switch` whose subject is a constant.
pub(crate) fn check(constants: &Constants, flat: &Flat, findings: &mut Vec<Diagnostic>) {
    for choice in &flat.choices {
        let (Stmt::When { cond: subject, .. } | Stmt::Switch { subject, .. }) = choice else {
            continue;
        };
        let Some(value) = constants.get(*subject) else { continue };
        let (message, help) = if matches!(choice, Stmt::Switch { .. }) {
            (
                format!("the subject of this `switch` is always {value}"),
                "switch on a signal that changes, or choose with a Rust `match` instead",
            )
        } else {
            (
                format!("the condition of this `when` is always {}", u8::from(!value.is_zero())),
                "test a signal that changes, or choose with a Rust `if` instead",
            )
        };
        let finding = Diagnostic::new(Code::ConstantCondition, message, help);
        findings.push(finding.at(choice.loc(), "here"));
    }
}
