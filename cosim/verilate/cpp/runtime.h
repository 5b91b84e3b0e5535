// What every translation unit of a model and of the Verilator runtime sees first.
//
// It redirects the runtime's printing and its stop, finish and fatal hooks into the model that
// is being evaluated, so that no design can write to the terminal or end the process.
#pragma once

#define VL_TIME_CONTEXT
#define VL_USER_FINISH
#define VL_USER_STOP
#define VL_USER_FATAL
#define VL_USER_WARN
#define VL_PRINTF crosstalk_printf

int crosstalk_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));

#include "verilated.h"

#include <cstdint>
#include <exception>
#include <string>

namespace crosstalk {

enum Status : uint32_t {
    kFailed = 1,    // a failure is waiting to be taken
    kFinished = 2,  // the design executed $finish
    kDead = 4,      // the runtime gave up on this model; it is not evaluated again
};

// Thrown by vl_fatal: the runtime expects that function not to return, and the loops that call
// it would not end if it did.
struct Fatal : std::exception {};

// One simulation. Each model has its own, so that models share nothing and may change threads.
struct Context : VerilatedContext {
    uint32_t status = 0;
    uint64_t cycle = 0;

    // The first failure not yet taken, and how many there were since.
    std::string message;
    std::string file;
    uint32_t line = 0;
    uint64_t failed_cycle = 0;
    uint64_t failures = 0;

    std::string printed;     // everything the design printed, up to kPrintedLimit
    std::string last_print;  // the latest piece: the text that goes with a $stop

    static constexpr size_t kPrintedLimit = 1 << 20;

    void fail(const char* filename, int linenum, const std::string& text);

    // The context of the model being evaluated on this thread.
    static Context& current() { return static_cast<Context&>(*Verilated::threadContextp()); }

    // Makes this the thread's context. The check first keeps threads that each drive one model
    // from writing a shared global on every cycle.
    void enter() {
        if (VL_UNLIKELY(Verilated::threadContextp() != this)) Verilated::threadContextp(this);
    }
};

}  // namespace crosstalk
