// Drives one Verilated design behind the fixed interface of abi.h.
//
// The generated part of a model supplies a struct D with:
//   Top, kClocked, kInputWords, kOutputWords,
//   load(Top&, const uint64_t*), store(const Top&, uint64_t*), clock(Top&, level),
//   evaluate(Top&), which is not called before the design's first eval().
#pragma once

#include "abi.h"
#include "runtime.h"

#include <memory>
#include <new>

#if CROSSTALK_TRACE
#include "verilated_vcd_c.h"
#endif
#if CROSSTALK_COVERAGE
#include "verilated_cov.h"
#endif

namespace crosstalk {

template <class D>
class Driver {
    using Top = typename D::Top;

    Context m_context;
    std::unique_ptr<Top> m_top;
    bool m_started = false;
    std::string m_taken;
    std::string m_taken_file;
#if CROSSTALK_TRACE
    std::unique_ptr<VerilatedVcdC> m_vcd;
    uint64_t m_trace_from = 0;
    uint64_t m_trace_to = 0;
#endif
    // Never zero elements long: a design may have no inputs or no outputs.
    uint64_t m_in[D::kInputWords + 1] = {};
    uint64_t m_out[D::kOutputWords + 1] = {};

    static Driver& self(void* handle) { return *static_cast<Driver*>(handle); }

    Driver() {
        m_context.enter();
#if CROSSTALK_TRACE
        m_context.traceEverOn(true);
#endif
        m_top = std::make_unique<Top>(&m_context, "TOP");
    }

    void dump() {
#if CROSSTALK_TRACE
        if (VL_LIKELY(!m_vcd)) return;
        if (m_context.cycle < m_trace_from || m_context.cycle >= m_trace_to) return;
        m_vcd->dump(m_context.time());
#endif
    }

    void evaluate() {
        if (VL_LIKELY(m_started)) {
            D::evaluate(*m_top);
        } else {
            m_top->eval();
            m_started = true;
        }
    }

    // The low half of the clock: the design sees the inputs and shows its outputs.
    void settle(const uint64_t* in, uint64_t* out) {
        m_context.time(2 * m_context.cycle);
        D::load(*m_top, in);
        D::clock(*m_top, 0);
        evaluate();
        D::store(*m_top, out);
    }

    // The rising edge: registers take their next values.
    void edge() {
        dump();
        if (D::kClocked) {
            m_context.time(2 * m_context.cycle + 1);
            D::clock(*m_top, 1);
            evaluate();
            dump();
        }
        ++m_context.cycle;
    }

    // Runs `body` as this thread's current simulation unless the runtime gave up on it earlier.
    template <class Body>
    uint32_t guarded(Body body) {
        if (VL_UNLIKELY(m_context.status & kDead)) {
            m_context.fail("", 0, "the model stopped after a fatal error");
            return m_context.status;
        }
        m_context.enter();
        try {
            body();
        } catch (const Fatal&) {
            // vl_fatal has recorded it.
        } catch (const std::exception& error) {
            m_context.fail("", 0, error.what());
            m_context.status |= kDead;
        }
#if CROSSTALK_TRACE
        if (VL_UNLIKELY(m_vcd && m_context.status)) m_vcd->flush();
#endif
        return m_context.status;
    }

public:
    ~Driver() {
        m_context.enter();
        trace_close(this);
        m_top.reset();
        // Leaves no dangling context behind on this thread.
        Verilated::threadContextp(nullptr);
    }

    static void* create() {
        try {
            return new Driver;
        } catch (const std::exception&) {
            return nullptr;
        }
    }
    static void destroy(void* handle) { delete &self(handle); }
    static uint64_t* inputs(void* handle) { return self(handle).m_in; }
    static uint64_t* outputs(void* handle) { return self(handle).m_out; }
    static uint64_t cycle(void* handle) { return self(handle).m_context.cycle; }

    static uint32_t eval(void* handle) {
        Driver& d = self(handle);
        return d.guarded([&] { d.settle(d.m_in, d.m_out); });
    }

    static uint32_t tick(void* handle) {
        Driver& d = self(handle);
        return d.guarded([&] {
            d.settle(d.m_in, d.m_out);
            d.edge();
        });
    }

    static uint32_t run(void* handle, uint64_t cycles, const uint64_t* stimulus,
                        uint64_t* response, uint64_t* done) {
        Driver& d = self(handle);
        const uint32_t before = d.m_context.status;
        return d.guarded([&] {
            for (uint64_t i = 0; i < cycles; ++i) {
                d.settle(stimulus, response);
                d.edge();
                stimulus += D::kInputWords;
                response += D::kOutputWords;
                ++*done;
                if (VL_UNLIKELY(d.m_context.status != before)) return;
            }
        });
    }

    static void take_failure(void* handle, CrosstalkFailure* out) {
        Driver& d = self(handle);
        Context& c = d.m_context;
        d.m_taken.swap(c.message);
        d.m_taken_file.swap(c.file);
        *out = {d.m_taken.c_str(), d.m_taken_file.c_str(), c.failed_cycle,
                c.failures,        c.line,                 (c.status & kDead) ? 1U : 0U};
        c.status &= ~static_cast<uint32_t>(kFailed);
    }

    static const char* take_printed(void* handle, uint64_t* length) {
        Driver& d = self(handle);
        d.m_taken.clear();
        d.m_taken.swap(d.m_context.printed);
        *length = d.m_taken.size();
        return d.m_taken.data();
    }

    static uint32_t trace_open(void* handle, const char* path, uint64_t from, uint64_t to) {
#if CROSSTALK_TRACE
        Driver& d = self(handle);
        trace_close(handle);
        bool open = false;
        d.guarded([&] {
            auto vcd = std::make_unique<VerilatedVcdC>();
            d.m_top->trace(vcd.get(), 99);
            vcd->open(path);
            open = vcd->isOpen();
            if (open) d.m_vcd = std::move(vcd);
        });
        d.m_trace_from = from;
        d.m_trace_to = to;
        return open ? 0 : 1;
#else
        (void)handle, (void)path, (void)from, (void)to;
        return 1;
#endif
    }

    static uint32_t trace_close(void* handle) {
#if CROSSTALK_TRACE
        Driver& d = self(handle);
        if (!d.m_vcd) return 0;
        d.m_context.enter();
        try {
            d.m_vcd->close();
        } catch (const std::exception&) {
            d.m_vcd.reset();
            return 1;
        }
        d.m_vcd.reset();
#else
        (void)handle;
#endif
        return 0;
    }

    static uint32_t write_coverage(void* handle, const char* path) {
#if CROSSTALK_COVERAGE
        Driver& d = self(handle);
        const uint32_t status = d.guarded([&] { d.m_context.coveragep()->write(path); });
        return (status & kDead) ? 1 : 0;
#else
        (void)handle, (void)path;
        return 1;
#endif
    }
};

// Ports wider than 64 bits: Verilator keeps 32-bit words, the buffers 64-bit ones.
template <std::size_t N>
inline void load_wide(VlWide<N>& port, const uint64_t* in) {
    for (std::size_t i = 0; i < N; ++i) {
        port[i] = static_cast<uint32_t>(in[i / 2] >> (32 * (i % 2)));
    }
}

template <std::size_t N>
inline void store_wide(const VlWide<N>& port, uint64_t* out) {
    for (std::size_t i = 0; i < N; i += 2) {
        const uint64_t high = i + 1 < N ? port[i + 1] : 0;
        out[i / 2] = (high << 32) | port[i];
    }
}

}  // namespace crosstalk
