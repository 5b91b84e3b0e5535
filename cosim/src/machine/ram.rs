//! The memory behind the machine's memory port.

use border::Program;
use border::map::RAM;

use super::MachineError;

/// RAM as 64-bit words, so that lines are copied to ports by word.
#[derive(Clone, Debug)]
pub struct Ram {
    words: Vec<u64>,
    /// 32-bit words patched after loading, in order.
    patches: Vec<(u32, u32)>,
}

impl Ram {
    /// `bytes` bytes of zeros.
    pub fn new(bytes: u32) -> Self {
        Self { words: vec![0; bytes as usize / 8], patches: Vec::new() }
    }

    /// Size in bytes.
    pub fn bytes(&self) -> u32 {
        (self.words.len() * 8) as u32
    }

    /// Loads a program; its segments were checked against this size.
    pub fn load(&mut self, program: &Program) {
        for segment in &program.segments {
            for (offset, byte) in segment.bytes.iter().enumerate() {
                self.set_byte(segment.address + offset as u32, *byte);
            }
        }
    }

    /// Writes a jump from the reset vector to the program's entry, unless the entry is at the
    /// vector.
    ///
    /// # Errors
    /// If the program occupies the vector.
    pub fn enter(&mut self, program: &Program, vector: u32) -> Result<(), MachineError> {
        if program.entry == vector {
            return Ok(());
        }
        let jump = u64::from(vector)..u64::from(vector) + 8;
        let ram = u64::from(RAM.base)..u64::from(RAM.base) + u64::from(self.bytes());
        if program.occupies(jump.clone()) || jump.start < ram.start || jump.end > ram.end {
            let Program { path, entry, .. } = program;
            return Err(MachineError::Config(format!(
                "`{}` starts at {entry:#x}, but harts start at {vector:#x} (reset_vector), where \
                 there is no room for a jump to it: expected 8 unused bytes of RAM",
                path.display()
            )));
        }
        // lui t0, high; jalr x0, low(t0)
        let high = program.entry.wrapping_add(0x800) & 0xffff_f000;
        let low = program.entry.wrapping_sub(high) & 0xfff;
        self.patch(vector, high | 0x2b7);
        self.patch(vector + 4, low << 20 | 0x28067);
        Ok(())
    }

    /// Sets an aligned 32-bit word and adds it to [`Self::patches`].
    pub fn patch(&mut self, address: u32, value: u32) {
        self.set_word(address, value);
        self.patches.push((address, value));
    }

    /// The words patched after loading, in order.
    pub fn patches(&self) -> impl Iterator<Item = (u32, u32)> {
        self.patches.iter().copied()
    }

    /// The words of the line at an address in RAM; an address outside wraps into it.
    #[inline]
    pub fn line(&self, address: u32, words: usize) -> &[u64] {
        let at = self.word_index(address) & !(words - 1);
        &self.words[at..at + words]
    }

    /// Replaces a line.
    #[inline]
    pub fn set_line(&mut self, address: u32, line: &[u64]) {
        let at = self.word_index(address) & !(line.len() - 1);
        self.words[at..at + line.len()].copy_from_slice(line);
    }

    /// One byte.
    pub fn byte(&self, address: u32) -> u8 {
        self.words[self.word_index(address)].to_le_bytes()[address as usize % 8]
    }

    /// Sets one byte.
    pub fn set_byte(&mut self, address: u32, value: u8) {
        let at = self.word_index(address);
        let mut bytes = self.words[at].to_le_bytes();
        bytes[address as usize % 8] = value;
        self.words[at] = u64::from_le_bytes(bytes);
    }

    /// Sets an aligned 32-bit word.
    pub fn set_word(&mut self, address: u32, value: u32) {
        for (offset, byte) in value.to_le_bytes().into_iter().enumerate() {
            self.set_byte(address + offset as u32, byte);
        }
    }

    fn word_index(&self, address: u32) -> usize {
        (address.wrapping_sub(RAM.base) as usize / 8) % self.words.len()
    }
}
