/* soil-grid.c
 *
 * A toy garden simulation.  One thread warms the cells of the grid, the
 * other one waters them.  To save memory both values live in bit fields of
 * the same word.
 *
 * Bug: heat and water are guarded by two different mutexes ("they are
 * different fields, after all"), but writing a bit field reads and writes the
 * whole word, so a change of the neighbour field can be undone.
 *
 * validate:
 *   kind: lost-update
 *   variable: cell->heat, cell->water
 *   threads: 3
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define W 3
#define H 2
#define ROUNDS 8

struct cell {
    uint32_t kind  : 6;
    uint32_t heat  : 13;
    uint32_t water : 13;
};

static struct cell grid[H][W];
static pthread_mutex_t heat_lock = PTHREAD_MUTEX_INITIALIZER;
#ifndef FIXED
static pthread_mutex_t water_lock = PTHREAD_MUTEX_INITIALIZER;
#define WATER_LOCK water_lock
#else
#define WATER_LOCK heat_lock
#endif

static void warm(struct cell *cell, unsigned amount)
{
    pthread_mutex_lock(&heat_lock);
    cell->heat += amount;                                   /* bug: 1, 4 */
    pthread_mutex_unlock(&heat_lock);
}

static void sprinkle(struct cell *cell, unsigned amount)
{
    pthread_mutex_lock(&WATER_LOCK);
    cell->water += amount;                                  /* bug: 2, 3 */
    pthread_mutex_unlock(&WATER_LOCK);
}

static void *sun(void *unused)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                warm(&grid[y][x], (unsigned)(y + 1));
    return unused;
}

static void *gardener(void *unused)
{
    /* waters boustrophedon, like every gardener */
    for (int round = 0; round < ROUNDS; round++)
        for (int y = 0; y < H; y++)
            for (int i = 0; i < W; i++) {
                int x = (y & 1) ? W - 1 - i : i;
                sprinkle(&grid[y][x], 2);
            }
    return unused;
}

int main(void)
{
    pthread_t a, b;

    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            grid[y][x].kind = (uint32_t)(x * y) % 40;

    pthread_create(&a, NULL, sun, NULL);
    pthread_create(&b, NULL, gardener, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);

    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            assert(grid[y][x].heat == ROUNDS * (unsigned)(y + 1));
            assert(grid[y][x].water == 2u * ROUNDS);
        }
    puts("garden ok");
    return 0;
}
