/* A stand-in for tests of the port layer: the same file names and entry points, and none of the benchmark. */
#ifndef COREMARK_H
#define COREMARK_H

#define SEED_VOLATILE 2
#define MEM_STACK 2

#include "core_portme.h"

#if HAS_FLOAT
typedef double secs_ret;
#else
typedef ee_u32 secs_ret;
#endif

extern volatile ee_s32 seed1_volatile, seed2_volatile, seed3_volatile, seed4_volatile, seed5_volatile;

void start_time(void);
void stop_time(void);
CORE_TICKS get_time(void);
secs_ret time_in_secs(CORE_TICKS ticks);

ee_u32 listed(ee_u32 x);
ee_u32 multiplied(ee_u32 x);
ee_u32 stepped(ee_u32 x);
ee_u16 folded(ee_u32 x);

#endif
