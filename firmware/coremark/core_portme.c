/* See core_portme.h. */
#include "coremark.h"

/* Parameters of a performance run; volatile, so that nothing is computed beforehand. */
volatile ee_s32 seed1_volatile = 0x0;
volatile ee_s32 seed2_volatile = 0x0;
volatile ee_s32 seed3_volatile = 0x66;
volatile ee_s32 seed4_volatile = ITERATIONS;
volatile ee_s32 seed5_volatile = 0;

ee_u32 default_num_contexts = 1;

static CORETIMETYPE started, stopped;

static CORETIMETYPE cycles_now(void) {
    CORETIMETYPE value;
    __asm__ volatile("rdcycle %0" : "=r"(value) : : "memory");
    return value;
}

void start_time(void) {
    started = cycles_now();
}

void stop_time(void) {
    stopped = cycles_now();
}

CORE_TICKS get_time(void) {
    return stopped - started;
}

secs_ret time_in_secs(CORE_TICKS ticks) {
    return (secs_ret)(ticks / 1000000u);
}

void portable_init(core_portable *p, int *argc, char *argv[]) {
    (void)argc;
    (void)argv;
    p->portable_id = 1;
}

void portable_fini(core_portable *p) {
    p->portable_id = 0;
}
