//! Maps an address to its source line.

use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use border::Program;
use object::{Object, ObjectSection, ObjectSymbol};

/// The symbols of a program, and its debug information if it has any.
pub struct SourceLines<'a> {
    context: Option<addr2line::Context<EndianSlice<'a, LittleEndian>>>,
    /// Functions and labels, by address.
    symbols: Vec<(u32, String)>,
}

impl<'a> SourceLines<'a> {
    /// The symbols and lines of a program. Damaged debug information is ignored.
    pub fn of(program: &'a Program) -> Self {
        let Ok(elf) = object::File::parse(program.file()) else {
            return Self { context: None, symbols: Vec::new() };
        };
        let section = |id: SectionId| -> Result<_, addr2line::gimli::Error> {
            let bytes = elf.section_by_name(id.name()).and_then(|s| s.data().ok());
            Ok(EndianSlice::new(bytes.unwrap_or(&[]), LittleEndian))
        };
        let context =
            Dwarf::load(section).ok().and_then(|dwarf| addr2line::Context::from_dwarf(dwarf).ok());
        let mut symbols: Vec<_> = elf
            .symbols()
            .filter(|symbol| symbol.is_definition() || symbol.kind() == object::SymbolKind::Label)
            .filter_map(|s| Some((u32::try_from(s.address()).ok()?, s.name().ok()?.to_owned())))
            .filter(|(_, name)| !name.is_empty() && !name.starts_with(['$', '.']))
            .collect();
        symbols.sort();
        Self { context, symbols }
    }

    /// `file:line`, if known.
    pub fn line(&self, address: u32) -> Option<String> {
        let location = self.context.as_ref()?.find_location(u64::from(address)).ok()??;
        let (file, line) = (location.file?, location.line?);
        Some(format!("{}:{line}", file.trim_start_matches("./")))
    }

    /// The symbol at or before an address: `main+8`.
    pub fn symbol(&self, address: u32) -> Option<String> {
        let after = self.symbols.partition_point(|(at, _)| *at <= address);
        let (at, name) = self.symbols.get(after.checked_sub(1)?)?;
        let offset = address - at;
        Some(if offset == 0 { name.clone() } else { format!("{name}+{offset}") })
    }

    /// Address, with symbol and line if known.
    pub fn describe(&self, address: u32) -> String {
        let symbol = self.symbol(address).map(|symbol| format!(" <{symbol}>")).unwrap_or_default();
        let line = self.line(address).map(|line| format!(" {line}")).unwrap_or_default();
        format!("{address:#010x}{symbol}{line}")
    }
}
