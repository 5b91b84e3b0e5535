/* Between color.h's library and the firmware that is linked with it (boot/color.c): calls that generated
 * call_numbers.h does not have, and what the library finds at its start. */
#ifndef CROSSTALK_COLOR_CALLS_H
#define CROSSTALK_COLOR_CALLS_H

#include <stdint.h>

#include <crosstalk/color_numbers.h>

enum crosstalk_color_call {
    CROSSTALK_FLUSH_COLORS = 32, /* empties the lookaside buffers of all harts */
    CROSSTALK_AVOID = 33,        /* 0: the calling hart's avoidance is off; 1: as the host set it */
};

/* The first level of the table of colors. */
extern uint32_t __crosstalk_color_root[COLOR_TABLE_ENTRIES];

/* The largest color of the machine, 0 if it has none; set before the program's first instruction. */
extern uint32_t __crosstalk_last_color;

#endif
