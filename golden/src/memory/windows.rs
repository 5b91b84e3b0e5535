//! Device windows: bus accesses to the devices and to the monitors' registers.

use super::bus::Memory;
use super::device::{DeviceRead, Unpredictable};
use super::export::{BusGrant, BusKind};
use super::map::Region;
use super::ordered::Ordered;
use crate::isa::{DataAccess, DataKind, Done, Size};
use crate::{MonitorInputs, RegisterAccess};
use border::breakpoint;
use border::color;
use border::map::{CLINT, MONITORS, UART};
use border::monitor::{Index, STRIDE, SharedWord, Word};

impl Memory {
    /// An access of a hart, or of the host, to a device.
    pub(super) fn device(
        &mut self,
        requester: u8,
        access: &DataAccess,
        region: Region,
        now: u64,
    ) -> Ordered {
        let &DataAccess { kind, size, address, data, .. } = access;
        let grant = BusGrant::plain(BusKind::Device, requester, address);
        // A byte of the UART is in its lane; a word access has the register in its low byte.
        let shift = if size == Size::Byte { 8 * (address & 3) } else { 0 };
        if kind == DataKind::Store {
            match region {
                Region::Clint => self.clint.write(address - CLINT.base, data, now),
                Region::Uart => self.uart.write(address - UART.base, data as u8),
                Region::Monitors => self.write_monitor(address - MONITORS.base, data),
                Region::Ram | Region::Vacant => {}
            }
            let done = Done { before: 0, after: data << shift, wrote: true };
            return Ordered::Device { grant, read: None, done };
        }
        let read = match region {
            Region::Clint => self.clint.read(address - CLINT.base, now),
            Region::Uart => self.uart.read(address - UART.base),
            Region::Monitors => {
                let offset = address - MONITORS.base;
                let value = self.read_monitor(offset);
                let counts = self.breakpoints.is_some() && is_count(offset);
                DeviceRead { value, unpredictable: counts.then_some(Unpredictable::Count) }
            }
            Region::Ram | Region::Vacant => DeviceRead::known(0),
        };
        let word = read.value << shift;
        let done = Done { before: word, after: word, wrote: false };
        Ordered::Device { grant, read: Some(read), done }
    }

    fn read_monitor(&mut self, offset: u32) -> u32 {
        let (hart, word) = window(offset);
        if let Some(breakpoints) = self.breakpoints.as_ref().filter(|_| is_breakpoint(hart, word)) {
            return breakpoints.read(word.number());
        }
        if let (Some(coloring), Some(word)) = (&mut self.coloring, color_word(word)) {
            return coloring.hart_mut(hart).map_or(0, |colors| colors.read(word));
        }
        let Some(monitor) = self.monitors.get_mut(hart) else { return 0 };
        if let Some(shared) = SharedWord::numbered(word.number()) {
            return match shared {
                SharedWord::TimeWrapped if self.wrapped[hart] => Word::WRAPPED.mask(),
                SharedWord::TimeWrapped => 0,
            };
        }
        let register = Some(RegisterAccess::Read { word });
        monitor.step(&MonitorInputs { register, ..MonitorInputs::default() });
        monitor.read_data()
    }

    fn write_monitor(&mut self, offset: u32, data: u32) {
        let (hart, word) = window(offset);
        if let Some(breakpoints) = self.breakpoints.as_mut().filter(|_| is_breakpoint(hart, word)) {
            breakpoints.write(word.number(), data);
            return;
        }
        if let Some(colors) = self.coloring.as_mut().and_then(|coloring| coloring.hart_mut(hart)) {
            if let Some(word) = color_word(word) {
                colors.write(word, data);
                return;
            }
            if word.word() == Some(Word::TableControl) && data & Word::CLEAR.mask() != 0 {
                colors.forget_reports();
            }
        }
        let Some(monitor) = self.monitors.get_mut(hart) else { return };
        if word.word() == Some(Word::TableControl) && data & Word::CLEAR.mask() != 0 {
            self.wrapped[hart] = false;
        }
        let register = Some(RegisterAccess::Write { word, data });
        monitor.step(&MonitorInputs { register, ..MonitorInputs::default() });
    }
}

/// The hart and the word index at an offset into the monitors' windows.
fn window(offset: u32) -> (usize, Index) {
    ((offset / STRIDE) as usize, Index::at_offset(offset))
}

/// The register of colors with this index.
fn color_word(word: Index) -> Option<color::Word> {
    color::Word::numbered(word.number())
}

/// Whether the word at an offset into the monitors' windows counts what happens at a breakpoint.
fn is_count(offset: u32) -> bool {
    let (hart, word) = window(offset);
    let word = breakpoint::Word::at(word.number()).map(|(word, ..)| word);
    hart == 0 && matches!(word, Some(breakpoint::Word::Hits | breakpoint::Word::Timeouts))
}

/// Whether a word belongs to the breakpoint unit, where there is one.
fn is_breakpoint(hart: usize, word: Index) -> bool {
    hart == 0 && breakpoint::Word::at(word.number()).is_some()
}
