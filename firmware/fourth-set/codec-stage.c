/*
 * Between the decoders and the encoders of a transcoder there is room for two
 * pictures. Decoders wait until there is room, encoders until there is a
 * picture, all on one condition.
 *
 * Bug: whoever puts or gets signals one thread. If an encoder makes room and
 * the one thread is another encoder, that one waits again, nobody tells the
 * decoders, and all wait.
 *
 * validate:
 *   kind: missed-signal
 *   variable: stage.count
 *   threads: 6
 *   fails-by: hang
 *   rare: yes
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define DECODERS 2
#define ENCODERS 3
#define PICTURES 12
#define ROOM 2

struct picture {
    int number;
    unsigned hash;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    int count;
    struct picture pictures[ROOM];
} stage = { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER };

struct thread {
    pthread_t id;
    int first;
    unsigned sum;
};

static unsigned decode(int number)
{
    unsigned h = (unsigned)number + 0x1234567u;

    for (int i = 0; i < 10 + number % 3 * 8; i++)
        h = (h ^ h >> 15) * 0x2c1b3c6du;
    return h;
}

static unsigned encode(unsigned hash)
{
    for (int i = 0; i < 14; i++)
        hash = (hash ^ hash >> 13) * 0x297a2d39u;
    return hash;
}

static void tell(void)
{
#ifdef FIXED
    pthread_cond_broadcast(&stage.change);
#else
    pthread_cond_signal(&stage.change);         /* bug */
#endif
}

static void stage_put(struct picture p)
{
    pthread_mutex_lock(&stage.lock);
    while (stage.count == ROOM)
        pthread_cond_wait(&stage.change, &stage.lock);
    stage.pictures[stage.count++] = p;          /* bug: 1 */
    tell();
    pthread_mutex_unlock(&stage.lock);
}

static struct picture stage_get(void)
{
    struct picture p;

    pthread_mutex_lock(&stage.lock);
    while (stage.count == 0)                    /* bug: 3 */
        pthread_cond_wait(&stage.change, &stage.lock);          /* bug */
    p = stage.pictures[--stage.count];          /* bug: 2 */
    tell();
    pthread_mutex_unlock(&stage.lock);
    return p;
}

static void *decoder(void *arg)
{
    struct thread *self = arg;

    for (int number = self->first; number < PICTURES; number += DECODERS)
        stage_put((struct picture){ number, decode(number) });
    return NULL;
}

static void *encoder(void *arg)
{
    struct thread *self = arg;

    for (int i = 0; i < PICTURES / ENCODERS; i++) {
        struct picture p = stage_get();

        if (p.hash != decode(p.number))
            abort();
        self->sum += encode(p.hash);
    }
    return NULL;
}

int main(void)
{
    struct thread decoders[DECODERS], encoders[ENCODERS];
    unsigned sum = 0, expected = 0;

    for (int i = 0; i < ENCODERS; i++) {
        encoders[i] = (struct thread){ .first = 0 };
        if (pthread_create(&encoders[i].id, NULL, encoder, &encoders[i]) != 0)
            abort();
    }
    for (int i = 0; i < DECODERS; i++) {
        decoders[i] = (struct thread){ .first = i };
        if (pthread_create(&decoders[i].id, NULL, decoder, &decoders[i]) != 0)
            abort();
    }
    for (int i = 0; i < DECODERS; i++)
        pthread_join(decoders[i].id, NULL);
    for (int i = 0; i < ENCODERS; i++) {
        pthread_join(encoders[i].id, NULL);
        sum += encoders[i].sum;
    }
    for (int number = 0; number < PICTURES; number++)
        expected += encode(decode(number));
    printf("encoded: %08x\n", sum);
    return sum == expected ? 0 : 1;
}
