//! Layouts as rows of data: which bytes of a frame mean what.

/// Consecutive bytes with one meaning. Numbers are little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name in snake case.
    pub name: &'static str,
    /// Offset of its first byte.
    pub offset: u32,
    /// Its size in bytes.
    pub bytes: u32,
    /// What it means, as one line of Markdown.
    pub doc: &'static str,
}

impl Part {
    /// Offset of the first byte after it.
    pub const fn end(&self) -> u32 {
        self.offset + self.bytes
    }

    /// Its bytes in `whole`, which has at least [`Self::end`] bytes.
    pub fn of<'a>(&self, whole: &'a [u8]) -> &'a [u8] {
        &whole[self.offset as usize..self.end() as usize]
    }

    /// Its number in `whole`; of at most 8 bytes.
    pub fn number(&self, whole: &[u8]) -> u64 {
        self.of(whole).iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// Puts bytes into `whole`, exactly as many as it has.
    pub fn put(&self, whole: &mut [u8], bytes: &[u8]) {
        whole[self.offset as usize..self.end() as usize].copy_from_slice(bytes);
    }

    /// Puts the low bytes of a number into `whole`.
    pub fn put_number(&self, whole: &mut [u8], number: u64) {
        self.put(whole, &number.to_le_bytes()[..self.bytes as usize]);
    }
}

/// Declares the parts of something as constants, with their list.
macro_rules! layout {
    (
        $(#[$about:meta])*
        pub mod $whole:ident {
            $($(#[doc = $doc:literal])+ $PART:ident = $offset:literal, $bytes:literal;)+
        }
    ) => {
        $(#[$about])*
        pub mod $whole {
            use $crate::layout::Part;

            $(
                $(#[doc = $doc])+
                pub const $PART: Part = Part {
                    name: lower_name!($PART),
                    offset: $offset,
                    bytes: $bytes,
                    doc: $crate::numbered::one_line(concat!($($doc),+)),
                };
            )+

            /// All parts, in order.
            pub const PARTS: &[Part] = &[$($PART),+];
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_takes_and_gives_its_own_bytes_only() {
        let part = Part { name: "part", offset: 2, bytes: 3, doc: "" };
        let mut whole = [0xff; 7];
        part.put_number(&mut whole, 0x9912_3456);
        assert_eq!(whole, [0xff, 0xff, 0x56, 0x34, 0x12, 0xff, 0xff]);
        assert_eq!((part.number(&whole), part.of(&whole)), (0x12_3456, &[0x56, 0x34, 0x12][..]));
    }
}
