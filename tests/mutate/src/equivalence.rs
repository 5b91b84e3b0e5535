//! Proves a mutant equivalent to the unit: the same outputs, for all time and all allowed inputs.
//!
//! Two copies of the design run side by side on the same inputs, one of them without a mutant. Both start in the
//! same state, with the initial values of the Verilog and one cycle of reset. To be proved is that no output
//! ever differs while the inputs satisfy the design's assumptions. The proof is by induction: a set of facts
//! holds after the reset, and if it has held for some cycles it holds in the next. The set begins with every
//! candidate (this bit of a register is the same in both copies, these are the same while that flag is set, that
//! bit is never set, this assertion holds). Those that the solver can break are removed, until it can break none.
//! If "the outputs are the same" remains, the mutant is equivalent.

use crate::model::{Model, Register};
use crate::mutant::SELECT;
use crate::solver::{Answer, Solver};
use kit::Failure;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tools::Installed;

/// The inductions to try, in order: depth in cycles, and granularity of the facts.
///
/// The cheap ones come first. Whether an assertion held in a cycle is known only in the next one, so facts that
/// depend on an assertion need a depth of two.
const ATTEMPTS: [(usize, Grain); 6] = [
    (1, Grain::Registers),
    (2, Grain::Registers),
    (1, Grain::Fields),
    (2, Grain::Fields),
    (1, Grain::Bits),
    (2, Grain::Bits),
];
/// Cycles after the reset that are searched for a difference before finer facts are tried.
const GLANCE: usize = 6;
/// Time limit for one mutant. A proof that succeeds takes seconds on an idle machine.
const PATIENCE: Duration = Duration::from_secs(300);
/// The reset, high in the first cycle.
const RESET: &str = "rst";

/// Result of comparing a mutant with the unit.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Equivalence {
    /// Equivalent, by an induction of this depth.
    Proved(usize),
    /// Some inputs make an output differ in this cycle after the reset.
    Differs(usize),
    /// Neither was shown.
    Unknown,
}

/// Granularity of the facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grain {
    /// A register or a memory is the same in both copies: few facts, quickly checked.
    Registers,
    /// A memory is the same; a bit of a register is, or a register is while a flag is set; a bit is never set.
    Fields,
    /// As `Fields`, and each bit of a memory by itself.
    Bits,
}

/// Tries to prove a mutant equivalent.
pub fn prove(model: &Model, mutant: usize, z3: &Installed) -> Result<Equivalence, Failure> {
    let until = Instant::now() + PATIENCE;
    for (number, (depth, grain)) in ATTEMPTS.into_iter().enumerate() {
        match induction(model, mutant, depth, grain, z3, until)? {
            Equivalence::Unknown => {}
            known => return Ok(known),
        }
        if number == 0
            && let Some(time) = glance(model, mutant, z3, until)?
        {
            return Ok(Equivalence::Differs(time));
        }
    }
    Ok(Equivalence::Unknown)
}

/// The first cycle of a short run from reset in which an output differs, if the solver finds such a run.
fn glance(
    model: &Model,
    mutant: usize,
    z3: &Installed,
    until: Instant,
) -> Result<Option<usize>, Failure> {
    let mut solver = from_reset(model, mutant, GLANCE, z3, until)?;
    let facts = facts(model, Grain::Registers);
    let mut names = Vec::new();
    for time in 1..=GLANCE {
        let same = facts.iter().filter(|fact| fact.wanted).map(|fact| fact.at(time));
        let same: Vec<String> = same.collect();
        names.push(format!("same_{time}"));
        solver.say(&format!("(define-fun same_{time} () Bool (and true {}))", same.join(" ")))?;
    }
    solver.say(&format!("(assert (not (and {})))", names.join(" ")))?;
    if solver.check()? != Answer::Satisfiable {
        return Ok(None);
    }
    let broken = solver.false_ones(&names)?.first().copied();
    Ok((1..).zip(&names).find(|(_, name)| Some(*name) == broken).map(|(time, _)| time))
}

/// A solver with the runs that start with a reset in cycle 0.
fn from_reset(
    model: &Model,
    mutant: usize,
    cycles: usize,
    z3: &Installed,
    until: Instant,
) -> Result<Solver, Failure> {
    let mut solver = Solver::start(z3, until)?;
    solver.say(&model.text)?;
    solver.say(&run(model, mutant, cycles + 1))?;
    solver.say(&format!("(assert {})", model.initial("g0")))?;
    for Register { function, .. } in &model.registers {
        solver.say(&format!("(assert (= ({function} g0) ({function} h0)))"))?;
    }
    if model.inputs.iter().any(|(name, _)| name == RESET) {
        solver.say(&format!("(assert {})", model.signal(RESET, "g0")))?;
    }
    Ok(solver)
}

/// Something that may be true of the two copies in every cycle.
struct Fact {
    /// A formula over the states `@g` of the design and `@h` of the mutant.
    formula: String,
    /// Part of the claim: if the solver breaks it, the proof fails.
    wanted: bool,
}

impl Fact {
    fn at(&self, time: usize) -> String {
        self.formula.replace("@g", &format!("g{time}")).replace("@h", &format!("h{time}"))
    }
}

