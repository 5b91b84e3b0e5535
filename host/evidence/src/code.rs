//! What the log needs to know of a linked program: its functions, the library's, and its first memory.

use crate::event::Function;
use border::{Place, Program};
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSymbol, SymbolKind};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Why a file has no order log.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// It cannot be read as an ELF file.
    #[error("the program {0}")]
    Damaged(String),
    /// It lacks what `crosstalk cc` puts into every program.
    #[error("the program has no symbol `{0}`: it was not linked by `crosstalk cc`")]
    NoSymbol(&'static str),
}

/// The library's functions that the log shows, by name.
const FUNCTIONS: [(&str, Function); 38] = [
    ("pthread_mutex_init", Function::MutexInit),
    ("pthread_mutex_lock", Function::MutexLock),
    ("pthread_mutex_trylock", Function::MutexTryLock),
    ("pthread_mutex_timedlock", Function::MutexTryLock),
    ("pthread_mutex_unlock", Function::MutexUnlock),
    ("pthread_rwlock_rdlock", Function::ReadLock),
    ("pthread_rwlock_tryrdlock", Function::TryReadLock),
    ("pthread_rwlock_timedrdlock", Function::TryReadLock),
    ("pthread_rwlock_wrlock", Function::WriteLock),
    ("pthread_rwlock_trywrlock", Function::TryWriteLock),
    ("pthread_rwlock_timedwrlock", Function::TryWriteLock),
    ("pthread_rwlock_unlock", Function::RwUnlock),
    ("pthread_spin_lock", Function::SpinLock),
    ("pthread_spin_trylock", Function::SpinTryLock),
    ("pthread_spin_unlock", Function::SpinUnlock),
    ("pthread_cond_wait", Function::CondWait),
    ("pthread_cond_timedwait", Function::CondTimedWait),
    ("pthread_cond_signal", Function::CondSignal),
    ("pthread_cond_broadcast", Function::CondBroadcast),
    ("sem_init", Function::SemInit),
    ("sem_wait", Function::SemWait),
    ("sem_trywait", Function::SemTryWait),
    ("sem_timedwait", Function::SemTryWait),
    ("sem_post", Function::SemPost),
    ("pthread_barrier_init", Function::BarrierInit),
    ("pthread_barrier_wait", Function::BarrierWait),
    ("pthread_once", Function::Once),
    ("pthread_create", Function::Create),
    ("pthread_join", Function::Join),
    ("malloc", Function::Malloc),
    ("calloc", Function::Calloc),
    ("aligned_alloc", Function::AlignedAlloc),
    ("realloc", Function::Realloc),
    ("free", Function::Free),
    // Failures are shown where the program called these.
    ("__assert_fail", Function::Fail),
    ("abort", Function::Fail),
    ("exit", Function::Fail),
    ("_exit", Function::Fail),
];

/// A linked program, as the log sees it.
#[derive(Clone, Debug)]
pub struct Code {
    program: Range<u32>,
    library: Range<u32>,
    functions: BTreeMap<u32, Function>,
    /// Names of functions by address.
    names: BTreeMap<u32, String>,
    set_name: Option<u32>,
    loaded: Arc<Program>,
    tohost: Place,
}

impl Code {
    /// Of a program as it is loaded, with its settings.
    ///
    /// # Errors
    /// If it has no file that can be read, or is not linked with our runtime.
    pub fn of(loaded: Arc<Program>) -> Result<Self, CodeError> {
        let file = loaded.file();
        let damaged =
            |error: object::read::Error| CodeError::Damaged(format!("is damaged: {error}"));
        let elf = ElfFile32::<Endianness>::parse(file).map_err(damaged)?;
        let mut by_name = BTreeMap::new();
        let mut names = BTreeMap::<u32, String>::new();
        for symbol in elf.symbols() {
            let Ok(name) = symbol.name() else { continue };
            let address = symbol.address() as u32;
            if symbol.is_global() || symbol.is_weak() {
                by_name.insert(name, address);
            }
            if symbol.kind() == SymbolKind::Text {
                names.entry(address).or_insert_with(|| name.to_owned());
            }
        }
        let find = |name: &'static str| by_name.get(name).copied().ok_or(CodeError::NoSymbol(name));
        let library = find("__library_text_start")?..find("__library_text_end")?;
        // A program's own function of such a name is not the library's.
        let in_library = |name: &str| by_name.get(name).copied().filter(|at| library.contains(at));
        let functions = FUNCTIONS
            .iter()
            .filter_map(|(name, function)| Some((in_library(name)?, *function)))
            .collect();
        Ok(Self {
            program: find("__program_text_start")?..find("__program_text_end")?,
            functions,
            names,
            set_name: in_library("pthread_setname_np"),
            tohost: loaded.tohost().ok_or(CodeError::NoSymbol("tohost"))?,
            library,
            loaded,
        })
    }

    /// Whether an instruction is the program's own.
    #[inline]
    pub fn is_program(&self, pc: u32) -> bool {
        self.program.contains(&pc)
    }

    /// Whether an instruction is the library's.
    #[inline]
    pub fn is_library(&self, pc: u32) -> bool {
        self.library.contains(&pc)
    }

    /// The library's function that begins at an address, if the log shows its calls.
    pub fn function_at(&self, entry: u32) -> Option<Function> {
        self.functions.get(&entry).copied()
    }

    /// Whether a function begins at an address.
    pub fn begins_function(&self, address: u32) -> bool {
        self.names.contains_key(&address)
    }

    /// The name of the function that an instruction is in.
    pub fn name(&self, pc: u32) -> Option<&str> {
        self.names.range(..=pc).next_back().map(|(_, name)| name.as_str())
    }

    /// What the source calls a function of the library; of several forms, the plainest.
    pub fn called(function: Function) -> Option<&'static str> {
        FUNCTIONS.iter().find(|(_, known)| *known == function).map(|(name, _)| *name)
    }

    /// Where `pthread_setname_np` begins, if the program has it.
    pub fn set_name(&self) -> Option<u32> {
        self.set_name
    }

    /// What is in memory before the first instruction: bytes at addresses; the rest is zero.
    pub fn image(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let segments = self.loaded.segments.iter();
        segments.map(|segment| (segment.address, segment.bytes.as_slice()))
    }

    /// The program, for machines.
    pub fn loaded(&self) -> &Program {
        &self.loaded
    }

    /// The word through which it talks to the host.
    pub fn tohost(&self) -> Place {
        self.tohost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_a_file_is_refused() {
        let program = Program::of_pieces("pieces", [(0x8000_0100, vec![0; 4])]);
        assert!(matches!(Code::of(Arc::new(program)), Err(CodeError::Damaged(_))));
    }
}
