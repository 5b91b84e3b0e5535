//! The only unsafe code: opening a model's function table and calling through it.
//!
//! The structures mirror `verilate/cpp/abi.h` field by field. What this module hands out is safe to use
//! in any order: pointers stay inside, strings are copied, buffers are slices bound to the
//! handle.

use std::ffi::{CStr, CString, c_char, c_void};
use std::path::Path;
use std::ptr::NonNull;
use std::slice;
use std::sync::Arc;

use verilate::{ABI_VERSION, Direction, Port, PortTable, SHARED_ENTRY};

use crate::Failure;

#[repr(C)]
pub struct RawPort {
    name: *const c_char,
    width: u32,
    direction: u32,
    word: u32,
    words: u32,
}

#[repr(C)]
pub struct RawFailure {
    message: *const c_char,
    file: *const c_char,
    cycle: u64,
    count: u64,
    line: u32,
    fatal: u32,
}

/// Returned by a library's entry point. `abi` is checked before any other field is read.
#[repr(C)]
pub struct RawModel {
    abi: u32,
    port_count: u32,
    key: *const c_char,
    top: *const c_char,
    ports: *const RawPort,
    input_words: u32,
    output_words: u32,
    can_trace: u32,
    can_cover: u32,
    create: unsafe extern "C" fn() -> *mut c_void,
    destroy: unsafe extern "C" fn(*mut c_void),
    inputs: unsafe extern "C" fn(*mut c_void) -> *mut u64,
    outputs: unsafe extern "C" fn(*mut c_void) -> *mut u64,
    eval: unsafe extern "C" fn(*mut c_void) -> u32,
    tick: unsafe extern "C" fn(*mut c_void) -> u32,
    run: unsafe extern "C" fn(*mut c_void, u64, *const u64, *mut u64, *mut u64) -> u32,
    cycle: unsafe extern "C" fn(*mut c_void) -> u64,
    take_failure: unsafe extern "C" fn(*mut c_void, *mut RawFailure),
    take_printed: unsafe extern "C" fn(*mut c_void, *mut u64) -> *const c_char,
    trace_open: unsafe extern "C" fn(*mut c_void, *const c_char, u64, u64) -> u32,
    trace_close: unsafe extern "C" fn(*mut c_void) -> u32,
    write_coverage: unsafe extern "C" fn(*mut c_void, *const c_char) -> u32,
}

// SAFETY: it is the structure of that name in `verilate/cpp/abi.h`, plain data in both.
#[cfg(feature = "static-models")]
unsafe impl cxx::ExternType for RawModel {
    type Id = cxx::type_id!("CrosstalkModel");
    type Kind = cxx::kind::Trivial;
}

/// State of the simulation after a call; the bits of `crosstalk::Status`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Status(u32);

impl Status {
    /// A failure is pending; see [`Handle::take_failure`].
    #[inline]
    pub(crate) fn failed(self) -> bool {
        self.0 & 1 != 0
    }

    /// The design has executed `$finish`.
    #[inline]
    pub(crate) fn finished(self) -> bool {
        self.0 & 2 != 0
    }
}

/// The code of a model whose table has been checked.
pub(crate) struct Loaded {
    table: NonNull<RawModel>,
    // Keeps the table and all code behind it mapped; `None` if they are linked in.
    _library: Option<libloading::Library>,
}

// SAFETY: the table is constant data, and the functions in it touch only the handle they are
// given, thread-local state, and globals that the Verilator runtime guards itself.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

