/* A database's binary log, rotated while transactions commit.
 *
 * Sessions transfer amounts between the rows of a table and append an event for each transaction to the
 * log, from which replicas repeat it. The server rotates the log now and then: it closes the file, makes
 * the next one and opens that. A replica that reads all files at the end must come to the same table.
 *
 * After MySQL-BinLog of Bugaboo, Table 1: a session that looks whether the log is open in the middle of a
 * rotation takes it for switched off, and its transaction is never logged. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SESSIONS 2
#define TRANSACTIONS 9
#define ROTATIONS 4
#define ROWS 6
#define START_AMOUNT 1000
#define FILE_EVENTS 24
#define FILES (ROTATIONS + 1)
#define LINE 64

/* ---- the table ---- */

static struct {
    pthread_mutex_t lock;
    _Alignas(LINE) int rows[ROWS];
    _Alignas(LINE) unsigned commits;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void create_table(int *rows) {
    for (int i = 0; i < ROWS; i++) rows[i] = START_AMOUNT;
}

/* ---- the log ---- */

enum log_state { LOG_CLOSED, LOG_OPEN };

struct event {
    unsigned char session;
    unsigned char from;
    unsigned char to;
    int amount;
};

struct log_file {
    char name[16];
    unsigned count;
    struct event events[FILE_EVENTS];
};

struct binary_log {
    pthread_mutex_t lock;
    _Alignas(LINE) enum log_state state;
    _Alignas(LINE) unsigned current;
    struct log_file *files[FILES];
};

static struct binary_log binary_log = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct log_file *make_file(void) {
    struct log_file *file = malloc(sizeof *file);
    if (!file) abort();
    file->count = 0;
    return file;
}

/* Opens the file with a number and gives it its name. */
static void log_open(struct binary_log *log, unsigned number, struct log_file *file) {
    char *at = file->name + strlen(strcpy(file->name, "binlog."));
    for (unsigned digit = 100; digit; digit /= 10) *at++ = (char)('0' + number / digit % 10);
    *at = '\0';
    log->files[number] = file;
    log->current = number;
    log->state = LOG_OPEN; /* bug: 3 */
}

static void log_close(struct binary_log *log) {
    log->state = LOG_CLOSED; /* bug: 1 */
}

static int log_is_open(struct binary_log *log) {
    return log->state == LOG_OPEN; /* bug: 2 */
}

/* Appends an event, if there is a log. */
static void log_write(struct binary_log *log, const struct event *event) {
#ifndef FIXED
    if (!log_is_open(log)) return;
#endif
    pthread_mutex_lock(&log->lock);
#ifdef FIXED
    if (!log_is_open(log)) {
        pthread_mutex_unlock(&log->lock);
        return;
    }
#endif
    struct log_file *file = log->files[log->current];
    assert(file->count < FILE_EVENTS);
    file->events[file->count] = *event;
    file->count++;
    pthread_mutex_unlock(&log->lock);
}

/* Goes on in the next file. */
static void log_rotate(struct binary_log *log) {
    pthread_mutex_lock(&log->lock);
    unsigned next = log->current + 1;
    struct log_file *file = make_file();
    log_close(log);
    log_open(log, next, file);
    pthread_mutex_unlock(&log->lock);
}

/* ---- sessions ---- */

struct session {
    _Alignas(LINE) unsigned number;
    unsigned seed;
    unsigned committed;
};

static unsigned draw(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 20;
}

/* Finds a plan for a statement: what a server does before it touches a row. */
static unsigned plan(unsigned statement) {
    unsigned cost = ~0u, best = 0;
    for (unsigned order = 0; order < 24; order++) {
        unsigned estimate = (order * 37 + statement) % 101 + (order ^ statement) % 13;
        if (estimate < cost) {
            cost = estimate;
            best = order;
        }
    }
    return best;
}

static void transfer(struct session *self, struct event *event) {
    pthread_mutex_lock(&table.lock);
    table.rows[event->from] -= event->amount;
    table.rows[event->to] += event->amount;
    table.commits++;
    pthread_mutex_unlock(&table.lock);
    self->committed++;
}

static void *run_session(void *argument) {
    struct session *self = argument;
    for (int i = 0; i < TRANSACTIONS; i++) {
        unsigned choice = draw(&self->seed);
        unsigned best = plan(choice) + plan(choice / 3) + plan(choice / 7);
        struct event event = {
            .session = (unsigned char)self->number,
            .from = (unsigned char)(choice % ROWS),
            .to = (unsigned char)((choice + 1 + best % (ROWS - 1)) % ROWS),
            .amount = (int)(1 + choice % 50),
        };
        transfer(self, &event);
        log_write(&binary_log, &event);
    }
    return NULL;
}

/* ---- the server's own tasks ---- */

/* `show status`: the balance of the table, which no transfer changes. */
static void check_balance(void) {
    int sum = 0;
    pthread_mutex_lock(&table.lock);
    for (int i = 0; i < ROWS; i++) sum += table.rows[i];
    pthread_mutex_unlock(&table.lock);
    assert(sum == ROWS * START_AMOUNT);
}

static void *run_maintenance(void *argument) {
    unsigned *rotations = argument, ticks = 1;
    for (int i = 0; i < ROTATIONS; i++) {
        for (int tick = 0; tick < 700; tick++) ticks = ticks * 69069u + 5;
        check_balance();
        log_rotate(&binary_log);
        ++*rotations;
    }
    return ticks ? NULL : argument;
}

/* ---- a replica ---- */

/* Repeats all events on a table of its own; gives how many there were. */
static unsigned replay(const struct binary_log *log, int *rows) {
    unsigned events = 0;
    create_table(rows);
    for (unsigned number = 0; number <= log->current; number++) {
        const struct log_file *file = log->files[number];
        for (unsigned i = 0; i < file->count; i++, events++) {
            rows[file->events[i].from] -= file->events[i].amount;
            rows[file->events[i].to] += file->events[i].amount;
        }
    }
    return events;
}

int main(void) {
    static struct session sessions[SESSIONS];
    pthread_t serving[SESSIONS], maintenance;
    unsigned rotations = 0;
    int rows[ROWS];
    create_table(table.rows);
    log_open(&binary_log, 0, make_file());
    for (unsigned i = 0; i < SESSIONS; i++) {
        sessions[i] = (struct session){.number = i, .seed = 41 + 7 * i};
        pthread_create(&serving[i], NULL, run_session, &sessions[i]);
    }
    pthread_create(&maintenance, NULL, run_maintenance, &rotations);
    for (int i = 0; i < SESSIONS; i++) pthread_join(serving[i], NULL);
    pthread_join(maintenance, NULL);
    unsigned events = replay(&binary_log, rows);
    printf("%u commits, %u events in %u files\n", table.commits, events, rotations + 1);
    return memcmp(rows, table.rows, sizeof rows) ? EXIT_FAILURE : EXIT_SUCCESS;
}
