// CoWW and CoRR: x = 1; x = 2 | a = x; b = x. Values are seen in the order they were written.
#include "litmus.h"

.macro THREAD_0
    li      t3, 1
    li      t4, 2
    sw      t3, 0(s4)
    sw      t4, 0(s4)
.endm

.macro THREAD_1
    lw      s3, 0(s4)
    lw      t3, 0(s4)
    slli    t3, t3, 2
    or      s3, s3, t3
.endm

.macro FINAL
.endm

    LITMUS  2, 0x46
