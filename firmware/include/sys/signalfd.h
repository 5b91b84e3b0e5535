#error "sys/signalfd.h: not available; use sigwait"
