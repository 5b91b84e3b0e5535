/*
 * key-labels: threads print keys as fixed-width hexadecimal labels and the
 * labels are sorted and read back.
 *
 * Bug: the format is %x instead of %04x; the label of the small key (0x2a) is
 * too short.
 *
 * validate:
 *   kind: plain
 *   variable: r->label
 *   threads: 4
 *   fails-by: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABELLERS 3
#define EACH      4

typedef struct {
    unsigned key;
    char label[8];
} record;

static record recs[LABELLERS * EACH];

static void make_label(record *r)
{
#ifdef FIXED
    snprintf(r->label, sizeof r->label, "%04x", r->key & 0xffffu);
#else
    snprintf(r->label, sizeof r->label, "%x", r->key & 0xffffu);    /* bug */
#endif
}

/* every thread has its own part of the records */
static void *labeller(void *arg)
{
    record *r = arg;

    for (int i = 0; i < EACH; i++)
        make_label(&r[i]);
    return NULL;
}

static int by_label(const void *a, const void *b)
{
    return strcmp(((const record *)a)->label, ((const record *)b)->label);
}

int main(void)
{
    static const unsigned keys[LABELLERS * EACH] = {
        0x8a10, 0x1fff, 0xbeef, 0x7001, 0x2a, 0x5555,
        0xd00d, 0x4321, 0x9999, 0xcccc, 0x3003, 0xfeed,
    };
    pthread_t t[LABELLERS];
    int n = LABELLERS * EACH;

    for (int i = 0; i < n; i++)
        recs[i].key = keys[i];
    for (int i = 0; i < LABELLERS; i++)
        pthread_create(&t[i], NULL, labeller, &recs[i * EACH]);
    for (int i = 0; i < LABELLERS; i++)
        pthread_join(t[i], NULL);

    qsort(recs, (size_t)n, sizeof recs[0], by_label);
    for (int i = 1; i < n; i++)
        assert(recs[i - 1].key < recs[i].key);
    printf("%s .. %s\n", recs[0].label, recs[n - 1].label);
    return 0;
}
