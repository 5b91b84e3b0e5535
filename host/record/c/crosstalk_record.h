/* Writes a run as the frames of docs/records.md: freestanding C99, no allocation, no library.
 *
 * The machine that runs it calls ct_begin, then ct_edges as often as its tables want to be drained,
 * ct_lost for each hart, ct_end. `put` sends bytes on: to a UART, or into a buffer in memory. */
#ifndef CROSSTALK_RECORD_H
#define CROSSTALK_RECORD_H

#include <stdint.h>

#include "crosstalk_record_numbers.h"

typedef struct {
    void (*put)(void *to, const uint8_t *bytes, uint32_t count);
    void *to;
    uint64_t records;
    uint32_t chain;
    uint32_t crc;
    uint8_t sequence;
} ct_writer;

typedef struct {
    uint8_t events, harts, pc_bits, time_bits;
    uint64_t seed;
    uint8_t config[CT_HEADER_CONFIG_BYTES], elf[CT_HEADER_ELF_BYTES];
} ct_run;

typedef struct {
    enum ct_outcome outcome;
    int wrapped;
    uint64_t cycles;
    uint64_t a;       /* exit code; line of an assertion; pc of a fault */
    uint64_t b;       /* address of a fault */
    uint32_t c;       /* cause of a fault */
    const char *file; /* of an assertion, or null */
} ct_ending;

/* CRC-32 of IEEE 802.3, four bits at a time: 16 words of table. */
static inline uint32_t ct_crc(uint32_t crc, const uint8_t *bytes, uint32_t count) {
    static const uint32_t table[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    crc = ~crc;
    while (count--) {
        crc ^= *bytes++;
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

static inline void ct_little_endian(uint8_t *to, uint64_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++) to[i] = (uint8_t)(value >> 8 * i);
}

/* Puts a number into its part of a head or payload. */
#define CT_PUT(to, part, value) ct_little_endian((to) + part##_AT, value, part##_BYTES)

static inline void ct_frame_bytes(ct_writer *w, const uint8_t *bytes, uint32_t count) {
    w->crc = ct_crc(w->crc, bytes, count);
    w->put(w->to, bytes, count);
}

static inline void ct_frame_begin(ct_writer *w, enum ct_frame kind, uint32_t length) {
    static const uint8_t sync[CT_HEAD_SYNC_BYTES] = {CT_SYNC_0, CT_SYNC_1};
    enum { SYNC = CT_HEAD_SYNC_BYTES }; /* goes alone: the checksum begins after it */
    uint8_t head[CT_HEAD_BYTES - SYNC] = {
        [CT_HEAD_KIND_AT - SYNC] = (uint8_t)kind,
        [CT_HEAD_SEQUENCE_AT - SYNC] = w->sequence++,
    };
    ct_little_endian(head + CT_HEAD_LENGTH_AT - SYNC, length, CT_HEAD_LENGTH_BYTES);
    ct_little_endian(head + CT_HEAD_COMPLEMENT_AT - SYNC, ~length, CT_HEAD_COMPLEMENT_BYTES);
    w->put(w->to, sync, SYNC);
    w->crc = 0;
    ct_frame_bytes(w, head, sizeof head);
}

static inline void ct_frame_end(ct_writer *w) {
    uint8_t crc[4];
    ct_little_endian(crc, w->crc, 4);
    w->put(w->to, crc, 4);
    w->chain = ct_crc(w->chain, crc, 4);
}

static inline void ct_begin(ct_writer *w, const ct_run *run) {
    uint8_t head[CT_HEADER_CONFIG_AT] = CT_MAGIC;
    w->records = 0;
    w->chain = 0;
    w->sequence = 0;
    CT_PUT(head, CT_HEADER_VERSION, CT_VERSION); /* no label yet */
    head[CT_HEADER_COLLECTED_AT] = CT_COLLECTED_FIRMWARE;
    head[CT_HEADER_EVENTS_AT] = run->events;
    head[CT_HEADER_HARTS_AT] = run->harts;
    head[CT_HEADER_PC_BITS_AT] = run->pc_bits;
    head[CT_HEADER_TIME_BITS_AT] = run->time_bits;
    CT_PUT(head, CT_HEADER_SEED, run->seed);
    CT_PUT(head, CT_HEADER_RUNS, 1); /* one run; no name */
    CT_PUT(head, CT_HEADER_NAME_LENGTH, 0);
    ct_frame_begin(w, CT_FRAME_HEADER, CT_HEADER_BYTES);
    ct_frame_bytes(w, head, sizeof head);
    ct_frame_bytes(w, run->config, CT_HEADER_CONFIG_BYTES);
    ct_frame_bytes(w, run->elf, CT_HEADER_ELF_BYTES);
    ct_frame_end(w);
}

/* Edges as the words of the table's register window, 1 to CT_MAX_EDGES of them. */
static inline void ct_edges(ct_writer *w, const uint32_t (*edges)[CT_EDGE_WORDS], uint32_t count) {
    ct_frame_begin(w, CT_FRAME_EDGES, 4 * CT_EDGE_WORDS * count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < CT_EDGE_WORDS; j++) {
            uint8_t word[4];
            ct_little_endian(word, edges[i][j], 4);
            ct_frame_bytes(w, word, 4);
        }
    ct_frame_end(w);
    w->records += count;
}

/* How many edges a hart lost since the run began. */
static inline void ct_lost(ct_writer *w, uint8_t hart, uint32_t lost) {
    uint8_t payload[CT_LOST_BYTES] = {[CT_LOST_HART_AT] = hart};
    CT_PUT(payload, CT_LOST_COUNT, lost);
    ct_frame_begin(w, CT_FRAME_LOST, CT_LOST_BYTES);
    ct_frame_bytes(w, payload, CT_LOST_BYTES);
    ct_frame_end(w);
}

static inline void ct_end(ct_writer *w, const ct_ending *ending) {
    uint8_t payload[CT_END_BYTES] = {
        [CT_END_OUTCOME_AT] = (uint8_t)ending->outcome,
        [CT_END_WRAPPED_AT] = ending->wrapped != 0,
    };
    uint32_t text = 0;
    if (ending->file)
        while (text < CT_MAX_TEXT && ending->file[text]) text++;
    CT_PUT(payload, CT_END_TEXT_LENGTH, text);
    CT_PUT(payload, CT_END_CHAIN, w->chain);
    CT_PUT(payload, CT_END_RECORDS, w->records);
    CT_PUT(payload, CT_END_CYCLES, ending->cycles);
    CT_PUT(payload, CT_END_A, ending->a);
    CT_PUT(payload, CT_END_B, ending->b);
    CT_PUT(payload, CT_END_C, ending->c);
    ct_frame_begin(w, CT_FRAME_END, CT_END_BYTES + text);
    ct_frame_bytes(w, payload, CT_END_BYTES);
    ct_frame_bytes(w, (const uint8_t *)ending->file, text);
    ct_frame_end(w);
}

#endif
