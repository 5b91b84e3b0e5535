//! Device windows: the bus' side of the devices and of the monitors' registers.

use super::bus::{Memory, Ordered};
use super::device::DeviceRead;
use super::export::{BusGrant, BusKind};
use super::map::{CLINT, MONITORS, Region, UART};
use crate::isa::{DataAccess, DataKind, Done, Size};
use crate::{MonitorInputs, RegisterAccess};

/// The monitor window's word that tells whether transaction numbers wrapped.
const WRAPPED: u16 = 20;
/// The monitor window's word that clears the table, and with it [`WRAPPED`].
const TABLE_CONTROL: u16 = 19;

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
        // A byte of the UART stands in its lane; a word shows the register in its low byte.
        let shift = if size == Size::Byte { 8 * (address & 3) } else { 0 };
        if kind == DataKind::Store {
            match region {
                Region::Clint => self.clint.write(address - CLINT, data, now),
                Region::Uart => self.uart.write(address - UART, data as u8),
                Region::Monitors => self.write_monitor(address - MONITORS, data),
                Region::Ram | Region::Vacant => {}
            }
            let done = Done { before: 0, after: data << shift, wrote: true };
            return Ordered::Device { grant, read: None, done };
        }
        let read = match region {
            Region::Clint => self.clint.read(address - CLINT, now),
            Region::Uart => self.uart.read(address - UART),
            Region::Monitors => DeviceRead::known(self.read_monitor(address - MONITORS)),
            Region::Ram | Region::Vacant => DeviceRead::known(0),
        };
        let word = read.value << shift;
        let done = Done { before: word, after: word, wrote: false };
        Ordered::Device { grant, read: Some(read), done }
    }

    fn read_monitor(&mut self, offset: u32) -> u32 {
        let (hart, word) = window(offset);
        let Some(monitor) = self.monitors.get_mut(hart) else { return 0 };
        if word == WRAPPED {
            return self.wrapped[hart].into();
        }
        let register = Some(RegisterAccess::Read { address: word });
        monitor.step(&MonitorInputs { register, ..MonitorInputs::default() });
        monitor.read_data()
    }

    fn write_monitor(&mut self, offset: u32, data: u32) {
        let (hart, word) = window(offset);
        let Some(monitor) = self.monitors.get_mut(hart) else { return };
        if word == TABLE_CONTROL && data & 1 != 0 {
            self.wrapped[hart] = false;
        }
        let register = Some(RegisterAccess::Write { address: word, data });
        monitor.step(&MonitorInputs { register, ..MonitorInputs::default() });
    }
}

/// The hart and the word of an offset into the monitors' windows.
fn window(offset: u32) -> (usize, u16) {
    ((offset >> 12) as usize, (offset >> 2 & 0x3ff) as u16)
}
