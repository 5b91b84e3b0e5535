//! Choices between blocks: a `when` with all its `elsewhen`s, or a `switch`, in one form.
//!
//! A chain of `elsewhen`s nests one statement deeper with each link; seen as a list it needs no
//! recursion, so a chain may be of any length.

use crate::diag::Loc;
use crate::ir::Stmt;

/// A choice between blocks.
pub(crate) struct Fork<'a> {
    pub branches: Vec<Branch<'a>>,
    /// Whether one of the branches always applies.
    pub complete: bool,
    /// What is missing if not.
    pub gap: (Loc, &'static str),
}

/// One of the blocks.
pub(crate) struct Branch<'a> {
    pub body: &'a [Stmt],
    pub loc: Loc,
    /// When it applies, in words.
    pub when: &'static str,
}

impl<'a> Fork<'a> {
    /// The choice that a statement makes, if it makes one.
    pub fn of(stmt: &'a Stmt) -> Option<Fork<'a>> {
        match stmt {
            Stmt::When { .. } => Some(Fork::of_chain(stmt)),
            Stmt::Switch { arms, default, full, loc, .. } => {
                let mut branches: Vec<Branch> = arms
                    .iter()
                    .map(|arm| Branch { body: &arm.body, loc: arm.loc, when: "in this case" })
                    .collect();
                if let Some(body) = default {
                    branches.push(Branch {
                        body,
                        loc: *loc,
                        when: "in the default of this `switch`",
                    });
                }
                let complete = *full || default.is_some();
                let gap = (*loc, "where no case of this `switch` applies");
                Some(Fork { branches, complete, gap })
            }
            _ => None,
        }
    }

    fn of_chain(mut stmt: &'a Stmt) -> Fork<'a> {
        let mut branches = Vec::new();
        let mut head = None;
        while let Stmt::When { then, otherwise, loc, .. } = stmt {
            let head = *head.get_or_insert(*loc);
            branches.push(Branch { body: then, loc: *loc, when: "where this condition is 1" });
            if let [link @ Stmt::When { .. }] = &otherwise[..] {
                stmt = link;
                continue;
            }
            let gap = match branches.len() {
                1 => (head, "where this condition is 0"),
                _ => (head, "where no condition of this `when` is 1"),
            };
            let complete = !otherwise.is_empty();
            if complete {
                branches.push(Branch { body: otherwise, loc: gap.0, when: gap.1 });
            }
            return Fork { branches, complete, gap };
        }
        unreachable!("a chain starts with a `when` and ends inside the loop")
    }
}
