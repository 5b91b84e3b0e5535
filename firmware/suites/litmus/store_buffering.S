// Store buffering: x = 1; a = y | y = 1; b = x. Not both zero.
#include "litmus.h"

.macro THREAD_0
    li      t3, 1
    sw      t3, 0(s4)
    lw      s3, 0(s5)
.endm

.macro THREAD_1
    li      t3, 1
    sw      t3, 0(s5)
    lw      s3, 0(s4)
    slli    s3, s3, 1
.endm

.macro FINAL
.endm

    LITMUS  2, 0x1
