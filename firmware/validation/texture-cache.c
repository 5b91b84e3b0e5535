/*
 * texture-cache.c
 *
 * Draw threads acquire textures by id, use them and release them.  A texture
 * with no users is removed from the table and goes back to the heap (a
 * private free list, so that a stale pointer can be noticed).
 *
 * Bug: acquire() finds the texture under the table lock but takes its
 * reference only after the lock has been released.  In between the last user
 * may release and scrap the texture, which is then brought back to life.
 *
 * validate:
 *   kind: lifetime
 *   variable: tex->refs
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define IDS 2
#define SCRAPPED (-1)

struct texture {
    int id;                     /* SCRAPPED when on the free list */
    atomic_int refs;
    struct texture *next_free;
};

static struct texture *table[IDS];
static struct texture *scrap;
static int created, scrapped;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

static struct texture *create(int id)
{
    struct texture *t = malloc(sizeof *t);

    if (t == NULL)
        abort();
    t->id = id;
    atomic_init(&t->refs, 0);
    created++;
    return t;
}

static struct texture *acquire(int id)
{
    struct texture *tex;

    pthread_mutex_lock(&table_lock);
    tex = table[id];                                    /* bug: 1 */
    if (tex == NULL)
        tex = table[id] = create(id);
#ifdef FIXED
    atomic_fetch_add(&tex->refs, 1);
    pthread_mutex_unlock(&table_lock);
#else
    pthread_mutex_unlock(&table_lock);
    atomic_fetch_add(&tex->refs, 1);                    /* bug: 4 */
#endif
    return tex;
}

static void release(struct texture *tex)
{
    pthread_mutex_lock(&table_lock);
    assert(tex->id != SCRAPPED);
    if (atomic_fetch_sub(&tex->refs, 1) == 1) {         /* bug: 2 */
        table[tex->id] = NULL;
        tex->id = SCRAPPED;                             /* bug: 3 */
        tex->next_free = scrap;
        scrap = tex;
        scrapped++;
    }
    pthread_mutex_unlock(&table_lock);
}

static void draw(const struct texture *tex, int id)
{
    assert(tex->id == id);                              /* bug: 5 */
}

static void *drawer(void *arg)
{
    int first = *(int *)arg;

    for (int i = 0; i < 8; i++) {
        int id = (first + i / 2) % IDS;
        struct texture *t = acquire(id);
        draw(t, id);
        release(t);
    }
    return NULL;
}

int main(void)
{
    pthread_t th[3];
    int first[3] = { 0, 1, 0 };

    for (int i = 0; i < 3; i++)
        pthread_create(&th[i], NULL, drawer, &first[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(th[i], NULL);
    printf("%d textures, %d scrapped\n", created, scrapped);
    assert(created == scrapped);
    while (scrap) {
        struct texture *t = scrap;
        scrap = t->next_free;
        free(t);
    }
    return 0;
}
