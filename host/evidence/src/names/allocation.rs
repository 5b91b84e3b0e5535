//! Heap blocks by what the program called them when it allocated them.

use super::Names;
use super::expression::{Role, arguments, candidates, is_name, statement, written};
use super::position::{Position, Source};
use super::typed::{CType, Typing};
use crate::log::Log;
use crate::state::Block;

/// What is known of a block from where it was allocated.
#[derive(Clone, Debug, Default)]
pub struct Allocation {
    /// What its address was assigned to.
    pub name: Option<String>,
    /// What it is one or several of.
    pub of: Option<CType>,
}

/// Functions between `malloc` and whoever says what the block is for.
const MOST_CALLERS: usize = 6;

impl Names {
    /// Looks at the calls that led to the allocation, innermost first, until one says what the block is.
    pub(super) fn allocation(&self, log: &Log, block: &Block) -> Allocation {
        let mut known = Allocation::default();
        let trace = log.trace(block.allocated);
        let positions = trace.iter().flat_map(|pc| self.positions(*pc).to_vec());
        for position in positions.take(MOST_CALLERS) {
            let Some(source) = self.source(&position) else { break };
            if let Some(done) = self.allocated_here(source, &position, &mut known) {
                return done;
            }
        }
        known
    }

    /// One call: gives the answer if this is where the block gets its name.
    fn allocated_here(
        &self,
        source: &Source,
        position: &Position,
        known: &mut Allocation,
    ) -> Option<Allocation> {
        let tokens = &source.tokens;
        let call = source.token(position.line, position.column)?;
        if !is_name(&tokens[call]) {
            return None;
        }
        let typing = self.typing_at(source, position);
        known.of = known.of.or_else(|| size_argument(&typing, call));
        let operator = before_casts(&typing, call).filter(|at| tokens[*at].text == "=")?;
        let assigned = candidates(tokens, statement(tokens, call))
            .into_iter()
            .find(|one| one.role == Role::Written && one.operator == Some(operator))?;
        let name = written(tokens, assigned.text.clone());
        let target = typing.of(assigned.text).and_then(|typed| typing.target(typed.of));
        match target {
            Some(of) if of.of.is_some() => Some(Allocation { name: Some(name), of: Some(of) }),
            _ => {
                known.name.get_or_insert(name);
                None
            }
        }
    }
}

/// The type in the first `sizeof` among the arguments of a call.
fn size_argument(typing: &Typing<'_>, call: usize) -> Option<CType> {
    let range = arguments(typing.tokens, call + 1);
    let (start, end) = (range.first()?.start, range.last()?.end);
    let at = start + typing.tokens[start..end].iter().position(|one| one.text == "sizeof")? + 1;
    let end = match typing.tokens.get(at)?.text.as_str() {
        "(" => super::expression::after_bracket(typing.tokens, at)?,
        _ => {
            let stops = |text: &str| matches!(text, "*" | "+" | ")" | ",");
            let first = at + 1;
            first + typing.tokens[first..].iter().position(|one| stops(&one.text))?
        }
    };
    let of_value = typing.of(at..end).map(|typed| typed.of);
    of_value.or_else(|| typing.type_name(at + 1..end.checked_sub(1)?))
}

/// The token before a call and the casts of its result.
fn before_casts(typing: &Typing<'_>, call: usize) -> Option<usize> {
    let mut at = call.checked_sub(1)?;
    while typing.tokens[at].text == ")" {
        let open = typing.tokens[..at].iter().rposition(|token| token.text == "(")?;
        typing.type_name(open + 1..at)?;
        at = open.checked_sub(1)?;
    }
    Some(at)
}
