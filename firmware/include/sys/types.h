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

#endif
