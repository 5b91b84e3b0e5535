// Load buffering: a = x; y = 1 | b = y; x = 1. Not both one.
#include "litmus.h"

.macro THREAD_0
    li      t3, 1
    lw      s3, 0(s4)
    sw      t3, 0(s5)
.endm

.macro THREAD_1
    li      t3, 1
    lw      s3, 0(s5)
    sw      t3, 0(s4)
    slli    s3, s3, 1
.endm

.macro FINAL
.endm

    LITMUS  2, 0x8
