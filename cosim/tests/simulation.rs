//! What a model does once it is built.

mod common;

use kit::Dice;
use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{counter, library, source};

#[test]
fn combinational_outputs_follow_the_inputs() {
    let adder = source(
        &["in a 8", "in b 8", "out sum 9"],
        "module m(input wire [7:0] a, input wire [7:0] b, output wire [8:0] sum);
           assign sum = a + b;
         endmodule",
    );
    let mut model = library(&adder).model();
    let [a, b, sum] = ["a", "b", "sum"].map(|name| model.port(name).unwrap());
    for (x, y) in [(0, 0), (1, 2), (255, 255), (128, 128)] {
        model.set(a, x);
        model.set(b, y);
        model.eval().unwrap();
        assert_eq!(model.get(sum), x + y);
        assert_eq!(model.get(a), x);
    }
    model.set(a, 7);
    model.tick().unwrap();
    assert_eq!((model.get(sum), model.cycle()), (135, 1));
}

#[test]
fn outputs_are_those_of_the_cycle_before_its_edge() {
    let mut model = library(&counter()).model();
    let [rst, en, count] = ["rst", "en", "count"].map(|name| model.port(name).unwrap());
    model.set(rst, 1);
    model.tick().unwrap();
    model.set(rst, 0);
    model.set(en, 1);
    for cycle in 0..300 {
        model.tick().unwrap();
        assert_eq!(model.get(count), cycle % 256);
    }
    model.eval().unwrap();
    assert_eq!(model.get(count), 300 % 256, "settling shows the next cycle");
    model.eval().unwrap();
    assert_eq!(model.get(count), 300 % 256, "settling again changes nothing");
    assert_eq!(model.cycle(), 301);
}

#[test]
fn combinational_paths_see_the_inputs_of_the_same_cycle() {
    let mealy = source(
        &["in clk 1", "in d 4", "out now 4", "out last 4"],
        "module m(input wire clk, input wire [3:0] d, output wire [3:0] now,
                  output reg [3:0] last);
           assign now = d ^ last;
           always @(posedge clk) last <= d;
         endmodule",
    );
    let mut model = library(&mealy).model();
    let [d, now, last] = ["d", "now", "last"].map(|name| model.port(name).unwrap());
    let mut previous = 0;
    for value in [3, 9, 9, 0, 15] {
        model.set(d, value);
        model.tick().unwrap();
        assert_eq!((model.get(now), model.get(last)), (value ^ previous, previous));
        previous = value;
    }
}

#[test]
fn ports_of_every_shape_keep_all_their_bits() {
    let widths = [1_u32, 2, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 95, 96, 97, 128, 148, 300];
    let mut list = vec!["in clk 1".to_owned()];
    let mut verilog = "module m(input wire clk".to_owned();
    let mut body = String::new();
    for w in widths {
        list.extend([format!("in i{w} {w}"), format!("out o{w} {w}"), format!("out r{w} {w}")]);
        verilog += &format!(
            ", input wire [{msb}:0] i{w}, output wire [{msb}:0] o{w}, output reg [{msb}:0] r{w}",
            msb = w - 1
        );
        body += &format!("assign o{w} = ~i{w};\nalways @(posedge clk) r{w} <= i{w};\n");
    }
    let list: Vec<_> = list.iter().map(String::as_str).collect();
    let library = library(&source(&list, &format!("{verilog});\n{body}endmodule")));
    let mut model = library.model();

    let mut dice = Dice::new(1);
    let mut previous: Vec<Vec<u64>> = Vec::new();
    for _ in 0..50 {
        let mut now = Vec::new();
        for w in widths {
            let mut value: Vec<u64> = (0..w.div_ceil(64)).map(|_| dice.roll()).collect();
            if w % 64 != 0 {
                *value.last_mut().unwrap() &= (1 << (w % 64)) - 1;
            }
            model.set_wide(model.port(&format!("i{w}")).unwrap(), &value);
            now.push(value);
        }
        model.tick().unwrap();
        for (index, w) in widths.into_iter().enumerate() {
            let port = |kind| model.port(&format!("{kind}{w}")).unwrap();
            let mut inverted: Vec<u64> = now[index].iter().map(|word| !word).collect();
            if w % 64 != 0 {
                *inverted.last_mut().unwrap() &= (1 << (w % 64)) - 1;
            }
            assert_eq!(model.get_wide(port("o")), inverted, "{w} bits");
            if let Some(previous) = previous.get(index) {
                assert_eq!(model.get_wide(port("r")), previous, "{w} bits");
            }
        }
        previous = now;
    }
}

#[test]
fn unusual_port_names_reach_the_right_ports() {
    let names = source(
        &["in int 3", "in a__b 3", "in _c 3", "in d_ 3", "out class 12"],
        "module m(input wire [2:0] int_, input wire [2:0] a__b, input wire [2:0] _c,
                  input wire [2:0] d_, output wire [11:0] \\class );
           assign \\class = {int_, a__b, _c, d_};
         endmodule"
            .replace("int_", "\\int ")
            .as_str(),
    );
    let mut model = library(&names).model();
    for (value, name) in (1..).zip(["int", "a__b", "_c", "d_"]) {
        model.set(model.port(name).unwrap(), value);
    }
    model.eval().unwrap();
    assert_eq!(model.get(model.port("class").unwrap()), 0o1234);
}

