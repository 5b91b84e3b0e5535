//! What a parameter stands for: `*total` in a function that was called with `&order->total`.

use super::Names;
use super::expression::{arguments, is_name, written};
use super::position::Position;
use crate::event::Site;
use crate::log::Log;

/// Calls that a parameter is followed through.
const MOST_CALLS: usize = 4;

impl Names {
    /// A name that is a parameter's alone, in words of whoever called; other names are left as they are.
    pub(super) fn for_caller(&self, log: &Log, place: Site, name: String) -> String {
        let trace = log.trace(place);
        let positions: Vec<_> = trace.iter().flat_map(|pc| self.positions(*pc).to_vec()).collect();
        let mut name = name;
        for call in positions.windows(2).take(MOST_CALLS) {
            match self.argument_for(&name, &call[0], &call[1]) {
                Some(outer) => name = outer,
                None => break,
            }
        }
        name
    }

    /// What a name in a function means where it was called.
    fn argument_for(&self, name: &str, inside: &Position, caller: &Position) -> Option<String> {
        let (parameter, index) = split(name)?;
        let locals = self.variables.locals(&inside.function, &inside.file);
        let mut parameters = locals.filter(|local| local.parameter);
        let place = parameters.position(|local| local.name == parameter)?;
        let source = self.source(caller)?;
        let call = source.token(caller.line, caller.column)?;
        let is_call = source.tokens[call].text == inside.function;
        let argument = arguments(&source.tokens, call + 1).into_iter().nth(place)?;
        let first = source.tokens.get(argument.start).filter(|_| is_call)?;
        let object = first.text == "&";
        let start = argument.start + usize::from(object);
        let text = written(&source.tokens, start..argument.end);
        let is_chain = source.tokens.get(start).is_some_and(is_name) && !text.contains([' ', ',']);
        match (index, object) {
            _ if !is_chain => None,
            ("", true) => Some(text),
            ("", false) => Some(format!("*{text}")),
            (index, false) => Some(format!("{text}{index}")),
            (_, true) => None,
        }
    }
}

/// `*p` or `p[i]`, as the pointer and the index.
fn split(name: &str) -> Option<(&str, &str)> {
    let is_word = |text: &str| text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if let Some(pointer) = name.strip_prefix('*') {
        return is_word(pointer).then_some((pointer, ""));
    }
    let (pointer, index) = name.split_at(name.find('[')?);
    let is_one = index.matches(']').count() == 1 && index.ends_with(']');
    (is_word(pointer) && is_one).then_some((pointer, index))
}
