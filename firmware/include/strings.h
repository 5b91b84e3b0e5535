#ifndef CROSSTALK_STRINGS_H
#define CROSSTALK_STRINGS_H

#include <stddef.h>

int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t count);
void bzero(void *to, size_t count);

void bcopy(const void *from, void *to, size_t count);
int bcmp(const void *a, const void *b, size_t count);
char *index(const char *in, int c);
char *rindex(const char *in, int c);
int ffs(int value);

#endif
