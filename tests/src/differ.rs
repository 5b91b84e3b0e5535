//! Comparison: all simulators on one pack, and from a disagreement to the smallest circuit that
//! shows it.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::circuit::reduce::reduce;
use crate::circuit::{Circuit, Genome, genomes, grow, print};
use crate::pack::{Member, Subject};
use crate::simulators::{Reference, Simulator};
use crate::stimulus::{Response, Stimulus};
use kit::Dice;

/// The variable that names another seed.
pub const SEED_VARIABLE: &str = "CROSSTALK_SEED";

/// The seed of a test: its own, unless the environment names another.
pub fn seed(usual: u64) -> u64 {
    match std::env::var(SEED_VARIABLE) {
        Ok(text) => {
            text.parse().unwrap_or_else(|_| panic!("{SEED_VARIABLE}={text} is not a number"))
        }
        Err(_) => usual,
    }
}

/// A circuit still with its genes, so that it can shrink.
pub struct Specimen {
    tree: Box<dyn ValueTree<Value = Genome>>,
    /// The circuit, under its number.
    pub member: Member,
}

/// The circuits that a seed stands for, numbered from `first`. Each depends on the seed and its own
/// number alone.
pub fn specimens(seed: u64, numbers: std::ops::Range<usize>) -> Vec<Specimen> {
    let strategy: BoxedStrategy<Genome> = genomes().boxed();
    let grown = numbers.map(|number| {
        let mut dice = Dice::new(seed ^ (number as u64) << 20);
        let bytes: Vec<u8> = (0..4).flat_map(|_| dice.roll().to_le_bytes()).collect();
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let tree = strategy.new_tree(&mut runner).expect("nothing is filtered");
        let circuit = Arc::new(grow(&tree.current()));
        Specimen { tree, member: Member { number, circuit } }
    });
    grown.collect()
}

/// What a run of a simulator shows.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// The language refuses the circuit.
    Refused(String),
    /// A simulator cannot run it.
    Broken {
        /// Name of the simulator.
        simulator: &'static str,
        /// What it says.
        text: String,
    },
    /// A simulator gives another value than the reference.
    Different {
        /// Name of the simulator.
        simulator: &'static str,
        /// The first cycle with a difference.
        cycle: usize,
        /// The place of the first output that differs in it.
        output: usize,
    },
}

impl Trouble {
    /// Whether shrinking from one to the other stays with the same fault.
    fn is_like(&self, other: &Trouble) -> bool {
        fn opening(text: &str, parts: usize) -> Vec<&str> {
            text.splitn(parts + 1, ':').take(parts).collect()
        }
        match (self, other) {
            (Trouble::Refused(a), Trouble::Refused(b)) => opening(a, 2) == opening(b, 2),
            (Trouble::Broken { text: a, .. }, Trouble::Broken { text: b, .. }) => {
                opening(a, 1) == opening(b, 1)
            }
            (Trouble::Different { .. }, Trouble::Different { .. }) => true,
            _ => false,
        }
    }
}

/// Compares simulators with the reference.
pub struct Differ<'a> {
    /// Everything that must agree with the reference.
    pub simulators: &'a [Box<dyn Simulator>],
    /// Decides the stimulus.
    pub seed: u64,
    /// How long each circuit runs.
    pub cycles: usize,
}

