/* The three files there are. Standard output is sent line by line, errors call by call. */
#include "file.h"

#include <crosstalk/calls.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE input = {.mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .descriptor = 0, .mode = _IONBF};
static FILE output = {.mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .descriptor = 1, .mode = _IOLBF};
static FILE errors = {.mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .descriptor = 2, .mode = _IONBF};
#undef stdin
#undef stdout
#undef stderr
FILE *const stdin = &input;
FILE *const stdout = &output;
FILE *const stderr = &errors;

int32_t __crosstalk_write(int descriptor, const void *bytes, size_t count) {
    int32_t sent = crosstalk_call(CROSSTALK_WRITE, (uint32_t)descriptor, (uintptr_t)bytes, count, 0);
    if (sent < 0) errno = EBADF;
    return sent;
}

POSIX_ONLY ssize_t write(int descriptor, const void *bytes, size_t count) {
    return __crosstalk_write(descriptor, bytes, count);
}

static void send(FILE *file) {
    if (file->used && __crosstalk_write(file->descriptor, file->buffer, file->used) < 0) file->failed = true;
    file->used = 0;
}

void __crosstalk_file_put(void *to, const char *bytes, size_t count) {
    FILE *file = to;
    while (count) {
        size_t room = sizeof file->buffer - file->used;
        size_t some = count < room ? count : room;
        memcpy(file->buffer + file->used, bytes, some);
        file->used += some;
        bytes += some;
        count -= some;
        if (file->used == sizeof file->buffer) send(file);
    }
}

/* Of a line buffer everything up to the last end of a line is sent. */
static void send_lines(FILE *file) {
    size_t end = file->used;
    while (end && file->buffer[end - 1] != '\n') end--;
    if (!end) return;
    size_t rest = file->used - end;
    file->used = end;
    send(file);
    memmove(file->buffer, file->buffer + end, rest);
    file->used = rest;
}

void __crosstalk_file_done(FILE *file) {
    if (file->mode == _IONBF) send(file);
    else if (file->mode == _IOLBF) send_lines(file);
}

void __crosstalk_file_lock(FILE *file) {
    pthread_mutex_lock(&file->mutex);
}

void __crosstalk_file_unlock(FILE *file) {
    pthread_mutex_unlock(&file->mutex);
}

POSIX_ONLY void flockfile(FILE *file) {
    __crosstalk_file_lock(file);
}

POSIX_ONLY void funlockfile(FILE *file) {
    __crosstalk_file_unlock(file);
}

int fflush(FILE *file) {
    if (!file) {
        fflush(stdout);
        return fflush(stderr);
    }
    __crosstalk_file_lock(file);
    send(file);
    int result = file->failed ? EOF : 0;
    __crosstalk_file_unlock(file);
    return result;
}

void __crosstalk_flush_all(void) {
    fflush(NULL);
}

int setvbuf(FILE *restrict file, char *restrict buffer, int mode, size_t size) {
    (void)buffer; /* the file has one of its own */
    (void)size;
    if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF) return EOF;
    __crosstalk_file_lock(file);
    file->mode = mode;
    __crosstalk_file_done(file);
    __crosstalk_file_unlock(file);
    return 0;
}

void setbuf(FILE *restrict file, char *restrict buffer) {
    setvbuf(file, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}

int ferror(FILE *file) {
    return file->failed;
}

int feof(FILE *file) {
    return file->ended;
}

void clearerr(FILE *file) {
    file->failed = file->ended = false;
}

POSIX_ONLY int fileno(FILE *file) {
    return file->descriptor;
}
