/* A download accelerator that can be interrupted and resumed.
 *
 * Threads fetch their parts of a file from a server, piece by piece: each writes the piece to the file,
 * moves its own offset and adds to the number of bytes written by all. Whoever is told to stop saves the
 * offsets and that number; a later start resumes from them. Here the saver writes such a state
 * again and again, as if the user might interrupt at any moment, and every state must be one from which a download
 * can go on.
 *
 * After AGet-MultVar of Bugaboo, Table 1: the saver, a signal handler at home, takes no lock, and can read
 * offsets and total while a fetcher has changed only one of them. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FETCHERS 2
#define FILE_BYTES 768
#define PART_BYTES (FILE_BYTES / FETCHERS)
#define PIECE_BYTES 64
#define GRANT_BYTES (3 * PIECE_BYTES)
#define LINE 64

/* ---- numbers as text ---- */

/* Writes a number and a space behind it; gives the end. */
static char *put_number(char *to, unsigned number) {
    for (unsigned digit = 100000; digit; digit /= 10) *to++ = (char)('0' + number / digit % 10);
    *to++ = ' ';
    return to;
}

static const char *get_number(const char *from, unsigned *number) {
    for (*number = 0; *from != ' '; from++) *number = 10 * *number + (unsigned)(*from - '0');
    return from + 1;
}

/* ---- the remote server ---- */

#define REQUEST_BYTES 32

static unsigned char remote_byte(unsigned at) {
    return (unsigned char)(at * 31 + (at >> 3) * 17 + 5);
}

/* Answers a request for a range of the file, as HTTP servers do; gives how many bytes it sends. The line is
 * slow, and everything is checked on the way. */
static unsigned serve(const char *request, unsigned char *to) {
    unsigned first, last, sum = 0;
    assert(memcmp(request, "bytes=", 6) == 0);
    get_number(get_number(request + 6, &first), &last);
    for (unsigned at = first; at < last; at++) {
        unsigned char byte = remote_byte(at);
        for (int bit = 0; bit < 8; bit++) sum = sum << 1 ^ (sum >> 15 & 1) * 0x1021 ^ (byte >> bit & 1);
        to[at - first] = byte;
    }
    return sum ? last - first : 0;
}

/* ---- the limit on bandwidth, which all threads share ---- */

#define REFILL_BYTES (6 * PIECE_BYTES)

static struct {
    pthread_mutex_t lock;
    _Alignas(LINE) unsigned left;
    unsigned refills;
    unsigned spent;
} limiter = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Takes some of what may be received; at most so much as is wanted. */
static unsigned spend(unsigned wanted) {
    pthread_mutex_lock(&limiter.lock);
    if (limiter.left == 0) {
        limiter.left = REFILL_BYTES;
        limiter.refills++;
    }
    unsigned count = wanted < limiter.left ? wanted : limiter.left;
    limiter.left -= count;
    limiter.spent += count;
    pthread_mutex_unlock(&limiter.lock);
    return count;
}

/* ---- the file ---- */

static unsigned char file[FILE_BYTES];

static void write_at(const unsigned char *from, unsigned count, unsigned at) {
    memcpy(file + at, from, count);
}

/* ---- fetchers ---- */

struct fetcher {
    /* Where this thread's part ends; never changes. */
    unsigned last;
    /* What the limiter granted and this thread did not use yet. */
    unsigned granted;
    /* Where the next piece goes; the saver reads it. */
    _Alignas(LINE) volatile unsigned offset;
};

static struct fetcher fetchers[FETCHERS];

static struct {
    pthread_mutex_t lock;
    _Alignas(LINE) volatile unsigned bytes;
} written = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Notes that a piece is in the file. */
static void note_written(struct fetcher *self, unsigned count) {
    pthread_mutex_lock(&written.lock);
    self->offset += count;  /* bug: 1 */
    written.bytes += count; /* bug: 4 */
    pthread_mutex_unlock(&written.lock);
}

