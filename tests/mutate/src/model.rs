//! A design as Yosys's `write_smt2` writes it: which inputs, outputs and registers it has.

/// A module that makes one step in each cycle. Its state holds registers, memories and inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The text that defines it.
    pub text: String,
    /// The module's name.
    pub name: String,
    /// Its inputs and their widths.
    pub inputs: Vec<(String, u32)>,
    /// Its outputs.
    pub outputs: Vec<String>,
    /// How many assertions it has.
    pub assertions: usize,
    /// The functions of a state that give a register or a memory.
    pub registers: Vec<Register>,
}

/// What a design keeps from cycle to cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// The function of a state that gives it.
    pub function: String,
    /// Its bits; of a memory, all rows together.
    pub width: u32,
    /// It is a memory.
    pub is_memory: bool,
}

impl Model {
    /// Reads the text.
    ///
    /// # Errors
    /// What is missing in it.
    pub fn parse(text: &str) -> Result<Model, String> {
        let noted = |what: &str| {
            let start = format!("; yosys-smt2-{what} ");
            text.lines().filter_map(move |line| Some(line.strip_prefix(&start)?.to_owned()))
        };
        let name = noted("topmod").next().ok_or("the solver's model names no module")?;
        let mut inputs = Vec::new();
        for line in noted("input") {
            let found = line
                .split_once(' ')
                .and_then(|(name, width)| Some((name.to_owned(), width.parse::<u32>().ok()?)));
            inputs.push(found.ok_or_else(|| {
                format!(
                    "expected the name and width of an input in the solver's model, got `{line}`"
                )
            })?);
        }
        let outputs = noted("output").filter_map(|line| Some(line.split_once(' ')?.0.to_owned()));
        let outputs = outputs.collect();
        let assertions = noted("assert").count();
        let registers = registers(text, &name)?;
        Ok(Model { text: text.to_owned(), name, inputs, outputs, assertions, registers })
    }

    /// The sort of a state.
    pub fn sort(&self) -> String {
        format!("|{}_s|", self.name)
    }

    /// A signal of a state, by name.
    pub fn signal(&self, name: &str, state: &str) -> String {
        format!("(|{}_n {name}| {state})", self.name)
    }

    /// That registers and memories with a first value have it in a state.
    pub fn initial(&self, state: &str) -> String {
        format!("(|{}_i| {state})", self.name)
    }

    /// That one state follows another.
    pub fn step(&self, from: &str, to: &str) -> String {
        format!("(|{}_t| {from} {to})", self.name)
    }

    /// That nothing which the module assumes is broken before a state.
    pub fn assumed(&self, state: &str) -> String {
        format!("(|{}_u| {state})", self.name)
    }

    /// That an assertion held before a state.
    pub fn asserted(&self, number: usize, state: &str) -> String {
        format!("(|{}_a {number}| {state})", self.name)
    }
}

/// What the step says the next state's are: each on a line that ends in `(|name| next_state))`.
fn registers(text: &str, module: &str) -> Result<Vec<Register>, String> {
    let head = format!("(define-fun |{module}_t| ");
    let step = text.lines().skip_while(|line| !line.starts_with(&head)).skip(1);
    let mut found = Vec::new();
    for line in step.take_while(|line| line.starts_with("  ")) {
        let Some((before, _)) = line.rsplit_once("| next_state)") else { continue };
        let Some((_, function)) = before.rsplit_once("(|") else { continue };
        let width = width(text, function, module)
            .ok_or_else(|| format!("the width of {function} is unknown"))?;
        // Yosys numbers what a memory holds after each of its writes.
        let is_memory =
            function.strip_prefix(module).is_some_and(|rest| rest.matches('#').count() > 1);
        found.push(Register { function: format!("|{function}|"), width, is_memory });
    }
    Ok(found)
}

fn width(text: &str, function: &str, module: &str) -> Option<u32> {
    let head = format!("(define-fun |{function}| ((state |{module}_s|)) (_ BitVec ");
    let line = text.lines().find_map(|line| line.strip_prefix(&head))?;
    line.split_once(')')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
; yosys-smt2-module m
(define-sort |m_s| () (_ BitVec 9))
(define-fun |m#0| ((state |m_s|)) (_ BitVec 4) ((_ extract 4 1) state)) ; \\count
; yosys-smt2-input en 1
; yosys-smt2-output out 4
; yosys-smt2-assert 0 small
(define-fun |m#7#0| ((state |m_s|)) (_ BitVec 8) ((_ extract 12 5) state)) ; rows
(define-fun |m_t| ((state |m_s|) (next_state |m_s|)) Bool (and
  (= (|m#3| state) (|m#0| next_state)) ; $procdff$12 \\count
  (= (|m#7#1| state) (|m#7#0| next_state)) ; rows
)) ; end of module m
; yosys-smt2-topmod m
";

    #[test]
    fn inputs_outputs_and_registers_are_found() {
        let model = Model::parse(TEXT).unwrap();
        assert_eq!(model.name, "m");
        assert_eq!(model.inputs, [("en".to_owned(), 1)]);
        assert_eq!(model.outputs, ["out"]);
        assert_eq!(model.assertions, 1);
        let register = |function: &str, width, is_memory| Register {
            function: function.to_owned(),
            width,
            is_memory,
        };
        assert_eq!(model.registers, [register("|m#0|", 4, false), register("|m#7#0|", 8, true)]);
        assert!(Model::parse("").is_err());
    }
}
