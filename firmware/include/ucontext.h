#error "ucontext.h: not available; use pthread_create, or setjmp.h"
