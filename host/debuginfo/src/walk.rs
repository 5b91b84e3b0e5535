//! One walk through the entries of DWARF, which gathers types and variables.

use crate::elf::Slice;
use crate::types::{Member, Shape, Type, TypeId};
use crate::variables::{Global, Local, Variables};
use gimli::{AttributeValue, DebuggingInformationEntry, Dwarf, Operation, Unit, UnitOffset};
use std::collections::HashMap;
use std::sync::Arc;

type Entry = DebuggingInformationEntry<Slice>;

/// What the entries below an entry belong to.
enum Scope {
    Function(String),
    Record(TypeId),
    Array(TypeId),
    Other,
}

/// Gathers from all units; a damaged one is read as far as it goes.
pub fn read(dwarf: &Dwarf<Slice>, into: &mut Variables) {
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        let name = unit.name.as_ref().map(|name| String::from_utf8_lossy(name.bytes()));
        let name = name.as_deref().and_then(|name| name.rsplit('/').next()).unwrap_or_default();
        let (ids, names, file) = (HashMap::new(), HashMap::new(), name.into());
        Walk { dwarf, unit: &unit, file, ids, names, into }.entries();
    }
}

struct Walk<'a> {
    dwarf: &'a Dwarf<Slice>,
    unit: &'a Unit<Slice>,
    /// What was compiled, without its folders.
    file: Arc<str>,
    /// Numbers of types, by their entries.
    ids: HashMap<UnitOffset, TypeId>,
    /// Names of functions, by their entries: copies of a function refer to the first.
    names: HashMap<UnitOffset, String>,
    into: &'a mut Variables,
}

