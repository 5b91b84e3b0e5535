//! A running simulation: set inputs, tick, read outputs.

use std::ffi::CString;
use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use crate::ffi::{Handle, Status};
use crate::{Direction, Error, Failure, Library, Port, PortId};

/// One simulation of a design. It can move to another thread; it shares nothing with others of
/// the same library.
///
/// Setting and reading ports only touches memory shared with the model; the border to C++ is
/// crossed once in each [`tick`](Self::tick), [`eval`](Self::eval) or [`run`](Self::run). See
/// the [crate's page](crate) for what a cycle is.
pub struct Model {
    handle: Handle,
    library: Library,
    finished: bool,
}

impl Model {
    pub(crate) fn new(library: Library) -> Self {
        let handle = Handle::new(library.inner.code.clone()).expect("memory for a model");
        Self { handle, library, finished: false }
    }

    /// The library it was made from.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The port of that name.
    pub fn port(&self, name: &str) -> Option<PortId> {
        self.library.port(name)
    }

    /// Sets an input of at most 64 bits for the cycles to come.
    ///
    /// # Panics
    /// If the port is not an input, is wider than 64 bits, is the clock, or `value` does not
    /// fit: bits beyond a port's width would corrupt the simulation.
    #[inline]
    pub fn set(&mut self, port: PortId, value: u64) {
        let info = self.library.port_info(port);
        if info.dir != Direction::In || info.words != 1 || value & !info.last_mask() != 0 {
            refuse_set(info, value);
        }
        self.handle.inputs_mut()[info.word as usize] = value;
    }

    /// Sets an input of any width, least significant word first.
    ///
    /// # Panics
    /// If the port is not an input, is the clock, `value` does not have the port's number of
    /// words, or does not fit.
    #[inline]
    pub fn set_wide(&mut self, port: PortId, value: &[u64]) {
        let info = self.library.port_info(port);
        let fits = value.last().is_some_and(|last| last & !info.last_mask() == 0);
        if info.dir != Direction::In || info.words as usize != value.len() || !fits {
            refuse_set_wide(info, value);
        }
        let start = info.word as usize;
        self.handle.inputs_mut()[start..start + value.len()].copy_from_slice(value);
    }

    /// An output of at most 64 bits as the last [`tick`](Self::tick) or [`eval`](Self::eval)
    /// sampled it, or an input as it was last set.
    ///
    /// # Panics
    /// If the port is wider than 64 bits, or the clock.
    #[inline]
    pub fn get(&self, port: PortId) -> u64 {
        match *self.get_wide(port) {
            [value] => value,
            _ => refuse_get(self.library.port_info(port)),
        }
    }

    /// A port's words, least significant first; see [`get`](Self::get).
    #[inline]
    pub fn get_wide(&self, port: PortId) -> &[u64] {
        let info = self.library.port_info(port);
        let words = match info.dir {
            Direction::In => self.handle.inputs(),
            Direction::Out => self.handle.outputs(),
        };
        &words[info.word as usize..(info.word + info.words) as usize]
    }

    /// Sets the input of that name; see [`set`](Self::set).
    ///
    /// # Panics
    /// As `set`, and if there is no such port.
    #[track_caller]
    pub fn poke(&mut self, name: &str, value: impl Into<u64>) {
        self.set(self.named(name), value.into());
    }

    /// Sets the input of that name; see [`set_wide`](Self::set_wide).
    ///
    /// # Panics
    /// As `set_wide`, and if there is no such port.
    #[track_caller]
    pub fn poke_wide(&mut self, name: &str, value: &[u64]) {
        self.set_wide(self.named(name), value);
    }

    /// The port of that name; see [`get`](Self::get).
    ///
    /// # Panics
    /// As `get`, and if there is no such port.
    #[track_caller]
    pub fn peek(&self, name: &str) -> u64 {
        self.get(self.named(name))
    }

    /// The words of the port of that name; see [`get_wide`](Self::get_wide).
    ///
    /// # Panics
    /// If there is no such port.
    #[track_caller]
    pub fn peek_wide(&self, name: &str) -> &[u64] {
        self.get_wide(self.named(name))
    }

    /// One row of inputs as they are set now, laid out as [`Library::ports`] says.
    #[inline]
    pub fn inputs(&self) -> &[u64] {
        self.handle.inputs()
    }

