//! Registers as rows of data: name, number, access, reset value, fields and documentation.

/// How software may use a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Writes are ignored.
    ReadOnly,
    /// Reads 0.
    WriteOnly,
    /// Reads return the last value written, in the bits that exist.
    ReadWrite,
}

/// Value of a register after reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// This value.
    Value(u32),
    /// The depth of the communication table.
    TableDepth,
}

/// Consecutive bits of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in snake case.
    pub name: &'static str,
    /// The lowest bit.
    pub low: u32,
    /// Number of bits.
    pub width: u32,
    /// What the field means, as one line of Markdown.
    pub doc: &'static str,
}

impl Field {
    /// The field's bits in the register, all ones.
    #[inline]
    pub const fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.width)) << self.low
    }

    /// The field's value in a register's value.
    #[inline]
    pub const fn of(&self, register: u32) -> u32 {
        (register & self.mask()) >> self.low
    }

    /// A register's value with this value in the field and zeros elsewhere.
    #[inline]
    pub const fn holding(&self, value: u32) -> u32 {
        value << self.low & self.mask()
    }
}

/// One register of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// The name in snake case.
    pub name: &'static str,
    /// The unit that has the register.
    pub unit: &'static str,
    /// The number of the register in its window.
    pub word: u32,
    /// Software access.
    pub access: Access,
    /// Value after reset.
    pub reset: Reset,
    /// What it means, as one line of Markdown.
    pub doc: &'static str,
    /// Its fields; none if the whole register is one number.
    pub fields: &'static [Field],
}

/// A window of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The name in snake case.
    pub name: &'static str,
    /// Bytes of a register: 4, or 1.
    pub register_bytes: u32,
    /// The registers, by number.
    pub registers: &'static [Register],
}

impl Window {
    /// The registers that a unit has, by number.
    pub fn of_unit(&self, unit: &str) -> impl Iterator<Item = &'static Register> {
        self.registers.iter().filter(move |register| register.unit == unit)
    }
}

/// Declares the words of a window as an enum with its [`Window`].
macro_rules! registers {
    (
        $(#[$about:meta])*
        pub enum $Word:ident in $window:ident, $bytes:literal bytes each {
            $($unit:ident {
                $(
                    $(#[doc = $doc:literal])+
                    $Variant:ident = $word:literal, $access:ident, $reset:expr
                    $(, {
                        $($(#[doc = $field_doc:literal])+ $FIELD:ident: $high:literal - $low:literal,)+
                    })?;
                )+
            })+
        }
    ) => {
        numbered! {
            $(#[$about])*
            pub enum $Word {
                $($($(#[doc = $doc])+ $Variant = $word,)+)+
            }
        }

        impl $Word {
            $($($($(
                $(#[doc = $field_doc])+
                pub const $FIELD: $crate::register::Field = $crate::register::Field {
                    name: lower_name!($FIELD),
                    low: $low,
                    width: $high - $low + 1,
                    doc: $crate::numbered::one_line(concat!($($field_doc),+)),
                };
            )+)?)+)+
        }

        /// The registers as rows.
        pub const WINDOW: $crate::register::Window = $crate::register::Window {
            name: stringify!($window),
            register_bytes: $bytes,
            registers: &[$($($crate::register::Register {
                name: snake_name!($Variant),
                unit: stringify!($unit),
                word: $word,
                access: $crate::register::Access::$access,
                reset: $reset,
                doc: $crate::numbered::one_line(concat!($($doc),+)),
                fields: &[$($($Word::$FIELD),+)?],
            }),+),+],
        };
    };
}

/// [`registers!`] for a window that several units share: also declares an enum for the registers of each.
///
/// A unit's model matches on its own enum, exhaustively: a row that was added there and has no behavior does
/// not compile, and the other units' models need not name it.
macro_rules! shared_registers {
    (
        $(#[$about:meta])*
        pub enum $Word:ident in $window:ident, $bytes:literal bytes each {
            $($(#[$of_unit:meta])* $unit:ident as $Unit:ident { $($rows:tt)+ })+
        }
    ) => {
        registers! {
            $(#[$about])*
            pub enum $Word in $window, $bytes bytes each {
                $($unit { $($rows)+ })+
            }
        }

        $(unit_registers! {
            $(#[$of_unit])*
            pub enum $Unit { $($rows)+ }
        })+
    };
}

/// The registers of one unit as an enum, from the rows of [`registers!`].
macro_rules! unit_registers {
    (
        $(#[$about:meta])*
        pub enum $Unit:ident {
            $(
                $(#[doc = $doc:literal])+
                $Variant:ident = $word:literal, $access:ident, $reset:expr
                $(, { $($fields:tt)+ })?;
            )+
        }
    ) => {
        numbered! {
            $(#[$about])*
            pub enum $Unit {
                $($(#[doc = $doc])+ $Variant = $word,)+
            }
        }
    };
}

/// A constant's name in lower case, as a constant.
macro_rules! lower_name {
    ($FIELD:ident) => {{
        const UPPER: &str = stringify!($FIELD);
        const LOWER: [u8; UPPER.len()] = $crate::register::lower(UPPER);
        match ::core::str::from_utf8(&LOWER) {
            Ok(name) => name,
            Err(_) => UPPER,
        }
    }};
}

pub(crate) const fn lower<const LEN: usize>(upper: &str) -> [u8; LEN] {
    let mut lower = [0; LEN];
    let mut at = 0;
    while at < LEN {
        lower[at] = upper.as_bytes()[at].to_ascii_lowercase();
        at += 1;
    }
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOWS: [Window; 5] = [
        crate::monitor::WINDOW,
        crate::breakpoint::WINDOW,
        crate::color::WINDOW,
        crate::clint::WINDOW,
        crate::uart::WINDOW,
    ];

    #[test]
    fn a_field_holds_what_it_gives_back_and_nothing_else() {
        let field = Field { name: "kind", low: 16, width: 2, doc: "" };
        assert_eq!(
            (field.mask(), field.holding(3), field.of(0xffff_ffff)),
            (0x3_0000, 0x3_0000, 3)
        );
        assert_eq!(field.holding(7), field.mask());
        let whole = Field { name: "all", low: 0, width: 32, doc: "" };
        assert_eq!(whole.mask(), u32::MAX);
    }

    #[test]
    fn registers_ascend_and_their_fields_do_not_overlap() {
        for window in WINDOWS {
            assert!(window.registers.is_sorted_by(|a, b| a.word < b.word), "{}", window.name);
            for register in window.registers {
                let sum: u64 = register.fields.iter().map(|field| u64::from(field.mask())).sum();
                let union = register.fields.iter().fold(0, |all, field| all | field.mask());
                assert_eq!(sum, u64::from(union), "{}", register.name);
            }
        }
    }

    #[test]
    fn a_write_only_register_resets_to_zero() {
        for register in WINDOWS.iter().flat_map(|window| window.registers) {
            if register.access == Access::WriteOnly {
                assert_eq!(register.reset, Reset::Value(0), "{}", register.name);
            }
        }
    }
}
