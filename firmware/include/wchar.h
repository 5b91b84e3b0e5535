#error "wchar.h: not available; characters are bytes; use string.h"
