//! Whatever names and source lines are, they are text: the page keeps its shape.

use super::fixture::{Program, report};
use crosstalk::report::Report;
use crosstalk::view::PointView;
use proptest::prelude::*;
use std::sync::OnceLock;

pub fn sample() -> &'static Report {
    static SAMPLE: OnceLock<Report> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let program = Program::plain();
        let folder = tempfile::tempdir().unwrap();
        let files = program.record(folder.path(), 60);
        report(&program, files)
    })
}

/// The report with `more` at the end of everything that comes from runs and sources.
fn with(report: &Report, more: &str) -> Report {
    let mut report = report.clone();
    let add = |text: &mut String| text.push_str(more);
    let point = |point: &mut PointView| {
        add(&mut point.name);
        point.point.text.iter_mut().for_each(add);
        point.point.function.iter_mut().for_each(add);
        point.point.location.iter_mut().for_each(|location| add(&mut location.file));
    };
    let analysis = &mut report.analysis;
    add(&mut analysis.runs.program);
    analysis.runs.outcomes.iter_mut().for_each(|outcome| add(&mut outcome.how));
    analysis.ranking.iter_mut().for_each(|row| point(&mut row.point));
    for found in &mut analysis.reconstructions {
        found.source.iter_mut().for_each(point);
        point(&mut found.sink);
        found.example_run.iter_mut().for_each(add);
        let regions = [&mut found.prefix, &mut found.body, &mut found.suffix];
        regions.into_iter().flatten().for_each(|member| point(&mut member.point));
        found.example.iter_mut().for_each(|event| point(&mut event.point));
    }
    report.graph.nodes.iter_mut().for_each(point);
    for run in &mut report.runs {
        add(&mut run.name);
        add(&mut run.outcome);
    }
    report
}

/// Elements with the names of their attributes, in order; the data beside them.
pub fn shape(page: &str) -> Result<(Vec<String>, String, String), String> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let tree = roxmltree::Document::parse_with_options(page, options)
        .map_err(|error| format!("{error}"))?;
    let elements = tree.descendants().filter(roxmltree::Node::is_element);
    let name = |node: roxmltree::Node<'_, '_>| {
        let attributes: Vec<_> = node.attributes().map(|attribute| attribute.name()).collect();
        format!("{} {}", node.tag_name().name(), attributes.join(" "))
    };
    let text = |wanted: &str| {
        let mut all = tree.descendants();
        let found = all.find(|node| node.has_tag_name(wanted) && !node.has_attribute("id"));
        found.and_then(|node| node.text()).unwrap_or_default().to_owned()
    };
    let mut all = tree.descendants();
    let data = all.find(|node| node.attribute("id") == Some("data"));
    let data = data.and_then(|node| node.text()).unwrap_or_default().to_owned();
    Ok((elements.map(name).collect(), text("title"), data))
}

/// Text that means something to HTML, CSS, JavaScript or SVG, among text that does not.
pub fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("</script>".to_owned()),
        Just("<script>alert(1)</script>".to_owned()),
        Just("<!--".to_owned()),
        Just("]]>".to_owned()),
        Just("\" onload=\"alert(1)".to_owned()),
        Just("' x='".to_owned()),
        Just("&lt;&#x3c;&amp".to_owned()),
        Just("</title></svg></text><img src=x onerror=alert(1)>".to_owned()),
        Just("\u{2028}\u{202e}\u{0}\u{ffff}\u{85}".to_owned()),
        any::<String>(),
    ];
    proptest::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_changes_the_shape_of_the_page(more in hostile()) {
        let (plain, ..) = shape(&with(sample(), "x").html()).map_err(TestCaseError::fail)?;
        let report = with(sample(), &more);
        let (hostile, title, data) = shape(&report.html()).map_err(TestCaseError::fail)?;
        prop_assert_eq!(plain, hostile);
        let program = &report.analysis.runs.program;
        let letters = |text: &str| -> String { text.chars().filter(char::is_ascii_graphic).collect() };
        prop_assert!(letters(&title).starts_with(&letters(program)), "{} became {}", program, title);
        let data: serde_json::Value = serde_json::from_str(&data)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(data["analysis"]["runs"]["program"].as_str(), Some(program.as_str()));
    }
}
