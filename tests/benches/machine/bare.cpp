// A loop around the Verilated machine as anyone would write it: memory behind its port, and a look at
// what retires, at `tohost` and at the serial line. One round is a run from reset.
//
// Inputs change after the rising edge: the design takes what it saw before it. machine.inc says how many words a
// line has, and which ports each hart has. See peer.rs for what is asked of it.
#include "machine_numbers.h"
#include "Vmodel.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <vector>

#include "machine.inc"

static double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

// What a run did, beside what it left in memory.
struct Done {
    uint64_t active;  // cycles in which something was to be seen
    uint64_t ended;   // instructions of all harts
};

static Done run(Vmodel& top, std::vector<uint8_t>& ram) {
    top.ram_last = RAM + kRamBytes - 1;
    top.memory_request_ready = 1;
    top.host_response_ready = 1;
    top.uart_tx_ready = 1;
    top.rst = 1;
    bool waiting = false;
    uint64_t due = 0;
    uint32_t address = 0;
    Done done{};
    for (uint64_t cycle = 0; cycle < kCycles; ++cycle) {
        if (cycle == 1) {
            top.rst = 0;
            top.run = 1;
        }
        if (waiting && cycle == due) {
            std::memcpy(&top.memory_response_payload[0], &ram[address], kLineBytes);
            top.memory_response_valid = 1;
        }
        top.clk = 0;
        top.eval();
        const bool answered = top.memory_response_valid && top.memory_response_ready;
        bool asked = false;
        if (!waiting && top.memory_request_valid) {
            address = (top.memory_request_payload_address - RAM) % kRamBytes;
            if (top.memory_request_payload_write) {
                std::memcpy(&ram[address], &top.memory_request_payload_data[0], kLineBytes);
            } else {
                asked = true;
            }
        }
        if (retired(top)) ++done.active;
        if (top.watch_valid || top.uart_tx_valid) ++done.active;
        if (cycle + 1 == kCycles) done.ended = ended(top);
        top.clk = 1;
        top.eval();
        if (answered) {
            waiting = false;
            top.memory_response_valid = 0;
            top.memory_request_ready = 1;
        } else if (asked) {
            waiting = true;
            due = cycle + kLatency;
            top.memory_request_ready = 0;
        }
    }
    return done;
}

int main(int, char** arguments) {
    std::ifstream file(arguments[1], std::ios::binary | std::ios::ate);
    std::vector<uint8_t> image(static_cast<size_t>(file.tellg()));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(image.data()), image.size());
    std::printf("peer: ready\n");
    std::fflush(stdout);
    uint64_t rounds;
    while (std::scanf("%" SCNu64, &rounds) == 1) {
        uint64_t hash = 0;
        double time = 0;
        for (uint64_t i = 0; i < rounds; ++i) {
            VerilatedContext context;
            auto top = std::make_unique<Vmodel>(&context);
            std::vector<uint8_t> ram(kRamBytes);
            std::memcpy(ram.data(), image.data(), image.size());
            const double start = now();
            const Done done = run(*top, ram);
            time += now() - start;
            volatile uint64_t active = done.active;
            (void)active;
            hash = 0xcbf29ce484222325u ^ done.ended;
            for (size_t at = 0; at < image.size(); ++at) hash = (hash ^ ram[at]) * 0x100000001b3u;
        }
        std::printf("peer: %.0f %" PRIx64 "\n", time, hash);
        std::fflush(stdout);
    }
}
