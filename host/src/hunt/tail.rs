//! The end of a text of any length.

use std::io::{self, Write};

/// Keeps the last bytes of what is written to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tail {
    kept: Vec<u8>,
    written: u64,
}

impl Tail {
    /// How many bytes are kept.
    pub const KEPT: usize = 64 << 10;

    /// The end of the text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.kept[self.kept.len().saturating_sub(Self::KEPT)..])
            .into_owned()
    }

    /// How many bytes were written in all.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Whether the beginning is gone.
    pub fn is_cut(&self) -> bool {
        self.written > Self::KEPT as u64
    }
}

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.written += bytes.len() as u64;
        self.kept.extend_from_slice(bytes);
        // Forgetting in large steps keeps the cost of a byte constant.
        if self.kept.len() > 2 * Self::KEPT {
            self.kept.drain(..self.kept.len() - Self::KEPT);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl From<Vec<u8>> for Tail {
    fn from(bytes: Vec<u8>) -> Self {
        let written = bytes.len() as u64;
        let kept = bytes[bytes.len().saturating_sub(Self::KEPT)..].to_vec();
        Self { kept, written }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_megabytes_the_end_is_kept() {
        let mut tail = Tail::default();
        for number in 0..100_000 {
            writeln!(tail, "line {number}").unwrap();
        }
        let text = tail.text();
        assert_eq!(text.len(), Tail::KEPT);
        assert!(text.ends_with("line 99998\nline 99999\n"));
        assert!(tail.is_cut() && tail.written() > 1_000_000);
        assert!(tail.kept.len() <= 2 * Tail::KEPT);
    }

    #[test]
    fn a_short_text_is_kept_whole() {
        let tail = Tail::from(b"all of it".to_vec());
        assert_eq!((tail.text().as_str(), tail.is_cut()), ("all of it", false));
    }
}
