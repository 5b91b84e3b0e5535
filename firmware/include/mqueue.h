#error "mqueue.h: not available; use a queue with pthread_mutex_lock and pthread_cond_wait"
