/* The border between U-mode programs and the firmware: system calls, and what a program finds at its
 * start. The number of a call goes into a7, arguments into a0 to a3, the answer comes in a0. */
#ifndef CROSSTALK_CALLS_H
#define CROSSTALK_CALLS_H

#include <stdint.h>

#include <crosstalk/call_numbers.h>

/* Filled in by the firmware before the program's first instruction. */
struct crosstalk_start {
    uint32_t harts;            /* how many threads can live at a time */
    uint32_t spare_harts;      /* how many more there are, which run no threads */
    uint32_t ticks_per_second; /* of the `time` CSR */
    uint32_t heap_end;
    uint32_t stack_bytes; /* of a thread */
    uint32_t argument_count;
    char arguments[CROSSTALK_ARGUMENT_BYTES]; /* each ends with a zero byte */
};

static __inline int32_t crosstalk_call(enum crosstalk_call number, uint32_t a, uint32_t b, uint32_t c,
                                     uint32_t d) {
    register uint32_t a0 __asm__("a0") = a;
    register uint32_t a1 __asm__("a1") = b;
    register uint32_t a2 __asm__("a2") = c;
    register uint32_t a3 __asm__("a3") = d;
    register uint32_t a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a7) : "memory");
    return (int32_t)a0;
}

#endif
