#ifndef CROSSTALK_STRINGS_H
#define CROSSTALK_STRINGS_H

#include <stddef.h>

int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t count);
void bzero(void *to, size_t count);

#endif
