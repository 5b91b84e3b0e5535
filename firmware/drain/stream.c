#include "stream.h"

#include "../boot/hart.h"
#include "../boot/host.h"
#include "../boot/parameters.h"
#include "checksum.h"

/* Frames are put together here, and leave when the next might not fit. */
static _Alignas(64) uint8_t buffer[4096];
static uint32_t used;
static ct_writer writer;
static bool begun, wrapped_once;
static hart_lock writing;

enum { LONGEST_FRAME = CT_HEAD_BYTES + CT_MAX_PAYLOAD + CT_TAIL_BYTES };

static void send(void) {
    crosstalk_send(DESCRIPTOR_RECORDS, buffer, used);
    used = 0;
}

static void put(void *to, const uint8_t *bytes, uint32_t count) {
    (void)to;
    for (uint32_t i = 0; i < count; i++) buffer[used + i] = bytes[i];
    used += count;
}

static void make_room(void) {
    if (used + LONGEST_FRAME > sizeof buffer) send();
}

static void begin_once(void) {
    if (begun) return;
    begun = true;
    const volatile struct parameters *given = &crosstalk_parameters;
    ct_run run = {
        .events = given->events,
        .harts = (uint8_t)crosstalk_hart_count,
        .pc_bits = given->pc_bits,
        .time_bits = given->time_bits,
        .seed = (uint64_t)given->seed_high << 32 | given->seed_low,
    };
    for (uint32_t i = 0; i < 32; i++) {
        run.config[i] = given->config_hash[i];
        run.elf[i] = given->elf_hash[i];
    }
    writer.put = put;
    ct_begin(&writer, &run);
}

/* A frame of edges, checksummed while its words are copied: as crosstalk_record.h's, and faster. All
 * frames but the last are whole words, so the buffer's end stays aligned. */
static void edges_frame(const uint32_t *edges, uint32_t count) {
    uint32_t words = CT_EDGE_WORDS * count;
    ct_frame_begin(&writer, CT_FRAME_EDGES, 4 * words);
    writer.crc = crosstalk_checksum_copy(writer.crc, (uint32_t *)(buffer + used), edges, words);
    used += 4 * words;
    ct_frame_end(&writer);
    writer.records += count;
}

void crosstalk_stream_edges(const uint32_t *edges, uint32_t count) {
    if (!crosstalk_parameters.records || !count) return;
    if (crosstalk_parameters.records == RECORDS_BARE && crosstalk_parameters.out == OUT_HOST) {
        crosstalk_send(DESCRIPTOR_BARE_EDGES, edges, 4 * CT_EDGE_WORDS * count);
        return;
    }
    hart_lock_take(&writing);
    begin_once();
    while (count) {
        uint32_t some = count < CT_MAX_EDGES ? count : CT_MAX_EDGES;
        make_room();
        edges_frame(edges, some);
        edges += CT_EDGE_WORDS * some;
        count -= some;
    }
    hart_lock_give(&writing);
}

void crosstalk_stream_lost(uint32_t hart, uint32_t lost, bool wrapped) {
    wrapped_once |= wrapped;
    if (!crosstalk_parameters.records || !lost) return;
    begin_once();
    make_room();
    ct_lost(&writer, (uint8_t)hart, lost);
}

void crosstalk_stream_end(ct_ending *how) {
    if (!crosstalk_parameters.records) return;
    how->wrapped = wrapped_once;
    begin_once();
    make_room();
    ct_end(&writer, how);
    send();
}
