#include "parameters.h"

__attribute__((section(".parameters"), used)) const volatile struct parameters crosstalk_parameters = {
    .magic = 0x4b4c5458,
    .version = 1,
    .ticks_per_second = 1000000,
    .out = OUT_HOST,
    .monitor = 3, /* on, U mode */
    .drain = DRAIN_WATERMARK,
    .buffer_entries = 2048,
    .thread_stack = 256 << 10,
    .main_stack = 1 << 20,
    .events = 5,
    .pc_bits = 32,
    .time_bits = 32,
    .records = RECORDS_FRAMED,
    .argument_count = 1,
    .arguments = "program",
};
