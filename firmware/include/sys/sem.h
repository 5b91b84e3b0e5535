#error "sys/sem.h: not available; use semaphore.h"
