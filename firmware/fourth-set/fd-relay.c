/*
 * A relay. Each tunnel has two directions, copied by two threads; whichever
 * direction ends hangs up, which closes the tunnel's descriptor. Another
 * thread opens and closes descriptors for the relay's own files.
 *
 * Bug: both directions can end at once. tunnel_hang_up() loads the descriptor
 * and then stores -1, in two steps, so both get it and close it; the second
 * one closes nothing, or a file that somebody else has just opened.
 *
 * validate:
 *   kind: check-then-act
 *   variable: tunnel->fd, files.open
 *   threads: 4
 *   fails-by: abort
 *   rare: yes
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FDS 16
#define TUNNELS 6
#define BYTES 48
#define ROTATIONS 8

struct tunnel {
    atomic_int fd;              /* -1: hung up */
    unsigned char up[BYTES], down[BYTES];
    unsigned up_sum, down_sum;
};

static struct {
    pthread_mutex_t lock;
    char open[MAX_FDS];
    int in_use;
} files = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct tunnel tunnels[TUNNELS];

/* The lowest free descriptor, as everywhere. */
static int file_open(void)
{
    int fd = 0;

    pthread_mutex_lock(&files.lock);
    while (fd < MAX_FDS && files.open[fd])
        fd++;
    if (fd == MAX_FDS)
        abort();
    files.open[fd] = 1;
    files.in_use++;
    pthread_mutex_unlock(&files.lock);
    return fd;
}

static void file_close(int fd)
{
    pthread_mutex_lock(&files.lock);
    if (!files.open[fd]) {                      /* bug: 4 */
        fprintf(stderr, "close of %d, which is not open\n", fd);
        abort();
    }
    files.open[fd] = 0;                         /* bug: 3 */
    files.in_use--;
    pthread_mutex_unlock(&files.lock);
}

static void tunnel_hang_up(struct tunnel *t)
{
    int fd;

#ifdef FIXED
    fd = atomic_exchange(&t->fd, -1);
    if (fd < 0)
        return;
#else
    fd = atomic_load(&t->fd);                   /* bug: 1 */
    if (fd < 0)
        return;
    atomic_store(&t->fd, -1);                   /* bug: 2 */
#endif
    file_close(fd);                             /* bug */
}

static unsigned copy(unsigned char *to, unsigned seed)
{
    unsigned sum = 0;

    for (int i = 0; i < BYTES; i++) {
        to[i] = (unsigned char)(seed + (unsigned)i * 7);
        sum += to[i];
    }
    return sum;
}

static void *upwards(void *arg)
{
    for (int i = 0; i < TUNNELS; i++) {
        tunnels[i].up_sum = copy(tunnels[i].up, (unsigned)i);
        tunnel_hang_up(&tunnels[i]);
    }
    return arg;
}

static void *downwards(void *arg)
{
    for (int i = 0; i < TUNNELS; i++) {
        tunnels[i].down_sum = copy(tunnels[i].down, (unsigned)i + 99);
        tunnel_hang_up(&tunnels[i]);
    }
    return arg;
}

/* Writes what the relay has to say into ever new files. */
static void *rotate_logs(void *arg)
{
    char line[32];

    for (int i = 0; i < ROTATIONS; i++) {
        int fd = file_open();

        memset(line, 'a' + i, sizeof line);
        file_close(fd);
    }
    return arg;
}

int main(void)
{
    void *(*const jobs[])(void *) = { upwards, downwards, rotate_logs };
    pthread_t threads[3];
    unsigned sum = 0;

    for (int i = 0; i < TUNNELS; i++)
        atomic_init(&tunnels[i].fd, file_open());
    for (int i = 0; i < 3; i++)
        if (pthread_create(&threads[i], NULL, jobs[i], NULL) != 0)
            abort();
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < TUNNELS; i++)
        sum += tunnels[i].up_sum + tunnels[i].down_sum;
    printf("%u relayed, %d files open\n", sum, files.in_use);
    return files.in_use == 0 ? 0 : 1;
}
