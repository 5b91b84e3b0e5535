// S: x = 2; y = 1 | a = y; x = 1. If y was seen, x does not end as 2.
#include "litmus.h"

.macro THREAD_0
    li      t3, 2
    li      t4, 1
    sw      t3, 0(s4)
    sw      t4, 0(s5)
.endm

.macro THREAD_1
    li      t3, 1
    lw      s3, 0(s5)
    sw      t3, 0(s4)
.endm

.macro FINAL
    lw      t0, 0(s4)
    addi    t0, t0, -2
    seqz    t0, t0
    slli    t0, t0, 1
    or      s3, s3, t0
.endm

    LITMUS  2, 0x8
