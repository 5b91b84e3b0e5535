/* The functions that compilers call by themselves, too; -ffreestanding keeps these loops from becoming
 * calls of what they are in. */
#include "../internal.h"

#include <string.h>
#include <strings.h>

static bool both_aligned(const void *a, const void *b) {
    return (((uintptr_t)a | (uintptr_t)b) & 3) == 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    unsigned char *d = to;
    const unsigned char *s = from;
    if (both_aligned(d, s))
        for (; count >= 4; count -= 4, d += 4, s += 4) *(uint32_t *)d = *(const uint32_t *)s;
    while (count--) *d++ = *s++;
    return to;
}

void *memmove(void *to, const void *from, size_t count) {
    unsigned char *d = to;
    const unsigned char *s = from;
    if ((uintptr_t)d - (uintptr_t)s >= count) return memcpy(to, from, count);
    while (count--) d[count] = s[count];
    return to;
}

void *memset(void *to, int byte, size_t count) {
    unsigned char *d = to;
    for (; count && (uintptr_t)d & 3; count--) *d++ = (unsigned char)byte;
    uint32_t word = (unsigned char)byte * 0x01010101u;
    for (; count >= 4; count -= 4, d += 4) *(uint32_t *)d = word;
    while (count--) *d++ = (unsigned char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t count) {
    const unsigned char *x = a, *y = b;
    for (; count; count--, x++, y++)
        if (*x != *y) return *x - *y;
    return 0;
}

void *memchr(const void *in, int byte, size_t count) {
    const unsigned char *at = in;
    for (; count; count--, at++)
        if (*at == (unsigned char)byte) return (void *)at;
    return NULL;
}

POSIX_ONLY void bzero(void *to, size_t count) {
    memset(to, 0, count);
}