impl Differ<'_> {
    /// Runs the circuits together in every simulator; the report of the first disagreement, shrunk.
    pub fn check(&self, mut specimens: Vec<Specimen>) -> Result<(), Report> {
        let members: Vec<Member> = specimens.iter().map(|each| each.member.clone()).collect();
        let subject = match Subject::new(&members) {
            Ok(subject) => subject,
            Err(refused) => return Err(self.refused(&mut specimens, refused.to_string())),
        };
        let stimulus = Stimulus::new(&subject, self.seed, self.cycles);
        let expected = Reference.run(&subject, &stimulus).expect("the reference runs everything");
        for simulator in self.simulators {
            let start = Instant::now();
            let trouble = trouble(&subject, &stimulus, &expected, &**simulator);
            let (first, count) = (members[0].number, members.len());
            let took = start.elapsed().as_secs_f32();
            println!("circuits {first} to {}: {} {took:.1} s", first + count - 1, simulator.name());
            let Some(trouble) = trouble else { continue };
            let suspect = match trouble {
                Trouble::Different { output, .. } => Some(subject.owners[output]),
                _ => self.isolate(&members, &**simulator, &trouble),
            };
            if let Some(place) = suspect
                && let Some(alone) = self.alone(&members[place..=place], &**simulator)
                && alone.is_like(&trouble)
            {
                return Err(self.shrink(&mut specimens[place], &**simulator, alone));
            }
            return Err(self.report(&subject, &trouble, "only in the company of others"));
        }
        Ok(())
    }

    /// The first thing wrong with one simulator's run of a pack.
    pub fn compare(&self, subject: &Subject, simulator: &dyn Simulator) -> Option<Trouble> {
        let stimulus = Stimulus::new(subject, self.seed, self.cycles);
        let expected = Reference.run(subject, &stimulus).expect("the reference runs everything");
        trouble(subject, &stimulus, &expected, simulator)
    }

    /// The same for some circuits by themselves.
    fn alone(&self, members: &[Member], simulator: &dyn Simulator) -> Option<Trouble> {
        match Subject::new(members) {
            Ok(subject) => self.compare(&subject, simulator),
            Err(diagnostics) => Some(Trouble::Refused(diagnostics.to_string())),
        }
    }

    /// The place of a circuit that is in trouble by itself, found by halving.
    fn isolate(
        &self,
        members: &[Member],
        simulator: &dyn Simulator,
        like: &Trouble,
    ) -> Option<usize> {
        let mut range = 0..members.len();
        while range.len() > 1 {
            let middle = range.start + range.len() / 2;
            let halves = [range.start..middle, middle..range.end];
            range = halves.into_iter().find(|half| {
                let trouble = self.alone(&members[half.clone()], simulator);
                trouble.is_some_and(|trouble| trouble.is_like(like))
            })?;
        }
        range.next()
    }

    fn refused(&self, specimens: &mut [Specimen], text: String) -> Report {
        let members: Vec<Member> = specimens.iter().map(|each| each.member.clone()).collect();
        let trouble = Trouble::Refused(text);
        match self.isolate(&members, &Reference, &trouble) {
            Some(place) => self.shrink(&mut specimens[place], &Reference, trouble),
            None => {
                Report { text: format!("a pack is refused, but no circuit of it: {trouble:?}") }
            }
        }
    }

    /// Shrinks genes, then the tree, as long as the same kind of trouble remains.
    fn shrink(
        &self,
        specimen: &mut Specimen,
        simulator: &dyn Simulator,
        trouble: Trouble,
    ) -> Report {
        let number = specimen.member.number;
        let as_bad = |circuit: &Circuit| {
            let member = Member { number, circuit: Arc::new(circuit.clone()) };
            let alone = self.alone(&[member], simulator);
            alone.is_some_and(|alone| alone.is_like(&trouble))
        };
        let mut left = simulator.patience();
        let mut best = (*specimen.member.circuit).clone();
        let tree = &mut specimen.tree;
        while left > 0 && tree.simplify() {
            loop {
                left = left.saturating_sub(1);
                let candidate = grow(&tree.current());
                if as_bad(&candidate) {
                    best = candidate;
                    break;
                }
                if left == 0 || !tree.complicate() {
                    break;
                }
            }
        }
        let best = reduce(&best, simulator.patience(), as_bad);
        let member = Member { number, circuit: Arc::new(best) };
        let trouble = self.alone(std::slice::from_ref(&member), simulator).unwrap_or(trouble);
        match Subject::new(std::slice::from_ref(&member)) {
            Ok(subject) => self.report(&subject, &trouble, "shrunk"),
            Err(_) => self.write(&member, "", &trouble, "shrunk", String::new()),
        }
    }

    fn report(&self, subject: &Subject, trouble: &Trouble, how: &str) -> Report {
        let mut values = String::new();
        let member = match trouble {
            Trouble::Different { cycle, output, .. } => {
                let stimulus = Stimulus::new(subject, self.seed, self.cycles);
                let rst = u8::from(stimulus.reset[*cycle]);
                values += &format!(
                    "in cycle {cycle} (rst = {rst}), {}:\n",
                    subject.outputs[*output].name
                );
                let all = std::iter::once(&Reference as &dyn Simulator)
                    .chain(self.simulators.iter().map(|simulator| &**simulator));
                for simulator in all {
                    let value = match simulator.run(subject, &stimulus) {
                        Ok(response) => response.show(subject, *cycle, *output),
                        Err(text) => format!("failed: {text}"),
                    };
                    values += &format!("  {:<10} {value}\n", simulator.name());
                }
                for (port, value) in subject.inputs.iter().zip(stimulus.values(subject, *cycle)) {
                    values += &format!("  with {} = {}'h{value:x}\n", port.name, port.width);
                }
                &subject.members[subject.owners[*output]]
            }
            _ => &subject.members[0],
        };
        self.write(member, &subject.verilog(), trouble, how, values)
    }

    fn write(
        &self,
        member: &Member,
        verilog: &str,
        trouble: &Trouble,
        how: &str,
        values: String,
    ) -> Report {
        let what = match trouble {
            Trouble::Refused(text) => {
                format!("the language refuses a well-formed circuit:\n{text}")
            }
            Trouble::Broken { simulator, text } => {
                format!("{simulator} cannot run a circuit:\n{text}")
            }
            Trouble::Different { simulator, .. } => {
                format!("{simulator} disagrees with the reference")
            }
        };
        let (number, seed) = (member.number, self.seed);
        let rust = print::rust(&member.circuit);
        Report {
            text: format!(
                "circuit {number} of seed {seed} ({SEED_VARIABLE}={seed} repeats it; {how}): {what}\n\
                 {values}\n--- Rust ---\n{rust}\n--- Verilog ---\n{verilog}"
            ),
        }
    }
}

fn trouble(
    subject: &Subject,
    stimulus: &Stimulus,
    expected: &Response,
    simulator: &dyn Simulator,
) -> Option<Trouble> {
    let name = simulator.name();
    match simulator.run(subject, stimulus) {
        Err(text) => Some(Trouble::Broken { simulator: name, text }),
        Ok(response) => {
            let (cycle, output) = expected.first_difference(&response, subject)?;
            Some(Trouble::Different { simulator: name, cycle, output })
        }
    }
}

/// A disagreement, ready to be read.
#[derive(Clone)]
pub struct Report {
    /// Seed, circuit, values, Rust and Verilog.
    pub text: String,
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
