#error "sys/shm.h: not available; there is one process; all its threads share their memory"
