#error "sys/file.h: not available; there is one process; use pthread_mutex_lock"
