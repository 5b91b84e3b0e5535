#error "termios.h: not available; there is no terminal; standard input is what the host has"