#[test]
fn models_of_one_library_are_independent() {
    let library = library(&counter());
    let mut models = [library.model(), library.model()];
    let (en, count) = (library.port("en").unwrap(), library.port("count").unwrap());
    models[0].set(en, 1);
    for _ in 0..10 {
        for model in &mut models {
            model.tick().unwrap();
        }
    }
    assert_eq!(models.map(|model| model.get(count)), [9, 0]);
}

#[test]
fn models_of_different_libraries_are_independent() {
    let up = library(&counter());
    let mut down = counter();
    down.files[0].1 = down.files[0].1.replace("count + 1", "count - 1");
    let mut models = [up.model(), library(&down).model()];
    for model in &mut models {
        model.set(model.port("en").unwrap(), 1);
    }
    for _ in 0..5 {
        for model in &mut models {
            model.tick().unwrap();
        }
    }
    let counts = models.map(|model| model.get(model.port("count").unwrap()));
    assert_eq!(counts, [4, 252]);
}

#[test]
fn a_model_goes_on_in_another_thread() {
    let library = library(&counter());
    let mut model = library.model();
    model.set(model.port("en").unwrap(), 1);
    for round in 0..4 {
        model = std::thread::spawn(move || {
            for _ in 0..10 {
                model.tick().unwrap();
            }
            model
        })
        .join()
        .unwrap();
        assert_eq!(model.get(model.port("count").unwrap()), round * 10 + 9);
    }
}

#[test]
fn a_model_outlives_the_last_handle_of_its_library() {
    let mut model = library(&counter()).model();
    model.tick().unwrap();
    assert_eq!(model.library().top(), "m");
}

#[test]
fn run_equals_as_many_ticks() {
    let library = library(&counter());
    let [rst, en] = ["rst", "en"].map(|name| library.port(name).unwrap());
    let mut ticked = library.model();
    let mut stimulus = Vec::new();
    let mut expected = Vec::new();
    for cycle in 0..1000_u64 {
        let (r, e) = (u64::from(cycle % 97 == 0), cycle / 3 % 2);
        ticked.set(rst, r);
        ticked.set(en, e);
        ticked.tick().unwrap();
        stimulus.extend([r, e]);
        expected.push(ticked.get(library.port("count").unwrap()));
    }
    let mut response = vec![0; 1000];
    let mut model = library.model();
    let (done, result) = model.run(1000, &stimulus, &mut response);
    result.unwrap();
    assert_eq!((done, model.cycle()), (1000, 1000));
    assert_eq!(response, expected);
}

#[test]
fn illegal_bits_and_misuse_are_refused() {
    let wide = source(
        &["in clk 1", "in a 5", "in w 70", "out q 70"],
        "module m(input wire clk, input wire [4:0] a, input wire [69:0] w,
                  output reg [69:0] q);
           always @(posedge clk) q <= w + a;
         endmodule",
    );
    let mut model = library(&wide).model();
    let [clk, a, w, q] = ["clk", "a", "w", "q"].map(|name| model.port(name).unwrap());
    assert_eq!(model.port("nothing"), None);
    let mut refused = |action: &dyn Fn(&mut cosim::Model)| {
        let result = catch_unwind(AssertUnwindSafe(|| action(&mut model)));
        *result.unwrap_err().downcast::<String>().unwrap()
    };
    assert_eq!(refused(&|m| m.set(a, 32)), "0x20 does not fit the 5 bits of `a`");
    assert_eq!(refused(&|m| m.set(w, 0)), "`w` is 70 bits wide: use set_wide");
    assert_eq!(refused(&|m| m.set(q, 0)), "`q` is an output");
    assert_eq!(refused(&|m| m.set(clk, 0)), "`clk` is the clock, which only the model drives");
    assert_eq!(refused(&|m| m.set_wide(w, &[0])), "expected 2 words for `w`, got 1");
    assert_eq!(refused(&|m| m.set_wide(w, &[0, 64])), "[0, 40] does not fit the 70 bits of `w`");
    assert_eq!(refused(&|m| assert_eq!(m.get(q), 0)), "`q` is 70 bits wide: use get_wide");
    assert_eq!(
        refused(&|m| drop(m.run(1, &[32, 0, 0], &mut [0, 0]))),
        "the stimulus of cycle 0 does not fit its ports"
    );
    assert!(refused(&|m| drop(m.run(2, &[0, 0, 0], &mut [0; 4]))).contains("stimulus"));
}

#[test]
fn threads_that_make_and_drop_models_do_not_disturb_each_other() {
    let mut source = counter();
    source.files[0].1 = source.files[0]
        .1
        .replace("endmodule", "always @(posedge clk) assert (count != 9);\nendmodule");
    source.options.assertions = true;
    let library = library(&source);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let mut model = library.model();
                    model.set(model.port("en").unwrap(), 1);
                    let failed: Vec<_> = (0..20).filter(|_| model.tick().is_err()).collect();
                    assert_eq!(failed, [9]);
                }
            });
        }
    });
}
