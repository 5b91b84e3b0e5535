#error "fenv.h: not available; floating point is done in software; it always rounds to nearest"
