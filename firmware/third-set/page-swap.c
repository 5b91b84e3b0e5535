/*
 * Virtual memory of a toy kernel: a table of pages, a swap file and a cache of
 * dirty blocks, each with its lock. The pager writes a page to swap, the
 * swapper makes room in the swap file by way of the cache, and the syncer
 * writes cached blocks back to their pages.
 *
 * Bug: pager: pages, then swap; swapper: swap, then cache; syncer: cache, then
 * pages. Any two get along, but the three together can wait in a circle.
 *
 * validate:
 *   kind: deadlock
 *   variable: pages.lock, swap.lock, cache.lock
 *   threads: 4
 *   fails-by: deadlock
 *   rare: yes
 */
#include <pthread.h>
#include <stdio.h>

#define PAGES 4
#define ROUNDS 3

static struct {
    pthread_mutex_t lock;
    unsigned frames[PAGES];
    unsigned written;
} pages = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct {
    pthread_mutex_t lock;
    unsigned slots[PAGES];
    unsigned used;
} swap = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct {
    pthread_mutex_t lock;
    unsigned blocks[PAGES];
    unsigned dirty;
} cache = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void page_out(unsigned page)
{
    pthread_mutex_lock(&pages.lock);            /* bug: 1 */
    unsigned frame = pages.frames[page]++;

    pthread_mutex_lock(&swap.lock);             /* bug: 4 */
    swap.slots[page] = frame;
    swap.used |= 1u << page;
    pthread_mutex_unlock(&swap.lock);
    pthread_mutex_unlock(&pages.lock);
}

static void swap_trim(unsigned page)
{
    pthread_mutex_lock(&swap.lock);             /* bug: 2 */
    unsigned slot = swap.slots[page];

    swap.used &= ~(1u << page);
    pthread_mutex_lock(&cache.lock);            /* bug: 5 */
    cache.blocks[page] = slot;
    cache.dirty |= 1u << page;
    pthread_mutex_unlock(&cache.lock);
    pthread_mutex_unlock(&swap.lock);
}

static void cache_sync(unsigned page)
{
#ifdef FIXED
    pthread_mutex_lock(&pages.lock);
    pthread_mutex_lock(&cache.lock);
#else
    pthread_mutex_lock(&cache.lock);            /* bug: 3 */
    pthread_mutex_lock(&pages.lock);            /* bug: 6 */
#endif
    if (cache.dirty & 1u << page) {
        cache.dirty &= ~(1u << page);
        pages.written++;
    }
    pthread_mutex_unlock(&pages.lock);
    pthread_mutex_unlock(&cache.lock);
}

static void *daemon_thread(void *arg)
{
    void (*const *step)(unsigned) = arg;

    for (unsigned i = 0; i < ROUNDS; i++)
        (*step)(i % PAGES);
    return NULL;
}

int main(void)
{
    static void (*const steps[3])(unsigned) = { page_out, swap_trim, cache_sync };
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, daemon_thread, (void *)&steps[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%u pages written\n", pages.written);
    return pages.written <= ROUNDS ? 0 : 1;
}
