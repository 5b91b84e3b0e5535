/* A file-sharing session: an event thread that runs timers, and the thread that sets the session up and adds
 * torrents to it.
 *
 * Setting up goes from part to part: events, peers, bandwidth. As soon as there is a peer manager its timer may
 * go off in the event thread, and divides the session's bandwidth among the peers. After transmission 1.42 of Last
 * Writer Slices, Table 1: the bandwidth comes last, and a timer that goes off before uses it before it is there. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { PEERS = 3, TORRENTS = 2, PULSES = 3, BANDWIDTH_MAGIC = 43143 };

struct bandwidth {
    int magic;
    unsigned speed_limit; /* bytes in a pulse */
    unsigned bytes_left;
};

struct peer {
    unsigned wanted, sent;
};

struct peer_manager {
    struct peer peers[PEERS];
};

struct session {
    struct peer_manager *peers;
    struct bandwidth *bandwidth;
    unsigned torrents, pieces;
    pthread_t events;
};

static void *allocate(size_t bytes) {
    void *block = calloc(1, bytes);
    if (!block) abort();
    return block;
}

/* ---- bandwidth ---- */

static struct bandwidth *bandwidth_new(unsigned speed_limit) {
    struct bandwidth *bandwidth = allocate(sizeof *bandwidth);
    bandwidth->magic = BANDWIDTH_MAGIC;
    bandwidth->speed_limit = speed_limit;
    return bandwidth;
}

static int is_bandwidth(const struct bandwidth *bandwidth) {
    return bandwidth != NULL && bandwidth->magic == BANDWIDTH_MAGIC;
}

/* What a pulse may send, shared out in turn. */
static void bandwidth_allocate(struct bandwidth *bandwidth, struct peer *peers, unsigned count) {
    assert(is_bandwidth(bandwidth)); /* bug */
    bandwidth->bytes_left = bandwidth->speed_limit;
    for (unsigned i = 0; i < count; i++) {
        unsigned share = bandwidth->bytes_left / (count - i);
        unsigned sent = peers[i].wanted < share ? peers[i].wanted : share;
        peers[i].wanted -= sent;
        peers[i].sent += sent;
        bandwidth->bytes_left -= sent;
    }
}

/* ---- events ---- */

static void bandwidth_pulse(struct session *session) {
    struct peer_manager *manager = session->peers;
    for (unsigned i = 0; i < PEERS; i++) manager->peers[i].wanted += 300 * (i + 1);
    struct bandwidth *bandwidth = session->bandwidth; /* bug: 1 */
    bandwidth_allocate(bandwidth, manager->peers, PEERS);
}

static void *event_loop(void *argument) {
    struct session *session = argument;
    for (int pulse = 0; pulse < PULSES; pulse++) {
        for (volatile int timer = 0; timer < 60; timer++) {}
        bandwidth_pulse(session);
    }
    return NULL;
}

static void event_init(struct session *session) {
    if (pthread_create(&session->events, NULL, event_loop, session)) abort();
}

static void event_close(struct session *session) {
    pthread_join(session->events, NULL);
}

/* ---- the session ---- */

static unsigned load_settings(const char *text) {
    unsigned kilobytes = 0;
    while (*text < '0' || *text > '9') text++;
    for (; *text >= '0' && *text <= '9'; text++) kilobytes = kilobytes * 10 + (unsigned)(*text - '0');
    return kilobytes * 1024;
}

static struct session *session_init(void) {
    struct session *session = allocate(sizeof *session);
    session->peers = allocate(sizeof *session->peers);
#ifdef FIXED
    session->bandwidth = bandwidth_new(load_settings("\"upload-limit\": 1"));
    event_init(session);
#else
    event_init(session);
    session->bandwidth = bandwidth_new(load_settings("\"upload-limit\": 1")); /* bug: 2 */
#endif
    return session;
}

/* Counts a torrent's pieces, from its description. */
static void session_add_torrent(struct session *session, const char *description) {
    unsigned pieces = 0;
    for (const char *letter = description; *letter; letter++) pieces += *letter == '#';
    session->pieces += pieces;
    session->torrents++;
}

static unsigned session_close(struct session *session) {
    unsigned sent = 0;
    event_close(session);
    for (unsigned i = 0; i < PEERS; i++) sent += session->peers->peers[i].sent;
    free(session->bandwidth);
    free(session->peers);
    free(session);
    return sent;
}

int main(void) {
    static const char *const torrents[TORRENTS] = {"#a#b#c", "#d#e"};
    struct session *session = session_init();
    for (int i = 0; i < TORRENTS; i++) session_add_torrent(session, torrents[i]);
    unsigned pieces = session->pieces, sent = session_close(session);
    printf("%u pieces, %u bytes sent\n", pieces, sent);
    return 0;
}
