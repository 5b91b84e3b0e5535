#error "syslog.h: not available; print to stderr (stdio.h)"
