//! The names of ports in the comments of ports.
//!
//! The doc comment of a bundle's field names other fields of the bundle: `valid`. In Verilog these are ports with
//! longer names, the bundle's in front: `snoop_valid`. That is what a reader of the Verilog has to find.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::bundle::{Bundle, Path};

/// The names of the ports that a bundle describes.
pub(crate) struct PortNames(HashSet<String>);

impl PortNames {
    pub(crate) fn of<B: Bundle>(io: &B) -> PortNames {
        let mut names = HashSet::new();
        io.map(&mut Path::default(), &mut |path, leaf| {
            names.insert(path.name().to_owned());
            leaf.sig
        });
        PortNames(names)
    }

    /// The comment on a port, with the names of ports for those of fields. A name that is no port's stays, and so does
    /// the port's own: it means something else of that name.
    pub(crate) fn complete(&self, port: &Path) -> Cow<'static, str> {
        let doc = port.port_doc();
        // Between backticks are the odd parts.
        let mut parts: Vec<Cow<'_, str>> = doc.split('`').map(Cow::Borrowed).collect();
        let mut changed = false;
        for part in parts.iter_mut().skip(1).step_by(2) {
            if let Some(name) = self.nearest(port, part).filter(|name| name != port.name()) {
                changed |= name != **part;
                *part = Cow::Owned(name);
            }
        }
        if changed { Cow::Owned(parts.join("`")) } else { doc }
    }

    /// The port that `field` means in the comment on `port`: that of the innermost bundle around it which has one.
    fn nearest(&self, port: &Path, field: &str) -> Option<String> {
        // An element of an array means the field of the same element.
        let (_, last) = port.name().rsplit_once('_').unwrap_or(("", port.name()));
        let element = last.chars().all(|digit| digit.is_ascii_digit()).then_some(last);
        port.around().find_map(|around| {
            let name = match around {
                "" => field.to_owned(),
                _ => format!("{around}_{field}"),
            };
            if self.0.contains(&name) {
                return Some(name);
            }
            let of_element = format!("{name}_{}", element?);
            self.0.contains(&of_element).then_some(of_element)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts what the comment `doc` on the port of these fields becomes.
    #[track_caller]
    fn says(ports: &[&str], fields: &[&str], doc: &'static str, expected: &str) {
        fn enter(path: &mut Path, fields: &[&str], doc: &'static str, names: &PortNames) -> String {
            match fields {
                [] => names.complete(path).into_owned(),
                [last] => path.field(last, doc, |path| enter(path, &[], doc, names)),
                [first, rest @ ..] => path.field(first, "", |path| enter(path, rest, doc, names)),
            }
        }
        let names = PortNames(ports.iter().map(|&name| name.to_owned()).collect());
        assert_eq!(enter(&mut Path::default(), fields, doc, &names), expected);
    }

    #[test]
    fn a_field_beside_the_port_gets_the_name_of_its_port() {
        let ports = ["snoop_valid", "snoop_write", "valid"];
        says(&ports, &["snoop", "write"], "Valid with `valid`.", "Valid with `snoop_valid`.");
    }

    #[test]
    fn the_innermost_bundle_that_has_the_field_counts() {
        let ports = ["tap_valid", "tap_edge_source_pc", "tap_edge_kind"];
        let pc = ["tap", "edge", "source", "pc"];
        says(&ports, &pc, "With `valid`.", "With `tap_valid`.");
        says(&ports, &pc, "Of `kind`.", "Of `tap_edge_kind`.");
    }

    #[test]
    fn an_underscore_in_the_name_of_a_field_begins_no_bundle() {
        let ports = ["fill_with_line", "fill_line"];
        says(&ports, &["fill", "with_line"], "Writes `line`.", "Writes `fill_line`.");
    }

    #[test]
    fn an_element_of_an_array_means_the_same_element_of_another() {
        let ports = ["hit_valid_0", "hit_valid_1", "hit_kind_1"];
        says(&ports, &["hit", "kind_1"], "0 without `valid`.", "0 without `hit_valid_1`.");
    }

    #[test]
    fn the_name_of_the_port_itself_and_one_that_is_no_port_stay() {
        let ports = ["run", "core_mtime"];
        says(
            &ports,
            &["core", "mtime"],
            "`mtime`: `run`, `mie` and ` is odd",
            "`mtime`: `run`, `mie` and ` is odd",
        );
    }
}
