#error "sys/eventfd.h: not available; use a semaphore (semaphore.h)"
