/*
 * growing-text.c
 *
 * A text that grows: one thread appends, another one replaces the text by a
 * shorter one from time to time, a third searches the text for a character.
 *
 * Bug: the searcher copies the length in one critical section and looks at
 * the buffer in another.  When the text has been replaced by a shorter one in
 * between, it reads behind the end of the new text (the bytes there are
 * stamped with 0x7f, so the program can tell).
 *
 * validate:
 *   kind: several-variables
 *   variable: text.len, text.buf
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAMP 0x7f

static struct text {
    pthread_mutex_t lock;
    char *buf;
    int len;
    int cap;
} text = { .lock = PTHREAD_MUTEX_INITIALIZER };

static char *stamped(int cap)
{
    char *b = malloc((size_t)cap);

    if (!b)
        abort();
    for (int i = 0; i < cap; i++)
        b[i] = STAMP;
    return b;
}

static void append(const char *s)
{
    int n = (int)strlen(s);

    pthread_mutex_lock(&text.lock);
    if (text.len + n <= text.cap) {
        memcpy(text.buf + text.len, s, (size_t)n);
        text.len += n;
    }
    pthread_mutex_unlock(&text.lock);
}

static void replace(const char *s)
{
    int n = (int)strlen(s);
    char *nb = stamped(text.cap), *old;     /* cap never changes */

    memcpy(nb, s, (size_t)n);
    pthread_mutex_lock(&text.lock);
    old = text.buf;
    text.buf = nb;                                      /* bug: 2 */
    text.len = n;                                       /* bug: 3 */
    pthread_mutex_unlock(&text.lock);
    free(old);
}

static int count(char c)
{
    int n, hits = 0;

    pthread_mutex_lock(&text.lock);
    n = text.len;                                       /* bug: 1 */
#ifndef FIXED
    pthread_mutex_unlock(&text.lock);
    pthread_mutex_lock(&text.lock);
#endif
    for (int i = 0; i < n; i++) {
        char ch = text.buf[i];                          /* bug: 4 */
        assert(ch != STAMP);
        hits += ch == c;
    }
    pthread_mutex_unlock(&text.lock);
    return hits;
}

static void *appender(void *arg)
{
    for (int i = 0; i < 6; i++)
        append(i & 1 ? "tick " : "tack ");
    return arg;
}

static void *replacer(void *arg)
{
    replace("boom ");
    replace("ok ");
    return arg;
}

static void *searcher(void *arg)
{
    int *hits = arg;

    for (int i = 0; i < 5; i++)
        *hits += count('k');
    return NULL;
}

int main(void)
{
    pthread_t a, r, s;
    int hits = 0;

    text.cap = 40;
    text.buf = stamped(text.cap);
    append("tick tack ");
    pthread_create(&a, NULL, appender, NULL);
    pthread_create(&s, NULL, searcher, &hits);
    pthread_create(&r, NULL, replacer, NULL);
    pthread_join(a, NULL);
    pthread_join(s, NULL);
    pthread_join(r, NULL);
    printf("%d hits, length %d\n", hits, text.len);
    free(text.buf);
    return 0;
}
