#ifndef CROSSTALK_SYS_TYPES_H
#define CROSSTALK_SYS_TYPES_H

#include <stddef.h>

typedef int ssize_t;
typedef long off_t;
typedef int pid_t;
typedef long long time_t;
typedef long suseconds_t;
typedef unsigned useconds_t;
typedef int clockid_t;

typedef unsigned mode_t;
typedef unsigned uid_t;
typedef unsigned gid_t;
typedef unsigned dev_t;
typedef unsigned ino_t;
typedef unsigned nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef int id_t;
typedef long long loff_t;
typedef unsigned char u_char;
typedef unsigned short u_short, ushort;
typedef unsigned u_int, uint;
typedef unsigned long u_long, ulong;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned u_int32_t;
typedef unsigned long long u_int64_t;
typedef char *caddr_t;

#endif
