//! The symbols of a program's code, for instructions without debug information.

use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};
use std::ops::Range;

/// Where symbols of code begin and end, and where there is code at all.
#[derive(Debug, Default)]
pub struct Symbols {
    /// Functions with a size, in the order of their addresses.
    functions: Vec<Symbol>,
    /// Labels without one, as assembly has them; each ends where the next symbol or the section does.
    labels: Vec<Symbol>,
    /// Sections that hold code.
    code: Vec<Range<u64>>,
}

#[derive(Debug)]
struct Symbol {
    range: Range<u64>,
    name: String,
}

impl Symbols {
    /// The symbols of a program file.
    pub fn of(file: &object::File<'_>) -> Self {
        let sections = file.sections().filter(|section| section.kind() == SectionKind::Text);
        let code: Vec<_> = sections
            .map(|section| section.address()..section.address().saturating_add(section.size()))
            .collect();
        let mut found: Vec<(u64, u64, String)> = file
            .symbols()
            .filter(|symbol| {
                let kind = symbol.kind();
                matches!(kind, SymbolKind::Text | SymbolKind::Label | SymbolKind::Unknown)
            })
            .filter(|symbol| code.iter().any(|range| range.contains(&symbol.address())))
            .filter_map(|symbol| {
                let name = symbol.name().ok().filter(|name| is_of_a_person(name))?;
                Some((symbol.address(), symbol.size(), name.to_owned()))
            })
            .collect();
        found.sort();
        let mut symbols = Self { functions: Vec::new(), labels: Vec::new(), code };
        for (place, (start, size, name)) in found.iter().enumerate() {
            let name = name.clone();
            if *size > 0 {
                let range = *start..start.saturating_add(*size);
                symbols.functions.push(Symbol { range, name });
                continue;
            }
            let next = found[place..].iter().map(|(next, ..)| *next).find(|next| next > start);
            let section = symbols.code.iter().find(|range| range.contains(start));
            let section = section.map_or(*start, |range| range.end);
            let range = *start..next.unwrap_or(section).min(section);
            symbols.labels.push(Symbol { range, name });
        }
        symbols
    }

    /// Where a function or label is; of several of one name the first.
    pub fn named(&self, name: &str) -> Option<Range<u64>> {
        let mut all = self.functions.iter().chain(&self.labels);
        all.find(|symbol| symbol.name == name).map(|symbol| symbol.range.clone())
    }

    /// The symbol around an instruction, and how far into it the instruction is.
    pub fn at(&self, pc: u64) -> Option<(&str, u64)> {
        let found = around(&self.functions, pc).or_else(|| around(&self.labels, pc))?;
        Some((&found.name, pc - found.range.start))
    }

    /// Sections that hold code.
    pub fn code(&self) -> impl Iterator<Item = &Range<u64>> {
        self.code.iter()
    }

    /// Whether there is code at this address.
    pub fn is_code(&self, pc: u64) -> bool {
        self.code.iter().any(|range| range.contains(&pc))
    }
}

fn around(symbols: &[Symbol], pc: u64) -> Option<&Symbol> {
    let after = symbols.partition_point(|symbol| symbol.range.start <= pc);
    symbols.get(after.checked_sub(1)?).filter(|symbol| symbol.range.contains(&pc))
}

/// Mapping symbols (`$x`) and the assembler's own labels (`.L3`) mean nothing to a reader.
fn is_of_a_person(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('$') && !name.starts_with(".L")
}
