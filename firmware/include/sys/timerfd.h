#error "sys/timerfd.h: not available; sleep with nanosleep, or use alarm (unistd.h)"
