#error "sys/select.h: not available; there is nothing to select from; wait with pthread_cond_timedwait, sleep with nanosleep"