    /// One row of outputs as last sampled, laid out as [`Library::ports`] says.
    #[inline]
    pub fn outputs(&self) -> &[u64] {
        self.handle.outputs()
    }

    /// Sets a word of the inputs; the caller guarantees that the bits are within the port's width.
    #[cfg(feature = "static-models")]
    #[inline]
    pub(crate) fn put(&mut self, word: usize, value: u64) {
        self.handle.inputs_mut()[word] = value;
    }

    #[track_caller]
    fn named(&self, name: &str) -> PortId {
        match self.port(name) {
            Some(port) => port,
            None => refuse_name(&self.library, name),
        }
    }

    /// Runs one cycle. The outputs are then those of this cycle, sampled before the edge.
    ///
    /// # Errors
    /// The failure that the design reported. The cycle is complete nevertheless and the simulation
    /// can continue, unless the failure is fatal.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Failure> {
        let status = self.handle.tick();
        self.check(status)
    }

    /// Lets the design settle with the present inputs, without a clock edge.
    ///
    /// # Errors
    /// As for [`tick`](Self::tick).
    #[inline]
    pub fn eval(&mut self) -> Result<(), Failure> {
        let status = self.handle.eval();
        self.check(status)
    }

    /// Runs many cycles in one call. Row `i` of `stimulus` holds the inputs of cycle `i`, and
    /// row `i` of `response` receives its outputs, both laid out as [`Library::ports`] says.
    /// Stops early after a cycle in which the design fails or finishes. What
    /// [`set`](Self::set) and [`get`](Self::get) see is not touched.
    ///
    /// Returns the number of cycles run, and the failure.
    ///
    /// # Panics
    /// If the buffers are not whole rows of `cycles` cycles, or an input word has bits beyond
    /// its port's width.
    pub fn run(
        &mut self,
        cycles: u64,
        stimulus: &[u64],
        response: &mut [u64],
    ) -> (u64, Result<(), Failure>) {
        let masks = &self.library.inner.input_masks;
        if !masks.is_empty() {
            for (cycle, row) in stimulus.chunks_exact(masks.len()).enumerate() {
                let excess =
                    row.iter().zip(masks).fold(0, |bits, (word, mask)| bits | word & !mask);
                assert!(excess == 0, "the stimulus of cycle {cycle} does not fit its ports");
            }
        }
        let (done, status) = self.handle.run(cycles, stimulus, response);
        (done, self.check(status))
    }

    /// Number of cycles run.
    pub fn cycle(&self) -> u64 {
        self.handle.cycle()
    }

    /// Whether the design has executed `$finish`. It can still be run.
    pub fn finished(&self) -> bool {
        self.finished
    }

    /// Takes the text that the design printed (`$display` and the like) since the last call.
    /// Text beyond one mebibyte is dropped.
    pub fn take_printed(&mut self) -> String {
        self.handle.take_printed()
    }

    /// Writes a VCD of the cycles in `cycles`, two time units each: the clock is low in the
    /// first and high in the second. Only [`tick`](Self::tick) and [`run`](Self::run) write to
    /// it. An open waveform is closed first.
    ///
    /// # Errors
    /// If the model was built without `trace`, or the file cannot be written.
    pub fn trace_open(&mut self, path: &Path, cycles: Range<u64>) -> Result<(), Error> {
        if !self.library.inner.code.can_trace() {
            return Err(self.not_built("trace"));
        }
        let name = writable(path)?;
        match self.handle.trace_open(&name, cycles.start, cycles.end) {
            true => Ok(()),
            false => Err(Error::io(path)(io::Error::other("cannot open the waveform"))),
        }
    }

    /// Completes the waveform. Dropping the model does so too, but cannot report an error.
    ///
    /// # Errors
    /// If the rest of the file cannot be written.
    pub fn trace_close(&mut self) -> Result<(), Error> {
        match self.handle.trace_close() {
            true => Ok(()),
            false => {
                let error = io::Error::other("cannot complete the waveform");
                Err(Error::io(Path::new(&self.library.inner.top))(error))
            }
        }
    }

    /// Writes the coverage counted so far, in Verilator's format.
    ///
    /// # Errors
    /// If the model was built without `coverage`, or the file cannot be written.
    pub fn write_coverage(&mut self, path: &Path) -> Result<(), Error> {
        if !self.library.inner.code.can_cover() {
            return Err(self.not_built("coverage"));
        }
        let name = writable(path)?;
        match self.handle.write_coverage(&name) {
            true => Ok(()),
            false => Err(Error::io(path)(io::Error::other("cannot write the coverage"))),
        }
    }

    #[inline]
    fn check(&mut self, status: Status) -> Result<(), Failure> {
        self.finished = status.finished();
        if status.failed() { Err(self.failure()) } else { Ok(()) }
    }

    #[cold]
    fn failure(&mut self) -> Failure {
        let mut failure = self.handle.take_failure();
        failure.message = readable(&failure.message);
        failure
    }

    fn not_built(&self, what: &'static str) -> Error {
        Error::NotBuilt { top: self.library.inner.top.clone(), what }
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Model");
        out.field("top", &self.library.top()).field("cycle", &self.cycle()).finish_non_exhaustive()
    }
}