impl Loaded {
    /// Loads a library that this crate has built; the caller has checked its integrity.
    /// Fails if its interface version or its key differs.
    pub(crate) fn open(path: &Path, key: &str) -> Result<Self, String> {
        // SAFETY: the file is what this crate built, as the cache's manifest confirms; its
        // initialisers are those of the C++ and Verilator runtimes.
        let library = unsafe { libloading::Library::new(path) }.map_err(|e| e.to_string())?;
        // SAFETY: the symbol has this type in every library that exports it.
        let table = unsafe {
            let entry = library
                .get::<unsafe extern "C" fn() -> *mut RawModel>(SHARED_ENTRY.as_bytes())
                .map_err(|e| e.to_string())?;
            entry()
        };
        let table = NonNull::new(table).ok_or("it has no function table")?;
        // SAFETY: whatever the version, the table begins with it.
        let abi = unsafe { table.cast::<u32>().read() };
        if abi != ABI_VERSION {
            return Err(format!("expected interface version {ABI_VERSION}, got {abi}"));
        }
        let loaded = Self { table, _library: Some(library) };
        // SAFETY: the shim writes a key that ends with zero and lives as long as the library.
        let found = unsafe { text(loaded.table().key) };
        match found == key {
            true => Ok(loaded),
            false => {
                Err(format!("it was built from other sources: expected key {key}, got {found}"))
            }
        }
    }

    /// The code behind a table that is linked into this program.
    #[cfg(feature = "static-models")]
    pub(crate) fn linked(table: &'static RawModel) -> Self {
        assert_eq!(table.abi, ABI_VERSION, "archive and crate are from one build");
        Self { table: NonNull::from(table), _library: None }
    }

    #[inline]
    fn table(&self) -> &RawModel {
        // SAFETY: non-null, of the right version, and constant while the library is loaded.
        unsafe { self.table.as_ref() }
    }

    pub(crate) fn can_trace(&self) -> bool {
        self.table().can_trace != 0
    }

    pub(crate) fn can_cover(&self) -> bool {
        self.table().can_cover != 0
    }

    /// The ports as the library has them.
    pub(crate) fn ports(&self) -> PortTable {
        let table = self.table();
        // SAFETY: the shim's array has `port_count` entries and one more, and lives as long as
        // the library.
        let raw = unsafe { slice::from_raw_parts(table.ports, table.port_count as usize) };
        let port = |raw: &RawPort| Port {
            // SAFETY: names end with zero and live as long as the library.
            name: unsafe { text(raw.name) },
            width: raw.width,
            dir: if raw.direction == 1 { Direction::Out } else { Direction::In },
            word: raw.word,
            words: raw.words,
        };
        PortTable {
            ports: raw.iter().map(port).collect(),
            input_words: table.input_words,
            output_words: table.output_words,
        }
    }
}

/// A simulation. It may move between threads but is used by one at a time.
pub(crate) struct Handle {
    raw: NonNull<c_void>,
    inputs: NonNull<u64>,
    outputs: NonNull<u64>,
    input_words: usize,
    output_words: usize,
    library: Arc<Loaded>,
}

// SAFETY: a model's state is its own: it has its own Verilator context, which every call makes
// current on the calling thread first. `&mut self` keeps calls from overlapping.
unsafe impl Send for Handle {}

impl Handle {
    /// A simulation at cycle 0; `None` if out of memory.
    pub(crate) fn new(library: Arc<Loaded>) -> Option<Self> {
        let table = library.table();
        // SAFETY: takes nothing; returns null or a handle for the other functions.
        let raw = NonNull::new(unsafe { (table.create)() })?;
        // SAFETY: the handle is live; its buffers live and stay in place as long as it does.
        let (inputs, outputs) = unsafe {
            let (inputs, outputs) = ((table.inputs)(raw.as_ptr()), (table.outputs)(raw.as_ptr()));
            (NonNull::new_unchecked(inputs), NonNull::new_unchecked(outputs))
        };
        let (input_words, output_words) = (table.input_words as usize, table.output_words as usize);
        Some(Self { raw, inputs, outputs, input_words, output_words, library })
    }

    /// The input words of the next cycle.
    #[inline]
    pub(crate) fn inputs(&self) -> &[u64] {
        // SAFETY: the buffer has this many words, lives as long as the handle, and is written
        // only through `&mut self`.
        unsafe { slice::from_raw_parts(self.inputs.as_ptr(), self.input_words) }
    }

    /// The input words of the next cycle, mutable.
    #[inline]
    pub(crate) fn inputs_mut(&mut self) -> &mut [u64] {
        // SAFETY: as above; C++ touches the buffer only during calls, which need `&mut self`.
        unsafe { slice::from_raw_parts_mut(self.inputs.as_ptr(), self.input_words) }
    }

