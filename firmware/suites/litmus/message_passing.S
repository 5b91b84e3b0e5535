// Message passing: x = 1; y = 1 | a = y; b = x. Who sees y sees x.
#include "litmus.h"

.macro THREAD_0
    li      t3, 1
    li      t4, 1
    sw      t3, 0(s4)
    sw      t4, 0(s5)
.endm

.macro THREAD_1
    lw      s3, 0(s5)
    lw      t3, 0(s4)
    slli    t3, t3, 1
    or      s3, s3, t3
.endm

.macro FINAL
.endm

    LITMUS  2, 0x2
