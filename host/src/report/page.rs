//! The page: its sections in the order in which a person asks.

use super::escape::{json, text};
use super::words::{GLOSSARY, grouped, html as in_html, percent, plural, program, term};
use super::{Report, arcs, lanes, policy, story, tables, why};
use crate::verdict::{EdgeFinding, Finding, Labels, Note, suggestions};
use crate::view::{MemberView, ReconstructionView};
use std::fmt::Write as _;

const STYLE: &str = concat!(include_str!("page.css"), include_str!("story.css"));
/// Letters of a verdict that is set in smaller type.
const LONG: usize = 280;
const SCRIPT: &str = include_str!("page.js");

/// The whole page. It is well-formed XML as well, so that programs can read it too.
pub fn html(report: &Report) -> String {
    let script = format!("/*<![CDATA[*/\n{SCRIPT}/*]]>*/");
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>{} – Crosstalk report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        text(&policy::of(&script)),
        text(program(report))
    );
    html.push_str(&header(report));
    html.push_str("<main>\n");
    html.push_str(&happened(report));
    html.push_str(&why::section(&report.reads));
    html.push_str(&seen(report));
    html.push_str(&look(report));
    html.push_str(&graph(report));
    html.push_str(&recorded(report));
    html.push_str(&try_next(report));
    html.push_str(&glossary());
    html.push_str("</main>\n");
    html.push_str(
        "<footer><p>Made by <code>crosstalk report</code>. The same runs give the same page, \
                   byte for byte. <span id=\"save\"></span></p></footer>\n",
    );
    let _ =
        writeln!(html, "<script type=\"application/json\" id=\"data\">{}</script>", json(report));
    let _ = writeln!(html, "<script>{script}</script>\n</body>\n</html>");
    html
}

fn header(report: &Report) -> String {
    let runs = &report.analysis.runs;
    let mut facts = vec![
        plain(runs.total.into(), &term("run", if runs.total == 1 { "run" } else { "runs" })),
        format!("<span class=\"failing\">{} failing</span>", grouped(runs.failing.into())),
        format!("<span class=\"passing\">{} passing</span>", grouped(runs.passing.into())),
    ];
    if runs.unlabeled > 0 {
        facts.push(format!(
            "{} without a {}",
            grouped(runs.unlabeled.into()),
            term("label", "label")
        ));
    }
    let schedules = if report.schedules == 1 { "schedule" } else { "schedules" };
    facts.push(plain(report.schedules as u64, &term("schedule", schedules)));
    facts.push(plain(
        runs.lost_edges,
        &term("lost", if runs.lost_edges == 1 { "lost edge" } else { "lost edges" }),
    ));
    let facts: String = facts.iter().map(|fact| format!("<li>{fact}</li>")).collect();
    let note = |note: &Note| format!("<p class=\"intro\">{}</p>\n", in_html(&note.words()));
    let notes: String = report.notes.iter().map(note).collect();
    let sentence = report.analysis.finding.sentence();
    let long = match sentence.to_string().chars().count() > LONG {
        true => " class=\"long\"",
        false => "",
    };
    let evidence = report.analysis.finding.evidence();
    let evidence = evidence.map(|said| format!("<p class=\"evidence\">{}</p>\n", in_html(&said)));
    let evidence = evidence.unwrap_or_default();
    let edges = match report.analysis.accounts.is_empty() {
        true => "",
        false => "<a href=\"#edges\">From the hardware's edges</a> ",
    };
    format!(
        "<header>\n<p class=\"kicker\"><span>Crosstalk report</span> <span class=\"program\">{}</span>\
         <span id=\"theme\"></span></p>\n<h1{long}>{}</h1>\n{evidence}{notes}<ul class=\"facts\">{facts}</ul>\n\
         <nav aria-label=\"Sections\"><a href=\"#happened\">What happened</a> {edges}<a href=\"#look\">Where to \
         look</a> <a href=\"#who\">Who talks to whom</a> <a href=\"#recorded\">What was recorded</a> \
         <a href=\"#next\">What to try next</a> <a href=\"#words\">Words</a></nav>\n</header>\n",
        text(program(report)),
        in_html(&sentence)
    )
}

