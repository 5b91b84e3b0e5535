//! What the failing statement had read, as a table: each read, the write that it saw, and what passing runs read there.

use super::escape::text;
use super::story::spot;
use super::words::grouped;
use crate::why::{Elsewhere, Read, shown};
use ::evidence::why::Writer;
use std::fmt::Write as _;

/// The most groups of passing runs that are shown of each read.
const MOST_GROUPS: usize = 3;

/// The section; nothing if nothing is known.
pub fn section(reads: &[Read]) -> String {
    if reads.is_empty() {
        return String::new();
    }
    let mut html = String::from(
        "<section id=\"why\">\n<h2>What the failing statement read</h2>\n\
         <p class=\"intro\">In one failing run, made again: each read, and the write whose value it saw, exactly. \
         <code>crosstalk why</code> answers the same for any variable.</p>\n\
         <table>\n<thead><tr><th>variable</th><th>value</th><th>read by</th><th>last written by</th>\
         <th>in passing runs</th></tr></thead>\n<tbody>\n",
    );
    for read in reads {
        let seen = &read.seen;
        let variable = seen.read.variable.as_deref().unwrap_or("?");
        let writer = seen.writer.as_ref().map_or_else(nobody, by);
        let freed = seen.freed.as_ref().map_or_else(String::new, |freed| {
            format!("<br/>freed by {} {}", text(&freed.thread), spot::place(&freed.at))
        });
        let _ = writeln!(
            html,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{writer}{freed}</td><td>{}</td></tr>",
            text(variable),
            text(&shown(&read.bytes())),
            by(&seen.read),
            elsewhere(&read.passing)
        );
    }
    html.push_str("</tbody>\n</table>\n</section>\n");
    html
}

fn nobody() -> String {
    "nobody".to_owned()
}

fn by(writer: &Writer) -> String {
    format!("{} {}{}", text(&writer.thread), spot::source(&writer.at), spot::stack(&writer.stack))
}

fn elsewhere(groups: &[Elsewhere]) -> String {
    let one = |group: &Elsewhere| {
        let Some(bytes) = &group.bytes else {
            return format!("{}: not read", grouped(group.runs as u64));
        };
        let writer = match &group.writer {
            Some(writer) => format!("{} {}", text(&writer.thread), spot::place(&writer.at)),
            None => nobody(),
        };
        format!("{}: {} from {writer}", grouped(group.runs as u64), text(&shown(bytes)))
    };
    let mut all: Vec<String> = groups.iter().take(MOST_GROUPS).map(one).collect();
    if groups.len() > MOST_GROUPS {
        let rest: usize = groups[MOST_GROUPS..].iter().map(|group| group.runs).sum();
        all.push(format!("{}: others", grouped(rest as u64)));
    }
    all.join("<br/>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::evidence::account::Spot;
    use ::evidence::verdict::Role;
    use ::evidence::why::Seen;

    fn writer(thread: &str) -> Writer {
        let at = |line: &str| Spot {
            line: line.into(),
            function: Some("<f>".into()),
            text: Some("a<b>&c".into()),
        };
        Writer {
            thread: thread.into(),
            event: 7,
            variable: Some("<script>".into()),
            before: None,
            after: Some(3),
            library: None,
            at: at("<x>.c:1"),
            stack: vec![at("<y>.c:2")],
        }
    }

    #[test]
    fn names_and_lines_are_escaped_and_nothing_known_is_nothing_shown() {
        assert_eq!(section(&[]), "");
        let seen = Seen {
            role: Role::Condition,
            pc: 1,
            site: 1,
            bytes: 4,
            address: 2,
            read: writer("<main>"),
            writer: None,
            freed: None,
        };
        let group = |runs, bytes, writer| Elsewhere { runs, bytes, writer };
        let passing = vec![
            group(9, Some(vec![4, 0, 0, 0]), Some(writer("<t>"))),
            group(2, None, None),
            group(1, Some(vec![1]), None),
            group(5, None, None),
        ];
        let html = section(&[Read { seen, passing }]);
        for raw in ["<script", "<main>", "<f>", "<x>", "<y>", "<t>", "a<b>"] {
            assert!(!html.contains(raw), "{raw}: {html}");
        }
        let parts = ["&lt;script&gt;", "nobody", "9: 4 from &lt;t&gt;", "2: not read", "5: others"];
        assert!(parts.iter().all(|part| html.contains(part)), "{html}");
    }
}
