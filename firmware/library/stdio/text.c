/* printf into memory. */
#include "../internal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct room {
    char *at;
    size_t left; /* the byte for the final zero not counted */
};

static void put(void *to, const char *bytes, size_t count) {
    struct room *room = to;
    if (count > room->left) count = room->left;
    memcpy(room->at, bytes, count);
    room->at += count;
    room->left -= count;
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments) {
    char none;
    struct room room = size ? (struct room){to, size - 1} : (struct room){&none, 0};
    int total = __crosstalk_format(put, &room, format, arguments);
    *room.at = 0;
    return total;
}

int vsprintf(char *restrict to, const char *restrict format, va_list arguments) {
    return vsnprintf(to, INT_MAX, format, arguments);
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int total = vsnprintf(to, size, format, arguments);
    va_end(arguments);
    return total;
}

int sprintf(char *restrict to, const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int total = vsprintf(to, format, arguments);
    va_end(arguments);
    return total;
}
