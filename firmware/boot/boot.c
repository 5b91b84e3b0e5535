/* From reset to the program's first instruction. Hart 0 looks around and lays out memory; the others
 * wait for it.
 *
 * RAM from below: firmware | text and constants | data, heap, stacks | the harts' edges. The program may
 * execute the second part, write the third, and touch nothing else. */
#include "../drain/drain.h"
#include "hart.h"
#include "parameters.h"

extern char __firmware_end[], __text_end[], __heap_start[];
extern char __program_text_start[], __program_text_end[];
extern struct crosstalk_start __crosstalk_start;
void __crosstalk_main(void);

struct hart crosstalk_harts[MAX_HARTS];
uint32_t crosstalk_hart_count;

static volatile uint32_t ready;
static uint32_t user_end;

enum { GUARD = 4096 };

/* A hart that does not exist has no software interrupt: its bit stays 0. */
static uint32_t count_harts(void) {
    uint32_t most = crosstalk_parameters.harts;
    if (!most || most > MAX_HARTS) most = MAX_HARTS;
    uint32_t count = 1;
    for (; count < most; count++) {
        volatile uint32_t *bit = software_interrupt(count);
        *bit = 1;
        uint32_t exists = *bit;
        *bit = 0;
        if (!exists) break;
    }
    return count;
}

/* The first page above RAM, by bisection: 20 loads. */
static uint32_t find_ram_end(void) {
    if (crosstalk_parameters.ram_bytes) return RAM + crosstalk_parameters.ram_bytes;
    uint32_t present = RAM >> 12, absent = 0xfffff;
    while (absent - present > 1) {
        uint32_t middle = present + (absent - present) / 2;
        if (crosstalk_probe(middle << 12)) present = middle;
        else absent = middle;
    }
    return absent << 12;
}

static uint32_t round_down(uint32_t value, uint32_t to) {
    return value & ~(to - 1);
}

/* As many as there are; the bytes after them stay zero. */
static void copy_arguments(struct crosstalk_start *start) {
    start->argument_count = crosstalk_parameters.argument_count;
    for (uint32_t i = 0, ends = 0; i < CROSSTALK_ARGUMENT_BYTES && ends < start->argument_count; i++) {
        start->arguments[i] = crosstalk_parameters.arguments[i];
        ends += !start->arguments[i];
    }
}

static void lay_out_memory(void) {
    struct crosstalk_start *start = &__crosstalk_start;
    uint32_t top = crosstalk_lay_out_buffers(find_ram_end());
    user_end = top;
    uint32_t thread_stack = crosstalk_parameters.thread_stack, main_stack = crosstalk_parameters.main_stack;
    /* Where RAM is small, stacks are too: half of what is left is the heap's. */
    uint32_t half = (top - (uint32_t)__heap_start) / 2, others = crosstalk_hart_count - 1;
    while (main_stack + others * thread_stack > half && main_stack > GUARD) {
        main_stack /= 2;
        thread_stack /= 2;
    }
    thread_stack = round_down(thread_stack, GUARD);
    main_stack = round_down(main_stack, GUARD);
    for (uint32_t hart = 0; hart < crosstalk_hart_count; hart++) {
        crosstalk_harts[hart].user_stack = top;
        top -= (hart ? thread_stack : main_stack) + GUARD;
        crosstalk_harts[hart].guard = top;
    }
    start->stack_bytes = thread_stack;
    start->heap_end = top;
    start->ticks_per_second = crosstalk_parameters.ticks_per_second;
    copy_arguments(start);
}

bool crosstalk_user_may_read(uint32_t address, uint32_t bytes) {
    return address >= (uint32_t)__firmware_end && address <= user_end && bytes <= user_end - address;
}

/* Entry 0: below this hart's stack, nothing. 1 and 2: text, read and execute. 3: data, read and write.
 * What matches no entry is the firmware's. */
static void protect_memory(uint32_t guard) {
    enum { READ = 1, WRITE = 2, EXECUTE = 4, TOR = 1 << 3, NAPOT = 3 << 3 };
    write_csr(pmpaddr0, guard >> 2 | (GUARD / 8 - 1));
    write_csr(pmpaddr1, (uint32_t)__firmware_end >> 2);
    write_csr(pmpaddr2, (uint32_t)__text_end >> 2);
    write_csr(pmpaddr3, user_end >> 2);
    write_csr(pmpcfg0, NAPOT | (TOR | READ | EXECUTE) << 16 | (uint32_t)(TOR | READ | WRITE) << 24);
}

static void set_up_monitor(struct hart *self) {
    uint32_t low = crosstalk_parameters.range_low, high = crosstalk_parameters.range_high;
    if (!low && !high) {
        low = (uint32_t)__program_text_start;
        high = (uint32_t)__program_text_end;
    }
    self->window[MONITOR_RANGE_LOW] = low;
    self->window[MONITOR_RANGE_HIGH] = high;
    self->window[MONITOR_CONTROL] = crosstalk_parameters.monitor;
}

void crosstalk_set_up_hart(struct hart *self) {
    protect_memory(self->guard);
    write_csr(mcounteren, 7);
    crosstalk_set_up_drain(self);
    set_up_monitor(self);
    write_csr(mie, MIE_SOFTWARE | MIE_TABLE);
}

_Noreturn void crosstalk_boot(uint32_t number, struct hart *self) {
    (void)number;
    crosstalk_hart_count = count_harts();
    lay_out_memory();
    uint32_t threads = crosstalk_hart_count;
    for (uint32_t i = 0; i < crosstalk_hart_count; i++) {
        struct hart *hart = &crosstalk_harts[i];
        hart->number = i;
        hart->window = monitor(i);
        hart->state = HART_IDLE;
    }
    if (crosstalk_parameters.drain == DRAIN_SPARE && threads > 1)
        crosstalk_harts[--threads].state = HART_SPARE;
    __crosstalk_start.harts = threads;
    __crosstalk_start.spare_harts = crosstalk_hart_count - threads;
    crosstalk_set_up_hart(self);
    __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
    for (uint32_t i = 1; i < crosstalk_hart_count; i++) *software_interrupt(i) = 1;
    self->mailbox.entry = (uint32_t)__crosstalk_main;
    self->state = HART_STARTING;
    crosstalk_idle(self);
}

_Noreturn void crosstalk_boot_other(uint32_t number, struct hart *self) {
    write_csr(mie, MIE_SOFTWARE);
    do __asm__ volatile("wfi");
    while (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST));
    if (number >= crosstalk_hart_count) {
        write_csr(mie, 0);
        for (;;) __asm__ volatile("wfi");
    }
    crosstalk_set_up_hart(self);
    if (self->state == HART_SPARE) crosstalk_drain_others(self);
    crosstalk_idle(self);
}
