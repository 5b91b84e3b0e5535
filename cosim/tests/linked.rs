//! Models that are linked in: typed handles, and the same behaviour as models on demand.
#![cfg(feature = "static-models")]

use cosim::units::{self, ContextRegister};
use cosim::{Bench, Builder, Model, Simulation, lockstep};
use kit::Dice;

#[test]
fn ports_are_methods() {
    let mut unit = ContextRegister::new();
    unit.set_rst(true);
    unit.tick().unwrap();
    unit.set_rst(false);
    unit.set_event_valid(true);
    for kind in [3, 1, 2] {
        unit.set_event_kind(kind);
        unit.tick().unwrap();
    }
    unit.set_event_valid(false);
    unit.eval().unwrap();
    assert_eq!(unit.ctx(), 0b11_01_10);
    assert!(!unit.event_valid());
    assert_eq!(unit.model().cycle(), 4);
}

#[test]
fn bits_beyond_a_port_are_refused() {
    let refused = std::panic::catch_unwind(|| ContextRegister::new().set_event_kind(4));
    let text = *refused.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(text, "0x4 does not fit the 2 bits of `event_kind`");
}

#[test]
fn many_live_in_one_process_and_change_threads() {
    let handles: Vec<_> = (0..8_u16)
        .map(|number| {
            let mut unit = ContextRegister::new();
            unit.set_write_valid(true);
            unit.set_write_data(number);
            unit.tick().unwrap();
            std::thread::spawn(move || {
                unit.set_write_valid(false);
                unit.tick().unwrap();
                (number, unit.ctx())
            })
        })
        .collect();
    for handle in handles {
        let (number, seen) = handle.join().unwrap();
        assert_eq!(seen, number);
    }
}

/// A bench for any handle: the newest event is in the lowest bits.
struct Shift(u64);

impl<D: Simulation> Bench<D> for Shift {
    type Stimulus = u8;
    type Outputs = u64;

    fn drive(&mut self, dut: &mut D, kind: &u8) {
        dut.model_mut().poke("event_valid", true);
        dut.model_mut().poke("event_kind", *kind);
    }

    fn sample(&self, dut: &D) -> u64 {
        dut.model().peek("ctx")
    }

    fn expect(&mut self, kind: &u8, _: &u64) -> u64 {
        let shown = self.0;
        self.0 = (shown << 2 | u64::from(*kind)) & 0x3ff;
        shown
    }
}

#[test]
fn one_bench_serves_linked_models_and_models_on_demand() {
    let kinds: Vec<u8> = (0..50).map(|cycle| cycle / 3 % 4).collect();
    let mut linked = ContextRegister::new();
    assert_eq!(lockstep(&mut linked, &mut Shift(0), kinds.clone()).unwrap(), 50);
    let library = Builder::for_workspace().library(ContextRegister::source()).unwrap();
    let mut on_demand: Model = library.model();
    assert_eq!(lockstep(&mut on_demand, &mut Shift(0), kinds).unwrap(), 50);
}

#[test]
fn every_unit_behaves_as_its_model_on_demand() {
    const CYCLES: usize = 2000;
    for (name, source, linked) in units::all() {
        let on_demand = Builder::for_workspace().library(source).unwrap();
        assert_eq!(linked.ports(), on_demand.ports(), "{name}");
        let mut noise = Dice::new(1);
        let mut stimulus = Vec::new();
        for cycle in 0..CYCLES {
            let start = stimulus.len();
            stimulus.resize(start + linked.input_words(), 0);
            let inputs = linked.ports().iter().filter(|p| p.dir == cosim::Direction::In);
            for port in inputs.filter(|port| port.words > 0) {
                let place = start + port.word as usize;
                let words = &mut stimulus[place..place + port.words as usize];
                words.fill_with(|| noise.roll());
                if !port.width.is_multiple_of(64) {
                    words[words.len() - 1] &= (1 << (port.width % 64)) - 1;
                }
                if port.name == "rst" {
                    words[0] = u64::from(cycle % 500 == 0);
                }
            }
        }
        let [first, second] = [linked, &on_demand].map(|library| {
            let mut response = vec![0; CYCLES * library.output_words()];
            let (done, result) = library.model().run(CYCLES as u64, &stimulus, &mut response);
            result.unwrap();
            assert_eq!(done as usize, CYCLES, "{name}");
            response
        });
        assert!(first == second, "{name}");
    }
}
