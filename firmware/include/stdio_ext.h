#error "stdio_ext.h: not available; use fflush and setvbuf of stdio.h"
