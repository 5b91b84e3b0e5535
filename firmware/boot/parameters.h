/* What the host may set in a linked program before it runs, without compiling it again: the block at
 * the symbol `crosstalk_parameters`. docs/firmware.md lists it byte by byte; all zeros would be wrong
 * (the defaults are in parameters.c), and words after those that are known are ignored. */
#ifndef CROSSTALK_PARAMETERS_H
#define CROSSTALK_PARAMETERS_H

#include "machine.h"

enum drain_mode {
    DRAIN_OFF = 0,       /* nobody reads the tables: the simulation's tap does */
    DRAIN_WATERMARK = 1, /* each hart its own, when its table is filled to the watermark */
    DRAIN_FULL = 2,      /* each hart its own, when its table is full */
    DRAIN_SPARE = 3,     /* the last hart runs no thread, and reads all tables in turn */
};

enum records {
    RECORDS_NONE = 0,
    RECORDS_FRAMED = 1,
    RECORDS_BARE = 2, /* edges as they are, to a descriptor of their own; the rest framed */
};

enum way_out { OUT_HOST = 0, OUT_UART = 1 };

struct parameters {
    uint32_t magic;            /* 0x4b4c5458: "XTLK" */
    uint32_t version;          /* 1 */
    uint32_t harts;            /* at most this many; 0: all there are */
    uint32_t ram_bytes;        /* 0: found out at boot */
    uint32_t ticks_per_second; /* what the program takes the `time` CSR for */
    uint32_t out;              /* enum way_out: console and records */
    uint32_t monitor;          /* written to each monitor's control register; 0: off */
    uint32_t range_low;        /* monitored text; both 0: the program without the library */
    uint32_t range_high;
    uint32_t drain;          /* enum drain_mode */
    uint32_t watermark;      /* for DRAIN_WATERMARK; 0: three quarters of the table */
    uint32_t buffer_entries; /* edges that a hart keeps before it sends them */
    uint32_t thread_stack;   /* bytes */
    uint32_t main_stack;
    uint32_t seed_low, seed_high; /* these and the rest go into the record's header */
    uint8_t events, pc_bits, time_bits, records; /* records: enum records */
    uint32_t argument_count;
    uint8_t config_hash[32];
    uint8_t elf_hash[32];
    char arguments[CROSSTALK_ARGUMENT_BYTES]; /* each ends with a zero byte */
};

extern const volatile struct parameters crosstalk_parameters;

#endif
