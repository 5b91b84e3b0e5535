//! `crosstalk trace` on runs of a hunt.

use crate::{golden, sentence, text};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn trace(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
    command.arg("trace").args(args).current_dir(folder).env("CROSSTALK_PROGRESS", "never");
    command.output().unwrap()
}

fn lines(folder: &Path, args: &[&str]) -> Vec<String> {
    let output = trace(folder, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout).lines().map(str::to_owned).collect()
}

/// A hunt of the program with a signature, in `h`.
fn hunted() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--failing", "2", "--passing", "2", "--monitor", "program", "--out", "h"];
    let output = golden(folder.path(), "signed.c", &args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    folder
}

#[test]
fn every_line_has_the_form_of_spike_and_stores_give_the_memory_of_the_end() {
    let folder = hunted();
    let all = lines(folder.path(), &["h", "--signature", "words.txt"]);
    let number = "0x[0-9a-f]{8}";
    let form = regex::Regex::new(&format!(
        "^core +[0-3]: (>>>>  \\S+|{number} \\({number}\\) [a-z][a-z.0-9]*( .+)?|\
         [03] {number} \\({number}\\)( x[0-9]{{1,2}} +{number})?( c[0-9]+_[a-z0-9]+ {number})?\
         ( mem {number})?( mem {number} 0x([0-9a-f]{{2}}){{1,4}})?|\
         exception trap_[a-z_]+, epc {number}|          tval {number})$"
    ));
    let form = form.unwrap();
    let odd: Vec<_> = all.iter().filter(|line| !form.is_match(line)).take(5).collect();
    assert!(odd.is_empty() && all.len() > 1000, "{odd:?} of {}", all.len());
    let has = |part: &str| all.iter().any(|line| line.contains(part));
    for part in
        [">>>>  count", "c773_mtvec 0x", "trap_user_ecall", "ret", "amo", "csrr    a0, mhartid"]
    {
        assert!(has(part), "{part}");
    }
    // The stores of the log, replayed.
    let mut memory: BTreeMap<u32, u8> = BTreeMap::new();
    for line in &all {
        let Some((_, store)) = line.rsplit_once(" mem ") else { continue };
        let Some((address, value)) = store.split_once(' ') else { continue };
        let address = u32::from_str_radix(&address[2..], 16).unwrap();
        let word = u32::from_str_radix(&value[2..], 16).unwrap();
        let bytes = (value.len() - 2) / 2;
        for (place, byte) in word.to_le_bytes().into_iter().take(bytes).enumerate() {
            memory.insert(address + place as u32, byte);
        }
    }
    let mut why = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
    why.args(["why", "h", "begin_signature", "--passing", "0", "--json"])
        .current_dir(folder.path());
    let answer: serde_json::Value = serde_json::from_slice(&why.output().unwrap().stdout).unwrap();
    let address = answer["about"]["address"].as_u64().unwrap() as u32;
    let counted = u32::from_le_bytes([4, 5, 6, 7].map(|at| memory[&(address + at)]));
    assert!((1..20).contains(&counted), "{counted}: updates were lost");
    let words = fs::read_to_string(folder.path().join("words.txt")).unwrap();
    assert_eq!(words, format!("01234567\n{counted:08x}\ndead77ef\n"));
}

#[test]
fn filters_leave_the_rest_out() {
    let folder = hunted();
    let bare = lines(folder.path(), &["h", "--bare"]);
    assert!(!bare.iter().any(|line| line.contains(">>>>") || line.contains("addi")));
    let of_one = lines(folder.path(), &["h", "--bare", "--hart", "1"]);
    let expected: Vec<_> =
        bare.iter().filter(|line| line.starts_with("core   1:")).cloned().collect();
    assert_eq!(of_one, expected);
    let user = lines(folder.path(), &["h", "--bare", "--user", "--range", "count"]);
    let harts: BTreeSet<&str> = user.iter().map(|line| &line[..8]).collect();
    assert_eq!(harts.len(), 2, "both threads count: {harts:?}");
    assert!(user.iter().all(|line| line[9..].starts_with(" 0 0x")), "{user:?}");
    let first = &user[0][12..22];
    let at_one = lines(folder.path(), &["h", "--bare", "--range", &format!("{first}-{first}")]);
    assert!(!at_one.is_empty() && at_one.iter().all(|line| line.contains(first)));
    let to_a_file = trace(folder.path(), &["h", "--bare", "--out", "log"]);
    assert_eq!((to_a_file.status.code(), to_a_file.stdout.len()), (Some(0), 0));
    let written = fs::read_to_string(folder.path().join("log")).unwrap();
    assert_eq!(written.lines().collect::<Vec<_>>(), bare);
}

#[test]
fn what_cannot_be_traced_is_a_sentence() {
    let folder = hunted();
    for (args, code, said) in [
        (&["nowhere"][..], 2, "nowhere: No such file"),
        (&["h", "--range", "cuont"], 2, "the program has no function `cuont`"),
        (&["h", "--range", "0x10-0x1"], 2, "expected a function or FIRST-LAST"),
        (&["h", "--range", "0x10-0x20"], 1, "the selected part of the run has no instructions"),
        (&["h", "--out", "nowhere/log"], 2, "nowhere"),
        (&["h", "--out", "same", "--signature", "same"], 2, "same"),
        (&["h", "--out", "/dev/full"], 1, "cannot write to /dev/full"),
    ] {
        let found = sentence(&trace(folder.path(), args), code);
        assert!(found.contains(said), "{args:?}: {found}");
    }
}
