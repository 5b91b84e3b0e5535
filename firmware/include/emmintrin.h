#error "emmintrin.h: not available; the machine is RISC-V without vectors; use plain C, stdatomic.h or __builtin_prefetch"
