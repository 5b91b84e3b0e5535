#error "sys/statvfs.h: not available; files are in memory"
