//! What the bridges to other buses must do, access by access: docs/units.md, "Bridges".

use border::map::{CLINT, MONITORS, RAM, UART};

/// A line on a memory bus: its words, lowest address first.
#[derive(Clone, Copy, Debug)]
pub struct LineBurst {
    /// Address of the line.
    pub address: u32,
    /// Bytes of the line.
    pub line: usize,
    /// Bytes of a word of the bus.
    pub word: usize,
}

impl LineBurst {
    /// The address of every word.
    pub fn addresses(self) -> Vec<u32> {
        (0..self.line).step_by(self.word).map(|offset| self.address + offset as u32).collect()
    }

    /// The words of a line that is written.
    pub fn words(self, line: &[u8]) -> Vec<Vec<u8>> {
        line.chunks(self.word).map(<[u8]>::to_vec).collect()
    }

    /// The line, of the words that were read; `None` for one that failed.
    pub fn line(self, words: &[Option<Vec<u8>>]) -> Vec<u8> {
        let zeros = vec![0; self.word];
        words.iter().flat_map(|word| word.as_ref().unwrap_or(&zeros)).copied().collect()
    }
}

/// An access of somebody on a bus to a word of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusAccess {
    /// The bytes to write; `None` for a read.
    pub data: Option<Vec<u8>>,
    /// Any address in the word.
    pub address: u32,
    /// Bytes that are meant.
    pub bytes: Vec<bool>,
}

/// What the machine's host port is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostAccess {
    /// Nothing at all: no byte is meant.
    Nothing,
    /// Nothing: nothing is at the address.
    Vacant,
    /// Nothing: the device does not have such an access.
    Refused,
    /// A register of a device.
    Register {
        /// Its address.
        address: u32,
        /// The word to write, if it is written.
        word: Option<u32>,
    },
    /// Bytes of memory.
    Line {
        /// The address of their line.
        address: u32,
        /// For each byte of the line what is written there, if it is written; empty for a read.
        writes: Vec<Option<u8>>,
    },
}

impl BusAccess {
    /// What it asks of a machine whose lines have `line` bytes and whose memory ends at `ram_last`.
    pub fn at_host(&self, line: usize, ram_last: u32) -> HostAccess {
        let width = self.bytes.len();
        let first = self.address & !(width as u32 - 1);
        let meant: Vec<usize> = (0..width).filter(|&lane| self.bytes[lane]).collect();
        if (RAM.base..=ram_last).contains(&self.address) {
            return match meant.is_empty() {
                true => HostAccess::Nothing,
                false => self.in_memory(first, line, &meant),
            };
        }
        if ![CLINT, UART, MONITORS].iter().any(|region| region.contains(self.address)) {
            return HostAccess::Vacant;
        }
        let Some(lane) = meant.first() else { return HostAccess::Nothing };
        let register = lane / 4;
        let lanes: Vec<usize> = (4 * register..4 * register + 4).collect();
        let one_register = meant.iter().all(|lane| lanes.contains(lane));
        let whole = meant == lanes;
        let byte_of_uart = UART.contains(self.address) && meant == lanes[..1];
        if !one_register || (self.data.is_some() && !whole && !byte_of_uart) {
            return HostAccess::Refused;
        }
        let word = self.data.as_ref().map(|data| {
            let bytes = [0, 1, 2, 3].map(|byte| data[4 * register + byte]);
            u32::from_le_bytes(bytes)
        });
        HostAccess::Register { address: first + 4 * register as u32, word }
    }

    fn in_memory(&self, first: u32, line: usize, meant: &[usize]) -> HostAccess {
        let address = first & !(line as u32 - 1);
        let offset = (first - address) as usize;
        let mut writes = Vec::new();
        if let Some(data) = &self.data {
            writes = vec![None; line];
            meant.iter().for_each(|&lane| writes[offset + lane] = Some(data[lane]));
        }
        HostAccess::Line { address, writes }
    }

