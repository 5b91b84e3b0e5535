/*
 * kv-store: tiny key-value store with a separate index (three files).
 *
 * Values live in an append-only slab (store.c), keys in a chained hash index
 * (index.c).  kv_put() updates in place when the key is known and otherwise
 * appends a value and enters the key.  The index locks itself in each call,
 * so two writers of the same new key can both miss it in index_find() and
 * both enter it.
 *
 * validate:
 *   kind: check-then-act
 *   variable: idx.bucket[]
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include "kv.h"
#include <pthread.h>
#include <stdio.h>

static const char *const keys[] = { "host", "port", "user", "home", "shell", "lang" };
#define NKEYS ((int)(sizeof keys / sizeof keys[0]))

struct writer { int stride; int offset; };

static void *writer_main(void *p)
{
    const struct writer *w = p;
    for (int i = 0; i < NKEYS; i++) {
        int k = (i * w->stride + w->offset) % NKEYS;
        kv_put(keys[k], 10 * w->offset + k);
    }
    return NULL;
}

int main(void)
{
    static struct writer w[3] = { { 1, 0 }, { 1, 1 }, { 5, 3 } };
    pthread_t t[3];
    int n;

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, writer_main, &w[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);

    n = index_count();
    printf("%d keys in index\n", n);
    for (int i = 0; i < NKEYS; i++)
        if (index_find(keys[i]) < 0)
            return 2;
    return n == NKEYS ? 0 : 1;
}
