#include "file.h"

#include <crosstalk/calls.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int vfprintf(FILE *restrict file, const char *restrict format, va_list arguments) {
    __crosstalk_file_lock(file);
    int total = __crosstalk_format(__crosstalk_file_put, file, format, arguments);
    __crosstalk_file_done(file);
    __crosstalk_file_unlock(file);
    return total;
}

int vprintf(const char *restrict format, va_list arguments) {
    return vfprintf(stdout, format, arguments);
}

int fprintf(FILE *restrict file, const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int total = vfprintf(file, format, arguments);
    va_end(arguments);
    return total;
}

int printf(const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int total = vfprintf(stdout, format, arguments);
    va_end(arguments);
    return total;
}

static void put_descriptor(void *to, const char *bytes, size_t count) {
    __crosstalk_write(*(int *)to, bytes, count);
}

POSIX_ONLY int dprintf(int descriptor, const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int total = __crosstalk_format(put_descriptor, &descriptor, format, arguments);
    va_end(arguments);
    return total;
}

size_t fwrite(const void *restrict from, size_t bytes, size_t count, FILE *restrict file) {
    __crosstalk_file_lock(file);
    __crosstalk_file_put(file, from, bytes * count);
    __crosstalk_file_done(file);
    __crosstalk_file_unlock(file);
    return bytes ? count : 0;
}

int fputs(const char *restrict text, FILE *restrict file) {
    fwrite(text, 1, strlen(text), file);
    return 0;
}

int fputc(int c, FILE *file) {
    fwrite(&(char){(char)c}, 1, 1, file);
    return (unsigned char)c;
}

int putc(int c, FILE *file) {
    return fputc(c, file);
}

int putchar(int c) {
    return fputc(c, stdout);
}

int puts(const char *text) {
    __crosstalk_file_lock(stdout);
    __crosstalk_file_put(stdout, text, strlen(text));
    __crosstalk_file_put(stdout, "\n", 1);
    __crosstalk_file_done(stdout);
    __crosstalk_file_unlock(stdout);
    return 0;
}

void perror(const char *text) {
    int error = errno;
    if (text && *text) fprintf(stderr, "%s: %s\n", text, strerror(error));
    else fprintf(stderr, "%s\n", strerror(error));
}

/* The library's own complaints, and the end. */
_Noreturn void __crosstalk_fail(int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    _exit(code);
}
