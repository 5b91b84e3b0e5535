/*
 * A little network stack. A socket that sends locks itself and then its
 * interface, to put the packet into the ring of the card. When the cable is
 * pulled, the interface is locked and marked as down, and each of its sockets
 * is told.
 *
 * Bug: sending locks socket, then interface; going down locks interface, then
 * socket. Each can hold what the other waits for.
 *
 * validate:
 *   kind: deadlock
 *   variable: sockets[].lock, eth0.lock
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define SOCKETS 2
#define RING 8

struct iface;

struct socket {
    pthread_mutex_t lock;
    struct iface *iface;
    unsigned sent;
    int error;
};

struct iface {
    pthread_mutex_t lock;
    int up;
    unsigned ring[RING];
    unsigned head;
    struct socket *sockets[SOCKETS];
    int nsockets;
};

static struct {
    pthread_mutex_t lock;
    unsigned packets;
    unsigned drops;
} stats = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct iface eth0 = { .lock = PTHREAD_MUTEX_INITIALIZER, .up = 1 };
static struct socket sockets[SOCKETS] = {
    { .lock = PTHREAD_MUTEX_INITIALIZER, .iface = &eth0 },
    { .lock = PTHREAD_MUTEX_INITIALIZER, .iface = &eth0 },
};

static void count(unsigned packets, unsigned drops)
{
    pthread_mutex_lock(&stats.lock);
    stats.packets += packets;
    stats.drops += drops;
    pthread_mutex_unlock(&stats.lock);
}

static int socket_send(struct socket *so, unsigned payload)
{
    struct iface *ifp = so->iface;
    int result = -1;

    pthread_mutex_lock(&so->lock);              /* bug: 1 */
    if (!so->error) {
        pthread_mutex_lock(&ifp->lock);         /* bug: 3 */
        if (ifp->up) {
            ifp->ring[ifp->head++ % RING] = payload;
            so->sent++;
            result = 0;
        }
        pthread_mutex_unlock(&ifp->lock);
    }
    pthread_mutex_unlock(&so->lock);
    count(result == 0, result != 0);
    return result;
}

static void iface_down(struct iface *ifp)
{
#ifdef FIXED
    struct socket *told[SOCKETS];
    int n;

    pthread_mutex_lock(&ifp->lock);
    ifp->up = 0;
    n = ifp->nsockets;
    memcpy(told, ifp->sockets, sizeof told);
    pthread_mutex_unlock(&ifp->lock);
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&told[i]->lock);
        told[i]->error = 1;
        pthread_mutex_unlock(&told[i]->lock);
    }
#else
    pthread_mutex_lock(&ifp->lock);             /* bug: 2 */
    ifp->up = 0;
    for (int i = 0; i < ifp->nsockets; i++) {
        struct socket *so = ifp->sockets[i];

        pthread_mutex_lock(&so->lock);          /* bug: 4 */
        so->error = 1;
        pthread_mutex_unlock(&so->lock);
    }
    pthread_mutex_unlock(&ifp->lock);
#endif
}

static void *client(void *arg)
{
    struct socket *so = arg;

    for (unsigned i = 0; i < 3; i++)
        socket_send(so, i);
    return NULL;
}

static void *cable(void *arg)
{
    (void)arg;
    count(0, 0);
    iface_down(&eth0);
    return NULL;
}

int main(void)
{
    pthread_t clients[SOCKETS], puller;

    for (int i = 0; i < SOCKETS; i++)
        eth0.sockets[eth0.nsockets++] = &sockets[i];
    for (int i = 0; i < SOCKETS; i++)
        pthread_create(&clients[i], NULL, client, &sockets[i]);
    pthread_create(&puller, NULL, cable, NULL);
    for (int i = 0; i < SOCKETS; i++)
        pthread_join(clients[i], NULL);
    pthread_join(puller, NULL);
    printf("%u sent, %u dropped\n", stats.packets, stats.drops);
    return stats.packets + stats.drops == 3 * SOCKETS
        && stats.packets == sockets[0].sent + sockets[1].sent ? 0 : 1;
}
