/* A database server that joins a cluster while its first clients already ask questions.
 *
 * The connection thread asks the management server, over a mailbox, which node this server is. Sessions
 * execute statements: they insert and count rows of a table that all share, and now and then ask for the
 * node's number, which applications put into their row keys.
 *
 * After MySQL-IdInit of Bugaboo, Table 1: nothing orders a session's query of the number after its
 * assignment. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SESSIONS 2
#define TABLE_ROWS 64
#define UNASSIGNED 0
#define ASSIGNED_NODE 3
#define LINE 64

/* ---- the cluster ---- */

struct cluster {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int joined;
    /* Read by every session; not on the line of the lock. */
    _Alignas(LINE) unsigned node;
    unsigned generation;
};

static struct cluster *cluster_create(void) {
    struct cluster *cluster = aligned_alloc(LINE, sizeof *cluster);
    if (!cluster) abort();
    pthread_mutex_init(&cluster->lock, NULL);
    pthread_cond_init(&cluster->changed, NULL);
    cluster->joined = 0;
    cluster->generation = 0;
    cluster->node = UNASSIGNED; /* bug: 1 */
    return cluster;
}

/* The number of this node in the cluster. */
static unsigned cluster_node(struct cluster *cluster) {
#ifdef FIXED
    pthread_mutex_lock(&cluster->lock);
    while (!cluster->joined) pthread_cond_wait(&cluster->changed, &cluster->lock);
    pthread_mutex_unlock(&cluster->lock);
#endif
    return cluster->node; /* bug: 2 */
}

/* The management server's answer has come. */
static void cluster_join(struct cluster *cluster, unsigned node, unsigned generation) {
    pthread_mutex_lock(&cluster->lock);
    cluster->node = node; /* bug: 3 */
    cluster->generation = generation;
    cluster->joined = 1;
    pthread_cond_broadcast(&cluster->changed);
    pthread_mutex_unlock(&cluster->lock);
}

/* ---- mailboxes between this server and the management server ---- */

enum message_kind { NONE, HELLO, CHALLENGE, RESPONSE, ACCEPTED, ALLOCATE, ALLOCATED };

struct message {
    enum message_kind kind;
    unsigned value;
    unsigned checksum;
};

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    _Alignas(LINE) struct message message;
};

#define MAILBOX {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER}
static struct mailbox to_manager = MAILBOX, to_server = MAILBOX;

static unsigned checksum(enum message_kind kind, unsigned value) {
    unsigned sum = kind;
    for (int i = 0; i < 32; i += 4) sum = (sum << 5 | sum >> 27) ^ (value >> i & 15) * 0x04c11db7u;
    return sum;
}

static void send_message(struct mailbox *box, enum message_kind kind, unsigned value) {
    unsigned sum = checksum(kind, value);
    pthread_mutex_lock(&box->lock);
    box->message.kind = kind;
    box->message.value = value;
    box->message.checksum = sum;
    pthread_cond_signal(&box->filled);
    pthread_mutex_unlock(&box->lock);
}

static unsigned receive_message(struct mailbox *box, enum message_kind kind) {
    pthread_mutex_lock(&box->lock);
    while (box->message.kind == NONE) pthread_cond_wait(&box->filled, &box->lock);
    struct message message = box->message;
    box->message.kind = NONE;
    pthread_mutex_unlock(&box->lock);
    assert(message.kind == kind && message.checksum == checksum(kind, message.value));
    return message.value;
}

/* The management server: knows who may join, and as what. */
static void manage(void) {
    static const unsigned taken[] = {1, 2};
    unsigned name = receive_message(&to_manager, HELLO);
    send_message(&to_server, CHALLENGE, name * 31 + 7);
    unsigned answer = receive_message(&to_manager, RESPONSE);
    assert(answer == (name * 31 + 7) * 17);
    send_message(&to_server, ACCEPTED, name);
    receive_message(&to_manager, ALLOCATE);
    unsigned node = 1;
    for (unsigned i = 0; i < sizeof taken / sizeof *taken; i++) node += taken[i] == node;
    send_message(&to_server, ALLOCATED, node);
}

