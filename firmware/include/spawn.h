#error "spawn.h: not available; there is one process; use pthread_create"
