//! The ports of the design, as text for sides that are written in another language; and the number
//! that all sides make of what they see.

use std::fmt::Write as _;

use verilate::{Direction, ModelSource, Port, PortTable};

/// All outputs of some cycles as one number. Other sides repeat this definition.
#[derive(Default)]
pub struct Sum(pub u64);

impl Sum {
    /// One cycle: each word turned by its place, all of them on top of what was.
    #[inline]
    pub fn add(&mut self, outputs: &[u64]) {
        let turned = outputs.iter().zip(0..).map(|(word, place)| word.rotate_left(place));
        self.0 = self.0.rotate_left(7) ^ turned.fold(0, |all, word| all ^ word);
    }
}

/// The inputs, without the clock, in the order of their words.
pub fn inputs(source: &ModelSource) -> Vec<Port> {
    of(source, Direction::In)
}

/// The outputs in the order of their words.
pub fn outputs(source: &ModelSource) -> Vec<Port> {
    of(source, Direction::Out)
}

fn of(source: &ModelSource, direction: Direction) -> Vec<Port> {
    let ports = PortTable::lay_out(&source.ports).ports.into_iter();
    let ports: Vec<_> = ports.filter(|port| port.dir == direction && port.words > 0).collect();
    assert!(ports.iter().all(|port| port.words == 1), "a port of more than 64 bits");
    ports
}

/// A line for each port.
pub fn lines(ports: &[Port], line: impl Fn(&Port) -> String) -> String {
    ports.iter().fold(String::new(), |mut text, port| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line(port));
        text
    })
}
