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

#ifndef NULL
#define NULL ((void *)0)
#endif
#define _SC_ARG_MAX 0
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE _SC_PAGESIZE
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#define _SC_LEVEL1_DCACHE_LINESIZE 190
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

int close(int descriptor);
off_t lseek(int descriptor, off_t offset, int whence);
ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset);
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset);
int ftruncate(int descriptor, off_t size);
int unlink(const char *name);
int access(const char *name, int how);
int fsync(int descriptor);
int isatty(int descriptor);
pid_t getppid(void);
pid_t gettid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int getpagesize(void);
int gethostname(char *to, size_t size);
int pause(void);
unsigned alarm(unsigned seconds);
long syscall(long number, ...);

extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int count, char *const arguments[], const char *letters);

#endif
