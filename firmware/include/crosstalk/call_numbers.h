/* Numbers between programs in U mode and the firmware (docs/firmware.md).
 * Generated from `border` by `cargo xtask gen-border`: change it there. */
#ifndef CROSSTALK_CALL_NUMBERS_H
#define CROSSTALK_CALL_NUMBERS_H

enum crosstalk_call {
    CROSSTALK_EXIT = 0, /* code: ends the run */
    CROSSTALK_WRITE = 1, /* descriptor (1, 2), address, count: gives the count */
    CROSSTALK_START = 2, /* entry, argument, thread pointer: gives the hart; −1 if none is idle */
    CROSSTALK_FINISH = 3, /* the calling thread ends, its hart becomes idle */
    CROSSTALK_PARK = 4, /* time, low and high half (all ones: none): waits; gives 0 when woken, 1 when late */
    CROSSTALK_UNPARK = 5, /* hart: ends its wait, or the next one it begins; gives 0 */
    CROSSTALK_ASSERTION = 6, /* file, line: ends the run */
};

/* Sizes. */
#define CROSSTALK_MAX_HARTS 16
#define CROSSTALK_ARGUMENT_BYTES 1024

#endif
