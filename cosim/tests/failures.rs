//! Designs that complain, stop or cannot be built.

mod common;

use common::{builder, counter, library, source};
use cosim::{Error, Model};

fn checked(verilog: &str) -> Model {
    let mut source = source(&["in clk 1", "in a 8"], verilog);
    source.options.assertions = true;
    library(&source).model()
}

/// Ticks with `a` = 0, 1, 2 …
fn ticks(model: &mut Model, count: u64) -> Vec<Result<(), cosim::Failure>> {
    let a = model.port("a").unwrap();
    (0..count)
        .map(|value| {
            model.set(a, value);
            model.tick()
        })
        .collect()
}

#[test]
fn a_failed_assertion_is_reported_and_the_run_can_go_on() {
    let mut model = checked(
        "module m(input wire clk, input wire [7:0] a);
           always @(posedge clk) begin
             assert (a != 3) else $error(\"a is %0d\", a);
           end
         endmodule",
    );
    let results = ticks(&mut model, 6);
    let failed: Vec<_> = results.iter().filter_map(|r| r.as_ref().err()).collect();
    let [failure] = failed[..] else { panic!("{failed:?}") };
    assert_eq!((failure.cycle, failure.file.as_str(), failure.line), (3, "m.v", 3));
    assert_eq!((failure.count, failure.fatal), (1, false));
    assert!(failure.message.starts_with("m.v:3: "), "{}", failure.message);
    assert!(failure.message.ends_with("a is 3"), "{}", failure.message);
    assert_eq!(model.cycle(), 6);
}

#[test]
fn assertions_that_are_switched_off_are_not_checked() {
    let mut source = source(
        &["in clk 1", "in a 8"],
        "module m(input wire clk, input wire [7:0] a);
           always @(posedge clk) assert (a != 3);
         endmodule",
    );
    source.options.assertions = false;
    let mut model = library(&source).model();
    assert!(ticks(&mut model, 6).iter().all(Result::is_ok));
}

#[test]
fn run_stops_after_the_cycle_that_fails() {
    let mut model = checked(
        "module m(input wire clk, input wire [7:0] a);
           always @(posedge clk) assert (a != 3);
         endmodule",
    );
    let (done, result) = model.run(6, &[0, 1, 2, 3, 4, 5], &mut []);
    assert_eq!((done, result.unwrap_err().cycle), (4, 3));
    let (done, result) = model.run(2, &[4, 5], &mut []);
    assert_eq!((done, result), (2, Ok(())));
}

#[test]
fn stop_and_fatal_are_failures() {
    let mut model = checked(
        "module m(input wire clk, input wire [7:0] a);
           always @(posedge clk) begin
             if (a == 1) $stop;
             if (a == 2) $fatal(1, \"enough\");
           end
         endmodule",
    );
    let results = ticks(&mut model, 4);
    assert_eq!(results[1].as_ref().unwrap_err().message, "$stop");
    assert!(results[2].as_ref().unwrap_err().message.contains("enough"));
    assert!(results[0].is_ok() && results[3].is_ok());
}

#[test]
fn finish_is_noted_and_ends_a_run() {
    let mut model = checked(
        "module m(input wire clk, input wire [7:0] a);
           always @(posedge clk) if (a == 2) $finish;
         endmodule",
    );
    let (done, result) = model.run(5, &[0, 1, 2, 3, 4], &mut []);
    assert_eq!((done, result, model.finished()), (3, Ok(()), true));
    let (done, _) = model.run(2, &[3, 4], &mut []);
    assert_eq!(done, 2);
}

#[test]
fn logic_that_never_settles_ends_the_model_and_nothing_else() {
    let mut model = checked(
        "module m(input wire clk, input wire [7:0] a);
           wire x /*verilator split_var*/;
           reg y;
           always @* y = a[0] ? ~x : 1'b0;
           assign x = y;
           always @(posedge clk) if (x) $display(\"x\");
         endmodule",
    );
    let results = ticks(&mut model, 3);
    assert!(results[0].is_ok());
    let failure = results[1].as_ref().unwrap_err();
    assert!(failure.fatal && failure.cycle == 1, "{failure:?}");
    assert!(failure.message.contains("converge"), "{failure:?}");
    assert!(results[2].as_ref().unwrap_err().fatal);
}

#[test]
fn two_failing_models_keep_their_failures_apart() {
    let verilog = "module m(input wire clk, input wire [7:0] a);
           always @(posedge clk) assert (a < 2) else $error(\"a is %0d\", a);
         endmodule";
    let mut models = [checked(verilog), checked(verilog)];
    for (model, value) in models.iter_mut().zip([0, 7]) {
        model.set(model.port("a").unwrap(), value);
    }
    assert!(models[0].tick().is_ok());
    assert!(models[1].tick().unwrap_err().message.ends_with("a is 7"));
    assert!(models[0].tick().is_ok());
}

#[test]
fn printed_text_is_kept_for_the_caller() {
    let mut model = checked(
        "module m(input wire clk, input wire [7:0] a);
           always @(posedge clk) $display(\"a = %0d, 100%%\", a);
         endmodule",
    );
    ticks(&mut model, 2);
    assert_eq!(model.take_printed(), "a = 0, 100%\na = 1, 100%\n");
    assert_eq!(model.take_printed(), "");
}

fn refusal(source: &cosim::ModelSource) -> Error {
    let dir = tempfile::tempdir().unwrap();
    let error = builder(dir.path()).library(source).unwrap_err();
    let entries: Vec<_> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|found| found.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with("runtime-") && !name.starts_with("headers-"))
        .collect();
    assert!(entries.iter().all(|name| name.ends_with(".lock")), "{entries:?}");
    error
}

#[test]
fn a_syntax_error_is_shown_with_its_line() {
    let error =
        refusal(&source(&["in a 1"], "module m(input wire a);\n  assign b = = a;\nendmodule\n"));
    assert!(matches!(error, Error::Verilator { .. }));
    let text = error.to_string();
    assert!(text.starts_with("Verilator rejects `m`:\n%Error: m.v:2:"), "{text}");
    assert!(text.contains("assign b = = a;"), "{text}");
    assert!(!text.contains("Exiting") && !text.contains("/tmp"), "{text}");
}

#[test]
fn ports_that_do_not_match_the_verilog_are_named() {
    let verilog = "module m(input wire [3:0] a, output wire b); assign b = ^a; endmodule";
    let dir = tempfile::tempdir().unwrap();
    common::cache_without_models(dir.path());
    let text = |list: &[&str]| {
        let error = builder(dir.path()).library(&source(list, verilog)).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        text(&["in a 5", "out b 1"]),
        "model `m`: port `a` has 4 bits in the Verilog, but 5 in the port list"
    );
    assert_eq!(
        text(&["in a 4", "in b 1"]),
        "model `m`: port `b` has another direction in the Verilog than in the port list"
    );
    assert_eq!(
        text(&["in a 4", "out c 1"]),
        "model `m`: the Verilog lacks the port `c` of the port list"
    );
    assert_eq!(
        text(&["in a 4"]),
        "model `m`: the Verilog has a port `b`, which is not in the port list"
    );
}

#[test]
fn abilities_that_were_not_built_are_named() {
    let mut model = library(&counter()).model();
    let path = std::path::Path::new("never-written");
    let error = model.trace_open(path, 0..1).unwrap_err();
    assert_eq!(error.to_string(), "model `m` was built without trace");
    let error = model.write_coverage(path).unwrap_err();
    assert_eq!(error.to_string(), "model `m` was built without coverage");
    assert!(!path.exists());
}
