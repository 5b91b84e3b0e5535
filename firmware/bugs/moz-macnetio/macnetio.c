/* Asynchronous network input, with a notifier that may take back what it announced.
 *
 * The network's notifier puts a packet into an endpoint and marks the endpoint valid. Readers look at
 * endpoints in a loop, use a packet that is new to them and acknowledge it. When a connection is flushed, the
 * notifier withdraws a packet that was not acknowledged yet and sends it again later. Each connection's
 * packets carry one document, in order.
 *
 * After Moz-macNetIO of Bugaboo, Table 1: between a reader's look at the mark and its look at the packet,
 * the notifier can invalidate both. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONNECTIONS 2
#define PACKETS 9
#define PACKET_BYTES 16
#define DOCUMENT_BYTES (PACKETS * PACKET_BYTES)
#define LOG_ENTRIES 16
#define LINE 64

struct packet {
    unsigned sequence;
    unsigned length;
    char bytes[PACKET_BYTES];
};

/* Where the notifier and a reader meet. */
struct endpoint {
    pthread_mutex_t lock;
    _Alignas(LINE) struct packet *volatile packet;
    _Alignas(LINE) volatile int valid;
    /* How many packets the reader has used. */
    _Alignas(LINE) volatile unsigned acknowledged;
};

/* The network's side of a connection. */
struct connection {
    struct packet *packets[PACKETS];
    /* How many packets were announced, and not withdrawn since. */
    unsigned announced;
    unsigned withdrawn;
};

static struct endpoint endpoints[CONNECTIONS] = {
    {.lock = PTHREAD_MUTEX_INITIALIZER},
    {.lock = PTHREAD_MUTEX_INITIALIZER},
};
static struct connection connections[CONNECTIONS];

/* ---- the log of events, written by everybody ---- */

struct log_entry {
    char what;
    unsigned connection;
    unsigned sequence;
};

static struct {
    pthread_mutex_t lock;
    _Alignas(LINE) unsigned count;
    _Alignas(LINE) struct log_entry entries[LOG_ENTRIES];
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void note(char what, unsigned connection, unsigned sequence) {
    pthread_mutex_lock(&trace.lock);
    struct log_entry *entry = &trace.entries[trace.count++ % LOG_ENTRIES];
    entry->what = what;
    entry->connection = connection;
    entry->sequence = sequence;
    pthread_mutex_unlock(&trace.lock);
}

/* ---- documents ---- */

static char document_byte(unsigned connection, unsigned at) {
    return (char)('a' + (at * 7 + at / 5 + connection * 11) % 26);
}

static void prepare(unsigned number) {
    struct connection *connection = &connections[number];
    for (unsigned i = 0; i < PACKETS; i++) {
        struct packet *packet = malloc(sizeof *packet);
        if (!packet) abort();
        packet->sequence = i;
        packet->length = PACKET_BYTES;
        for (unsigned at = 0; at < PACKET_BYTES; at++) {
            packet->bytes[at] = document_byte(number, i * PACKET_BYTES + at);
        }
        connection->packets[i] = packet;
    }
}

/* ---- the notifier ---- */

/* A packet came: the endpoint gets it, unless the one before is still there. */
static int deliver(unsigned number) {
    struct endpoint *endpoint = &endpoints[number];
    struct connection *connection = &connections[number];
    unsigned next = endpoint->acknowledged;
    if (next == PACKETS || connection->announced > next) return 0;
    pthread_mutex_lock(&endpoint->lock);
    endpoint->packet = connection->packets[next];
    endpoint->valid = 1;
    pthread_mutex_unlock(&endpoint->lock);
    connection->announced = next + 1;
    return 1;
}

/* The connection is flushed: what was announced and not acknowledged is not valid any more. */
static void flush(unsigned number) {
    struct endpoint *endpoint = &endpoints[number];
    struct connection *connection = &connections[number];
    if (endpoint->acknowledged == connection->announced) return;
    pthread_mutex_lock(&endpoint->lock);
    endpoint->valid = 0;     /* bug: 2 */
    endpoint->packet = NULL; /* bug: 3 */
    pthread_mutex_unlock(&endpoint->lock);
    connection->announced--;
    connection->withdrawn++;
}

/* The wire between two events: checksums of what passes by for others. */
static unsigned pass_traffic(unsigned noise, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) {
        noise = (noise << 1 ^ i) + (noise >> 15 & 1) * 0x1021;
    }
    return noise;
}