/// A number and what it counts, as HTML.
fn plain(number: u64, what: &str) -> String {
    format!("{} {what}", grouped(number))
}

/// The story by exact evidence; without any, the hardware's.
fn happened(report: &Report) -> String {
    let told = match report.analysis.accounts.is_empty() {
        true => pictures(report),
        false => story::all(&report.analysis),
    };
    format!("<section id=\"happened\">\n<h2>What happened</h2>\n{told}</section>\n")
}

/// The hardware's reconstructions below the story, if there is one.
fn seen(report: &Report) -> String {
    if report.analysis.accounts.is_empty() {
        return String::new();
    }
    format!(
        "<section id=\"edges\">\n<h2>From the hardware's edges</h2>\n\
         <p class=\"intro\">All from here on comes from the {} that the hardware recorded, as a board would \
         without any replay: it tells lines that are likely to matter, and proves nothing.</p>\n{}</section>\n",
        term("edge", "edges"),
        pictures(report)
    )
}

/// The hardware's reconstructions.
fn pictures(report: &Report) -> String {
    let mut html = String::new();
    if report.pictures.is_empty() {
        let why = match report.analysis.runs.failing {
            _ if matches!(report.analysis.finding, Finding::Always { .. }) => {
                "All schedules failed in the same way, so there is no order of accesses to show."
            }
            0 => {
                "No run failed, so there is nothing to reconstruct. The rankings below tell what is \
                  unusual."
            }
            _ if report.analysis.reconstructions.is_empty() => {
                "No edge of the failing runs could be reconstructed."
            }
            _ => {
                "No edge tells failing runs from passing runs with enough evidence, so none is drawn. The rankings \
                 below say in which order to look at them."
            }
        };
        let _ = writeln!(html, "<p class=\"intro\">{why}</p>");
        return html;
    }
    let _ = writeln!(
        html,
        "<p class=\"intro\">Each picture is a {}. Time runs down; every {} has a lane. The two diamonds \
         are the suspicious write and the access that met it; the shaded rows are the time in which another \
         thread could get in between. The larger and darker a dot, the greater the {}: the share of \
         failing runs in which that line was there.</p>",
        term("reconstruction", "reconstruction"),
        term("hart", "hart"),
        term("confidence", "confidence")
    );
    for (nth, place) in report.pictures.iter().enumerate() {
        if let Some(found) = report.analysis.reconstructions.get(*place) {
            html.push_str(&picture(report, found, nth));
        }
    }
    html
}

fn picture(report: &Report, found: &ReconstructionView, nth: usize) -> String {
    let all = &report.analysis.runs;
    let labels = Labels { failing: all.failing, passing: all.passing, unlabeled: all.unlabeled };
    let event = EdgeFinding::of(found, labels).event();
    let share = |some: u32, all: u32| match all {
        0 => "none there are".to_owned(),
        all => format!("{} of {}", grouped(some.into()), grouped(all.into())),
    };
    let title = match nth {
        0 if !report.analysis.accounts.is_empty() => "The first of the ranking",
        0 => "The likeliest cause",
        1 => "The next",
        _ => "And then",
    };
    let from = match (&found.example_run, lanes::is_timed(found)) {
        (Some(run), true) => format!("Drawn from the failing run <code>{}</code>.", text(run)),
        _ => "No times were recorded, so within a part nothing is in order.".to_owned(),
    };
    let others = same_pair(report, found);
    let others = match others.len() {
        0 => String::new(),
        1 => format!(" Rank {} is the same two lines in another context.", others[0]),
        n => {
            let first: Vec<_> = others.iter().take(6).map(ToString::to_string).collect();
            let more = if n > 6 { ", …" } else { "" };
            let what = "are the same two lines in other contexts.";
            format!(" Ranks {}{more} {what}", first.join(", "))
        }
    };
    format!(
        "<figure class=\"reconstruction\">\n<h3>{title} <span class=\"rank\">rank {}</span></h3>\n\
         <p>{}.</p>\n<dl class=\"numbers\"><div><dt>failing runs</dt><dd class=\"failing\">{}</dd></div>\
         <div><dt>passing runs</dt><dd>{}</dd></div><div><dt>score</dt><dd>{:.2}</dd></div></dl>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Picture of rank {}\">{}</div>\n\
         <figcaption>{from}{}{others}</figcaption>\n</figure>\n",
        found.rank,
        in_html(&event),
        share(found.failing, all.failing),
        share(found.passing, all.passing),
        found.score,
        found.rank,
        lanes::draw(found, &format!("lanes-{}", nth + 1)),
        elsewhere(found)
    )
}

