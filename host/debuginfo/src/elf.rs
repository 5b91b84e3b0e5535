//! The sections of a program file that hold debug information.

use gimli::{Dwarf, EndianArcSlice, RunTimeEndian, SectionId};
use object::{Object, ObjectSection};
use std::sync::Arc;

/// A section's bytes.
pub type Slice = EndianArcSlice<RunTimeEndian>;

/// The file, or what is wrong with it.
pub fn file(bytes: &[u8]) -> Result<object::File<'_>, String> {
    object::File::parse(bytes).map_err(|error| format!("it is not an object file: {error}"))
}

/// Its debug information, empty if it has none.
pub fn dwarf(file: &object::File<'_>) -> Result<Dwarf<Slice>, String> {
    let endian = match file.is_little_endian() {
        true => RunTimeEndian::Little,
        false => RunTimeEndian::Big,
    };
    let section = |id: SectionId| -> Result<Slice, object::Error> {
        let data = match file.section_by_name(id.name()) {
            Some(section) => section.uncompressed_data()?,
            None => Default::default(),
        };
        Ok(EndianArcSlice::new(Arc::from(&*data), endian))
    };
    Dwarf::load(section).map_err(|error| unusable(&error))
}

/// What to say of debug information that is damaged.
pub fn unusable(error: &dyn std::fmt::Display) -> String {
    format!("its debug information cannot be read: {error}")
}
