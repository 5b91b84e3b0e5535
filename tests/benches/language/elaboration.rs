//! Elaboration, checks and Verilog of a FIFO, beside the same FIFO in Amaranth and kaze.

use hdl::VerilogFile;
use hdl::stream::Queue;

use crate::amaranth::{Amaranth, Way};
use crate::kaze_fifo;
use measure::report::{Limit, Report, Row, time};
use measure::timing::{median, median_of, seconds};

/// Turns in which both sides are measured, one after the other.
const TURNS: usize = 25;
/// Repetitions of what is quick, in each turn.
const REPETITIONS: usize = 40;

/// From the parameters to the text.
fn queue(depth: usize, width: usize) -> Vec<VerilogFile> {
    let design = hdl::elaborate(Queue { depth, width }).expect("a queue is a legal circuit");
    design.verilog(&["A measurement."])
}

/// 16 entries of 148 bits, the width of an entry of the communication table.
pub fn beside_amaranth(report: &mut Report) {
    report.section("Elaboration, checks and text of a 16 x 148-bit FIFO, beside Amaranth");
    let limit = Some(Limit::AtLeast(100.0));
    let what = "beside RTLIL text, before Yosys";
    let mut amaranth = match Amaranth::start() {
        Ok(amaranth) => amaranth,
        Err(why) => return report.missing(what, &why, limit),
    };
    let (mut ours, mut rtlil) = (Vec::new(), Vec::new());
    // The first conversions of a Python process are slow.
    for turn in 0..TURNS + 3 {
        match amaranth.convert(Way::Rtlil) {
            Ok(_) if turn < 3 => {}
            Ok(seconds) => rtlil.push(seconds),
            Err(why) => return report.missing(what, &why, limit),
        }
        ours.push(median_of(REPETITIONS, || queue(16, 148)));
    }
    let (ours, rtlil) = (median(ours), median(rtlil));
    report.row(Row {
        what: what.into(),
        ours: time(ours),
        peer: time(rtlil),
        ratio: Some(rtlil / ours),
        limit,
    });

    let what = "beside Verilog text, with Yosys as a process";
    if let Err(missing) = tools::locate(tools::Tool::Yosys) {
        return report.missing(what, &missing.to_string(), None);
    }
    let verilog: Result<Vec<f64>, String> =
        (0..3).map(|_| amaranth.convert(Way::Verilog)).collect();
    match verilog.map(median) {
        Ok(verilog) => report.row(Row {
            what: what.into(),
            ours: time(ours),
            peer: time(verilog),
            ratio: Some(verilog / ours),
            limit: None,
        }),
        Err(why) => report.missing(what, &why, None),
    }
}

/// 16 entries of 128 bits: kaze has no wider signals.
pub fn beside_kaze(report: &mut Report) {
    report.section("Elaboration, checks and Verilog of a 16 x 128-bit FIFO, beside kaze 0.1.19");
    let (mut ours, mut kaze) = (Vec::new(), Vec::new());
    for _ in 0..TURNS * REPETITIONS {
        ours.push(seconds(|| queue(16, 128)));
        kaze.push(seconds(|| kaze_fifo::verilog(4, 128)));
    }
    let (ours, kaze) = (median(ours), median(kaze));
    report.row(Row {
        what: "time of ours to time of kaze".into(),
        ours: time(ours),
        peer: time(kaze),
        ratio: Some(ours / kaze),
        limit: Some(Limit::AtMost(2.0)),
    });
}