/// Ranks of the reconstructions that look the same but for contexts.
fn same_pair(report: &Report, found: &ReconstructionView) -> Vec<usize> {
    let pair = |found: &ReconstructionView| {
        let source = found.source.as_ref().map(|source| source.name.clone());
        (source, found.sink.name.clone(), found.kind)
    };
    let all = report.analysis.reconstructions.iter();
    let same = all.filter(|other| other.rank != found.rank && pair(other) == pair(found));
    same.map(|other| other.rank).collect()
}

/// What other failing runs had there and the drawn one had not.
fn elsewhere(found: &ReconstructionView) -> String {
    if !lanes::is_timed(found) {
        return String::new();
    }
    let regions = [("prefix", &found.prefix), ("body", &found.body), ("suffix", &found.suffix)];
    let words = ["before", "between", "after"];
    let mut missing = Vec::new();
    for ((part, members), word) in regions.into_iter().zip(words) {
        let drawn = |member: &&MemberView| {
            found
                .example
                .iter()
                .any(|event| event.part == part && event.point.name == member.point.name)
        };
        let absent = members.iter().filter(|member| !drawn(member)).take(4);
        missing.extend(absent.map(|member| {
            let sure = percent(member.confidence);
            format!("<code>{}</code> {word} ({sure})", text(&member.point.name))
        }));
    }
    match missing.is_empty() {
        true => String::new(),
        false => format!(" Other failing runs also had {}.", missing.join(", ")),
    }
}

fn look(report: &Report) -> String {
    let mut html = String::from("<section id=\"look\">\n<h2>Where to look</h2>\n");
    if !report.analysis.reconstructions.is_empty() {
        html.push_str(&tables::reconstructions(report));
    }
    if !report.analysis.ranking.is_empty() {
        html.push_str(&tables::code_points(report));
    }
    html.push_str("</section>\n");
    html
}

fn graph(report: &Report) -> String {
    let graph = &report.graph;
    let mut html = String::from("<section id=\"who\">\n<h2>Who talks to whom</h2>\n");
    if graph.edges.is_empty() {
        html.push_str(
            "<p class=\"intro\">No two lines were seen to communicate.</p>\n</section>\n",
        );
        return html;
    }
    let order = match graph.nodes.iter().any(|node| node.point.location.is_some()) {
        true => "Lines that wrote or read what other threads share, in the order of the source",
        false => "Instructions that wrote or read what other threads share, by address",
    };
    let some =
        match (graph.edges.len() < graph.all_edges, report.analysis.reconstructions.is_empty()) {
            (false, _) => String::new(),
            (true, false) => format!(
                " Shown are the {} with the best rank, of {}.",
                grouped(graph.edges.len() as u64),
                grouped(graph.all_edges as u64)
            ),
            (true, true) => format!(
                " Shown are {} of {}, those of the highest-ranked lines first.",
                grouped(graph.edges.len() as u64),
                grouped(graph.all_edges as u64)
            ),
        };
    let _ = write!(
        html,
        "<p class=\"intro\">{order}. An arc leads from the one that wrote to the one that read or \
         overwrote; <span class=\"failing\">this color</span> marks what only failing runs did, the \
         stronger the more of them, and <span class=\"usual\">this one</span> what is normal.{some}</p>\n\
         <div id=\"graph-controls\" class=\"controls\"></div>\n<figure class=\"graph\"><div class=\"scroll\" id=\"graph-frame\" \
         tabindex=\"0\" role=\"region\" aria-label=\"Communication graph\">{}</div></figure>\n</section>\n",
        arcs::draw(graph)
    );
    html
}

