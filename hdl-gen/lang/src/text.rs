//! Writing text fast, without the machinery of `format!`.

/// Appends pieces of text, one after the other.
macro_rules! add {
    ($out:expr, $($piece:expr),+ $(,)?) => {{
        $($out.push_str($piece);)+
    }};
}

/// Appends a number in decimal.
pub(crate) fn put_number(out: &mut String, mut number: u64) {
    let mut digits = [b'0'; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    digits[start..].iter().for_each(|&digit| out.push(digit.into()));
}

/// Appends spaces.
pub(crate) fn put_spaces(out: &mut String, mut count: usize) {
    const SPACES: &str = "                                                                ";
    while count > 0 {
        let some = count.min(SPACES.len());
        out.push_str(&SPACES[..some]);
        count -= some;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_format_does() {
        for number in [0, 7, 10, 999, 1000, u64::MAX] {
            let mut text = String::new();
            put_number(&mut text, number);
            assert_eq!(text, number.to_string());
        }
    }
}
