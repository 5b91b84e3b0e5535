//! The devices' registers, as far as random accesses use them.

use units::data_port::AccessOp;

use crate::reference::Request;
use crate::traffic::{CLINT, HostRequest, UART, WINDOWS};

pub struct Devices {
    msip: Vec<u32>,
    mtimecmp: Vec<u64>,
    /// `mtime` less the number of the cycle.
    time_offset: u64,
    scratch: u32,
    line_control: u32,
    /// The host's last access was to a window.
    pub host_window: bool,
}

impl Devices {
    pub fn new(harts: usize) -> Devices {
        Devices {
            msip: vec![0; harts],
            mtimecmp: vec![u64::MAX; harts],
            time_offset: 0,
            scratch: 0,
            line_control: 0,
            host_window: false,
        }
    }

    pub fn is_window(&self, address: u32) -> bool {
        address >> 16 == WINDOWS >> 16
    }

    /// What an access finds, in the cycle in which the device is asked.
    pub fn access(&mut self, request: &Request, cycle: u64) -> u32 {
        let write = (request.op == AccessOp::Store).then_some(request.data);
        self.word(request.address, write, cycle)
    }

    pub fn host_access(&mut self, request: &HostRequest, cycle: u64) -> u32 {
        self.host_window = self.is_window(request.address);
        self.word(request.address, request.write.then(|| request.words[0]), cycle)
    }

    fn word(&mut self, address: u32, write: Option<u32>, cycle: u64) -> u32 {
        let harts = self.msip.len() as u32;
        let offset = address & 0xffff;
        let lane = 8 * (address & 3);
        let byte = write.map(|data| data >> lane & 0xff);
        match address >> 16 {
            high if high == CLINT >> 16 => match offset {
                0xbff8 | 0xbffc => {
                    let mut mtime = self.time_offset.wrapping_add(cycle);
                    let found = half(mtime, offset);
                    if let Some(data) = write {
                        // The other half counts on.
                        mtime = mtime.wrapping_add(1);
                        set_half(&mut mtime, offset, data);
                        self.time_offset = mtime.wrapping_sub(cycle + 1);
                    }
                    found
                }
                0x4000.. if offset < 0x4000 + 8 * harts => {
                    let compare = &mut self.mtimecmp[(offset - 0x4000) as usize / 8];
                    let found = half(*compare, offset);
                    if let Some(data) = write {
                        set_half(compare, offset, data);
                    }
                    found
                }
                _ if offset < 4 * harts => {
                    let pending = &mut self.msip[offset as usize / 4];
                    let found = *pending;
                    *pending = write.map_or(found, |data| data & 1);
                    found
                }
                _ => 0,
            },
            high if high == UART >> 16 => {
                let register = match offset {
                    3 => &mut self.line_control,
                    7 => &mut self.scratch,
                    _ => return 0,
                };
                let found = *register;
                *register = byte.unwrap_or(found);
                found << lane
            }
            _ => 0,
        }
    }
}

fn half(value: u64, offset: u32) -> u32 {
    (value >> (8 * (offset & 4))) as u32
}

fn set_half(value: &mut u64, offset: u32, data: u32) {
    let shift = 8 * (offset & 4);
    *value = *value & !(0xffff_ffff << shift) | u64::from(data) << shift;
}
