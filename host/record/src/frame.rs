//! The envelope of everything: sync, kind, number, length, payload, checksum.
//! Which bytes mean what is in `border::record`, and in docs/records.md.

use crate::Reason;
use border::record::{self, head};
pub use border::record::{FrameKind, SYNC};

/// Bytes before the payload.
pub(crate) const HEAD: usize = record::HEAD_BYTES as usize;
/// Bytes after the payload.
pub(crate) const TAIL: usize = record::TAIL_BYTES as usize;
/// The longest payload: 72 edges or 63 totals, exactly.
pub const MAX_PAYLOAD: usize = record::MAX_PAYLOAD as usize;
/// The longest frame.
pub const MAX_FRAME: usize = HEAD + MAX_PAYLOAD + TAIL;

/// A complete frame with a valid checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    pub kind: FrameKind,
    pub sequence: u8,
    pub payload: &'a [u8],
    pub checksum: u32,
}

impl Frame<'_> {
    /// Bytes of the frame.
    pub fn len(&self) -> usize {
        HEAD + self.payload.len() + TAIL
    }
}

/// Result of parsing a frame.
pub(crate) enum Parsed<'a> {
    Frame(Frame<'a>),
    /// The start of a frame of this many bytes.
    Incomplete(usize),
    Bad(Reason),
}

/// Parses a frame at the start of `bytes`.
pub(crate) fn parse(bytes: &[u8]) -> Parsed<'_> {
    let seen = bytes.len().min(SYNC.len());
    if bytes[..seen] != SYNC[..seen] {
        return Parsed::Bad(Reason::NoFrame);
    }
    let Some(start) = bytes.get(..HEAD) else { return Parsed::Incomplete(HEAD) };
    let [kind, sequence] = [head::KIND, head::SEQUENCE].map(|part| part.number(start) as u8);
    let [length, complement] =
        [head::LENGTH, head::COMPLEMENT].map(|part| part.number(start) as u16);
    if length != !complement {
        return Parsed::Bad(Reason::Length(length, complement));
    }
    let payload_len = usize::from(length);
    if payload_len > MAX_PAYLOAD {
        return Parsed::Bad(Reason::TooLong(length));
    }
    let whole = HEAD + payload_len + TAIL;
    let Some(frame) = bytes.get(..whole) else { return Parsed::Incomplete(whole) };
    let (covered, tail) = frame.split_at(HEAD + payload_len);
    let stored = u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]);
    let computed = crc32fast::hash(&covered[SYNC.len()..]);
    if stored != computed {
        return Parsed::Bad(Reason::Checksum { stored, computed });
    }
    match FrameKind::numbered(kind.into()) {
        Some(kind) => {
            Parsed::Frame(Frame { kind, sequence, payload: &covered[HEAD..], checksum: stored })
        }
        None => Parsed::Bad(Reason::UnknownKind(kind)),
    }
}

/// Appends a frame and returns its checksum. The payload is at most [`MAX_PAYLOAD`] bytes.
pub(crate) fn append(kind: FrameKind, sequence: u8, payload: &[u8], out: &mut Vec<u8>) -> u32 {
    debug_assert!(payload.len() <= MAX_PAYLOAD);
    let start = out.len();
    let length = payload.len() as u16;
    let mut bytes = [0; HEAD];
    head::SYNC.put(&mut bytes, &SYNC);
    head::KIND.put_number(&mut bytes, kind.number().into());
    head::SEQUENCE.put_number(&mut bytes, sequence.into());
    head::LENGTH.put_number(&mut bytes, length.into());
    head::COMPLEMENT.put_number(&mut bytes, (!length).into());
    out.extend(bytes);
    out.extend(payload);
    let checksum = crc32fast::hash(&out[start + SYNC.len()..]);
    out.extend(checksum.to_le_bytes());
    checksum
}

/// Extends the checksum of a run's frames by one frame: CRC-32 of their checksums.
pub(crate) fn chain(so_far: u32, checksum: u32) -> u32 {
    let mut crc = crc32fast::Hasher::new_with_initial(so_far);
    crc.update(&checksum.to_le_bytes());
    crc.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_common_one() {
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
        let first = crc32fast::hash(&7u32.to_le_bytes());
        assert_eq!(chain(0, 7), first);
        let both = [7u32.to_le_bytes(), 9u32.to_le_bytes()].concat();
        assert_eq!(chain(first, 9), crc32fast::hash(&both));
    }

    #[test]
    fn a_frame_reads_back() {
        let mut bytes = Vec::new();
        append(FrameKind::Lost, 9, &[1, 2, 3], &mut bytes);
        assert_eq!(bytes[..8], [0xc7, 0x5a, 6, 9, 3, 0, 0xfc, 0xff]);
        let Parsed::Frame(frame) = parse(&bytes) else { panic!("not a frame") };
        assert_eq!(
            (frame.kind, frame.sequence, frame.payload),
            (FrameKind::Lost, 9, &[1, 2, 3][..])
        );
        assert_eq!(frame.len(), bytes.len());
    }
}
