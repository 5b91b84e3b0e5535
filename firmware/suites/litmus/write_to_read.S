// WRC: x = 1 | a = x; y = 1 | b = y; c = x. What is seen is passed on.
#include "litmus.h"

.macro THREAD_0
    li      t3, 1
    sw      t3, 0(s4)
.endm

.macro THREAD_1
    li      t3, 1
    lw      s3, 0(s4)
    sw      t3, 0(s5)
.endm

.macro THREAD_2
    lw      s3, 0(s5)
    lw      t3, 0(s4)
    slli    s3, s3, 1
    slli    t3, t3, 2
    or      s3, s3, t3
.endm

.macro FINAL
.endm

    LITMUS  3, 0x8
