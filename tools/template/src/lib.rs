//! Pages of prose with placeholders for measured values.
//!
//! A template is Markdown that people write; `{{name}}` in it is the placeholder for the part of that name. So
//! no figure on a page is typed by hand.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;

/// Why a template cannot be filled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfilled {
    /// `{{` without `}}`.
    #[error("a placeholder in the template is not closed: expected `}}}}` after `{{{{`")]
    Open,
    /// A placeholder without a part.
    #[error("the template has a placeholder `{{{{{0}}}}}`, but there is no value of that name")]
    Unknown(String),
    /// A part without a placeholder.
    #[error("the value `{0}` is not used: expected the placeholder `{{{{{0}}}}}` in the template")]
    Unused(String),
}

/// Replaces placeholders by the parts of their names. Every part needs a placeholder.
///
/// # Errors
/// If placeholders and parts do not match.
pub fn fill(template: &str, parts: &BTreeMap<&str, String>) -> Result<String, Unfilled> {
    let mut text = String::new();
    let mut unused: Vec<&str> = parts.keys().copied().collect();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").ok_or(Unfilled::Open)?;
        let part = parts.get(name).ok_or_else(|| Unfilled::Unknown(name.to_owned()))?;
        unused.retain(|unused| *unused != name);
        text.push_str(before);
        text.push_str(part.trim_end());
        rest = after;
    }
    text.push_str(rest);
    match unused.first() {
        Some(&part) => Err(Unfilled::Unused(part.to_owned())),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_go_where_they_are_named() {
        let parts = BTreeMap::from([("a", "1\n".to_owned()), ("b", "2".to_owned())]);
        assert_eq!(fill("x {{a}} y {{b}} {{a}}\n", &parts).unwrap(), "x 1 y 2 1\n");
    }

    #[test]
    fn a_template_that_does_not_fit_is_refused() {
        let parts = BTreeMap::from([("a", "1".to_owned())]);
        assert_eq!(fill("{{a}} {{b}}", &parts), Err(Unfilled::Unknown("b".into())));
        assert_eq!(fill("{{a", &parts), Err(Unfilled::Open));
        assert_eq!(fill("nothing", &parts), Err(Unfilled::Unused("a".into())));
    }
}
