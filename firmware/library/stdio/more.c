/* printf into new memory, and names of other systems for what file.c does. */
#include "file.h"

#include <stdlib.h>

POSIX_ONLY int vasprintf(char **restrict to, const char *restrict format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    *to = length < 0 ? NULL : malloc((size_t)length + 1);
    return *to ? vsprintf(*to, format, arguments) : -1;
}

POSIX_ONLY int asprintf(char **restrict to, const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int total = vasprintf(to, format, arguments);
    va_end(arguments);
    return total;
}

static void put_descriptor(void *to, const char *bytes, size_t count) {
    __crosstalk_write(*(int *)to, bytes, count);
}

POSIX_ONLY int vdprintf(int descriptor, const char *restrict format, va_list arguments) {
    return __crosstalk_format(put_descriptor, &descriptor, format, arguments);
}

POSIX_ONLY void setlinebuf(FILE *file) {
    setvbuf(file, NULL, _IOLBF, 0);
}

POSIX_ONLY int ftrylockfile(FILE *file) {
    return pthread_mutex_trylock(&file->mutex);
}

POSIX_ONLY int putc_unlocked(int c, FILE *file) {
    return fputc(c, file);
}

POSIX_ONLY int fputc_unlocked(int c, FILE *file) {
    return fputc(c, file);
}

POSIX_ONLY int putchar_unlocked(int c) {
    return fputc(c, stdout);
}
