#error "sys/utsname.h: not available; the machine has no name; gethostname (unistd.h) gives `crosstalk`"
