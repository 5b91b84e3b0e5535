// Independent reads of independent writes: x = 1 | y = 1 | a = x; b = y | c = y; d = x. The readers agree
// on the order.
#include "litmus.h"

.macro THREAD_0
    li      t3, 1
    sw      t3, 0(s4)
.endm

.macro THREAD_1
    li      t3, 1
    sw      t3, 0(s5)
.endm

.macro THREAD_2
    lw      s3, 0(s4)
    lw      t3, 0(s5)
    slli    t3, t3, 1
    or      s3, s3, t3
.endm

.macro THREAD_3
    lw      s3, 0(s5)
    lw      t3, 0(s4)
    slli    s3, s3, 2
    slli    t3, t3, 3
    or      s3, s3, t3
.endm

.macro FINAL
.endm

    LITMUS  4, 0x20
