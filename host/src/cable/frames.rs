//! The frames between host and loader.

use config::Config;
use serde::Deserialize;

const SYNC: [u8; 2] = [0xb0, 0x07];
const DONE: u8 = 1;
const HELLO: u8 = 2;

/// Words that one frame may carry.
pub const MAX_WORDS: usize = 255;

/// What the loader is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// Everything begins anew; the board answers with its description.
    Reset,
    /// These words, from this address on.
    Write(u32, &'a [u32]),
    /// So many zero words, from this address on.
    Clear(u32, u32),
    /// The harts run.
    Go,
}

impl Frame<'_> {
    /// Its bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let (kind, address, words) = match self {
            Frame::Reset => (1, 0, Vec::new()),
            Frame::Write(address, words) => (2, *address, words.to_vec()),
            Frame::Clear(address, count) => (3, *address, vec![*count]),
            Frame::Go => (4, 0, Vec::new()),
        };
        assert!(words.len() <= MAX_WORDS, "a frame has at most {MAX_WORDS} words");
        let mut body = vec![kind, words.len() as u8];
        body.extend(address.to_le_bytes());
        words.iter().for_each(|word| body.extend(word.to_le_bytes()));
        let check = crc32fast::hash(&body);
        [&SYNC[..], &body, &check.to_le_bytes()].concat()
    }

    /// What the board answers when it is done.
    pub fn answer(&self) -> Vec<u8> {
        let bytes = self.bytes();
        [&SYNC[..], &[DONE], &bytes[bytes.len() - 4..]].concat()
    }
}

/// What a board says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Description {
    /// Its name.
    pub board: String,
    /// How fast it is.
    pub clock_hz: u32,
    /// The machine on it.
    pub machine: Config,
}

impl Description {
    /// The first description among these bytes, and how many bytes there are up to its end.
    pub fn find(bytes: &[u8]) -> Option<(Self, usize)> {
        let starts = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(&SYNC));
        starts.into_iter().find_map(|at| {
            let body = &bytes[at + SYNC.len()..];
            let &[HELLO, low, high, ..] = body else { return None };
            let end = 3 + usize::from(u16::from_le_bytes([low, high]));
            let check = body.get(end..end + 4)?;
            if crc32fast::hash(&body[..end]).to_le_bytes() != check {
                return None;
            }
            let text = std::str::from_utf8(&body[3..end]).ok()?;
            let description: Self = toml::from_str(text).ok()?;
            description.machine.check().ok()?;
            Some((description, at + SYNC.len() + end + 4))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use border::map::RAM;

    #[test]
    fn frames_have_the_bytes_of_the_book() {
        let write = Frame::Write(RAM.base + 0x10, &[0x1122_3344]);
        let bytes = write.bytes();
        assert_eq!(&bytes[..12], b"\xb0\x07\x02\x01\x10\x00\x00\x80\x44\x33\x22\x11");
        assert_eq!(bytes[12..], crc32fast::hash(&bytes[2..12]).to_le_bytes());
        assert_eq!(write.answer(), [&b"\xb0\x07\x01"[..], &bytes[12..]].concat());
        assert_eq!(Frame::Reset.bytes().len(), 12);
        assert_eq!(
            &Frame::Clear(RAM.base, 3).bytes()[3..12],
            b"\x01\x00\x00\x00\x80\x03\x00\x00\x00"
        );
    }
}
