/*
 * The tile cache of a map viewer: view threads walk over the tiles they need; the first
 * one that needs a tile decodes it, the others wait until it is there.
 *
 * Bug: the state of a tile is tested and then set to "loading" in two steps, so that two
 * views both decode it.
 *
 * validate:
 *   kind: check-then-act
 *   variable: tile->state
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define VIEWS 4
#define GRID 3
#define TILE_BYTES 12
#define HASH 8

enum { TILE_EMPTY, TILE_LOADING, TILE_READY };

typedef struct Tile {
    int x, y;
    atomic_int state;
    atomic_int decodes;
    uint8_t *pixels;
    struct Tile *chain;
} Tile;

typedef struct TileCache {
    pthread_mutex_t lock;       /* the chains */
    Tile *chains[HASH];
    int ntiles;
    pthread_mutex_t ready_lock;
    pthread_cond_t ready;
} TileCache;

static TileCache cache = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .ready_lock = PTHREAD_MUTEX_INITIALIZER,
    .ready = PTHREAD_COND_INITIALIZER,
};

static Tile *tile_lookup(int x, int y)
{
    unsigned h = (unsigned)(x * 7 + y * 13) % HASH;

    pthread_mutex_lock(&cache.lock);
    Tile *t = cache.chains[h];
    while (t && (t->x != x || t->y != y))
        t = t->chain;
    if (!t) {
        t = calloc(1, sizeof *t);
        assert(t);
        t->x = x;
        t->y = y;
        atomic_init(&t->state, TILE_EMPTY);
        atomic_init(&t->decodes, 0);
        t->chain = cache.chains[h];
        cache.chains[h] = t;
        cache.ntiles++;
    }
    pthread_mutex_unlock(&cache.lock);
    return t;
}

static void tile_decode(Tile *tile)
{
    uint8_t *px = malloc(TILE_BYTES);

    assert(px);
    for (int i = 0; i < TILE_BYTES; i++)
        px[i] = (uint8_t)(tile->x * 16 + tile->y + i);
    atomic_fetch_add(&tile->decodes, 1);

    pthread_mutex_lock(&cache.ready_lock);
    if (tile->pixels)
        free(px);               /* have it already */
    else
        tile->pixels = px;
    atomic_store(&tile->state, TILE_READY);
    pthread_cond_broadcast(&cache.ready);
    pthread_mutex_unlock(&cache.ready_lock);
}

static int tile_claim(Tile *tile)
{
#ifdef FIXED
    int expected = TILE_EMPTY;
    return atomic_compare_exchange_strong(&tile->state, &expected, TILE_LOADING);
#else
    if (atomic_load(&tile->state) != TILE_EMPTY)        /* bug: 1, 2 */
        return 0;
    atomic_store(&tile->state, TILE_LOADING);           /* bug: 3, 4 */
    return 1;
#endif
}

static const uint8_t *tile_get(int x, int y)
{
    Tile *tile = tile_lookup(x, y);
    const uint8_t *px;

    if (tile_claim(tile))
        tile_decode(tile);

    pthread_mutex_lock(&cache.ready_lock);
    while (atomic_load(&tile->state) != TILE_READY)
        pthread_cond_wait(&cache.ready, &cache.ready_lock);
    px = tile->pixels;
    pthread_mutex_unlock(&cache.ready_lock);
    return px;
}

/* Each view starts in another corner. */
static void *view_main(void *arg)
{
    int v = (int)(intptr_t)arg;

    for (int i = 0; i < GRID * GRID; i++) {
        int k = (v & 1) ? GRID * GRID - 1 - i : i;
        int x = k % GRID, y = k / GRID;
        if (v & 2) {
            int swap = x;
            x = y;
            y = swap;
        }
        const uint8_t *px = tile_get(x, y);
        assert(px[0] == (uint8_t)(x * 16 + y));
        assert(px[TILE_BYTES - 1] == (uint8_t)(px[0] + TILE_BYTES - 1));
    }
    return NULL;
}

int main(void)
{
    pthread_t view[VIEWS];
    int decodes = 0;

    for (int i = 0; i < VIEWS; i++)
        pthread_create(&view[i], NULL, view_main, (void *)(intptr_t)i);
    for (int i = 0; i < VIEWS; i++)
        pthread_join(view[i], NULL);

    for (int h = 0; h < HASH; h++) {
        Tile *t = cache.chains[h];
        while (t) {
            Tile *n = t->chain;
            decodes += atomic_load(&t->decodes);
            free(t->pixels);
            free(t);
            t = n;
        }
    }
    assert(cache.ntiles == GRID * GRID);
    assert(decodes == cache.ntiles);
    return 0;
}
