// 2+2W: x = 1; y = 2 | y = 1; x = 2. Not both one at the end.
#include "litmus.h"

.macro THREAD_0
    li      t3, 1
    li      t4, 2
    sw      t3, 0(s4)
    sw      t4, 0(s5)
.endm

.macro THREAD_1
    li      t3, 1
    li      t4, 2
    sw      t3, 0(s5)
    sw      t4, 0(s4)
.endm

.macro FINAL
    lw      t0, 0(s4)
    addi    t0, t0, -1
    seqz    t0, t0
    or      s3, s3, t0
    lw      t0, 0(s5)
    addi    t0, t0, -1
    seqz    t0, t0
    slli    t0, t0, 1
    or      s3, s3, t0
.endm

    LITMUS  2, 0x8
