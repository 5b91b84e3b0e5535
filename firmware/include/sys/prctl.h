#error "sys/prctl.h: not available; name a thread with pthread_setname_np (pthread.h)"
