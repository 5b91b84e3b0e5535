#error "sys/vfs.h: not available; there are no folders; open files given with --file by their names"
