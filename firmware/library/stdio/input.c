/* Reading, byte by byte and in pieces. */
#include "stream.h"

#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

static struct crosstalk_reading standard;

/* Where standard input comes from: `--file /dev/stdin=…`, or else the host. */
static void begin_standard(void) {
    static bool begun;
    if (begun) return;
    begun = true;
    int before = errno, given = __crosstalk_open("/dev/stdin", O_RDONLY);
    if (given >= 0) stdin->descriptor = given;
    errno = before;
}

struct crosstalk_reading *__crosstalk_reading(FILE *file) {
    if (file == stdin) {
        begin_standard();
        return &standard;
    }
    if (file == stdout || file == stderr) return NULL;
    return &((struct crosstalk_stream *)file)->reading;
}

static bool refill(FILE *file, struct crosstalk_reading *reading) {
    ssize_t got = __crosstalk_read(file->descriptor, reading->bytes + PUSHED_BACK, BUFSIZ);
    if (got < 0) file->failed = true;
    if (got == 0) file->ended = true;
    reading->at = PUSHED_BACK;
    reading->end = PUSHED_BACK + (got > 0 ? (size_t)got : 0);
    return got > 0;
}

int __crosstalk_get(FILE *file) {
    struct crosstalk_reading *reading = __crosstalk_reading(file);
    if (!reading) {
        errno = EBADF;
        file->failed = true;
        return EOF;
    }
    if (reading->at == reading->end && !refill(file, reading)) return EOF;
    return (unsigned char)reading->bytes[reading->at++];
}

void __crosstalk_unget(FILE *file, int c) {
    struct crosstalk_reading *reading = __crosstalk_reading(file);
    if (c == EOF || !reading) return;
    if (!reading->end) reading->at = reading->end = PUSHED_BACK;
    if (!reading->at) return;
    reading->bytes[--reading->at] = (char)c;
    file->ended = false;
}

int ungetc(int c, FILE *file) {
    __crosstalk_file_lock(file);
    struct crosstalk_reading *reading = __crosstalk_reading(file);
    bool room = c != EOF && reading && (reading->at || !reading->end);
    if (room) __crosstalk_unget(file, c);
    __crosstalk_file_unlock(file);
    return room ? (unsigned char)c : EOF;
}

int fgetc(FILE *file) {
    __crosstalk_file_lock(file);
    int c = __crosstalk_get(file);
    __crosstalk_file_unlock(file);
    return c;
}

int getc(FILE *file) {
    return fgetc(file);
}

int getchar(void) {
    return fgetc(stdin);
}

POSIX_ONLY int getc_unlocked(FILE *file) {
    return fgetc(file);
}

POSIX_ONLY int fgetc_unlocked(FILE *file) {
    return fgetc(file);
}

POSIX_ONLY int getchar_unlocked(void) {
    return fgetc(stdin);
}

char *fgets(char *restrict to, int size, FILE *restrict file) {
    if (size < 1) return NULL;
    int used = 0, c = 0;
    __crosstalk_file_lock(file);
    while (used < size - 1 && c != '\n' && (c = __crosstalk_get(file)) != EOF) to[used++] = (char)c;
    bool failed = file->failed;
    __crosstalk_file_unlock(file);
    if (size > 1 && (!used || (c == EOF && failed))) return NULL;
    to[used] = 0;
    return to;
}

size_t fread(void *restrict to, size_t bytes, size_t count, FILE *restrict file) {
    size_t wanted = bytes * count, done = 0;
    if (!wanted) return 0;
    __crosstalk_file_lock(file);
    for (int c; done < wanted && (c = __crosstalk_get(file)) != EOF; done++) ((char *)to)[done] = (char)c;
    __crosstalk_file_unlock(file);
    return done / bytes;
}

POSIX_ONLY ssize_t getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict file) {
    if (!line || !room) {
        errno = EINVAL;
        return -1;
    }
    size_t used = 0;
    int c = EOF;
    __crosstalk_file_lock(file);
    if (!*line) *room = 0;
    while ((c = __crosstalk_get(file)) != EOF) {
        if (used + 2 > *room) {
            size_t larger = *room ? 2 * *room : 120;
            char *moved = realloc(*line, larger);
            if (!moved) break;
            *line = moved;
            *room = larger;
        }
        (*line)[used++] = (char)c;
        if (c == end) break;
    }
    __crosstalk_file_unlock(file);
    if (!used) return -1;
    (*line)[used] = 0;
    return (ssize_t)used;
}

POSIX_ONLY ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict file) {
    return getdelim(line, room, '\n', file);
}
