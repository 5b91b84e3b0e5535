//! What `why` says of the bugs of Last Writer Slices, Table 1, is at least worth what the paper's slices are.

use validate::last_writers::{Answered, TABLE_1, Useful, measure};

#[test]
fn slices_are_effective_for_all_seven_bugs_and_useful_for_six() {
    let bug = |name: &str| firmware::bugs::built_in().find(|bug| bug.name == name).unwrap();
    let answered: Vec<Answered> =
        TABLE_1.iter().map(|row| measure(bug(row.bug)).unwrap()).collect();
    for one in &answered {
        assert!(one.verdict.effective, "{one:?}");
        assert!(one.verdict.useful >= Useful::Some, "{one:?}");
    }
    let useful = answered.iter().filter(|one| one.verdict.useful == Useful::Yes).count();
    assert!(useful >= 6, "{answered:?}");
}
