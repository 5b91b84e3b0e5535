#error "grp.h: not available; there are no users"
