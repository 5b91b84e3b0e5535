// A loop around a Verilated model as anyone would write it: set the inputs, evaluate with the clock
// low, look at the outputs, evaluate with the clock high.
//
// Included by what is built from it: the ports, from the design. See peer.rs for what is asked of it.
#include "Vmodel.h"

#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <vector>

#include "words.inc"

static uint64_t turned(uint64_t word, unsigned place) {
    return place == 0 ? word : word << place | word >> (64 - place);
}

static double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static uint64_t round_of(Vmodel& top, const std::vector<uint64_t>& rows) {
    uint64_t sum = 0;
    const uint64_t* in = rows.data();
    const uint64_t* const end = in + rows.size();
    for (; in != end; in += kInputWords) {
#include "load.inc"
        top.clk = 0;
        top.eval();
        uint64_t all = 0;
#include "see.inc"
        sum = turned(sum, 7) ^ all;
        top.clk = 1;
        top.eval();
    }
    return sum;
}

int main(int, char** arguments) {
    std::ifstream file(arguments[1], std::ios::binary | std::ios::ate);
    std::vector<uint64_t> rows(static_cast<size_t>(file.tellg()) / sizeof(uint64_t));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(rows.data()), rows.size() * sizeof(uint64_t));
    VerilatedContext context;
    Vmodel top{&context};
    std::printf("peer: ready\n");
    std::fflush(stdout);
    uint64_t rounds;
    while (std::scanf("%" SCNu64, &rounds) == 1) {
        uint64_t seen = 0;
        const double start = now();
        for (uint64_t i = 0; i < rounds; ++i) seen = round_of(top, rows);
        std::printf("peer: %.0f %" PRIx64 "\n", now() - start, seen);
        std::fflush(stdout);
    }
}
