#include "../internal.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

size_t strlen(const char *text) {
    const char *end = text;
    while (*end) end++;
    return (size_t)(end - text);
}

POSIX_ONLY size_t strnlen(const char *text, size_t limit) {
    size_t length = 0;
    while (length < limit && text[length]) length++;
    return length;
}

POSIX_ONLY char *stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from++)) to++;
    return to;
}

char *strcpy(char *restrict to, const char *restrict from) {
    stpcpy(to, from);
    return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t count) {
    size_t length = strnlen(from, count);
    memcpy(to, from, length);
    memset(to + length, 0, count - length);
    return to;
}

char *strcat(char *restrict to, const char *restrict from) {
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t count) {
    char *end = to + strlen(to);
    size_t length = strnlen(from, count);
    memcpy(end, from, length);
    end[length] = 0;
    return to;
}

int strcmp(const char *a, const char *b) {
    for (; *a && *a == *b; a++, b++) {}
    return (unsigned char)*a - (unsigned char)*b;
}

int strcoll(const char *a, const char *b) {
    return strcmp(a, b);
}

int strncmp(const char *a, const char *b, size_t count) {
    for (; count && *a && *a == *b; a++, b++, count--) {}
    return count ? (unsigned char)*a - (unsigned char)*b : 0;
}

POSIX_ONLY int strncasecmp(const char *a, const char *b, size_t count) {
    for (; count; a++, b++, count--) {
        int x = tolower((unsigned char)*a), y = tolower((unsigned char)*b);
        if (x != y || !x) return x - y;
    }
    return 0;
}

POSIX_ONLY int strcasecmp(const char *a, const char *b) {
    return strncasecmp(a, b, (size_t)-1);
}
