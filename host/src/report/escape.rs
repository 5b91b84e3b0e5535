//! Text and data made harmless. Nothing that comes from a run or a source file gets into the page but
//! through here.

use serde::Serialize;
use std::fmt::Write as _;

/// Text for an element or for an attribute in quotes.
///
/// What a page cannot hold or must not obey becomes U+FFFD: control characters, noncharacters, and the
/// marks that make text run the other way, which could show a source line as what it is not.
pub fn text(raw: &str) -> String {
    let mut safe = String::with_capacity(raw.len());
    for letter in raw.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            letter if is_unshowable(letter) => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

fn is_unshowable(letter: char) -> bool {
    letter.is_control()
        || u32::from(letter) & 0xfffe == 0xfffe
        || matches!(letter, '\u{fdd0}'..='\u{fdef}')
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The beginning of a text, in at most `most` characters, escaped.
pub fn cut(raw: &str, most: usize) -> String {
    match raw.char_indices().nth(most) {
        None => text(raw),
        Some(_) => {
            let kept: String = raw.chars().take(most.saturating_sub(1)).collect();
            text(kept.trim_end()) + "…"
        }
    }
}

/// A value as JSON that can stand in a script element: printable ASCII, without `<`, `>` and `&`.
pub fn json(value: &impl Serialize) -> String {
    // Strings and numbers only: there is nothing that could have no form in JSON.
    let plain = serde_json::to_string(value).unwrap_or_default();
    let mut safe = String::with_capacity(plain.len());
    for letter in plain.chars() {
        if matches!(letter, ' '..='~') && !matches!(letter, '<' | '>' | '&') {
            safe.push(letter);
        } else {
            // Outside of strings JSON is ASCII without any of these.
            for unit in letter.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_element_or_attribute() {
        assert_eq!(
            text("</script><b a='\"'>&amp;"),
            "&lt;/script&gt;&lt;b a=&#39;&quot;&#39;&gt;&amp;amp;"
        );
    }

    #[test]
    fn text_cannot_be_shown_as_what_it_is_not() {
        assert_eq!(
            text("a\u{202e}b\u{0}c\u{7f}d\u{ffff}\te"),
            "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd} e"
        );
    }

    #[test]
    fn long_text_is_cut_before_it_is_escaped() {
        assert_eq!(cut("<<<<", 4), "&lt;&lt;&lt;&lt;");
        assert_eq!(cut("<<<<<", 4), "&lt;&lt;&lt;…");
        assert_eq!(cut("äöü", 2), "ä…");
    }

    #[test]
    fn json_means_the_same_and_cannot_end_its_script() {
        let hostile = "</script><!-- & \u{2028} \u{1f600} \u{ffff} \" \\ \n";
        let safe = json(&hostile);
        assert!(safe.is_ascii() && !safe.contains(['<', '>', '&']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).ok().as_deref(), Some(hostile));
    }
}
