//! Whether a file says that it is an exported run: folders hold other JSON, XML and DOT files as well.

use super::Format;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read};

/// How much of a file is looked at for words that stand near its beginning.
const HEAD: u64 = 1 << 16;

/// Whether a file with this format's extension says that it is a run. One that does and is damaged further on is
/// refused later, with the place; one that says nothing of the kind is somebody else's.
pub fn claims(file: impl Read, format: Format) -> io::Result<bool> {
    match format {
        Format::Run => Ok(true),
        Format::Json => in_json(file),
        // Other tools write our fields in any order, but before what there are many of.
        Format::GraphMl | Format::Dot => {
            let mut head = Vec::new();
            file.take(HEAD).read_to_end(&mut head)?;
            Ok(String::from_utf8_lossy(&head).contains("crosstalk-run-1"))
        }
    }
}

/// Whether the object has our `format`, wherever in it that stands.
fn in_json(file: impl Read) -> io::Result<bool> {
    let mut found = false;
    let mut reader = serde_json::Deserializer::from_reader(BufReader::new(file));
    // Having found the word, the visitor leaves the rest: whether it is right is not the question here.
    let read = reader.deserialize_map(FormatOf(&mut found));
    match read {
        Err(error) if error.is_io() && error.io_error_kind() != Some(ErrorKind::UnexpectedEof) => {
            Err(error.into())
        }
        _ => Ok(found),
    }
}

struct FormatOf<'a>(&'a mut bool);

impl<'de> Visitor<'de> for FormatOf<'_> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "format" {
                let value: serde_json::Value = map.next_value()?;
                *self.0 = value == super::json::FORMAT;
                return Ok(());
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::write;

    #[test]
    fn an_export_is_recognized_and_so_is_a_damaged_one() {
        for format in [Format::Json, Format::GraphMl, Format::Dot] {
            let bytes = write(&record::Run::default(), format, &|_| None);
            assert!(claims(&bytes[..], format).unwrap(), "{format:?}");
            assert!(claims(&bytes[..bytes.len() - 9], format).unwrap(), "{format:?}");
        }
        let late = r#"{"edges": [1, {"format": 2}], "format": "crosstalk-run", "#;
        assert!(claims(late.as_bytes(), Format::Json).unwrap());
    }

    #[test]
    fn somebody_elses_files_are_not() {
        for other in
            ["", "[]", "{", "{}", "7", "{\"format\": 3}", "{\"a\": \"crosstalk-run\"}", "\u{7f}"]
        {
            for format in [Format::Json, Format::GraphMl, Format::Dot] {
                assert!(!claims(other.as_bytes(), format).unwrap(), "{other}");
            }
        }
        let deep = "[".repeat(1 << 20);
        assert!(!claims(format!("{{\"a\": {deep}").as_bytes(), Format::Json).unwrap());
    }
}
