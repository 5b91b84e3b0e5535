#error "aio.h: not available; use read and write (unistd.h) on a thread of their own"
