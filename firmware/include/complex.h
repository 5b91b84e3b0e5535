#error "complex.h: not available; use a structure of two doubles"
