use super::*;
use crate::cost::Cost;
use crate::precision::Precision;
use crate::study::{Answer, Machine};
use crate::sweep::{Setting, Sweep};
use crate::tree::Row;

fn machine(luts: u64) -> Machine {
    let cost = Cost { luts, ffs: luts / 2, brams: 8, dsps: 0 };
    let row = |depth, unit: &str, own: Cost, total| Row {
        depth,
        unit: unit.into(),
        module: format!("{unit}_4"),
        instances: 2,
        own,
        total,
    };
    let units = vec![row(0, "soc", Cost::default(), cost), row(1, "hart", cost, cost)];
    Machine { units, total: Some(cost), ..Machine::default() }
}

/// Two keys of two values, costs that grow with both.
fn study() -> Study {
    let sweeps: Vec<Sweep> = vec!["a=1,2".parse().unwrap(), "b=x,y".parse().unwrap()];
    let mut points = Vec::new();
    for (cost, (a, b)) in
        [(100, ("1", "x")), (110, ("1", "y")), (200, ("2", "x")), (230, ("2", "y"))]
    {
        let set = |key: &str, value: &str| Setting { key: key.into(), value: value.into() };
        points.push(Answer {
            settings: vec![set("a", a), set("b", b)],
            hardware_hash: String::new(),
            context_events: 5,
            machine: machine(cost),
            baseline: Some(machine(80)),
            storage: Vec::new(),
        });
    }
    Study {
        top: "soc".into(),
        base_name: "sim4".into(),
        target: "ecp5",
        tools: Vec::new(),
        sweeps,
        base: 0,
        mhz: None,
        points,
    }
}

fn files(plots: &[Plot]) -> Vec<&str> {
    plots.iter().map(|plot| plot.file.as_str()).collect()
}

fn named<'a>(plots: &'a [Plot], file: &str) -> &'a str {
    &plots.iter().find(|plot| plot.file == file).expect(file).svg
}

#[test]
fn every_figure_has_its_plot() {
    let precision = Precision { events: 5, inspections: 2.0, found: 1.0, bugs: 1 };
    let one = Choice { label: "the one".into(), luts: 100, precision, is_best: true };
    let other = Choice { label: "the other".into(), luts: 110, is_best: false, ..one.clone() };
    let plots = all(&study(), &[one.clone(), other]);
    let expected = ["by_unit.svg", "monitor.svg", "sweep_a.svg", "sweep_b.svg", "precision.svg"];
    assert_eq!(files(&plots), expected);
    assert!(named(&plots, "by_unit.svg").contains("hart × 2"));
    assert!(!named(&plots, "by_unit.svg").contains("soc × 2"), "what costs nothing has no bar");
    assert!(named(&plots, "monitor.svg").contains("25.0 %"));
    assert!(named(&plots, "sweep_a.svg").contains("b = y"));
    let precision = named(&plots, "precision.svg");
    assert!(precision.contains("the one") && !precision.contains("the other"));
    let alone = all(&study(), &[one]);
    assert!(!files(&alone).contains(&"precision.svg"), "of one point there is no choice");
}

#[test]
fn without_figures_there_is_no_plot() {
    let mut bare = study();
    for answer in &mut bare.points {
        (answer.machine, answer.baseline) = (Machine::default(), None);
    }
    assert_eq!(files(&all(&bare, &[])), [""; 0]);
}

#[test]
fn a_point_that_failed_leaves_the_others() {
    let mut partial = study();
    partial.points[3].machine = Machine::default();
    let plots = all(&partial, &[]);
    assert!(named(&plots, "sweep_a.svg").contains("b = y"), "half a line is left");
    assert!(!named(&plots, "monitor.svg").contains("a = 2, b = y"));
}

#[test]
fn the_same_study_gives_the_same_drawing() {
    let draw = || all(&study(), &[]).into_iter().map(|plot| plot.svg).collect::<Vec<_>>();
    assert_eq!(draw(), draw());
}
