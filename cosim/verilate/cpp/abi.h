// The border between a model and Rust. `src/ffi.rs` mirrors these structures field by field;
// change both together and raise ABI_VERSION there.
#pragma once

#include <cstdint>

extern "C" {

struct CrosstalkPort {
    const char* name;
    uint32_t width;      // bits
    uint32_t direction;  // 0 input, 1 output, 2 the clock
    uint32_t word;       // first 64-bit word in the input or output buffer
    uint32_t words;      // 0 for the clock
};

struct CrosstalkFailure {
    const char* message;
    const char* file;
    uint64_t cycle;
    uint64_t count;
    uint32_t line;
    uint32_t fatal;
};

struct CrosstalkModel {
    uint32_t abi;
    uint32_t port_count;
    const char* key;
    const char* top;
    const CrosstalkPort* ports;
    uint32_t input_words;
    uint32_t output_words;
    uint32_t can_trace;
    uint32_t can_cover;

    void* (*create)();
    void (*destroy)(void*);
    uint64_t* (*inputs)(void*);
    uint64_t* (*outputs)(void*);
    uint32_t (*eval)(void*);
    uint32_t (*tick)(void*);
    // Adds the number of completed cycles to *done.
    uint32_t (*run)(void*, uint64_t cycles, const uint64_t* stimulus, uint64_t* response,
                    uint64_t* done);
    uint64_t (*cycle)(void*);
    void (*take_failure)(void*, CrosstalkFailure*);
    // The text stays valid until the next call of any function on the model.
    const char* (*take_printed)(void*, uint64_t* length);
    // These three return 0 when they did what was asked.
    uint32_t (*trace_open)(void*, const char* path, uint64_t from, uint64_t to);
    uint32_t (*trace_close)(void*);
    uint32_t (*write_coverage)(void*, const char* path);
};
}
