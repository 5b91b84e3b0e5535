#error "nl_types.h: not available; there is the C locale only; use locale.h"
