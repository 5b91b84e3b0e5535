#include "../internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

POSIX_ONLY char *strndup(const char *text, size_t limit) {
    size_t length = strnlen(text, limit);
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

POSIX_ONLY char *strdup(const char *text) {
    return strndup(text, strlen(text));
}

char *strerror(int error) {
    switch (error) {
    case 0: return "Success";
    case EPERM: return "Operation not permitted";
    case EINTR: return "Interrupted system call";
    case EBADF: return "Bad file descriptor";
    case EAGAIN: return "Resource temporarily unavailable";
    case ENOMEM: return "Cannot allocate memory";
    case EBUSY: return "Device or resource busy";
    case EINVAL: return "Invalid argument";
    case EDOM: return "Numerical argument out of domain";
    case ERANGE: return "Numerical result out of range";
    case EDEADLK: return "Resource deadlock avoided";
    case EOVERFLOW: return "Value too large for defined data type";
    case ETIMEDOUT: return "Connection timed out";
    default: return "Unknown error";
    }
}
