//! The story of exact evidence: first on the page, in order, and text whatever its names are.

use super::escaping::{hostile, sample, shape};
use super::stories::{Maker, with, with_all};
use evidence::account::{Account, Cause};
use proptest::prelude::*;

const PLAIN: Maker<'static> = Maker { more: "" };

fn page(account: Account) -> String {
    let page = with(sample(), vec![account]).html();
    shape(&page).unwrap();
    page
}

/// The story of the page.
fn story(page: &str) -> &str {
    let (_, rest) = page.split_once("<section id=\"happened\">").unwrap();
    rest.split_once("</section>").unwrap().0
}

/// Fails unless the texts stand in this order.
fn assert_in_order(page: &str, texts: &[&str]) {
    let mut rest = page;
    for text in texts {
        let found = rest.find(text);
        rest = &rest[found.unwrap_or_else(|| panic!("{text} is not where it should be: {page}"))..];
    }
}

#[test]
fn lanes_hold_the_steps_in_order_then_the_failure_then_what_is_too_late() {
    let page = page(PLAIN.order());
    let story = story(&page);
    assert_in_order(
        story,
        &[
            "<h3>main failed the assertion at <code>story.c:99</code> <span class=\"rank\">in 3 of 25 failing runs",
            "<span>first</span>",
            "<span>second</span>",
            "<span>main</span>",
            "--lane:0;grid-row:2\"><span class=\"who\">first</span> <span class=\"deed\">read <code>queue.size</code>",
            "text_of_10();",
            "--lane:1;grid-row:3\"><span class=\"who\">second</span>",
            "20 → 21",
            "story.c:20",
            "--lane:0;grid-row:4\"><span class=\"who\">first</span> <span class=\"deed\">updated",
            "<li class=\"step failed\" style=\"--lane:2;grid-row:5\"><span class=\"who\">main</span>",
            "A passing run does this first:",
            "<li class=\"step late\" style=\"--lane:1;grid-row:7\">",
            "freed <code>queue.size</code>",
            "What decides, and how that was tried:",
            "first read <code>queue.size</code> at <code>story.c:10</code>, before second wrote",
            "first updated <code>queue.size</code> at <code>story.c:30</code>, before second freed",
            "Found by 198 trial runs:",
        ],
    );
    // A bracket from each first step to its second, over the failure where that is too late.
    for rows in ["grid-row:2 / 3", "grid-row:4 / 7"] {
        assert!(story.contains(rows), "{rows}: {story}");
    }
    assert!(story.contains("<details class=\"stack\"><summary>called from</summary>"), "{story}");
    assert!(story.contains("text_of_1010();"), "the caller's line");
}

#[test]
fn the_hardwares_edges_come_below_and_say_what_they_are() {
    let page = page(PLAIN.order());
    assert_in_order(
        &page,
        &[
            "<section id=\"happened\">",
            "<section id=\"edges\">",
            "From the hardware's edges</h2>",
            "class=\"reconstruction\"",
            "<section id=\"look\">",
        ],
    );
    assert!(!story(&page).contains("class=\"reconstruction\""));
    assert!(!page.contains("The likeliest cause"), "that is the account");
    let without = sample().html();
    assert!(!without.contains("id=\"edges\"") && without.contains("The likeliest cause"));
}

/// Texts of the picture of a deadlock.
fn picture(page: &str) -> Vec<String> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let tree = roxmltree::Document::parse_with_options(page, options).unwrap();
    let ring = tree.descendants().find(|node| node.attribute("class") == Some("ring")).unwrap();
    let texts = ring.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| node.text()).map(str::to_owned).collect()
}

#[test]
fn a_deadlock_is_a_picture_of_its_threads_and_locks() {
    let page = page(PLAIN.deadlock(true));
    let texts = picture(&page);
    for expected in [
        "left",
        "right",
        "lock_a",
        "lock_b",
        "story.c:50",
        "story.c:51",
        "story.c:60",
        "story.c:61",
    ] {
        let times = texts.iter().filter(|text| *text == expected).count();
        assert_eq!(times, 1, "{expected}: {texts:?}");
    }
    assert_eq!(texts.iter().filter(|text| *text == "wants at").count(), 2);
    assert_eq!(texts.iter().filter(|text| *text == "has since").count(), 2);
    assert_in_order(
        story(&page),
        &["<h3>left and right are deadlocked", "wants", "text_of_50();", "has", "text_of_51();"],
    );
    assert!(story(&page).contains("text_of_2050();"), "the stack of the one who has it");
}

#[test]
fn one_who_has_ended_with_the_lock_is_in_the_picture_too() {
    let open = page(PLAIN.deadlock(false));
    assert!(picture(&open).contains(&"gone".to_owned()));
    assert!(open.contains("<title>gone (has ended)</title>"));
    let alone = page(PLAIN.alone());
    assert_eq!(picture(&alone).iter().filter(|text| *text == "left").count(), 1);
    assert!(alone.contains("<h3>left is deadlocked"));
}

#[test]
fn a_missed_signal_names_signal_test_and_wait() {
    let page = page(PLAIN.missed());
    assert_in_order(
        story(&page),
        &[
            "<h3>waiter waits for ever",
            "signaled <code>ready_cond</code> <span class=\"value\">nobody waited</span>",
            "waits for ever for a signal on <code>ready_cond</code>",
            "by sender, when nobody waited on <code>ready_cond</code>",
            "<code>ready</code> <strong class=\"failing\">without the lock</strong>",
            "written by sender with the lock",
        ],
    );
}

#[test]
fn if_the_schedule_does_not_matter_the_page_says_so_and_shows_no_order() {
    let page = page(PLAIN.account(Cause::AnyOrder { schedules: 64, stands_still: None }));
    assert!(story(&page).contains("The schedule does not matter"));
    assert!(story(&page).contains("Found by 64 schedules: each of them failed"));
    assert!(!story(&page).contains("<ol"));
}

#[test]
fn each_way_of_failing_has_its_own_heading() {
    let report = with_all(sample(), "");
    let page = report.html();
    let headings = story(&page).matches("<h3>").count();
    assert_eq!(headings, report.analysis.accounts.len());
    assert_eq!(page, report.html(), "the same bytes once more");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_name_of_a_story_changes_the_shape_of_the_page(more in hostile()) {
        // As long as the other: a long headline has a class of its own.
        let alike = "x".repeat(more.chars().count());
        let (plain, ..) = shape(&with_all(sample(), &alike).html()).map_err(TestCaseError::fail)?;
        let report = with_all(sample(), &more);
        let (hostile, _, data) = shape(&report.html()).map_err(TestCaseError::fail)?;
        prop_assert_eq!(plain, hostile);
        let data: serde_json::Value = serde_json::from_str(&data)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        let named = data["analysis"]["accounts"][0]["cause"]["steps"][0]["variable"].as_str();
        let expected = format!("queue.size{more}");
        prop_assert_eq!(named, Some(expected.as_str()));
    }
}
