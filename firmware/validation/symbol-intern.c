/*
 * symbol-intern: interning of identifiers in a compiler front end.
 *
 * sym_intern() first walks the bucket without the lock, then again with it,
 * then adds the symbol.  A new symbol is linked into its bucket and gets its
 * number right after that ("numbers without holes, only linked symbols are
 * numbered").  Someone who finds it on the fast path just then gets symbol
 * number 0.
 *
 * validate:
 *   kind: publication
 *   variable: bucket[], s->id
 *   threads: 4
 *   fails-by: assert
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NBUCKET 8

typedef struct sym sym;
struct sym {
    sym *next;
    int id;                     /* 1.. */
    char text[1];
};

static _Atomic(sym *) bucket[NBUCKET];
static pthread_mutex_t intern_mu = PTHREAD_MUTEX_INITIALIZER;
static int last_id;

static unsigned h(const char *t)
{
    unsigned v = 0;
    while (*t)
        v = v * 131 + (unsigned char)*t++;
    return v % NBUCKET;
}

static sym *find(unsigned b, const char *t)
{
    sym *s = atomic_load(&bucket[b]); /* bug: 2 */
    while (s && strcmp(s->text, t))
        s = s->next;
    return s;
}

static int sym_intern(const char *t)
{
    unsigned b = h(t);
    int id;
    sym *s = find(b, t);

    if (s)
        return s->id; /* bug: 3 */
    pthread_mutex_lock(&intern_mu);
    s = find(b, t);
    if (!s) {
        s = malloc(sizeof *s + strlen(t));
        if (!s)
            abort();
        strcpy(s->text, t);
        s->next = atomic_load(&bucket[b]);
#ifdef FIXED
        s->id = ++last_id;
        atomic_store(&bucket[b], s);
#else
        s->id = 0;
        atomic_store(&bucket[b], s); /* bug: 1 */
        s->id = ++last_id; /* bug: 4 */
#endif
    }
    id = s->id;
    pthread_mutex_unlock(&intern_mu);
    return id;
}

static const char *const file_a[] = { "int", "main", "x", "y", "int", "return", "x", 0 };
static const char *const file_b[] = { "static", "int", "y", "foo", "x", "return", 0 };
static const char *const file_c[] = { "x", "foo", "main", "int", "while", "y", 0 };

static void *lexer(void *arg)
{
    long unnumbered = 0;
    for (const char *const *w = arg; *w; w++)
        if (sym_intern(*w) == 0)
            unnumbered++;
    return (void *)unnumbered;
}

int main(void)
{
    const char *const *const file[3] = { file_a, file_b, file_c };
    pthread_t t[3];
    void *bad[3];
    int n = 0;

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, lexer, (void *)file[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], &bad[i]);
    for (int b = 0; b < NBUCKET; b++)
        for (sym *s = atomic_load(&bucket[b]), *x; s; s = x, n++) {
            x = s->next;
            free(s);
        }
    printf("%d symbols\n", n);
    assert(n == last_id);
    assert(!bad[0] && !bad[1] && !bad[2]);
    return 0;
}
