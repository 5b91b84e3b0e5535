#error "sys/sendfile.h: not available; use read and write"
