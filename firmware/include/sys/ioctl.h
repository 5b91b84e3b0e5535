#error "sys/ioctl.h: not available; there are no devices; standard input is what the host has"
