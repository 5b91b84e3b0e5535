/*
 * blob-store.c - shared, reference-counted blobs.
 *
 * Several senders share one blob.  The last one to put it down destroys it.
 *
 * Bug: blob_put() decrements the count under the lock, but looks at the
 * count a second time after unlocking.  Two threads that put the last two
 * references can both find zero, and both destroy the blob.
 *
 * validate:
 *   kind: lifetime
 *   variable: blob->refs
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define LIVE 0x1ee7b10bu
#define DEAD 0xdeadb10bu
#define NBLOB 8
#define SENDERS 3

struct blob {
    uint32_t magic;
    pthread_mutex_t lock;
    volatile int refs;
    unsigned char bytes[16];
};

static struct blob blobs[NBLOB];        /* preallocated, never really freed */

static void blob_init(struct blob *b, int refs)
{
    b->magic = LIVE;
    b->refs = refs;
    pthread_mutex_init(&b->lock, NULL);
    for (int i = 0; i < 16; i++)
        b->bytes[i] = (unsigned char)(i * i);
}

static void blob_destroy(struct blob *b)
{
    assert(b->magic == LIVE);                       /* bug */
    b->magic = DEAD;
}

static void blob_put(struct blob *blob)
{
#ifdef FIXED
    int left;

    pthread_mutex_lock(&blob->lock);
    left = --blob->refs;
    pthread_mutex_unlock(&blob->lock);
    if (left == 0)
        blob_destroy(blob);
#else
    pthread_mutex_lock(&blob->lock);
    --blob->refs;                                   /* bug: 1, 2 */
    pthread_mutex_unlock(&blob->lock);
    if (blob->refs == 0)                            /* bug: 3, 4 */
        blob_destroy(blob);
#endif
}

static unsigned checksum(const struct blob *b)
{
    unsigned s = 0;

    for (int i = 0; i < 16; i++)
        s = s * 31 + b->bytes[i];
    return s;
}

static void *sender(void *arg)
{
    unsigned *sum = arg;

    for (int i = 0; i < NBLOB; i++) {
        *sum ^= checksum(&blobs[i]);
        blob_put(&blobs[i]);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[SENDERS];
    unsigned sum[SENDERS] = { 0 };

    for (int i = 0; i < NBLOB; i++)
        blob_init(&blobs[i], SENDERS);
    for (int i = 0; i < SENDERS; i++)
        pthread_create(&t[i], NULL, sender, &sum[i]);
    for (int i = 0; i < SENDERS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < NBLOB; i++)
        assert(blobs[i].magic == DEAD);
    printf("sums %x %x %x\n", sum[0], sum[1], sum[2]);
    return 0;
}
