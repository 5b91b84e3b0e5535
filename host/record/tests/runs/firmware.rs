//! The C that firmware includes writes the same bytes as this crate.

use crate::samples::edge;
use record::{Collected, Ending, Hart, Header, Outcome, RunWriter};
use std::process::Command;

const PROGRAM: &str = r#"
#include "crosstalk_record.h"
#include <stdio.h>

static void put(void *to, const uint8_t *bytes, uint32_t count) {
    fwrite(bytes, 1, count, (FILE *)to);
}

int main(void) {
    static uint32_t edges[CT_MAX_EDGES][CT_EDGE_WORDS];
    ct_writer w = {.put = put, .to = stdout};
    ct_run run = {.events = 5, .harts = 4, .pc_bits = 32, .time_bits = 32, .seed = 0x123456789aull};
    for (int i = 0; i < 32; i++) { run.config[i] = 0xc0; run.elf[i] = 0xe1; }
    for (uint32_t n = 0; n < CT_MAX_EDGES; n++) {
        uint32_t words[CT_EDGE_WORDS] = {
            0x80000000u + 4 * n, 0x80001000u + 4 * n, n % 1024, n % 1024, 10 * n + 1, 10 * n + 7,
            (n % 3) << 16 | (n % 4) << 8 | n % 4};
        for (int i = 0; i < CT_EDGE_WORDS; i++) edges[n][i] = words[i];
    }
    ct_begin(&w, &run);
    ct_edges(&w, (const uint32_t (*)[CT_EDGE_WORDS])edges, CT_MAX_EDGES);
    ct_lost(&w, 2, 77);
    ct_end(&w, &(ct_ending){.outcome = CT_OUTCOME_ASSERTION, .cycles = 5, .a = 31, .file = "bank.c"});
    return 0;
}
"#;

#[test]
fn firmware_writes_the_same_bytes() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("record-firmware");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("main.c"), PROGRAM).unwrap();
    let compiled = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-o", "main", "main.c", "-I"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/c"))
        .current_dir(&folder)
        .output()
        .expect("a C compiler is needed: install cc, or name one in CC");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(folder.join("main")).output().unwrap();

    let header = Header {
        collected: Collected::Firmware,
        events: 5,
        harts: 4,
        pc_bits: 32,
        time_bits: 32,
        seed: 0x12_3456_789a,
        runs: 1,
        config: [0xc0; 32],
        elf: [0xe1; 32],
        ..Header::default()
    };
    let mut writer = RunWriter::new(Vec::new(), &header).unwrap();
    for n in 0..72 {
        writer.edge(&edge(n, false)).unwrap();
    }
    writer.lost(Hart(2), 77).unwrap();
    let outcome = Outcome::Assertion { file: "bank.c".into(), line: 31 };
    let expected = writer.finish(&Ending { outcome, wrapped: false, cycles: 5 }).unwrap();
    assert_eq!(output.stdout, expected);
}
