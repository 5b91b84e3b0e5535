#error "wctype.h: not available; characters are bytes; use ctype.h"
