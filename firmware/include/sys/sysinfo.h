#error "sys/sysinfo.h: not available; use sysconf with _SC_NPROCESSORS_ONLN"
