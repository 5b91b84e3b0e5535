#error "argp.h: not available; use getopt.h"
