/* Which colors are given, and the calls of the firmware. Colors are given in turn, so that one that was given back
 * comes again as late as can be: a hart may remember who had it. */
#include "../internal.h"

#include <crosstalk/calls.h>
#include <crosstalk/color.h>
#include <crosstalk/color_calls.h>
#include <pthread.h>

enum { MOST_COLORS = 65536, WORD_BITS = 32 };

/* The firmware's part is linked where this is referred to. */
void __wrap_crosstalk_set_up_drain(void);
#define LINK_WITH(function) __asm__ volatile("" : : "r"(function))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint32_t given[MOST_COLORS / WORD_BITS];
static uint32_t newest; /* color that was given last */

static bool is_given(uint32_t color) {
    return given[color / WORD_BITS] >> color % WORD_BITS & 1;
}

uint32_t crosstalk_last_color(void) {
    LINK_WITH(__wrap_crosstalk_set_up_drain);
    return __crosstalk_last_color;
}

uint32_t crosstalk_new_color(void) {
    uint32_t last = crosstalk_last_color(), color = 0;
    bool wraps = false;
    pthread_mutex_lock(&mutex);
    for (uint32_t tries = 0; tries < last; tries++) {
        wraps |= newest == last;
        newest = newest == last ? 1 : newest + 1;
        if (is_given(newest)) continue;
        color = newest;
        given[color / WORD_BITS] |= 1u << color % WORD_BITS;
        break;
    }
    pthread_mutex_unlock(&mutex);
    if (wraps) crosstalk_flush_colors();
    return color;
}

void crosstalk_give_color(uint32_t color) {
    if (!color || color > crosstalk_last_color()) return;
    pthread_mutex_lock(&mutex);
    given[color / WORD_BITS] &= ~(1u << color % WORD_BITS);
    pthread_mutex_unlock(&mutex);
}

static void call(enum crosstalk_color_call number, uint32_t argument) {
    LINK_WITH(__wrap_crosstalk_set_up_drain);
    crosstalk_call((enum crosstalk_call)number, argument, 0, 0, 0);
}

void crosstalk_flush_colors(void) {
    call(CROSSTALK_FLUSH_COLORS, 0);
}

void crosstalk_avoid(int on) {
    call(CROSSTALK_AVOID, on != 0);
}
