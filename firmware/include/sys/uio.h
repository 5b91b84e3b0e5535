#error "sys/uio.h: not available; use write (unistd.h) or fwrite (stdio.h)"