    /// The output words last sampled.
    #[inline]
    pub(crate) fn outputs(&self) -> &[u64] {
        // SAFETY: as for the inputs.
        unsafe { slice::from_raw_parts(self.outputs.as_ptr(), self.output_words) }
    }

    #[inline]
    pub(crate) fn eval(&mut self) -> Status {
        // SAFETY: the handle is live.
        Status(unsafe { (self.library.table().eval)(self.raw.as_ptr()) })
    }

    #[inline]
    pub(crate) fn tick(&mut self) -> Status {
        // SAFETY: the handle is live.
        Status(unsafe { (self.library.table().tick)(self.raw.as_ptr()) })
    }

    /// Runs cycles from rows of inputs to rows of outputs; returns the number completed.
    ///
    /// # Panics
    /// If a buffer does not hold `cycles` rows.
    pub(crate) fn run(
        &mut self,
        cycles: u64,
        stimulus: &[u64],
        response: &mut [u64],
    ) -> (u64, Status) {
        let rows = |words: usize| usize::try_from(cycles).ok()?.checked_mul(words);
        assert_eq!(Some(stimulus.len()), rows(self.input_words), "words of stimulus");
        assert_eq!(Some(response.len()), rows(self.output_words), "words of response");
        let mut done = 0;
        // SAFETY: the handle is live, and the buffers have exactly the words that C++ reads and
        // writes.
        let status = unsafe {
            (self.library.table().run)(
                self.raw.as_ptr(),
                cycles,
                stimulus.as_ptr(),
                response.as_mut_ptr(),
                &mut done,
            )
        };
        (done, Status(status))
    }

    pub(crate) fn cycle(&self) -> u64 {
        // SAFETY: the handle is live; the call only reads.
        unsafe { (self.library.table().cycle)(self.raw.as_ptr()) }
    }

    /// Takes the pending failure; see [`Status::failed`].
    #[cold]
    pub(crate) fn take_failure(&mut self) -> Failure {
        let nothing = c"".as_ptr();
        let mut raw =
            RawFailure { message: nothing, file: nothing, cycle: 0, count: 0, line: 0, fatal: 0 };
        // SAFETY: the handle is live, and the strings stay valid until the next call.
        unsafe {
            (self.library.table().take_failure)(self.raw.as_ptr(), &mut raw);
            Failure {
                message: text(raw.message),
                cycle: raw.cycle,
                file: text(raw.file),
                line: raw.line,
                count: raw.count,
                fatal: raw.fatal != 0,
            }
        }
    }

    /// Takes the text that the design printed since the last call.
    pub(crate) fn take_printed(&mut self) -> String {
        let mut length = 0;
        // SAFETY: the handle is live; the bytes stay valid until the next call.
        let bytes = unsafe {
            let start = (self.library.table().take_printed)(self.raw.as_ptr(), &mut length);
            slice::from_raw_parts(start.cast::<u8>(), length as usize)
        };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Starts a waveform; false if the file cannot be written.
    pub(crate) fn trace_open(&mut self, path: &CString, from: u64, to: u64) -> bool {
        let open = self.library.table().trace_open;
        // SAFETY: the handle is live, the path ends with zero.
        unsafe { open(self.raw.as_ptr(), path.as_ptr(), from, to) == 0 }
    }

    /// Ends the waveform, if there is one; false if its end could not be written.
    pub(crate) fn trace_close(&mut self) -> bool {
        // SAFETY: the handle is live.
        unsafe { (self.library.table().trace_close)(self.raw.as_ptr()) == 0 }
    }

    /// Writes the coverage counted so far; false if it could not be written.
    pub(crate) fn write_coverage(&mut self, path: &CString) -> bool {
        let write = self.library.table().write_coverage;
        // SAFETY: the handle is live, the path ends with zero.
        unsafe { write(self.raw.as_ptr(), path.as_ptr()) == 0 }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle is live and not used again; the library outlives it.
        unsafe { (self.library.table().destroy)(self.raw.as_ptr()) }
    }
}

/// A copy of a C string.
///
/// # Safety
/// `start` points to bytes that end with zero.
unsafe fn text(start: *const c_char) -> String {
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(start) }.to_string_lossy().into_owned()
}
