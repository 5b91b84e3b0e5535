#error "fnmatch.h: not available; use string.h"
