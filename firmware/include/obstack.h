#error "obstack.h: not available; use malloc"
