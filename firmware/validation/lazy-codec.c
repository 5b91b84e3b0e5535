/*
 * lazy-codec.c -- base-16 decoder whose table is built on first use.
 *
 * Double-checked locking with a correct second check, and an atomic pointer.
 * Bug: the builder stores the pointer first and fills the table through it,
 * so a thread taking the fast path may decode with a half-filled table.
 *
 * validate:
 *   kind: publication
 *   variable: codec, codec->value[]
 *   threads: 8
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define DECODERS 7

typedef struct codec {
    _Atomic signed char value[128];
} codec_t;

static _Atomic(codec_t *) codec;
static pthread_mutex_t codec_lock = PTHREAD_MUTEX_INITIALIZER;
static const char alphabet[] = "0123456789abcdef";

static codec_t *get_codec(void)
{
    codec_t *c = atomic_load(&codec);                       /* bug: 2 */

    if (c != NULL)
        return c;
    pthread_mutex_lock(&codec_lock);
    c = atomic_load(&codec);
    if (c == NULL) {
        c = calloc(1, sizeof *c);
        if (c == NULL)
            exit(9);
#ifndef FIXED
        atomic_store(&codec, c);                            /* bug: 1 */
#endif
        for (int i = 0; i < 16; i++)
            c->value[(int)alphabet[i]] = (signed char)i;    /* bug: 4 */
#ifdef FIXED
        atomic_store(&codec, c);
#endif
    }
    pthread_mutex_unlock(&codec_lock);
    return c;
}

struct task {
    const char *hex;
    unsigned result;
    unsigned want;
};

static void *decode(void *arg)
{
    struct task *t = arg;
    codec_t *c = get_codec();
    unsigned v = 0;

    for (const char *p = t->hex; *p; p++)
        v = v * 16 + (unsigned)c->value[(int)*p];           /* bug: 3 */
    t->result = v;
    return NULL;
}

int main(void)
{
    static struct task task[DECODERS] = {
        { "cafe", 0, 0xcafe }, { "12", 0, 0x12 },     { "f00d", 0, 0xf00d },
        { "9", 0, 9 },         { "beef", 0, 0xbeef }, { "7a", 0, 0x7a },
        { "ddcc", 0, 0xddcc },
    };
    pthread_t t[DECODERS];
    int wrong = 0;

    for (int i = 0; i < DECODERS; i++)
        pthread_create(&t[i], NULL, decode, &task[i]);
    for (int i = 0; i < DECODERS; i++) {
        pthread_join(t[i], NULL);
        wrong += task[i].result != task[i].want;
    }
    printf("%d wrong\n", wrong);
    free(atomic_load(&codec));
    return wrong ? 1 : 0;
}
