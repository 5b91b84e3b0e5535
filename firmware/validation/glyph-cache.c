/*
 * glyph-cache.c - font faces shared through a weak cache.
 *
 * The cache holds a face without owning it.  face_open() finds the face and,
 * if it still has users, becomes one more; face_close() of the last user takes
 * it out of the cache and destroys it.  The users are tested and counted in
 * two steps in face_open(): if the last user closes exactly in between, a
 * dying face is handed out.
 *
 * validate:
 *   kind: lifetime
 *   variable: f->users
 *   threads: 3
 *   fails-by: assert
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { FACE_OK = 0xFACE, FACE_GONE = 0xDEAD };

struct face {
    atomic_int users;
    atomic_int magic;
    int advance[16];
    struct face *grave;
};

static struct {
    pthread_mutex_t mu;
    struct face *weak;          /* the one face of this extract */
    struct face *graveyard;     /* really freed at exit */
    int loads;
} cache = { .mu = PTHREAD_MUTEX_INITIALIZER };

/* cache.mu held */
static struct face *face_load(void)
{
    struct face *f = calloc(1, sizeof *f);
    if (f == NULL)
        abort();
    for (int i = 0; i < 16; i++)
        f->advance[i] = 500 + 13 * i;
    atomic_init(&f->users, 1);
    atomic_init(&f->magic, FACE_OK);
    cache.weak = f;
    cache.loads++;
    return f;
}

static int face_try_ref(struct face *f)
{
#ifdef FIXED
    int n = atomic_load(&f->users);
    while (n > 0)
        if (atomic_compare_exchange_weak(&f->users, &n, n + 1))
            return 1;
    return 0;
#else
    if (atomic_load(&f->users) == 0) /* bug: 1 */
        return 0;
    atomic_fetch_add(&f->users, 1); /* bug: 3 */
    return 1;
#endif
}

static struct face *face_open(void)
{
    struct face *f;
    pthread_mutex_lock(&cache.mu);
    f = cache.weak;
    if (f == NULL || !face_try_ref(f))
        f = face_load();
    pthread_mutex_unlock(&cache.mu);
    return f;
}

static void face_close(struct face *f)
{
    if (atomic_fetch_sub(&f->users, 1) != 1) /* bug: 2 */
        return;
    pthread_mutex_lock(&cache.mu);
    assert(atomic_load(&f->magic) == FACE_OK);
    if (cache.weak == f)
        cache.weak = NULL;
    atomic_store(&f->magic, FACE_GONE); /* bug: 4 */
    f->grave = cache.graveyard;
    cache.graveyard = f;
    pthread_mutex_unlock(&cache.mu);
}

static int text_width(struct face *f, const char *s)
{
    int w = 0;
    for (; *s; s++) {
        assert(atomic_load(&f->magic) == FACE_OK); /* bug: 5 */
        w += f->advance[*s & 15];
    }
    return w;
}

static void *layout(void *arg)
{
    const char *const *line = arg;
    long total = 0;
    for (; *line; line++) {
        struct face *f = face_open();
        total += text_width(f, *line);
        face_close(f);
    }
    return (void *)total;
}

int main(void)
{
    static const char *const left[] = { "menu", "preferences", NULL };
    static const char *const right[] = { "cancel", "apply", NULL };
    pthread_t a, b;
    void *wa, *wb;

    pthread_create(&a, NULL, layout, (void *)left);
    pthread_create(&b, NULL, layout, (void *)right);
    pthread_join(a, &wa);
    pthread_join(b, &wb);
    for (struct face *f = cache.graveyard, *n; f; f = n) {
        n = f->grave;
        free(f);
    }
    printf("width %ld\n", (long)wa + (long)wb);
    return 0;
}
