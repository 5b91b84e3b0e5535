/*
 * word-tally: counts words with a small hash table, one mutex per bucket.
 *
 * The bug: `distinct` (number of different words in the whole table) is
 * changed while holding the lock of ONE bucket only.  Two threads that add
 * new words to two different buckets hold different locks, and one of the
 * increments may vanish.
 *
 * validate:
 *   kind: lost-update
 *   variable: distinct
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NBUCKET = 8, NTHREAD = 4 };

typedef struct entry {
    char word[12];
    int count;
    struct entry *next;
} Entry;

typedef struct {
    pthread_mutex_t m;
    Entry *first;
} Bucket;

static Bucket table[NBUCKET];
static volatile int distinct;
static pthread_mutex_t distinct_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *text[NTHREAD][9] = {
    { "the", "quick", "brown", "fox", "jumps", "over", "the", "dog", NULL },
    { "pack", "my", "box", "with", "five", "dozen", "the", "jugs", NULL },
    { "how", "vexingly", "quick", "daft", "zebras", "jump", NULL },
    { "sphinx", "of", "black", "quartz", "judge", "my", "vow", "fox", NULL },
};

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h;
}

static void one_more_word(void)
{
#ifdef FIXED
    pthread_mutex_lock(&distinct_lock);
#endif
    distinct = distinct + 1;                            /* bug: 1, 2, 3, 4 */
#ifdef FIXED
    pthread_mutex_unlock(&distinct_lock);
#endif
}

static void add(const char *w)
{
    Bucket *b = &table[hash(w) % NBUCKET];
    Entry *e;

    pthread_mutex_lock(&b->m);
    for (e = b->first; e; e = e->next)
        if (strcmp(e->word, w) == 0)
            break;
    if (!e) {
        e = calloc(1, sizeof *e);
        if (!e)
            abort();
        strcpy(e->word, w);
        e->next = b->first;
        b->first = e;
        one_more_word();
    }
    e->count++;
    pthread_mutex_unlock(&b->m);
}

static void *counter(void *arg)
{
    const char **w = arg;
    for (; *w; w++)
        add(*w);
    return NULL;
}

int main(void)
{
    pthread_t th[NTHREAD];
    int entries = 0, words = 0;

    for (int i = 0; i < NBUCKET; i++)
        pthread_mutex_init(&table[i].m, NULL);
    for (int i = 0; i < NTHREAD; i++)
        pthread_create(&th[i], NULL, counter, text[i]);
    for (int i = 0; i < NTHREAD; i++)
        pthread_join(th[i], NULL);

    for (int i = 0; i < NBUCKET; i++)
        for (Entry *e = table[i].first; e; e = e->next) {
            entries++;
            words += e->count;
        }
    pthread_mutex_lock(&distinct_lock);
    printf("%d words, %d different\n", words, distinct);
    assert(distinct == entries);
    pthread_mutex_unlock(&distinct_lock);
    return 0;
}
