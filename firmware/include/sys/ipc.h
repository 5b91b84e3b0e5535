#error "sys/ipc.h: not available; there is one process; all its threads share their memory"
