/*
 * duplex-link.c - two stations exchange frames over a line with few transmit
 * and few receive buffers (counting semaphores).
 *
 * Bug: a sender takes a transmit buffer and then a receive buffer, an echo
 * thread (which has to answer) takes them the other way round.  With all
 * transmit buffers at the senders and all receive buffers at the echo
 * threads nobody can go on.
 *
 * validate:
 *   kind: deadlock
 *   variable: tx_free, rx_free
 *   threads: 5
 *   fails-by: deadlock
 *   rare: yes
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

#define TX 2
#define RX 2
#define FRAMES 5

static sem_t tx_free, rx_free;
static atomic_int frames;
static atomic_int checks;

static unsigned crc(unsigned v)
{
    for (int i = 0; i < 4; i++)
        v = (v & 1) ? (v >> 1) ^ 0xa001u : v >> 1;
    return v;
}

static void transfer(unsigned seed)
{
    atomic_fetch_add(&frames, 1);
    if (crc(seed) != crc(seed + 1))
        atomic_fetch_add(&checks, 1);
}

static void *sender(void *arg)
{
    for (unsigned i = 0; i < FRAMES; i++) {
        sem_wait(&tx_free);                 /* bug: 1, 2 */
        sem_wait(&rx_free);                 /* bug: 5, 6 */
        transfer(i);
        sem_post(&rx_free);
        sem_post(&tx_free);
    }
    return arg;
}

static void *echo(void *arg)
{
    for (unsigned i = 0; i < FRAMES; i++) {
#ifdef FIXED
        sem_wait(&tx_free);
        sem_wait(&rx_free);
#else
        sem_wait(&rx_free);                 /* bug: 3, 4 */
        sem_wait(&tx_free);                 /* bug: 7, 8 */
#endif
        transfer(100 + i);
        sem_post(&tx_free);
        sem_post(&rx_free);
    }
    return arg;
}

int main(void)
{
    pthread_t s[2], e[2];
    int i;

    sem_init(&tx_free, 0, TX);
    sem_init(&rx_free, 0, RX);
    for (i = 0; i < 2; i++) {
        pthread_create(&s[i], NULL, sender, NULL);
        pthread_create(&e[i], NULL, echo, NULL);
    }
    for (i = 0; i < 2; i++) {
        pthread_join(s[i], NULL);
        pthread_join(e[i], NULL);
    }
    sem_destroy(&tx_free);
    sem_destroy(&rx_free);
    printf("%d frames, %d checks\n", atomic_load(&frames), atomic_load(&checks));
    return atomic_load(&frames) == 4 * FRAMES ? 0 : 1;
}
