/* undo-stack.c
 *
 * Undo history of an editor.  Editing threads push changes; an autosave
 * thread trims the oldest ones when the history uses too much memory and
 * checks its bookkeeping as it goes.
 *
 * hist_push() links the change and accounts for its size in two critical
 * sections (the accounting was moved to a helper that locks for itself), so
 * the list and the total can disagree when the trimmer comes by.
 *
 * validate:
 *   kind: several-variables
 *   variable: hist->newest, hist->bytes
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct change {
    struct change *older;
    int size;
};

struct history {
    pthread_mutex_t mutex;
    struct change *newest;
    int bytes;
    int trimmed;
    int mismatches;
};

#define LIMIT 120

#ifndef FIXED
static void hist_account(struct history *hist, int delta)
{
    pthread_mutex_lock(&hist->mutex);
    hist->bytes += delta; /* bug: 4 */
    pthread_mutex_unlock(&hist->mutex);
}
#endif

static void hist_push(struct history *hist, int size)
{
    struct change *c = malloc(sizeof *c);
    if (c == NULL)
        abort();
    c->size = size;
    pthread_mutex_lock(&hist->mutex);
    c->older = hist->newest;
    hist->newest = c; /* bug: 1 */
#ifdef FIXED
    hist->bytes += size;
    pthread_mutex_unlock(&hist->mutex);
#else
    pthread_mutex_unlock(&hist->mutex);
    hist_account(hist, size);
#endif
}

/* drop the oldest changes until the history fits; returns what is left */
static int hist_trim(struct history *hist)
{
    int sum = 0;

    pthread_mutex_lock(&hist->mutex);
    for (struct change *c = hist->newest; c; c = c->older) /* bug: 2 */
        sum += c->size;
    if (sum != hist->bytes) /* bug: 3 */
        hist->mismatches++;
    while (hist->bytes > LIMIT) {
        struct change **pp = &hist->newest;
        while ((*pp)->older)
            pp = &(*pp)->older;
        hist->bytes -= (*pp)->size;
        free(*pp);
        *pp = NULL;
        hist->trimmed++;
    }
    sum = hist->bytes;
    pthread_mutex_unlock(&hist->mutex);
    return sum;
}

static struct history doc = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static void *typist(void *arg)
{
    const char *text = arg;
    for (; *text; text++)
        hist_push(&doc, 8 + *text % 7);
    return NULL;
}

static void *autosave(void *arg)
{
    (void)arg;
    for (int i = 0; i < 5; i++)
        hist_trim(&doc);
    return NULL;
}

int main(void)
{
    pthread_t a, b, s;
    int left;

    pthread_create(&a, NULL, typist, "hello world");
    pthread_create(&s, NULL, autosave, NULL);
    pthread_create(&b, NULL, typist, "lorem ipsum");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(s, NULL);
    left = hist_trim(&doc);
    printf("%d bytes of history, limit %d\n", left, LIMIT);
    while (doc.newest) {
        struct change *c = doc.newest;
        doc.newest = c->older;
        free(c);
    }
    assert(doc.mismatches == 0);
    return left <= LIMIT ? 0 : 1;
}
