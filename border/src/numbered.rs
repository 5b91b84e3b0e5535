//! Enums whose variants have a number, a name and a line of documentation, each written once.

/// One row of a table of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name in snake case.
    pub name: &'static str,
    /// The number that crosses the border.
    pub number: u32,
    /// What it means, as one line of Markdown.
    pub doc: &'static str,
}

/// An enum made by `numbered!`.
pub trait Numbered: Copy + 'static {
    /// All rows, in the order in which they are written.
    const ROWS: &'static [Row];
}

/// The length of a name in snake case, from a name in camel case.
pub(crate) const fn snake_len(camel: &str) -> usize {
    let bytes = camel.as_bytes();
    let (mut at, mut len) = (0, 0);
    while at < bytes.len() {
        len += if at > 0 && bytes[at].is_ascii_uppercase() { 2 } else { 1 };
        at += 1;
    }
    len
}

/// A name in snake case, from a name in camel case.
pub(crate) const fn snake<const LEN: usize>(camel: &str) -> [u8; LEN] {
    let bytes = camel.as_bytes();
    let mut snake = [b'_'; LEN];
    let (mut at, mut to) = (0, 0);
    while at < bytes.len() {
        if at > 0 && bytes[at].is_ascii_uppercase() {
            to += 1;
        }
        snake[to] = bytes[at].to_ascii_lowercase();
        at += 1;
        to += 1;
    }
    snake
}

/// The documentation of a variant: lines of `///`, joined, without the first space.
pub(crate) const fn one_line(doc: &'static str) -> &'static str {
    doc.trim_ascii()
}

/// The name of a variant in snake case, as a constant.
macro_rules! snake_name {
    ($variant:ident) => {{
        const CAMEL: &str = stringify!($variant);
        const SNAKE: [u8; $crate::numbered::snake_len(CAMEL)] = $crate::numbered::snake(CAMEL);
        match ::core::str::from_utf8(&SNAKE) {
            Ok(name) => name,
            Err(_) => CAMEL,
        }
    }};
}

/// Declares an enum with its numbers and makes [`Row`]s of it.
macro_rules! numbered {
    (
        $(#[$about:meta])*
        pub enum $Name:ident {
            $($(#[doc = $doc:literal])+ $Variant:ident = $number:expr,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u32)]
        pub enum $Name {
            $($(#[doc = $doc])+ $Variant = $number,)+
        }

        impl $Name {
            /// All of them, in the order in which they are written.
            pub const ALL: [Self; [$(stringify!($Variant)),+].len()] = [$(Self::$Variant),+];

            /// The number that crosses the border.
            #[inline]
            pub const fn number(self) -> u32 {
                self as u32
            }

            /// The one with this number.
            #[inline]
            pub const fn numbered(number: u32) -> Option<Self> {
                match number {
                    $(number if number == Self::$Variant as u32 => Some(Self::$Variant),)+
                    _ => None,
                }
            }

            /// The name in snake case.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => snake_name!($Variant),)+
                }
            }
        }

        impl $Name {
            /// What it means, as one line of Markdown.
            pub const fn doc(self) -> &'static str {
                match self {
                    $(Self::$Variant => $crate::numbered::one_line(concat!($($doc),+)),)+
                }
            }
        }

        impl $crate::Numbered for $Name {
            const ROWS: &'static [$crate::Row] = &[$($crate::Row {
                name: snake_name!($Variant),
                number: $number,
                doc: $crate::numbered::one_line(concat!($($doc),+)),
            }),+];
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    numbered! {
        /// For the tests.
        pub enum Sample {
            /// The first,
            /// in two lines.
            FirstOne = 3,
            /// Another.
            B = 1,
        }
    }

    #[test]
    fn a_row_has_name_number_and_documentation_of_its_variant() {
        let first = Row { name: "first_one", number: 3, doc: "The first, in two lines." };
        assert_eq!(Sample::ROWS, [first, Row { name: "b", number: 1, doc: "Another." }]);
        for (variant, row) in Sample::ALL.iter().zip(Sample::ROWS) {
            assert_eq!(
                (variant.name(), variant.number(), variant.doc()),
                (row.name, row.number, row.doc)
            );
        }
    }

    #[test]
    fn only_numbers_of_variants_have_a_variant() {
        assert_eq!(
            [0, 1, 2, 3].map(Sample::numbered),
            [None, Some(Sample::B), None, Some(Sample::FirstOne)]
        );
    }
}
