/* A database's log of changes, which an administrator rotates while clients insert.
 *
 * To rotate is to close the log and to open the next file. Inserts look whether the log is open and, if it is,
 * append to it; without a log they do not, which nobody may come across in a server that was started with one. After
 * MySQL 791 of Last Writer Slices, Table 1: between closing and opening an insert takes the log for switched
 * off. As in the paper the program aborts there. (`mysql-binlog` of the bug suite has the same bug, but
 * notices it only at its end, when a replica differs.) */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { CLIENTS = 2, INSERTS = 8, ROTATIONS = 3, ROOM = 64 };
enum log_type { LOG_CLOSED, LOG_BIN };

struct mysql_log {
    pthread_mutex_t lock;
    enum log_type log_type;
    char name[16];
    unsigned file, position;
    struct {
        unsigned file;
        int row;
    } events[ROOM];
};

static struct mysql_log mysql_bin_log = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
    pthread_mutex_t lock;
    unsigned rows;
    long sum;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the log ---- */

static void log_open(struct mysql_log *log, enum log_type type) {
    snprintf(log->name, sizeof log->name, "binlog.%03u", ++log->file);
    log->log_type = type; /* bug: 3 */
}

static void log_close(struct mysql_log *log) {
    log->log_type = LOG_CLOSED; /* bug: 1 */
}

static int log_is_open(struct mysql_log *log) {
    return log->log_type != LOG_CLOSED; /* bug: 2 */
}

/* Goes on in a new file. */
static void log_new_file(struct mysql_log *log) {
    pthread_mutex_lock(&log->lock);
    enum log_type type = log->log_type;
    log_close(log);
    log_open(log, type);
    pthread_mutex_unlock(&log->lock);
}

static void log_write(struct mysql_log *log, int row) {
    log->events[log->position].file = log->file;
    log->events[log->position].row = row;
    log->position++;
}

/* ---- clients ---- */

static void mysql_insert(int row) {
    pthread_mutex_lock(&table.lock);
    table.rows++;
    table.sum += row;
    pthread_mutex_unlock(&table.lock);
#ifdef FIXED
    pthread_mutex_lock(&mysql_bin_log.lock);
    if (!log_is_open(&mysql_bin_log)) abort();
#else
    if (!log_is_open(&mysql_bin_log)) abort(); /* bug */
    pthread_mutex_lock(&mysql_bin_log.lock);
#endif
    log_write(&mysql_bin_log, row);
    pthread_mutex_unlock(&mysql_bin_log.lock);
}

/* Reads a statement: the value of `insert into t values (N)`. */
static int parse(const char *statement) {
    int value = 0;
    while (*statement != '(') statement++;
    for (statement++; *statement != ')'; statement++) value = value * 10 + (*statement - '0');
    return value;
}

static void *client(void *argument) {
    static const char *const statements[] = {
        "insert into t values (12)", "insert into t values (7)", "insert into t values (340)"};
    const unsigned first = *(const unsigned *)argument;
    for (unsigned i = 0; i < INSERTS; i++) mysql_insert(parse(statements[(first + i) % 3]));
    return NULL;
}

/* ---- the administrator ---- */

static void *flush_logs(void *argument) {
    for (int i = 0; i < ROTATIONS; i++) {
        for (volatile int wait = 0; wait < 150; wait++) {}
        log_new_file(&mysql_bin_log);
    }
    return argument;
}

int main(void) {
    static unsigned firsts[CLIENTS];
    pthread_t clients[CLIENTS], administrator;
    long logged = 0;
    log_open(&mysql_bin_log, LOG_BIN);
    for (unsigned i = 0; i < CLIENTS; i++) {
        firsts[i] = i;
        pthread_create(&clients[i], NULL, client, &firsts[i]);
    }
    pthread_create(&administrator, NULL, flush_logs, NULL);
    for (int i = 0; i < CLIENTS; i++) pthread_join(clients[i], NULL);
    pthread_join(administrator, NULL);
    for (unsigned i = 0; i < mysql_bin_log.position; i++) logged += mysql_bin_log.events[i].row;
    printf("%u rows, the last in %s\n", table.rows, mysql_bin_log.name);
    return logged == table.sum ? EXIT_SUCCESS : EXIT_FAILURE;
}
