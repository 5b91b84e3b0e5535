// RWC: x = 1 | a = x; b = y | y = 1; c = x. The readers agree.
#include "litmus.h"

.macro THREAD_0
    li      t3, 1
    sw      t3, 0(s4)
.endm

.macro THREAD_1
    lw      s3, 0(s4)
    lw      t3, 0(s5)
    slli    t3, t3, 1
    or      s3, s3, t3
.endm

.macro THREAD_2
    li      t3, 1
    sw      t3, 0(s5)
    lw      s3, 0(s4)
    slli    s3, s3, 2
.endm

.macro FINAL
.endm

    LITMUS  3, 0x2
