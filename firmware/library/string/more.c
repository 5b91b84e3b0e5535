/* What GNU and BSD have beside the usual. */
#include "../internal.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#undef strerror_r

POSIX_ONLY char *strsep(char **restrict text, const char *restrict separators) {
    char *token = *text;
    if (!token) return NULL;
    char *end = token + strcspn(token, separators);
    *text = *end ? end + 1 : NULL;
    *end = 0;
    return token;
}

POSIX_ONLY char *strcasestr(const char *in, const char *what) {
    size_t length = strlen(what);
    for (; strncasecmp(in, what, length); in++)
        if (!*in) return NULL;
    return (char *)in;
}

POSIX_ONLY char *strchrnul(const char *in, int c) {
    while (*in && *in != (char)c) in++;
    return (char *)in;
}

POSIX_ONLY char *stpncpy(char *restrict to, const char *restrict from, size_t count) {
    size_t length = strnlen(from, count);
    memcpy(to, from, length);
    memset(to + length, 0, count - length);
    return to + length;
}

POSIX_ONLY size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
    size_t length = strlen(from), kept = length < size ? length : size - 1;
    if (!size) return length;
    memcpy(to, from, kept);
    to[kept] = 0;
    return length;
}

POSIX_ONLY size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
    size_t used = strnlen(to, size);
    return used + (used < size ? strlcpy(to + used, from, size - used) : strlen(from));
}

size_t strxfrm(char *restrict to, const char *restrict from, size_t size) {
    return strlcpy(to, from, size);
}

POSIX_ONLY void *memmem(const void *in, size_t size, const void *what, size_t count) {
    const char *at = in;
    for (; size >= count; at++, size--)
        if (!memcmp(at, what, count)) return (void *)at;
    return NULL;
}

POSIX_ONLY void *memrchr(const void *in, int byte, size_t count) {
    const unsigned char *bytes = in;
    while (count--)
        if (bytes[count] == (unsigned char)byte) return (void *)(bytes + count);
    return NULL;
}

POSIX_ONLY void *rawmemchr(const void *in, int byte) {
    const unsigned char *at = in;
    while (*at != (unsigned char)byte) at++;
    return (void *)at;
}

POSIX_ONLY void *mempcpy(void *restrict to, const void *restrict from, size_t count) {
    return (char *)memcpy(to, from, count) + count;
}

POSIX_ONLY void *memccpy(void *restrict to, const void *restrict from, int byte, size_t count) {
    const char *found = memchr(from, byte, count);
    return found ? mempcpy(to, from, (size_t)(found - (const char *)from) + 1) : (memcpy(to, from, count), NULL);
}

POSIX_ONLY void bcopy(const void *from, void *to, size_t count) {
    memmove(to, from, count);
}

POSIX_ONLY int bcmp(const void *a, const void *b, size_t count) {
    return memcmp(a, b, count);
}

POSIX_ONLY char *index(const char *in, int c) {
    return strchr(in, c);
}

POSIX_ONLY char *rindex(const char *in, int c) {
    return strrchr(in, c);
}

POSIX_ONLY int ffs(int value) {
    return __builtin_ffs(value);
}

int __xpg_strerror_r(int error, char *to, size_t size) {
    return strlcpy(to, strerror(error), size) < size ? 0 : ERANGE;
}

char *__gnu_strerror_r(int error, char *to, size_t size) {
    (void)to;
    (void)size;
    return strerror(error);
}
