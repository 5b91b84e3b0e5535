#include "drain.h"

#include "../boot/parameters.h"
#include "stream.h"

enum { ENTRY_WORDS = CT_EDGE_WORDS };

static bool drains(void) {
    return crosstalk_parameters.drain != DRAIN_OFF && crosstalk_parameters.monitor;
}

/* As long as asked for, but all together at most an eighth of RAM. */
static uint32_t buffer_entries(uint32_t ram_bytes) {
    uint32_t most = ram_bytes / 8 / crosstalk_hart_count / (4 * ENTRY_WORDS);
    uint32_t wanted = crosstalk_parameters.buffer_entries;
    if (wanted < 1) wanted = 1;
    return wanted < most ? wanted : most;
}

uint32_t crosstalk_lay_out_buffers(uint32_t ram_end) {
    uint32_t entries = buffer_entries(ram_end - RAM);
    uint32_t bytes = drains() ? (entries * ENTRY_WORDS * 4 + 63) & ~63u : 0;
    uint32_t bottom = ram_end - bytes * crosstalk_hart_count;
    for (uint32_t i = 0; i < crosstalk_hart_count; i++) {
        struct hart *hart = &crosstalk_harts[i];
        hart->buffer = hart->next = (uint32_t *)(bottom + i * bytes);
        hart->limit = hart->buffer + (drains() ? entries * ENTRY_WORDS : 0);
    }
    return bottom & ~4095u;
}

/* The watermark is the table's depth after reset, and reads 0 where there is no monitor. */
void crosstalk_set_up_drain(struct hart *self) {
    uint32_t depth = self->window[MONITOR_TABLE_WATERMARK], watermark = 0;
    switch (crosstalk_parameters.drain) {
    case DRAIN_WATERMARK:
        watermark = crosstalk_parameters.watermark;
        if (!watermark) watermark = depth - depth / 4;
        if (watermark > depth) watermark = depth;
        break;
    case DRAIN_FULL: watermark = depth; break;
    }
    self->window[MONITOR_TABLE_WATERMARK] = drains() ? watermark : 0;
}

static void flush(struct hart *hart) {
    crosstalk_stream_edges(hart->buffer, (uint32_t)(hart->next - hart->buffer) / ENTRY_WORDS);
    hart->next = hart->buffer;
}

/* What fast.S does, from any table and into any buffer; gives how many entries there were. */
static uint32_t move_entries(volatile uint32_t *window, struct hart *into) {
    uint32_t count = window[MONITOR_TABLE_COUNT];
    for (uint32_t i = 0; i < count; i++) {
        if (into->next == into->limit) flush(into);
        for (uint32_t word = 0; word < ENTRY_WORDS; word++) into->next[word] = window[word];
        into->next += ENTRY_WORDS;
    }
    return count;
}

void crosstalk_drain_own(struct hart *self) {
    move_entries(self->window, self);
    if (self->next == self->limit) flush(self);
}

/* The spare hart. It keeps off the bus for a while when there was nothing to do. */
_Noreturn void crosstalk_drain_others(struct hart *self) {
    write_csr(mie, MIE_SOFTWARE);
    for (;;) {
        uint32_t moved = 0;
        for (uint32_t i = 0; i < crosstalk_hart_count; i++) {
            if (read_csr(mip) & MIE_SOFTWARE) crosstalk_on_software(self);
            if (i != self->number) moved += move_entries(monitor(i), self);
        }
        if (!moved) pause_for(256);
    }
}

void crosstalk_drain_all(struct hart *self) {
    if (!drains()) return;
    for (uint32_t i = 0; i < crosstalk_hart_count; i++) {
        struct hart *hart = &crosstalk_harts[i];
        hart->window[MONITOR_CONTROL] = 0;
        move_entries(hart->window, hart);
        flush(hart);
        crosstalk_stream_lost(i, hart->window[MONITOR_TABLE_LOST], hart->window[MONITOR_TIME_WRAPPED] & MONITOR_TIME_WRAPPED_WRAPPED);
    }
    (void)self;
}
