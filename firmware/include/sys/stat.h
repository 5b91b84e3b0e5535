#ifndef CROSSTALK_SYS_STAT_H
#define CROSSTALK_SYS_STAT_H

#include <sys/types.h>
#include <time.h>

#define S_IFMT 0170000
#define S_IFREG 0100000
#define S_IFCHR 0020000
#define S_IFDIR 0040000
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXG 070
#define S_IRGRP 040
#define S_IWGRP 020
#define S_IXGRP 010
#define S_IRWXO 07
#define S_IROTH 04
#define S_IWOTH 02
#define S_IXOTH 01

struct stat {
    mode_t st_mode;
    off_t st_size;
    nlink_t st_nlink;
    uid_t st_uid;
    gid_t st_gid;
    time_t st_mtime;
};

/* Of files, their kind and size. There are no folders. */
int stat(const char *__restrict name, struct stat *__restrict to);
int fstat(int descriptor, struct stat *to);

#endif
