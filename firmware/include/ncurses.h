#error "ncurses.h: not available; there is no terminal; print with stdio.h"
