#error "sys/wait.h: not available; there is one process; use pthread_create and pthread_join"
