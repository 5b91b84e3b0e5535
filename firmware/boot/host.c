/* The host sees a store to `tohost`. An odd value ends the run, with the code in the bits above. An even
 * one is the address of a block of 64-bit words, as in HTIF: a system call, its arguments, and the answer
 * in place of the first; the host then writes `fromhost`. The firmware knows one call: write. */
#include "host.h"

#include "parameters.h"

__attribute__((section(".tohost"), aligned(64), used)) volatile uint64_t tohost;
__attribute__((section(".tohost"), aligned(64), used)) volatile uint64_t fromhost;

static _Alignas(64) volatile uint64_t request[8];
static hart_lock busy;

static int32_t through_host(enum descriptor to, const void *bytes, uint32_t count) {
    hart_lock_take(&busy);
    request[0] = HOST_WRITE;
    request[1] = to;
    request[2] = (uint32_t)bytes;
    request[3] = count;
    *(volatile uint32_t *)&tohost = (uint32_t)request;
    while (!*(volatile uint32_t *)&fromhost) pause_for(4);
    *(volatile uint32_t *)&fromhost = 0;
    int32_t sent = (int32_t)request[0];
    hart_lock_give(&busy);
    return sent;
}

static int32_t through_uart(const uint8_t *bytes, uint32_t count) {
    volatile uint8_t *uart = (volatile uint8_t *)UART;
    hart_lock_take(&busy);
    for (uint32_t i = 0; i < count; i++) {
        while (!(uart[UART_LINE_STATUS] & UART_LINE_STATUS_ROOM)) pause_for(16);
        uart[UART_DATA] = bytes[i];
    }
    hart_lock_give(&busy);
    return (int32_t)count;
}

int32_t crosstalk_send(enum descriptor to, const void *bytes, uint32_t count) {
    if (!count) return 0;
    return crosstalk_parameters.out == OUT_UART ? through_uart(bytes, count)
                                                : through_host(to, bytes, count);
}

/* A message of the firmware is put together first, so that it comes out whole. */
static char message[256];
static uint32_t length;

static void add(char c) {
    if (length < sizeof message) message[length++] = c;
}

void crosstalk_say(const char *text) {
    while (*text) add(*text++);
}

void crosstalk_say_number(uint32_t value) {
    char digits[10];
    uint32_t count = 0;
    do digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count) add(digits[--count]);
}

void crosstalk_say_hex(uint32_t value) {
    crosstalk_say("0x");
    for (int shift = 28; shift >= 0; shift -= 4) {
        uint32_t digit = value >> shift & 15;
        add((char)(digit < 10 ? '0' + digit : 'a' + digit - 10));
    }
}

void crosstalk_say_end(void) {
    add('\n');
    crosstalk_send(DESCRIPTOR_ERRORS, message, length);
    length = 0;
}

_Noreturn void crosstalk_exit_host(uint32_t code) {
    for (;;) {
        *(volatile uint32_t *)&tohost = code << 1 | 1;
        pause_for(1000);
    }
}