    /// The bytes that are meant of a word that was read, from what the host port answered.
    pub fn read(&self, asked: &HostAccess, answer: &[u8]) -> Vec<(usize, u8)> {
        let width = self.bytes.len();
        let first = (self.address & !(width as u32 - 1)) as usize;
        let meant = (0..width).filter(|&lane| self.bytes[lane]);
        match asked {
            HostAccess::Register { .. } => meant.map(|lane| (lane, answer[lane % 4])).collect(),
            HostAccess::Line { address, .. } => {
                meant.map(|lane| (lane, answer[first + lane - *address as usize])).collect()
            }
            _ => meant.map(|lane| (lane, 0)).collect(),
        }
    }
}

/// How the addresses of a burst follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BurstKind {
    /// All the same.
    Fixed,
    /// Upwards.
    Incrementing,
    /// Upwards, and from the end of an aligned block to its beginning.
    Wrapping,
}

/// A burst on an AXI4 bus.
#[derive(Clone, Copy, Debug)]
pub struct Axi4Burst {
    /// Address of the first byte.
    pub address: u32,
    /// Number of words.
    pub words: u32,
    /// Bytes of a word.
    pub size: u32,
    /// How addresses follow one another.
    pub kind: BurstKind,
}

impl Axi4Burst {
    /// The address of word number `n`, as the specification's A3.4.1 calculates it.
    pub fn address_of(self, n: u32) -> u32 {
        let Axi4Burst { address, words, size, kind } = self;
        let aligned = address / size * size;
        match kind {
            BurstKind::Fixed => address,
            _ if n == 0 => address,
            BurstKind::Incrementing => aligned + n * size,
            BurstKind::Wrapping => {
                let block = size * words;
                let boundary = address / block * block;
                boundary + (aligned - boundary + n * size) % block
            }
        }
    }

    /// The bytes of a bus word of `width` bytes that word number `n` can have.
    pub fn lanes(self, n: u32, width: u32) -> Vec<bool> {
        let from = self.address_of(n);
        let end = from / self.size * self.size + self.size;
        let word = from / width * width;
        (word..word + width).map(|byte| (from..end).contains(&byte)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_go_up_stay_or_wrap() {
        let of = |address, words, size, kind| {
            let burst = Axi4Burst { address, words, size, kind };
            (0..words).map(|n| burst.address_of(n)).collect::<Vec<_>>()
        };
        assert_eq!(of(0x1003, 3, 4, BurstKind::Incrementing), [0x1003, 0x1004, 0x1008]);
        assert_eq!(of(0x1003, 2, 4, BurstKind::Fixed), [0x1003, 0x1003]);
        assert_eq!(of(0x1008, 4, 4, BurstKind::Wrapping), [0x1008, 0x100c, 0x1000, 0x1004]);
        let narrow =
            Axi4Burst { address: 0x1006, words: 2, size: 2, kind: BurstKind::Incrementing };
        let lanes = |n| narrow.lanes(n, 4).iter().map(|&lane| u8::from(lane)).collect::<Vec<_>>();
        assert_eq!([lanes(0), lanes(1)], [[0, 0, 1, 1], [1, 1, 0, 0]]);
    }

    #[test]
    fn a_device_has_whole_registers_and_the_uart_a_byte() {
        let at = |address, meant: &[usize], write: bool| {
            let bytes = (0..8).map(|lane| meant.contains(&lane)).collect();
            let data = write.then(|| (1..=8).collect());
            BusAccess { data, address, bytes }.at_host(32, RAM.base + 0xffff)
        };
        let clint = CLINT.base;
        let word = Some(0x0807_0605);
        let register = HostAccess::Register { address: clint + 4, word };
        assert_eq!(at(clint, &[4, 5, 6, 7], true), register);
        assert_eq!(at(clint, &[4], true), HostAccess::Refused);
        assert_eq!(at(clint, &[3, 4], false), HostAccess::Refused, "two registers");
        let read = HostAccess::Register { address: clint + 4, word: None };
        assert_eq!(at(clint, &[6], false), read);
        let sent = HostAccess::Register { address: UART.base, word: Some(0x0403_0201) };
        assert_eq!(at(UART.base, &[0], true), sent);
        assert_eq!(at(UART.base, &[1], true), HostAccess::Refused);
        assert_eq!(at(RAM.base + 0x1_0000, &[0], false), HostAccess::Vacant);
        assert_eq!(at(0, &[0], false), HostAccess::Vacant);
        assert_eq!(at(RAM.base, &[], true), HostAccess::Nothing);
    }
}
