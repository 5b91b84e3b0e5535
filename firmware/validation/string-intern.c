/*
 * String interning for a toy compiler.  intern() must give the same id for
 * equal strings, whoever asks.
 *
 * The bug: the lookup and the insertion are two separate critical sections.
 * Two parser threads that both miss the same identifier both insert it, and
 * the identifier ends up with two ids.
 *
 * validate:
 *   kind: check-then-act
 *   variable: sym_count, sym[]
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define MAXSYM 64

static const char *sym[MAXSYM];
static int sym_count;
static pthread_mutex_t sym_mutex = PTHREAD_MUTEX_INITIALIZER;

/* caller holds sym_mutex */
static int find(const char *name)
{
    int i;

    for (i = 0; i < sym_count; i++)                         /* bug: 1, 2 */
        if (strcmp(sym[i], name) == 0)
            return i;
    return -1;
}

static int append(const char *name)
{
    int id = sym_count;

    assert(id < MAXSYM);
    sym[id] = name;                                         /* bug: 3, 5 */
    sym_count = id + 1;                                     /* bug: 4, 6 */
    return id;
}

static int intern(const char *name)
{
    int id;

    pthread_mutex_lock(&sym_mutex);
    id = find(name);
#ifndef FIXED
    pthread_mutex_unlock(&sym_mutex);
    if (id >= 0)
        return id;

    pthread_mutex_lock(&sym_mutex);
    id = append(name);
#else
    if (id < 0)
        id = append(name);
#endif
    pthread_mutex_unlock(&sym_mutex);
    return id;
}

static const char *unit[3][8] = {
    { "main", "argc", "argv", "i", "printf", "return", "i", 0 },
    { "buf", "len", "i", "memcpy", "return", "len", "main", 0 },
    { "node", "next", "printf", "node", "len", "i", "free", 0 },
};

static void *parse(void *arg)
{
    const char **tok = arg;

    while (*tok)
        intern(*tok++);
    return 0;
}

int main(void)
{
    pthread_t p[3];
    int i, j;

    for (i = 0; i < 3; i++)
        pthread_create(&p[i], 0, parse, unit[i]);
    for (i = 0; i < 3; i++)
        pthread_join(p[i], 0);

    for (i = 0; i < sym_count; i++)
        for (j = 0; j < i; j++)
            assert(strcmp(sym[i], sym[j]) != 0);
    printf("%d symbols\n", sym_count);
    return 0;
}
