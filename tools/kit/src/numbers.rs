//! Numbers as text.

/// Between groups of three digits on terminals and in plain text.
pub const COMMA: char = ',';

/// Between groups of three digits on pages: a narrow no-break space.
pub const NARROW_SPACE: char = '\u{202f}';

/// A number with commas between groups of three digits: `1,234,567`.
pub fn grouped(number: u64) -> String {
    grouped_with(number, COMMA)
}

/// A number with `separator` between groups of three digits.
pub fn grouped_with(number: u64, separator: char) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

/// `1 run`, `2 runs`, `1,000 runs`.
pub fn plural(number: u64, what: &str) -> String {
    plural_with(number, COMMA, what)
}

/// As [`plural`], with `separator` between groups of three digits.
pub fn plural_with(number: u64, separator: char, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {what}{ending}", grouped_with(number, separator))
}

/// A time in its largest unit, rounded up above a minute: `59 s`, `2 min`, `3 h`.
pub fn duration(seconds: f64) -> String {
    match seconds as u64 {
        seconds if seconds < 60 => format!("{seconds} s"),
        seconds if seconds < 3600 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h", seconds.div_ceil(3600)),
    }
}

/// Bytes as hexadecimal digits, two each.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right() {
        let numbers = [0, 7, 999, 1_000, 10_002_898, u64::MAX].map(grouped);
        assert_eq!(numbers, ["0", "7", "999", "1,000", "10,002,898", "18,446,744,073,709,551,615"]);
        assert_eq!(grouped_with(1_000, NARROW_SPACE), "1\u{202f}000");
    }

    #[test]
    fn only_one_is_singular() {
        assert_eq!([0, 1, 2].map(|n| plural(n, "run")), ["0 runs", "1 run", "2 runs"]);
        assert_eq!(plural_with(4_000, NARROW_SPACE, "run"), "4\u{202f}000 runs");
    }

    #[test]
    fn a_time_is_told_in_its_largest_unit() {
        let times = [0.4, 59.9, 60.0, 61.0, 3599.0, 3600.0, 7201.0].map(duration);
        assert_eq!(times, ["0 s", "59 s", "1 min", "2 min", "60 min", "1 h", "3 h"]);
    }

    #[test]
    fn bytes_keep_their_leading_zeros() {
        assert_eq!(hex(&[0x00, 0x0f, 0xf0, 0xa5]), "000ff0a5");
    }
}