/* Asks for the next piece of this thread's part; gives how many bytes came. */
static unsigned fetch(struct fetcher *self, unsigned char *piece) {
    char request[REQUEST_BYTES] = "bytes=";
    unsigned first = self->offset, left = self->last - first;
    if (self->granted == 0) self->granted = spend(left < GRANT_BYTES ? left : GRANT_BYTES);
    unsigned count = self->granted < PIECE_BYTES ? self->granted : PIECE_BYTES;
    self->granted -= count;
    put_number(put_number(request + 6, first), first + count);
    return serve(request, piece);
}

static void *run_fetcher(void *argument) {
    struct fetcher *self = argument;
    unsigned char piece[PIECE_BYTES];
    while (self->offset < self->last) {
        unsigned count = fetch(self, piece);
        write_at(piece, count, self->offset);
        note_written(self, count);
    }
    return NULL;
}

/* ---- saved states ---- */

#define LOG_BYTES 48

/* What a later start needs to go on. */
struct state {
    unsigned offsets[FETCHERS];
    unsigned bytes;
};

struct saver {
    char log[LOG_BYTES];
    unsigned saves;
    unsigned broken;
};

/* How far the download has got. */
static void take_state(struct state *state) {
#ifdef FIXED
    pthread_mutex_lock(&written.lock);
#endif
    for (int i = 0; i < FETCHERS; i++) {
        state->offsets[i] = fetchers[i].offset; /* bug: 2 */
    }
    state->bytes = written.bytes; /* bug: 3 */
#ifdef FIXED
    pthread_mutex_unlock(&written.lock);
#endif
}

static unsigned checksum(const char *from, const char *end) {
    unsigned sum = 0xffff;
    for (; from < end; from++) sum = (sum << 3 ^ sum >> 13 ^ (unsigned char)*from) & 0xffff;
    return sum;
}

/* Writes a state to the log as the tool keeps it on disk: numbers, and a checksum of them. */
static void write_log(char *log, const struct state *state) {
    char *end = log;
    for (int i = 0; i < FETCHERS; i++) end = put_number(end, state->offsets[i]);
    end = put_number(end, state->bytes);
    put_number(end, checksum(log, end));
}

/* Reads it again. */
static void read_log(const char *log, struct state *state) {
    const char *at = log;
    unsigned sum;
    for (int i = 0; i < FETCHERS; i++) at = get_number(at, &state->offsets[i]);
    at = get_number(at, &state->bytes);
    get_number(at, &sum);
    assert(sum == checksum(log, at));
}

/* Whether a download could be resumed from a log: the parts must add up to the total. */
static int can_resume(const char *log) {
    struct state state;
    unsigned sum = 0;
    read_log(log, &state);
    for (unsigned i = 0; i < FETCHERS; i++) sum += state.offsets[i] - i * PART_BYTES;
    return sum == state.bytes;
}

/* Saves until the download is complete. */
static void run_saver(struct saver *self) {
    struct state state;
    do {
        take_state(&state);
        write_log(self->log, &state);
        if (!can_resume(self->log)) self->broken++;
        self->saves++;
    } while (state.bytes < FILE_BYTES);
}

int main(void) {
    static struct saver saver;
    pthread_t threads[FETCHERS];
    for (unsigned i = 0; i < FETCHERS; i++) {
        fetchers[i].offset = i * PART_BYTES;
        fetchers[i].last = (i + 1) * PART_BYTES;
        pthread_create(&threads[i], NULL, run_fetcher, &fetchers[i]);
    }
    run_saver(&saver);
    for (int i = 0; i < FETCHERS; i++) pthread_join(threads[i], NULL);
    for (unsigned at = 0; at < FILE_BYTES; at++) assert(file[at] == remote_byte(at));
    assert(limiter.spent == FILE_BYTES);
    printf("%u bytes, %u states, %u broken, %u refills\n", written.bytes, saver.saves, saver.broken,
           limiter.refills);
    return saver.broken ? EXIT_FAILURE : EXIT_SUCCESS;
}
