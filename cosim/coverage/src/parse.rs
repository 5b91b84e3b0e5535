//! The text form of coverage data.

use std::fmt::{self, Write};

use crate::{Coverage, Kind, Lines, Point};

/// Data that Verilator did not write.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ParseError {
    /// The line of the data, from 1.
    pub line: usize,
    /// Why the line is not valid.
    pub what: String,
}

/// First line of the data; the number is the version of the format.
const HEADER: &str = "# SystemC::Coverage-3";

impl Coverage {
    /// Reads data as Verilator writes it, or as [`Display`](fmt::Display) does.
    ///
    /// # Errors
    /// The first line that cannot be parsed. Data without the header of the known version is
    /// rejected.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut lines = text.lines().enumerate();
        let header = lines.next().map(|(_, line)| line.trim_end());
        if header != Some(HEADER) {
            let what = format!("not coverage data: expected the first line to be `{HEADER}`");
            return Err(ParseError { line: 1, what });
        }
        let mut coverage = Self::default();
        for (index, line) in lines {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (point, count) =
                point(line).map_err(|what| ParseError { line: index + 1, what })?;
            coverage.add(point, count);
        }
        Ok(coverage)
    }
}

fn point(line: &str) -> Result<(Point, u64), String> {
    let rest = line.strip_prefix("C '").ok_or("expected the line to begin with `C '`")?;
    let (keys, count) = rest.rsplit_once("' ").ok_or("expected `' ` and a count after the keys")?;
    let count = count.parse().map_err(|_| format!("expected a count, got `{count}`"))?;
    let mut fields = Fields::default();
    for field in keys.split('\x01').skip(1) {
        let no_value = || format!("the coverage key `{}` has no value", field.escape_debug());
        let (key, value) = field.split_once('\x02').ok_or_else(no_value)?;
        fields.set(key, value)?;
    }
    let missing = |key: &str| format!("the coverage key {key} is missing");
    let line = fields.line.ok_or_else(|| missing("`l` (line)"))?;
    let point = Point {
        file: fields.file.ok_or_else(|| missing("`f` (file)"))?,
        line: number(&line)?,
        column: fields.column.as_deref().map_or(Ok(0), number)?,
        kind: Kind::named(&fields.kind.ok_or_else(|| missing("`t` (kind)"))?),
        what: fields.what.unwrap_or_default(),
        lines: match fields.lines {
            None => Lines::default(),
            Some(text) => Lines::parse(&text)
                .ok_or_else(|| format!("expected line ranges such as 12-14,17, got `{text}`"))?,
        },
    };
    Ok((point, count))
}

#[derive(Default)]
struct Fields {
    file: Option<String>,
    line: Option<String>,
    column: Option<String>,
    kind: Option<String>,
    what: Option<String>,
    lines: Option<String>,
}

impl Fields {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let field = match key {
            "f" => &mut self.file,
            "l" => &mut self.line,
            "n" => &mut self.column,
            "t" => &mut self.kind,
            "o" => &mut self.what,
            "S" => &mut self.lines,
            // The instance, the page of a report, and keys of later versions.
            _ => return Ok(()),
        };
        match field.replace(unescaped(value)?) {
            None => Ok(()),
            Some(_) => Err(format!("the coverage key `{key}` is given twice")),
        }
    }
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("expected a line or column number, got `{text}`"))
}

/// Decodes Verilator's escapes of unprintable bytes: `%` and two hexadecimal digits.
fn unescaped(text: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, tail)) = rest.split_once('%') {
        bytes.extend(plain.bytes());
        let digits = tail.get(..2).filter(|digits| digits.bytes().all(|d| d.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let no_code = || format!("expected two hexadecimal digits after every `%` in `{text}`");
        bytes.push(code.ok_or_else(no_code)?);
        rest = &tail[2..];
    }
    bytes.extend(rest.bytes());
    String::from_utf8(bytes).map_err(|_| format!("`{text}` does not decode to valid UTF-8"))
}

fn escaped(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut out, byte| {
        match byte {
            b'%' | b'"' | 0..=0x1f | 0x7f.. => {
                // Writing to a string cannot fail.
                let _ = write!(out, "%{byte:02X}");
            }
            byte => out.push(char::from(byte)),
        }
        out
    })
}

/// In Verilator's format, without instances.
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        for (point, count) in self.points() {
            let Point { file, line, column, kind, what, lines } = point;
            let (file, kind, what) = (escaped(file), escaped(kind.name()), escaped(what));
            write!(f, "C '\x01f\x02{file}\x01l\x02{line}\x01n\x02{column}\x01t\x02{kind}")?;
            write!(f, "\x01o\x02{what}")?;
            if !lines.is_empty() {
                write!(f, "\x01S\x02{lines}")?;
            }
            writeln!(f, "' {count}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