/// Checks that the file can be written, because the Verilator runtime reports no reason.
fn writable(path: &Path) -> Result<CString, Error> {
    File::create(path).map_err(Error::io(path))?;
    CString::new(path.as_os_str().as_encoded_bytes())
        .map_err(|error| Error::io(path)(io::Error::new(io::ErrorKind::InvalidInput, error)))
}

/// A message without the time and the severity that Verilator puts before it: the cycle is
/// reported on its own, and every failure is an error.
fn readable(message: &str) -> String {
    let text = message.trim();
    let text = match text.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((time, rest)) if time.bytes().all(|b| b.is_ascii_digit()) => rest,
        _ => text,
    };
    let text = text.strip_prefix("%Error: ").or_else(|| text.strip_prefix("%Fatal: "));
    text.unwrap_or(message.trim()).to_owned()
}

#[cold]
#[track_caller]
fn refuse_name(library: &Library, name: &str) -> ! {
    let known: Vec<_> = library.ports().iter().map(|port| port.name.as_str()).collect();
    panic!("`{}` has no port `{name}`; its ports are: {}", library.top(), known.join(", "));
}

#[cold]
#[track_caller]
fn refuse_set(port: &Port, value: u64) -> ! {
    let Port { name, width, .. } = port;
    refuse_direction(port);
    if port.words > 1 {
        panic!("`{name}` is {width} bits wide: use set_wide");
    }
    panic!("{value:#x} does not fit the {width} bits of `{name}`");
}

#[cold]
#[track_caller]
fn refuse_set_wide(port: &Port, value: &[u64]) -> ! {
    let Port { name, width, words, .. } = port;
    refuse_direction(port);
    if value.len() != *words as usize {
        panic!("expected {words} words for `{name}`, got {}", value.len());
    }
    panic!("{value:x?} does not fit the {width} bits of `{name}`");
}

#[track_caller]
fn refuse_direction(port: &Port) {
    if port.dir == Direction::Out {
        panic!("`{}` is an output", port.name);
    }
    if port.words == 0 {
        panic!("`{}` is the clock, which only the model drives", port.name);
    }
}

#[cold]
#[track_caller]
fn refuse_get(port: &Port) -> ! {
    if port.words == 0 {
        panic!("`{}` is the clock, which has no value to read", port.name);
    }
    panic!("`{}` is {} bits wide: use get_wide", port.name, port.width);
}

#[cfg(test)]
mod tests {
    use super::readable;
    use crate::{Builder, Library, Model};

    #[test]
    fn models_can_change_threads_and_libraries_can_be_shared() {
        fn send<T: Send>() {}
        fn sync<T: Sync>() {}
        send::<Model>();
        send::<Library>();
        sync::<Library>();
        sync::<Builder>();
    }

    #[test]
    fn messages_lose_time_and_severity_only() {
        assert_eq!(
            readable("[13] %Error: m.v:6: Assertion failed in TOP.m: full\n"),
            "m.v:6: Assertion failed in TOP.m: full"
        );
        assert_eq!(readable("[0] %Fatal: m.v:6: gone"), "m.v:6: gone");
        assert_eq!(readable("$stop"), "$stop");
        assert_eq!(readable("[a] b"), "[a] b");
    }
}