impl Walk<'_> {
    fn entries(&mut self) {
        let mut cursor = self.unit.entries();
        let mut scopes: Vec<(isize, Scope)> = Vec::new();
        while let Ok(Some(entry)) = cursor.next_dfs() {
            let depth = entry.depth();
            while scopes.pop_if(|(above, _)| *above >= depth).is_some() {}
            let scope = self.entry(entry, &scopes);
            scopes.push((depth, scope));
        }
    }

    fn entry(&mut self, entry: &Entry, scopes: &[(isize, Scope)]) -> Scope {
        let parent = scopes.last().map(|(_, scope)| scope);
        match entry.tag() {
            gimli::DW_TAG_subprogram => return self.function(entry),
            gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                let function = scopes.iter().rev().find_map(|(_, scope)| match scope {
                    Scope::Function(name) => Some(name.as_str()),
                    _ => None,
                });
                self.variable(entry, function);
            }
            gimli::DW_TAG_member => {
                if let Some(Scope::Record(record)) = parent {
                    self.member(entry, *record);
                }
            }
            gimli::DW_TAG_subrange_type => {
                if let Some(Scope::Array(array)) = parent {
                    self.dimension(entry, *array);
                }
            }
            gimli::DW_TAG_base_type | gimli::DW_TAG_enumeration_type => {
                self.define(entry, Shape::Scalar);
            }
            gimli::DW_TAG_pointer_type => {
                let target = self.type_of(entry);
                let id = self.define(entry, Shape::Pointer(target));
                if let Some(of) = self.into.types.get_mut(id) {
                    of.bytes = 4;
                }
            }
            gimli::DW_TAG_structure_type | gimli::DW_TAG_union_type => {
                return Scope::Record(self.define(entry, Shape::Record(Vec::new())));
            }
            gimli::DW_TAG_array_type => {
                let element = self.type_of(entry);
                return Scope::Array(self.define(entry, Shape::Array(element, None)));
            }
            gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_restrict_type
            | gimli::DW_TAG_atomic_type => {
                let target = self.type_of(entry);
                self.define(entry, Shape::Alias(target));
            }
            _ => {}
        }
        Scope::Other
    }

    fn function(&mut self, entry: &Entry) -> Scope {
        let origin = [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification];
        let origin = origin.into_iter().find_map(|name| reference(entry, name));
        let known = origin.and_then(|origin| self.names.get(&origin).cloned());
        let Some(name) = self.name(entry).or(known) else { return Scope::Other };
        self.names.insert(entry.offset(), name.clone());
        let result = self.type_of(entry);
        let known = self.into.results.entry(name.clone()).or_default();
        *known = known.or(result);
        Scope::Function(name)
    }

    fn variable(&mut self, entry: &Entry, function: Option<&str>) {
        let Some(name) = self.name(entry) else { return };
        let (of, unit) = (self.type_of(entry), self.file.clone());
        let parts = self.parts(entry);
        if !parts.is_empty() {
            for Part { address, offset, bytes } in parts {
                let (name, function) = (name.clone(), function.map(str::to_owned));
                let unit = unit.clone();
                let global = Global { name, address, bytes, offset, of, function, unit };
                self.into.globals.insert(address, global);
            }
        } else if let Some(function) = function {
            let parameter = entry.tag() == gimli::DW_TAG_formal_parameter;
            let local = Local { name, of, parameter, unit };
            let locals = self.into.locals.entry(function.to_owned()).or_default();
            if !locals.contains(&local) {
                locals.push(local);
            }
        }
    }

    fn member(&mut self, entry: &Entry, record: TypeId) {
        let number = |name| entry.attr_value(name).and_then(|value| value.udata_value());
        let bits = number(gimli::DW_AT_data_bit_offset).map(|bits| bits / 8);
        let offset = number(gimli::DW_AT_data_member_location).or(bits).unwrap_or(0);
        let member =
            Member { name: self.name(entry), offset: clamp(offset), of: self.type_of(entry) };
        if let Some(Type { shape: Shape::Record(members), .. }) = self.into.types.get_mut(record) {
            members.push(member);
        }
    }

    /// One more dimension of an array: the elements of what it was so far become arrays themselves.
    fn dimension(&mut self, entry: &Entry, array: TypeId) {
        let number = |name| entry.attr_value(name).and_then(|value| value.udata_value());
        let last = number(gimli::DW_AT_upper_bound).map(|last| last.wrapping_add(1));
        let count = number(gimli::DW_AT_count).or(last).map(clamp);
        let mut array = array;
        // The innermost array so far; as many as there are dimensions.
        for _ in 0..16 {
            let Some(Type { shape: Shape::Array(element, known), .. }) =
                self.into.types.get_mut(array)
            else {
                return;
            };
            let Some(element) = *element else { return };
            if known.is_none() {
                *known = Some(count.unwrap_or(0));
                return;
            }
            let inner = self.into.types.get(element).is_some_and(|of| {
                of.name.as_deref() == Some(DIMENSION) && matches!(of.shape, Shape::Array(..))
            });
            if inner {
                array = element;
                continue;
            }
            let added = self.into.types.add();
            if let Some(of) = self.into.types.get_mut(added) {
                of.name = Some(DIMENSION.to_owned());
                of.shape = Shape::Array(Some(element), None);
            }
            if let Some(Type { shape: Shape::Array(element, _), .. }) =
                self.into.types.get_mut(array)
            {
                *element = Some(added);
            }
            array = added;
        }
    }

    /// Says what the type of an entry is.
    fn define(&mut self, entry: &Entry, shape: Shape) -> TypeId {
        let id = self.id(entry.offset());
        let name = self.name(entry);
        let bytes = entry.attr_value(gimli::DW_AT_byte_size).and_then(|value| value.udata_value());
        if let Some(of) = self.into.types.get_mut(id) {
            *of = Type { name, bytes: clamp(bytes.unwrap_or(0)), shape };
        }
        id
    }

    fn id(&mut self, offset: UnitOffset) -> TypeId {
        *self.ids.entry(offset).or_insert_with(|| self.into.types.add())
    }

    fn type_of(&mut self, entry: &Entry) -> Option<TypeId> {
        let offset = reference(entry, gimli::DW_AT_type)?;
        Some(self.id(offset))
    }

    fn name(&self, entry: &Entry) -> Option<String> {
        let value = entry.attr_value(gimli::DW_AT_name)?;
        let text = self.dwarf.attr_string(self.unit, value).ok()?;
        Some(String::from_utf8_lossy(text.bytes()).into_owned())
    }

    /// Where a variable with a fixed address is: as a whole, or in parts.
    fn parts(&self, entry: &Entry) -> Vec<Part> {
        let Some(AttributeValue::Exprloc(expression)) = entry.attr_value(gimli::DW_AT_location)
        else {
            return Vec::new();
        };
        let mut operations = expression.operations(self.unit.encoding());
        let (mut parts, mut offset, mut address) = (Vec::new(), 0_u32, None);
        // A variable that only ever has two values is kept in a byte that says which, and its value is computed from that.
        let mut computed = None;
        while let Ok(Some(operation)) = operations.next() {
            address = match operation {
                Operation::Address { address } => Some(address),
                Operation::AddressIndex { index } => self.dwarf.address(self.unit, index).ok(),
                Operation::PlusConstant { value } if computed.is_none() => {
                    address.and_then(|address: u64| address.checked_add(value))
                }
                Operation::Piece { size_in_bits, bit_offset: None } => {
                    let bytes = clamp(size_in_bits / 8);
                    parts.extend(Part::at(address, offset, computed.take().unwrap_or(bytes)));
                    offset = offset.saturating_add(bytes);
                    None
                }
                Operation::Deref { size, .. } if address.is_some() => {
                    computed = Some(size.into());
                    address
                }
                _ if computed.is_some() => address,
                _ => return Vec::new(),
            };
        }
        let whole = Part::at(address, 0, computed.unwrap_or(0));
        parts.extend(whole.filter(|_| offset == 0));
        parts
    }
}

/// A part of a variable.
struct Part {
    address: u32,
    offset: u32,
    /// 0 for all of it.
    bytes: u32,
}

impl Part {
    /// What the linker dropped is left at 0 or at the end of all addresses.
    fn at(address: Option<u64>, offset: u32, bytes: u32) -> Option<Self> {
        let address = u32::try_from(address?).ok().filter(|at| !matches!(*at, 0 | u32::MAX))?;
        Some(Self { address, offset, bytes })
    }
}

/// Marks arrays that stand for a further dimension: no type of C has such a name.
const DIMENSION: &str = "[]";

fn reference(entry: &Entry, name: gimli::DwAt) -> Option<UnitOffset> {
    match entry.attr_value(name)? {
        AttributeValue::UnitRef(offset) => Some(offset),
        _ => None,
    }
}

fn clamp(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
