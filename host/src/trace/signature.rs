//! The signature of a run, as RISC-V's architecture tests compare it: what memory holds between two symbols.

use border::Program;
use golden::isa::Retired;
use std::fmt::Write as _;
use std::ops::Range;

/// The longest signature.
const MOST_BYTES: u32 = 1 << 20;

/// What is between `begin_signature` and `end_signature`, followed through a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    start: u32,
    bytes: Vec<u8>,
}

impl Signature {
    /// As the program is loaded.
    ///
    /// # Errors
    /// If the program has no signature: says why.
    pub fn of(program: &Program) -> Result<Self, String> {
        let Range { start, end } = Self::range(program)?;
        let mut bytes = vec![0; (end - start) as usize];
        for segment in &program.segments {
            for (at, byte) in (u64::from(segment.address)..).zip(&segment.bytes) {
                let place = at.checked_sub(start.into()).and_then(|at| usize::try_from(at).ok());
                if let Some(known) = place.and_then(|place| bytes.get_mut(place)) {
                    *known = *byte;
                }
            }
        }
        Ok(Self { start, bytes })
    }

    /// Where it is.
    ///
    /// # Errors
    /// If the program has no signature: says why.
    pub fn range(program: &Program) -> Result<Range<u32>, String> {
        let path = program.path.display();
        let symbol = |name: &str| {
            program.symbol(name).ok_or_else(|| format!("`{path}` has no symbol `{name}`"))
        };
        let (start, end) = (symbol("begin_signature")?, symbol("end_signature")?);
        let bytes = end.checked_sub(start);
        match bytes {
            Some(bytes) if start % 4 == 0 && bytes % 4 == 0 && bytes <= MOST_BYTES => {
                Ok(start..end)
            }
            _ => Err(format!(
                "`{path}`: the signature is from {start:#x} to {end:#x}; expected whole words, at most {MOST_BYTES} bytes"
            )),
        }
    }

    /// An instruction ended.
    pub fn see(&mut self, retired: &Retired) {
        if retired.mem_wmask == 0 {
            return;
        }
        let Some(place) = retired.mem_addr.checked_sub(self.start) else { return };
        let Some(word) = self.bytes.get_mut(place as usize..place as usize + 4) else { return };
        let written = retired.mem_wdata.to_le_bytes();
        for lane in (0..4).filter(|lane| retired.mem_wmask >> lane & 1 != 0) {
            word[lane] = written[lane];
        }
    }

    /// A word a line, in hexadecimal.
    pub fn text(&self) -> String {
        Self::text_of(&self.bytes)
    }

    /// The same of the bytes that memory holds there.
    pub fn text_of(bytes: &[u8]) -> String {
        let mut text = String::new();
        for word in bytes.chunks_exact(4) {
            let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            let _ = writeln!(text, "{word:08x}");
        }
        text
    }
}
