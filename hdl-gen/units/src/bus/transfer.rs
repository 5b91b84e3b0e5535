//! From the grant to the end of a transaction: transfers with memory and devices, and the response
//! to the requester.

use hdl::{Bundle, HwEnum, Sig, cat, hardware, select, set_when, when};

use super::look::Asks;
use super::phases::{Phase, Registers};
use super::{Bus, BusIo, BusKind, HostRequest};
use crate::one_hot;

#[hardware]
impl Bus {
    /// Carries out what was granted.
    pub(super) fn transfer(&self, io: &BusIo, registers: &Registers, asks: &Asks, granted: Sig) {
        let geometry = self.geometry;
        let host = io.host_request.payload;
        let Registers { phase, hart, kind, address, line, .. } = *registers;
        let Registers { fill_state, victim_line, victim_address, .. } = *registers;
        let Registers { writes_line, reads_line, device_word, .. } = *registers;
        let Asks { is_data, is_fetch, is_host, request: cache_request, .. } = *asks;

        // The lines that the caches have.
        let lines: Vec<Sig> = io.cache.iter().map(|cache| cache.answer.line).collect();
        when(phase.is(Phase::Collect), || {
            line.set(one_hot::choose(&one_hot::apart(registers.supplier), &lines));
            victim_line.set(select(hart, &lines));
            phase.set_from(registers.after_collect);
        });

        // Memory.
        let writes_victim = phase.is(Phase::WriteVictim);
        let writes_memory = writes_victim | phase.is(Phase::WriteLine);
        let line_address = geometry.line_address(address);
        let memory_request = io.memory_request;
        memory_request.valid.set(writes_memory | phase.is(Phase::ReadLine));
        memory_request.payload.write.set(writes_memory);
        memory_request.payload.address.set(writes_victim.mux(victim_address, line_address));
        memory_request.payload.data.set(writes_victim.mux(victim_line, line));
        io.memory_response.ready.set(phase.is(Phase::AwaitLine));
        let memory_takes = memory_request.fires();
        when(memory_takes & writes_victim, || {
            phase.set(Phase::Deliver);
            when(writes_line, || phase.set(Phase::WriteLine))
                .elsewhen(reads_line, || phase.set(Phase::ReadLine));
        });
        when(memory_takes & phase.is(Phase::WriteLine), || phase.set(Phase::Deliver));
        when(memory_takes & phase.is(Phase::ReadLine), || phase.set(Phase::AwaitLine));
        when(io.memory_response.fires(), || {
            line.set(io.memory_response.payload);
            phase.set(Phase::Deliver);
            when(kind.is(BusKind::HostWrite), || phase.set(Phase::Merge));
        });
        when(phase.is(Phase::Merge), || {
            line.set(merged(line, host));
            phase.set(Phase::WriteLine);
        });

        // Devices.
        let asks_device = phase.is(Phase::AskDevice);
        io.device.valid.set(asks_device);
        io.device.write.set(is_data.mux(cache_request.write, host.write));
        io.device.address.set(address);
        io.device.word.set(device_word);
        set_when(asks_device, phase.sig(), Phase::AwaitDevice.code());
        when(phase.is(Phase::AwaitDevice), || {
            device_word.set(io.device_data);
            phase.set(Phase::Deliver);
        });

        // The requester gets what it asked for.
        let delivers = phase.is(Phase::Deliver);
        let from_device = kind.is(BusKind::Device);
        let with_line = !kind.is(BusKind::Upgrade);
        let turned_line = geometry.turned(line, registers.fill_way);
        for (place, cache) in io.cache.iter().enumerate() {
            let here = delivers & asks.asker[place];
            cache.fill.valid.set(here & !from_device);
            cache.fill.with_line.set(with_line);
            cache.fill.state.set_from(fill_state);
            cache.fill.line.set(turned_line);
            cache.fill.meta.drive(&registers.meta);
            cache.device_valid.set(here & from_device);
            cache.device_data.set(device_word);
        }
        for (place, fetch) in io.fetch.iter().enumerate() {
            let mine = is_fetch & hart.eq(place);
            fetch.request.ready.set(granted & mine);
            fetch.response_valid.set(delivers & mine);
            fetch.response_line.set(line);
        }
        io.host_request.ready.set(delivers & is_host);
        let responds = phase.is(Phase::Respond);
        io.host_response.valid.set(responds);
        io.host_response.payload.set(line);
        // What the host did not read as a line is put in its place, so that nothing is chosen on the way out.
        when(delivers & is_host & !kind.is(BusKind::HostRead), || {
            let reads_device = from_device & !host.write;
            let answer = device_word & reads_device.repeat(device_word.width());
            line.set(answer.zext(geometry.line_bits()));
        });
        // An atomic operation is not complete with the line, but in the cycle after.
        let dones: Vec<Sig> = io.cache.iter().map(|cache| cache.done).collect();
        let asker_done = select(hart, &dones);
        when(delivers, || {
            phase.set(Phase::Idle);
            when(is_data & !asker_done, || phase.set(Phase::Complete));
            when(is_host, || phase.set(Phase::Respond));
        });
        let completed = phase.is(Phase::Complete) & asker_done;
        when(completed | io.host_response.fires(), || phase.set(Phase::Idle));
    }
}

/// The line with the host's bytes in it.
#[hardware]
fn merged(line: Sig, host: HostRequest) -> Sig {
    let bytes = (0..host.mask.width()).rev().map(|byte| {
        let range = 8 * byte..8 * byte + 8;
        host.mask.bit(byte).mux(host.data.bits(range.clone()), line.bits(range))
    });
    cat(bytes)
}
