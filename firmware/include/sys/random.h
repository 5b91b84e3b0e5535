/* Numbers that are the same in every run: a schedule must be repeatable. */
#ifndef CROSSTALK_SYS_RANDOM_H
#define CROSSTALK_SYS_RANDOM_H

#include <sys/types.h>

#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
#define GRND_INSECURE 4

ssize_t getrandom(void *bytes, size_t count, unsigned flags);
int getentropy(void *bytes, size_t count);

#endif