/// Result of an induction of this depth.
fn induction(
    model: &Model,
    mutant: usize,
    depth: usize,
    grain: Grain,
    z3: &Installed,
    until: Instant,
) -> Result<Equivalence, Failure> {
    let facts = facts(model, grain);
    let mut kept: BTreeSet<usize> = (0..facts.len()).collect();

    // What does not hold in the first cycles is no fact.
    let mut solver = from_reset(model, mutant, depth, z3, until)?;
    for time in 1..=depth {
        match thin_out(&mut solver, &facts, &mut kept, time, &[])? {
            Thinned::Holds => {}
            Thinned::Broken => return Ok(Equivalence::Differs(time)),
            Thinned::Unknown => return Ok(Equivalence::Unknown),
        }
    }

    drop(solver);

    // From anywhere, if they have held so far.
    let mut solver = Solver::start(z3, until)?;
    solver.say(&model.text)?;
    solver.say(&run(model, mutant, depth + 1))?;
    let before: Vec<usize> = (0..depth).collect();
    Ok(match thin_out(&mut solver, &facts, &mut kept, depth, &before)? {
        Thinned::Holds => Equivalence::Proved(depth),
        Thinned::Broken | Thinned::Unknown => Equivalence::Unknown,
    })
}

/// Facts left after one round of the solver.
enum Thinned {
    /// Facts that hold, the whole claim among them.
    Holds,
    /// A part of the claim can be broken.
    Broken,
    /// The solver gave up.
    Unknown,
}

/// The states of a run of both copies, with their transitions. The last state is there because a state's
/// assumptions are known only in the next.
fn run(model: &Model, mutant: usize, last: usize) -> String {
    let mut text = String::new();
    let sort = model.sort();
    for time in 0..=last {
        let [g, h] = [format!("g{time}"), format!("h{time}")];
        let _ = writeln!(text, "(declare-const {g} {sort})\n(declare-const {h} {sort})");
        let _ = writeln!(text, "(assert {})", model.assumed(&g));
        for (name, width) in &model.inputs {
            let [of_g, of_h] = [&g, &h].map(|state| model.signal(name, state));
            if name == SELECT {
                let [none, this] = [0, mutant].map(|number| constant(number, *width));
                let _ = writeln!(text, "(assert (and (= {of_g} {none}) (= {of_h} {this})))");
            } else {
                let _ = writeln!(text, "(assert (= {of_g} {of_h}))");
            }
        }
        if time > 0 {
            let [step_g, step_h] = ["g", "h"]
                .map(|copy| model.step(&format!("{copy}{}", time - 1), &format!("{copy}{time}")));
            let _ = writeln!(text, "(assert (and {step_g} {step_h}))");
        }
    }
    text
}

/// A number as the solver writes it; one bit is a truth value.
fn constant(number: usize, width: u32) -> String {
    match width {
        1 => (number == 1).to_string(),
        _ => format!("#b{number:0width$b}", width = width as usize),
    }
}

/// Every candidate fact.
fn facts(model: &Model, grain: Grain) -> Vec<Fact> {
    let mut facts = Vec::new();
    for output in &model.outputs {
        let [g, h] = ["@g", "@h"].map(|state| model.signal(output, state));
        facts.push(Fact { formula: format!("(= {g} {h})"), wanted: true });
    }
    let bit = |register: &str, bit: u32, state: &str| {
        format!("((_ extract {bit} {bit}) ({register} {state}))")
    };
    let flags: Vec<&String> =
        model.registers.iter().filter(|it| it.width == 1).map(|it| &it.function).collect();
    for Register { function: register, width, is_memory } in &model.registers {
        if grain == Grain::Registers || grain == Grain::Fields && *is_memory {
            let formula = format!("(= ({register} @g) ({register} @h))");
            facts.push(Fact { formula, wanted: false });
            continue;
        }
        for number in 0..*width {
            let [g, h] = ["@g", "@h"].map(|state| bit(register, number, state));
            facts.push(Fact { formula: format!("(= {g} {h})"), wanted: false });
            facts.push(Fact { formula: format!("(= {g} #b0)"), wanted: false });
        }
        for flag in flags.iter().filter(|flag| **flag != register) {
            for value in ["#b0", "#b1"] {
                let formula =
                    format!("(=> (= ({flag} @g) {value}) (= ({register} @g) ({register} @h)))");
                facts.push(Fact { formula, wanted: false });
            }
        }
    }
    for number in 0..model.assertions {
        for state in ["@g", "@h"] {
            facts.push(Fact { formula: model.asserted(number, state), wanted: false });
        }
    }
    facts
}

/// Removes the facts that can be broken at `time` while the remaining ones hold before it.
fn thin_out(
    solver: &mut Solver,
    facts: &[Fact],
    kept: &mut BTreeSet<usize>,
    time: usize,
    before: &[usize],
) -> Result<Thinned, Failure> {
    for number in kept.iter() {
        for time in before.iter().chain([&time]) {
            let name = format!("f{number}_{time}");
            let formula = facts[*number].at(*time);
            solver.say(&format!("(define-fun {name} () Bool {formula})"))?;
        }
    }
    loop {
        let names: Vec<String> = kept.iter().map(|number| format!("f{number}_{time}")).collect();
        solver.say("(push)")?;
        for number in kept.iter() {
            for time in before {
                solver.say(&format!("(assert f{number}_{time})"))?;
            }
        }
        let broken: Vec<String> = names.iter().map(|name| format!("(not {name})")).collect();
        solver.say(&format!("(assert (or false {}))", broken.join(" ")))?;
        match solver.check()? {
            Answer::Unsatisfiable => {
                solver.say("(pop)")?;
                return Ok(Thinned::Holds);
            }
            Answer::Unknown => return Ok(Thinned::Unknown),
            Answer::Satisfiable => {}
        }
        for name in solver.false_ones(&names)? {
            let number = name[1..].split('_').next().and_then(|number| number.parse().ok());
            let number: usize = number.expect("it was made from a number");
            if facts[number].wanted {
                return Ok(Thinned::Broken);
            }
            kept.remove(&number);
        }
        solver.say("(pop)")?;
    }
}
