//! Numbers on a command line: decimal or hexadecimal (`0x…`), with `_` between digits.
//!
//! Every program reads them with these parsers, so that `--seed 0x10` means the same to all.

use std::fmt::Display;
use std::ops::RangeInclusive;

/// Parses a number that fits the type.
///
/// # Errors
/// What was expected, for the user.
pub fn number<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let too_large = || "the number is too large".to_owned();
    T::try_from(parse(text)?).map_err(|_| too_large())
}

/// A parser of numbers within a range.
pub fn within<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: TryFrom<u64> + PartialOrd + Copy + Display + Send + Sync + 'static,
{
    move |text| {
        let expected = || format!("expected a number from {} to {}", range.start(), range.end());
        let number = number(text).ok().filter(|number| range.contains(number));
        number.ok_or_else(expected)
    }
}

/// Parses a number of at least 1.
///
/// # Errors
/// What was expected, for the user.
pub fn positive<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    match parse(text)? {
        0 => Err("expected a number of at least 1".into()),
        _ => number(text),
    }
}

fn parse(text: &str) -> Result<u64, String> {
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    let is_separated = digits.starts_with(|digit: char| digit.is_digit(radix))
        && digits.ends_with(|digit: char| digit.is_digit(radix))
        && digits.chars().all(|digit| digit.is_digit(radix) || digit == '_');
    if !is_separated {
        return Err("expected a number, such as 16, 0x10 or 1_000".into());
    }
    let digits: String = digits.chars().filter(|digit| *digit != '_').collect();
    u64::from_str_radix(&digits, radix).map_err(|_| "the number is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_and_hexadecimal_numbers_are_read_with_separators() {
        for (text, value) in [
            ("0", 0),
            ("16", 16),
            ("0x10", 16),
            ("0XfF", 255),
            ("1_000_000", 1_000_000),
            ("0xc000_0000", 0xc000_0000),
            ("18446744073709551615", u64::MAX),
            ("0xffff_ffff_ffff_ffff", u64::MAX),
        ] {
            assert_eq!(number::<u64>(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_is_refused_with_examples() {
        for text in ["", "x", "0x", "-1", "+1", "1.5", "ff", "_1", "1_", "0x_1", "1 0", "0x-1"] {
            let said = number::<u64>(text).unwrap_err();
            assert_eq!(said, "expected a number, such as 16, 0x10 or 1_000", "{text}");
        }
        for text in ["18446744073709551616", "0x1_0000_0000_0000_0000"] {
            assert_eq!(number::<u64>(text).unwrap_err(), "the number is too large", "{text}");
        }
        assert_eq!(number::<u8>("256").unwrap_err(), "the number is too large");
    }

    #[test]
    fn a_range_is_named_when_a_number_is_outside() {
        assert_eq!(within(1..=100u32)("0x64"), Ok(100));
        for text in ["0", "101", "99999999999", "x"] {
            assert_eq!(within(1..=100u32)(text).unwrap_err(), "expected a number from 1 to 100");
        }
        assert_eq!(positive::<u64>("0").unwrap_err(), "expected a number of at least 1");
        assert_eq!(positive::<u64>("0x1"), Ok(1));
    }
}
