//! Which runs can be analyzed together: runs of different programs, counted as one, explain neither.

use crate::Error;
use record::{Hash, Header};

/// What the runs so far have in common, and which of them said so first.
#[derive(Clone, Debug, Default)]
pub struct Family {
    program: First<Hash>,
    events: First<u8>,
    pc_bits: First<u8>,
}

impl Family {
    /// Takes one more run. What a run does not know of itself is no reason to refuse it.
    ///
    /// # Errors
    /// If it is of another program than an earlier one, or was recorded in a way that cannot be compared.
    pub fn admit(&mut self, name: &str, header: &Header) -> Result<(), Error> {
        let Header { elf, events, pc_bits, .. } = *header;
        if elf != [0; 32] {
            self.program.agree(name, elf, "they are of different programs (ELF hashes differ)")?;
        }
        self.events.agree(name, events, "their contexts have different lengths")?;
        if pc_bits != 0 {
            self.pc_bits.agree(name, pc_bits, "they keep different numbers of bits of a pc")?;
        }
        Ok(())
    }
}

/// The first run that knew something, and what.
#[derive(Clone, Debug)]
struct First<T>(Option<(String, T)>);

impl<T> Default for First<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: PartialEq> First<T> {
    fn agree(&mut self, name: &str, value: T, why: &str) -> Result<(), Error> {
        match &self.0 {
            None => self.0 = Some((name.to_owned(), value)),
            Some((_, known)) if *known == value => {}
            Some((one, _)) => {
                let (one, other) = (one.clone(), name.to_owned());
                return Err(Error::Mixed { one, other, why: why.into() });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(elf: u8, events: u8, pc_bits: u8) -> Header {
        Header { elf: [elf; 32], events, pc_bits, ..Header::default() }
    }

    /// What is wrong with the last of these runs.
    fn refused(headers: &[Header]) -> String {
        let mut family = Family::default();
        let (last, first) = headers.split_last().unwrap();
        for (place, header) in first.iter().enumerate() {
            family.admit(&format!("{place}.run"), header).unwrap();
        }
        family.admit("last.run", last).unwrap_err().to_string()
    }

    #[test]
    fn runs_that_differ_in_what_makes_edges_the_same_are_refused_by_name() {
        let usual = header(1, 5, 32);
        assert_eq!(
            refused(&[usual.clone(), header(2, 5, 32)]),
            "0.run and last.run cannot be analyzed together: they are of different programs (ELF hashes differ)"
        );
        let said = refused(&[usual.clone(), header(1, 3, 32)]);
        assert!(said.contains("their contexts have different lengths"), "{said}");
        let said = refused(&[usual, header(1, 5, 24)]);
        assert!(said.contains("different numbers of bits of a pc"), "{said}");
    }

    #[test]
    fn what_a_run_does_not_know_fits_everything_and_hides_nothing() {
        let said = refused(&[header(0, 5, 0), header(1, 5, 32), header(0, 5, 0), header(2, 5, 32)]);
        assert!(said.starts_with("1.run and last.run"), "{said}");
    }
}
