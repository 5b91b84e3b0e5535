/* The machine as docs/machine.md describes it: devices, CSRs, and a lock between harts in M mode. */
#ifndef CROSSTALK_MACHINE_H
#define CROSSTALK_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <crosstalk/calls.h>
#include <machine_numbers.h>

#pragma clang section text = ".text.crosstalk_firmware" rodata = ".rodata.crosstalk_firmware" \
    data = ".data.crosstalk_firmware" bss = ".bss.crosstalk_firmware"

#define read_csr(name)                                                \
    ({                                                                \
        uint32_t value;                                               \
        __asm__ volatile("csrr %0, " #name : "=r"(value) : : "memory"); \
        value;                                                        \
    })
#define write_csr(name, value) __asm__ volatile("csrw " #name ", %0" : : "r"(value) : "memory")

static inline volatile uint32_t *device(uint32_t address) {
    return (volatile uint32_t *)address;
}

static inline volatile uint32_t *software_interrupt(uint32_t hart) {
    return device(CLINT_MSIP + CLINT_MSIP_STRIDE * hart);
}

static inline volatile uint32_t *monitor(uint32_t hart) {
    return device(MONITORS + MONITOR_STRIDE * hart);
}

static inline void pause_for(uint32_t turns) {
    while (turns--) __asm__ volatile("nop");
}

/* A lock between harts: looks before it swaps, and keeps away from the line in between. */
typedef struct {
    _Alignas(64) volatile uint32_t taken;
} hart_lock;

static inline void hart_lock_take(hart_lock *lock) {
    for (uint32_t turns = 8;; turns = turns < 256 ? 2 * turns : turns) {
        if (!lock->taken && !__atomic_exchange_n(&lock->taken, 1, __ATOMIC_SEQ_CST)) return;
        pause_for(turns);
    }
}

static inline void hart_lock_give(hart_lock *lock) {
    __atomic_store_n(&lock->taken, 0, __ATOMIC_SEQ_CST);
}

#endif
