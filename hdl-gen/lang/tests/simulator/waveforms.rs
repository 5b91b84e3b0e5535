//! Waveforms, to the byte.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use hdl::*;

use crate::support::{Circuit, simulate};

/// A writer whose text can be read afterwards.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).unwrap()
    }
}

impl io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, HwEnum)]
enum Light {
    Red,
    Green,
    Yellow,
}

#[derive(Clone, Bundle)]
struct Io {
    go: Sig,
    light: Enum<Light>,
    wide: Sig,
}

#[hardware]
fn signal(_: usize) -> Io {
    let io = ports(Io { go: input(1), light: output(Light::shape()), wide: output(70) });
    let light = reg(Light::shape()).reset(Light::Red);
    let changes = reg(70).reset(0);
    let moving = io.go | light.is(Light::Yellow);
    when(moving, || {
        changes.set(changes + 1);
        switch(light, |s| {
            s.case(Light::Red, || light.set(Light::Green));
            s.case(Light::Green, || light.set(Light::Yellow));
            s.case(Light::Yellow, || light.set(Light::Red));
        });
    });
    io.light.set_from(light);
    io.wide.set(-changes);
    io
}

#[hardware]
fn crossing(_: usize) -> Io {
    let io = ports(Io { go: input(1), light: output(Light::shape()), wide: output(70) });
    let north = Circuit { name: "signal", parameter: 0, build: signal }.instance();
    north.go.set(io.go);
    io.light.set_from(north.light);
    io.wide.set(north.wide);
    io
}

fn waveform() -> String {
    let (mut sim, io) = simulate("crossing", 0, crossing);
    let text = Shared::default();
    sim.trace(text.clone()).unwrap();
    sim.reset();
    sim.set(io.go, 1);
    sim.steps(2);
    sim.set(io.go, 0);
    sim.steps(2);
    sim.end_trace().unwrap();
    text.text()
}

#[test]
fn a_waveform_shows_scopes_changes_and_named_states() {
    insta::assert_snapshot!(waveform());
}

#[test]
fn equal_runs_give_equal_waveforms() {
    assert_eq!(waveform(), waveform());
}

#[test]
fn an_error_in_writing_is_reported_at_the_end() {
    struct Full(usize);
    impl io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (mut sim, _) = simulate("crossing", 0, crossing);
    sim.trace(Full(100)).unwrap();
    sim.steps(10_000);
    let error = sim.end_trace().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
