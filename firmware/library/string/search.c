#include "../internal.h"

#include <string.h>

char *strchr(const char *in, int c) {
    for (;; in++) {
        if (*in == (char)c) return (char *)in;
        if (!*in) return NULL;
    }
}

char *strrchr(const char *in, int c) {
    const char *found = NULL;
    for (;; in++) {
        if (*in == (char)c) found = in;
        if (!*in) return (char *)found;
    }
}

char *strstr(const char *in, const char *what) {
    size_t length = strlen(what);
    for (;; in++) {
        if (!strncmp(in, what, length)) return (char *)in;
        if (!*in) return NULL;
    }
}

size_t strspn(const char *in, const char *accept) {
    size_t length = 0;
    while (in[length] && strchr(accept, in[length])) length++;
    return length;
}

size_t strcspn(const char *in, const char *reject) {
    size_t length = 0;
    while (in[length] && !strchr(reject, in[length])) length++;
    return length;
}

char *strpbrk(const char *in, const char *any) {
    in += strcspn(in, any);
    return *in ? (char *)in : NULL;
}

POSIX_ONLY char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
    if (!text) text = *rest;
    if (!text) return NULL;
    text += strspn(text, separators);
    if (!*text) {
        *rest = NULL;
        return NULL;
    }
    char *end = strpbrk(text, separators);
    if (end) *end++ = 0;
    *rest = end;
    return text;
}

char *strtok(char *restrict text, const char *restrict separators) {
    static char *rest;
    return strtok_r(text, separators, &rest);
}
