/* Opening, closing and positions. */
#include "stream.h"

#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMORY_STREAM_BYTES = 32768 };

/* The flags for "r", "w+", "ab" and so on; -1 if it is none. */
static int flags_of(const char *mode) {
    static const char letters[] = "rwa";
    static const int flags[] = {O_RDONLY, O_WRONLY | O_CREAT | O_TRUNC, O_WRONLY | O_CREAT | O_APPEND};
    const char *letter = *mode ? strchr(letters, *mode) : NULL;
    if (!letter) {
        errno = EINVAL;
        return -1;
    }
    int result = flags[letter - letters];
    if (strchr(mode, '+')) result = (result & ~O_ACCMODE) | O_RDWR;
    return strchr(mode, 'x') ? result | O_EXCL : result;
}

static struct crosstalk_stream *open_streams;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;

static void enter(struct crosstalk_stream *stream) {
    pthread_mutex_lock(&list);
    stream->next = open_streams;
    open_streams = stream;
    pthread_mutex_unlock(&list);
}

static void leave(struct crosstalk_stream *stream) {
    pthread_mutex_lock(&list);
    struct crosstalk_stream **link = &open_streams;
    while (*link && *link != stream) link = &(*link)->next;
    if (*link) *link = stream->next;
    pthread_mutex_unlock(&list);
}

/* Of a program that opens files, `fflush(NULL)` means them too (`--wrap`, src/runtime.rs). */
int __real_fflush(FILE *file);

int __wrap_fflush(FILE *file) {
    int result = __real_fflush(file);
    if (file) return result;
    pthread_mutex_lock(&list);
    for (struct crosstalk_stream *stream = open_streams; stream; stream = stream->next)
        if (__real_fflush(&stream->file)) result = EOF;
    pthread_mutex_unlock(&list);
    return result;
}

static FILE *make(int descriptor) {
    if (descriptor < 0) return NULL;
    struct crosstalk_stream *stream = calloc(1, sizeof *stream);
    if (!stream) {
        __crosstalk_close(descriptor);
        return NULL;
    }
    pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    stream->file.mutex = mutex;
    stream->file.descriptor = descriptor;
    stream->file.mode = _IOFBF;
    enter(stream);
    return &stream->file;
}

FILE *fopen(const char *restrict name, const char *restrict mode) {
    int flags = flags_of(mode);
    return flags < 0 ? NULL : make(__crosstalk_open(name, flags));
}

POSIX_ONLY FILE *fdopen(int descriptor, const char *mode) {
    if (flags_of(mode) < 0) return NULL;
    if (descriptor >= 0 && descriptor <= 2)
        return descriptor == 0 ? stdin : descriptor == 1 ? stdout : stderr;
    return make(descriptor);
}

static bool is_standard(const FILE *file) {
    return file == stdin || file == stdout || file == stderr;
}

/* What was read ahead is forgotten: the firmware's position becomes the program's. */
static void forget_reading(FILE *file) {
    struct crosstalk_reading *reading = __crosstalk_reading(file);
    if (!reading) return;
    if (reading->end > reading->at) __crosstalk_seek(file->descriptor, -(off_t)(reading->end - reading->at), SEEK_CUR);
    reading->at = reading->end = 0;
}

FILE *freopen(const char *restrict name, const char *restrict mode, FILE *restrict file) {
    int flags = flags_of(mode);
    int descriptor = flags < 0 || !name ? -1 : __crosstalk_open(name, flags);
    fflush(file);
    if (descriptor < 0) return NULL;
    __crosstalk_file_lock(file);
    forget_reading(file);
    __crosstalk_close(file->descriptor);
    file->descriptor = descriptor;
    file->failed = file->ended = false;
    file->mode = _IOFBF;
    __crosstalk_file_unlock(file);
    return file;
}

POSIX_ONLY FILE *fmemopen(void *restrict memory, size_t size, const char *restrict mode) {
    int flags = flags_of(mode);
    if (flags < 0 || !size) {
        errno = EINVAL;
        return NULL;
    }
    char *room = memory ? memory : calloc(1, size);
    if (!room) return NULL;
    if (*mode == 'w') *room = 0;
    size_t there = *mode == 'r' && memory ? size : strnlen(room, size);
    int descriptor = __crosstalk_open_memory(room, flags == O_RDONLY ? 0 : size, there, NULL);
    if (descriptor >= 0 && *mode == 'a') __crosstalk_seek(descriptor, 0, SEEK_END);
    return make(descriptor);
}

/* Up to a fixed number of bytes, so that the text never moves. */
POSIX_ONLY FILE *open_memstream(char **text, size_t *size) {
    *text = malloc(MEMORY_STREAM_BYTES);
    if (!*text) return NULL;
    **text = 0;
    *size = 0;
    return make(__crosstalk_open_memory(*text, MEMORY_STREAM_BYTES, 0, size));
}

FILE *tmpfile(void) {
    static unsigned count;
    char name[32];
    snprintf(name, sizeof name, "/tmp/tmpfile-%u", __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST));
    FILE *file = fopen(name, "w+");
    if (file) remove(name);
    return file;
}

int fclose(FILE *file) {
    int result = fflush(file);
    if (is_standard(file)) return result;
    leave((struct crosstalk_stream *)file);
    if (__crosstalk_close(file->descriptor) < 0) result = EOF;
    free(file);
    return result;
}

int fseek(FILE *file, long offset, int whence) {
    fflush(file);
    __crosstalk_file_lock(file);
    forget_reading(file);
    off_t at = __crosstalk_seek(file->descriptor, offset, whence);
    if (at >= 0) file->ended = false;
    __crosstalk_file_unlock(file);
    return at < 0 ? -1 : 0;
}

long ftell(FILE *file) {
    __crosstalk_file_lock(file);
    struct crosstalk_reading *reading = __crosstalk_reading(file);
    off_t at = __crosstalk_seek(file->descriptor, 0, SEEK_CUR);
    if (at >= 0) at += (off_t)file->used - (off_t)(reading ? reading->end - reading->at : 0);
    __crosstalk_file_unlock(file);
    return at;
}

POSIX_ONLY int fseeko(FILE *file, off_t offset, int whence) {
    return fseek(file, offset, whence);
}

POSIX_ONLY off_t ftello(FILE *file) {
    return ftell(file);
}

void rewind(FILE *file) {
    fseek(file, 0, SEEK_SET);
    clearerr(file);
}

int fgetpos(FILE *restrict file, fpos_t *restrict position) {
    *position = ftell(file);
    return *position < 0 ? -1 : 0;
}

int fsetpos(FILE *file, const fpos_t *position) {
    return fseek(file, *position, SEEK_SET);
}
