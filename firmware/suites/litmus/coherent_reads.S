// CoRR: x = 1 | a = x; b = x. A value seen is not unseen.
#include "litmus.h"

.macro THREAD_0
    li      t3, 1
    sw      t3, 0(s4)
.endm

.macro THREAD_1
    lw      s3, 0(s4)
    lw      t3, 0(s4)
    slli    t3, t3, 1
    or      s3, s3, t3
.endm

.macro FINAL
.endm

    LITMUS  2, 0x2
