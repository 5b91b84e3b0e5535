//! A loop as marlin's documentation writes it, around the ports of the design.
//!
//! See `peer.rs` of the benchmark for what is asked of it.

mod ports;

use std::io::BufRead as _;

use marlin::verilator::{VerilatorRuntime, VerilatorRuntimeOptions};
use marlin::verilog::prelude::*;
use ports::{INPUT_WORDS, SOURCES, Top};
use rustix::time::{ClockId, clock_gettime};

fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

fn round(top: &mut Top, rows: &[u64]) -> u64 {
    let mut sum = 0_u64;
    for row in rows.chunks_exact(INPUT_WORDS) {
        ports::load(top, row);
        top.clk = 0;
        top.eval();
        sum = sum.rotate_left(7) ^ ports::see(top);
        top.clk = 1;
        top.eval();
    }
    sum
}

fn main() {
    let path = std::env::args().nth(1).expect("the path of the rows");
    let bytes = std::fs::read(path).expect("the rows");
    let rows: Vec<u64> =
        bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
    let options = VerilatorRuntimeOptions::default()
        .verilator_executable(std::fs::canonicalize("verilator").expect("the wrapper").into());
    let sources = SOURCES.map(|name| name.as_ref());
    let runtime =
        VerilatorRuntime::new("artifacts".as_ref(), &sources, &[], [], options).expect("a runtime");
    let mut top = runtime.create_model_simple::<Top>().expect("a model");
    println!("peer: ready");
    for line in std::io::stdin().lock().lines() {
        let rounds: u64 = line.expect("a request").trim().parse().expect("a number");
        let mut seen = 0;
        let start = now();
        for _ in 0..rounds {
            seen = round(&mut top, &rows);
        }
        println!("peer: {:.0} {seen:x}", now() - start);
    }
}