/* The server's side: proves who it is and gets its number. */
static void *run_connection(void *argument) {
    struct cluster *cluster = argument;
    send_message(&to_manager, HELLO, 0x5ea);
    unsigned challenge = receive_message(&to_server, CHALLENGE);
    send_message(&to_manager, RESPONSE, challenge * 17);
    receive_message(&to_server, ACCEPTED);
    send_message(&to_manager, ALLOCATE, 1);
    unsigned node = receive_message(&to_server, ALLOCATED);
    cluster_join(cluster, node, challenge & 0xff);
    return NULL;
}

/* ---- the table ---- */

struct row {
    unsigned key;
    unsigned owner;
    unsigned amount;
};

static struct {
    pthread_mutex_t lock;
    _Alignas(LINE) unsigned count;
    _Alignas(LINE) struct row rows[TABLE_ROWS];
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static unsigned insert_row(unsigned owner, unsigned amount) {
    pthread_mutex_lock(&table.lock);
    unsigned key = table.count;
    assert(key < TABLE_ROWS);
    struct row *row = &table.rows[key];
    row->key = key;
    row->owner = owner;
    row->amount = amount;
    table.count = key + 1;
    pthread_mutex_unlock(&table.lock);
    return key;
}

static unsigned sum_rows(unsigned owner) {
    unsigned sum = 0;
    pthread_mutex_lock(&table.lock);
    unsigned count = table.count;
    for (unsigned i = 0; i < count; i++) {
        if (table.rows[i].owner == owner) sum += table.rows[i].amount;
    }
    pthread_mutex_unlock(&table.lock);
    return sum;
}

/* ---- sessions ---- */

struct session {
    _Alignas(LINE) struct cluster *cluster;
    unsigned number;
    unsigned inserted;
    unsigned statements;
};

/* What a client sends: first it fills its rows, then it makes keys with the node's number. */
static const char *const client[] = {
    "insert 12", "insert 7", "sum", "insert 31", "insert 44", "sum", "insert 5", "insert 64",
    "sum", "insert 2", "insert 90", "sum", "insert 21", "sum", "insert 6",
    "insert 70", "sum", "node", "insert 17", "node", "sum", "insert 3", "node",
};

/* The command word and number of a statement. */
static char parse(const char *statement, unsigned *number) {
    char command = statement[0];
    while (*statement && *statement != ' ') statement++;
    *number = 0;
    for (; *statement; statement++) {
        if (*statement != ' ') *number = 10 * *number + (unsigned)(*statement - '0');
    }
    return command;
}

static void execute(struct session *self, const char *statement) {
    unsigned number, node;
    switch (parse(statement, &number)) {
    case 'i':
        insert_row(self->number, number);
        self->inserted += number;
        break;
    case 's':
        assert(sum_rows(self->number) == self->inserted);
        break;
    case 'n':
        node = cluster_node(self->cluster);
        /* A client refuses an answer that cannot be a node. */
        assert(node != UNASSIGNED);
        self->inserted += node;
        insert_row(self->number, node);
        break;
    }
    self->statements++;
}

static void *run_session(void *argument) {
    struct session *self = argument;
    for (unsigned i = 0; i < sizeof client / sizeof *client; i++) execute(self, client[i]);
    return NULL;
}

int main(void) {
    static struct session sessions[SESSIONS];
    pthread_t connection, serving[SESSIONS];
    struct cluster *cluster = cluster_create();
    unsigned statements = 0;
    pthread_create(&connection, NULL, run_connection, cluster);
    for (unsigned i = 0; i < SESSIONS; i++) {
        sessions[i].cluster = cluster;
        sessions[i].number = i;
        pthread_create(&serving[i], NULL, run_session, &sessions[i]);
    }
    manage();
    pthread_join(connection, NULL);
    for (int i = 0; i < SESSIONS; i++) {
        pthread_join(serving[i], NULL);
        statements += sessions[i].statements;
    }
    printf("node %u, %u statements, %u rows\n", cluster_node(cluster), statements, table.count);
    return cluster->node == ASSIGNED_NODE ? EXIT_SUCCESS : EXIT_FAILURE;
}
