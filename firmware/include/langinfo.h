#error "langinfo.h: not available; there is the C locale only; use locale.h"
