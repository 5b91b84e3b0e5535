//! The program's words to the host, in the protocol of riscv-tests: an exit code, a system call, or a
//! character.
//!
//! `tohost` is a 64-bit word that 32-bit harts write in two halves. The low half is seen when it is
//! written. The high half, which tells a character from an exit code, may come before or after it; it
//! is waited for until the hart has had time to write it.

use border::Place;
use golden::memory::Watched;

use super::MachineError;
use super::run::Run;

/// Instructions after which a hart will not write the high half any more.
const PATIENCE: u32 = 8;
/// Cycles after which it will not.
const LONGEST: u64 = 4096;
/// The console, and its command to write a character: the high half.
const WRITE_CHARACTER: u32 = 0x0101_0000;
const CALL_WRITE: u64 = 64;
const CALL_EXIT: u64 = 93;
/// `-ENOSYS`: there is no such call.
const NO_SUCH_CALL: u64 = -38_i64 as u64;
/// `-EBADF`: that file is not open.
const NO_SUCH_FILE: u64 = -9_i64 as u64;
/// Descriptors of complaints, of the record stream, and of edges without frames.
const ERRORS: u64 = 2;
const RECORDS: u64 = 3;
const BARE_EDGES: u64 = 4;
/// The longest text of one call.
const LONGEST_TEXT: u64 = 1 << 20;

impl Run<'_> {
    /// Acts on a nonzero word written to `tohost`; gives the exit code if that ends the program.
    pub(super) fn listen(
        &mut self,
        cycle: u64,
        told: Watched,
    ) -> Result<Option<u32>, MachineError> {
        let Some(tohost) = self.program.tohost() else { return Ok(None) };
        let high = self.high_half(tohost, told)?;
        let value = u64::from(high) << 32 | u64::from(told.data);
        match high {
            0 if told.data & 1 != 0 => Ok(Some(told.data >> 1)),
            0 => self.system_call(cycle, tohost, told.data),
            WRITE_CHARACTER => {
                self.print(&[told.data as u8])?;
                self.acknowledge(tohost)?;
                Ok(None)
            }
            _ => {
                let what = "no device has this command".to_owned();
                Err(MachineError::Host { cycle, value, what })
            }
        }
    }

    fn high_half(&mut self, tohost: Place, told: Watched) -> Result<u32, MachineError> {
        if tohost.size == 4 {
            return Ok(0);
        }
        let high = tohost.address + 4;
        let (mut ended, start) = (0, self.soc.cycle());
        // The low half itself still has to retire.
        while ended <= PATIENCE && self.soc.cycle() - start < LONGEST {
            self.step()?;
            let Some(record) = self.soc.observe().retired(usize::from(told.hart)) else { continue };
            if record.mem_wmask != 0 && record.mem_addr == high {
                self.told = None;
                return Ok(record.mem_wdata);
            }
            ended += 1;
        }
        // It wrote the high half before, if at all. A word that came meanwhile is the same one again.
        self.told = None;
        Ok((self.host_read(tohost.address)? >> 32) as u32)
    }

    /// The word is dealt with: the program may write the next.
    fn acknowledge(&mut self, tohost: Place) -> Result<(), MachineError> {
        self.told = None;
        self.host_write(tohost.address, 0)
    }

    fn system_call(
        &mut self,
        cycle: u64,
        tohost: Place,
        block: u32,
    ) -> Result<Option<u32>, MachineError> {
        let refuse = |what: &str| {
            let what = what.to_owned();
            Err(MachineError::Host { cycle, value: u64::from(block), what })
        };
        let ram = self.soc.ram_range();
        if !block.is_multiple_of(8) || !ram.contains(&u64::from(block)) {
            return refuse("neither an exit code nor the address of a system call");
        }
        if !ram.contains(&(u64::from(block) + 31)) {
            return refuse("the system call does not lie in RAM");
        }
        let mut words = [0; 4];
        for (word, address) in words.iter_mut().zip((block..).step_by(8)) {
            *word = self.host_read(address)?;
        }
        let [call, file, text, length] = words;
        let answer = match call {
            CALL_EXIT => return Ok(Some(file as u32)),
            CALL_WRITE if !(1..=4).contains(&file) => NO_SUCH_FILE,
            CALL_WRITE => {
                let end = text.checked_add(length);
                if length > LONGEST_TEXT {
                    return refuse("it writes more than a mebibyte at once");
                }
                if length > 0 && !end.is_some_and(|end| ram.contains(&text) && end <= ram.end) {
                    return refuse("the text to be written does not lie in RAM");
                }
                let bytes = self.read_memory(text as u32, length as u32)?;
                match file {
                    ERRORS => self.sent.errors.extend(bytes),
                    RECORDS => self.sent.records.extend(bytes),
                    BARE_EDGES => self.sent.bare_edges.extend(bytes),
                    _ => self.print(&bytes)?,
                }
                length
            }
            _ => NO_SUCH_CALL,
        };
        self.host_write(block, answer)?;
        self.acknowledge(tohost)?;
        if let Some(fromhost) = self.program.fromhost() {
            self.host_write(fromhost.address, 1)?;
        }
        Ok(None)
    }

    fn read_memory(&mut self, text: u32, length: u32) -> Result<Vec<u8>, MachineError> {
        let mut bytes = Vec::with_capacity(length as usize + 8);
        let first = text & !7;
        let mut address = first;
        while bytes.len() < ((text - first) + length) as usize {
            bytes.extend(self.host_read(address)?.to_le_bytes());
            address += 8;
        }
        let start = (text - first) as usize;
        Ok(bytes[start..start + length as usize].to_vec())
    }
}
