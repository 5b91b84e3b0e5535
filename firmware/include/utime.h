#error "utime.h: not available; files have no times"