static void *run_notifier(void *argument) {
    unsigned noise = 1, *passed = argument, left = CONNECTIONS * PACKETS, turn = 0;
    while (left) {
        unsigned number = turn % CONNECTIONS;
        if (deliver(number)) {
            note('d', number, connections[number].announced);
            noise = pass_traffic(noise, 4 + (noise & 15));
            if (turn % 6 < 2) flush(number);
        }
        noise = pass_traffic(noise, 90 + (noise & 63));
        left = 0;
        for (int i = 0; i < CONNECTIONS; i++) left += PACKETS - endpoints[i].acknowledged;
        turn++;
    }
    *passed = turn;
    return NULL;
}

/* ---- readers ---- */

struct reader {
    _Alignas(LINE) unsigned number;
    unsigned expected;
    unsigned received;
    unsigned looks;
    char document[DOCUMENT_BYTES];
};

/* Blanks the place of the next packet: pages are shown while they load. */
static void make_room(struct reader *self) {
    for (unsigned at = 0; at < PACKET_BYTES; at++) self->document[self->received + at] = ' ';
}

/* The packet of an endpoint, if there is one. */
static const struct packet *look(struct reader *self, struct endpoint *endpoint) {
#ifdef FIXED
    pthread_mutex_lock(&endpoint->lock);
#endif
    int valid = endpoint->valid; /* bug: 1 */
    make_room(self);
    const struct packet *packet = endpoint->packet; /* bug: 4 */
#ifdef FIXED
    pthread_mutex_unlock(&endpoint->lock);
#endif
    if (!valid) return NULL;
    assert(packet);
    return packet;
}

/* Appends a packet to the document, unless it is one that was there before. */
static int receive(struct reader *self, const struct packet *packet) {
    if (packet->sequence < self->expected) return 0;
    assert(packet->sequence == self->expected);
    memcpy(self->document + self->received, packet->bytes, packet->length);
    self->received += packet->length;
    self->expected++;
    return 1;
}

/* Lays out what is there so far, as a browser does while a page loads. */
static unsigned lay_out(const struct reader *self) {
    unsigned width = 0, lines = 0;
    for (unsigned i = 0; i < self->received; i++) {
        width += self->document[i] % 3 ? 6 : 9;
        if (width > 60) {
            width = 0;
            lines++;
        }
    }
    for (unsigned rest = 0; rest < 40; rest++) width = width * 5 % 61 + 1;
    return lines + width / 61;
}

static void *run_reader(void *argument) {
    struct reader *self = argument;
    while (self->received < DOCUMENT_BYTES) {
        struct endpoint *endpoint = &endpoints[self->number];
        const struct packet *packet = look(self, endpoint);
        self->looks++;
        if (packet && receive(self, packet)) {
            endpoint->acknowledged = self->expected;
            note('r', self->number, packet->sequence);
            lay_out(self);
        } else {
            for (volatile int rest = 0; rest < 50; rest++) continue;
        }
    }
    return NULL;
}

/* Whether a document arrived as it was sent. */
static int complete(const struct reader *reader) {
    for (unsigned at = 0; at < DOCUMENT_BYTES; at++) {
        if (reader->document[at] != document_byte(reader->number, at)) return 0;
    }
    return 1;
}

int main(void) {
    static struct reader readers[CONNECTIONS];
    pthread_t reading[CONNECTIONS], notifier;
    unsigned turns = 0, withdrawn = 0;
    for (unsigned i = 0; i < CONNECTIONS; i++) prepare(i);
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        readers[i].number = i;
        pthread_create(&reading[i], NULL, run_reader, &readers[i]);
    }
    pthread_create(&notifier, NULL, run_notifier, &turns);
    for (int i = 0; i < CONNECTIONS; i++) {
        pthread_join(reading[i], NULL);
        if (!complete(&readers[i])) return EXIT_FAILURE;
    }
    pthread_join(notifier, NULL);
    for (int i = 0; i < CONNECTIONS; i++) withdrawn += connections[i].withdrawn;
    printf("%u events, %u turns, %u withdrawn\n", trace.count, turns, withdrawn);
    return EXIT_SUCCESS;
}
