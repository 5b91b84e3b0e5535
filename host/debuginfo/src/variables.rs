//! What is at which address, and what functions call their own variables.

use crate::elf;
use crate::types::{TypeId, Types};
use crate::walk;
use object::{Object, ObjectSymbol, SymbolKind};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A variable at a fixed address, or a part of one: the compiler may keep only what is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Its first byte.
    pub address: u32,
    /// How many bytes are there.
    pub bytes: u32,
    /// How far into the variable the first of them is.
    pub offset: u32,
    /// Its type; none if only a symbol tells of it.
    pub of: Option<TypeId>,
    /// The function whose own it is, if it was declared in one.
    pub function: Option<String>,
    /// The file that was compiled, without its folders.
    pub unit: Arc<str>,
}

/// A parameter or variable of a function, wherever it lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its type.
    pub of: Option<TypeId>,
    /// Whether it is a parameter; these come in their order.
    pub parameter: bool,
    /// The file that was compiled, without its folders.
    pub unit: Arc<str>,
}

/// The variables and types of a program.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    pub(crate) globals: BTreeMap<u32, Global>,
    /// By function; of several functions of one name, all.
    pub(crate) locals: HashMap<String, Vec<Local>>,
    /// What functions return; none: nothing.
    pub(crate) results: HashMap<String, Option<TypeId>>,
    /// All types.
    pub types: Types,
}

impl Variables {
    /// Reads them from the linked file. What debug information does not tell, symbols may.
    ///
    /// # Errors
    /// If it is no program: says why. Damaged debug information is read as far as it goes.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let file = elf::file(bytes)?;
        let mut variables = Self::default();
        if let Ok(dwarf) = elf::dwarf(&file) {
            walk::read(&dwarf, &mut variables);
        }
        variables.types.index();
        for global in variables.globals.values_mut() {
            let whole = global.of.map_or(0, |of| variables.types.bytes(of));
            global.bytes = if global.bytes == 0 { whole } else { global.bytes };
        }
        for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Data) {
            let (Ok(name), Ok(address)) = (symbol.name(), u32::try_from(symbol.address())) else {
                continue;
            };
            // The compiler's own, such as several variables in one.
            if name.is_empty() || name.starts_with(".L") {
                continue;
            }
            let bytes = u32::try_from(symbol.size()).unwrap_or(0);
            let known = variables.globals.entry(address).or_insert_with(|| Global {
                name: name.to_owned(),
                address,
                bytes,
                offset: 0,
                of: None,
                function: None,
                unit: "".into(),
            });
            // `int tail[]` has its size from the symbol.
            known.bytes = known.bytes.max(bytes);
        }
        Ok(variables)
    }

    /// All variables at fixed addresses, or the parts of them that the compiler kept.
    pub fn globals(&self) -> impl Iterator<Item = &Global> {
        self.globals.values()
    }

    /// The variable that an address is in.
    pub fn at(&self, address: u32) -> Option<&Global> {
        let (start, global) = self.globals.range(..=address).next_back()?;
        (address - start < global.bytes).then_some(global)
    }

    /// The variable with a fixed address that a function of a file means by a name.
    pub fn global(&self, name: &str, function: &str, file: &str) -> Option<&Global> {
        let seen = |global: &&Global| match &global.function {
            Some(owner) => owner == function,
            None => true,
        };
        let named = self.globals.values().filter(|global| global.name == name).filter(seen);
        named.max_by_key(|global| (is_unit(&global.unit, file), global.function.is_some()))
    }

    /// The parameters and variables of a function of a file.
    pub fn locals(&self, function: &str, file: &str) -> impl Iterator<Item = &Local> {
        let locals = self.locals.get(function).map_or(&[][..], Vec::as_slice);
        let has_own = locals.iter().any(|local| is_unit(&local.unit, file));
        locals.iter().filter(move |local| !has_own || is_unit(&local.unit, file))
    }

    /// The type of what a function returns.
    pub fn result(&self, function: &str) -> Option<TypeId> {
        self.results.get(function).copied().flatten()
    }

    /// Whether there is a function of this name. Macros are none.
    pub fn is_function(&self, name: &str) -> bool {
        self.results.contains_key(name)
    }
}

/// Whether a path is that of a compiled file, as far as its name tells.
fn is_unit(unit: &str, file: &str) -> bool {
    file.rsplit('/').next() == Some(unit)
}
