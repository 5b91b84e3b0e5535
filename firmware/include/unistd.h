#ifndef CROSSTALK_UNISTD_H
#define CROSSTALK_UNISTD_H

#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84

ssize_t write(int descriptor, const void *bytes, size_t count);
ssize_t read(int descriptor, void *bytes, size_t count);
unsigned sleep(unsigned seconds);
int usleep(useconds_t microseconds);
pid_t getpid(void);
long sysconf(int name);
_Noreturn void _exit(int code);

#endif
