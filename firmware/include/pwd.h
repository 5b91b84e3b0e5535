#error "pwd.h: not available; there are no users"