fn recorded(report: &Report) -> String {
    let runs = &report.analysis.runs;
    let mut html = String::from(
        "<section id=\"recorded\">\n<h2>What was recorded</h2>\n<dl class=\"ledger\">\n",
    );
    let mut fact = |what: &str, value: String| {
        let _ = writeln!(html, "<div><dt>{what}</dt><dd>{value}</dd></div>");
    };
    let labels = format!(
        "{} <span class=\"note\">{} failing, {} passing, {} without a label</span>",
        grouped(runs.total.into()),
        grouped(runs.failing.into()),
        grouped(runs.passing.into()),
        grouped(runs.unlabeled.into())
    );
    fact("runs", labels);
    let failed = format!(
        "{} <span class=\"note\">a run failed under {}</span>",
        grouped(report.schedules as u64),
        grouped(report.failing_schedules as u64)
    );
    fact("schedules", failed);
    let distinct = format!(
        "{} <span class=\"note\">{} distinct, between {}</span>",
        grouped(runs.edges),
        grouped(runs.distinct_edges as u64),
        plural(report.code_points as u64, "code point")
    );
    fact("edges", distinct);
    let lost = match runs.lost_edges {
        0 => "0 <span class=\"note\">the record is complete</span>".to_owned(),
        lost => {
            let share = match lost as f64 / (lost as f64 + runs.edges as f64) {
                share if share < 0.01 => format!("less than {}", percent(0.01)),
                share => percent(share),
            };
            format!(
                "<span class=\"failing\">{}</span> <span class=\"note\">{share} of all; the cause may \
                 be among them</span>",
                grouped(lost)
            )
        }
    };
    fact("lost edges", lost);
    fact("events of a context", runs.context_events.to_string());
    let outcomes = runs.outcomes.iter().take(12).map(|outcome| {
        format!("<li>{} {}</li>", plural(outcome.runs.into(), "run"), text(&outcome.how))
    });
    let outcomes = outcomes.collect::<String>();
    fact("how runs ended", format!("<ul>{outcomes}</ul>"));
    html.push_str("</dl>\n<details><summary>Every run</summary>\n");
    html.push_str(&tables::runs(report));
    html.push_str("</details>\n</section>\n");
    html
}

fn try_next(report: &Report) -> String {
    let mut html = String::from("<section id=\"next\">\n<h2>What to try next</h2>\n<ol>\n");
    for suggestion in suggestions(&report.analysis) {
        let command = match suggestion.command {
            None => String::new(),
            Some(command) => format!("<pre><code>{}</code></pre>", text(command)),
        };
        let _ = writeln!(html, "<li><p>{}</p>{command}</li>", in_html(&suggestion.why));
    }
    html.push_str("</ol>\n</section>\n");
    html
}

fn glossary() -> String {
    let mut html =
        String::from("<section id=\"words\">\n<h2>Words</h2>\n<dl class=\"glossary\">\n");
    for term in &GLOSSARY {
        let _ = writeln!(
            html,
            "<div id=\"word-{}\"><dt>{}</dt><dd>{}</dd></div>",
            term.id,
            text(term.word),
            text(term.meaning)
        );
    }
    html.push_str("</dl>\n</section>\n");
    html
}
