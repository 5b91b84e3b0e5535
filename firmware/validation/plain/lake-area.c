/*
 * lake-area.c
 *
 * Counts water fields of a map stored row by row in one string; each thread
 * takes a number of rows, the sums are combined at a barrier by main.
 *
 * Bug: the address of a field is computed with the height of the map instead
 * of its width.  The map is not square.
 *
 * validate:
 *   kind: plain
 *   variable: c
 *   threads: 4
 *   fails-by: exit
 */
#include <pthread.h>
#include <stdio.h>

#define WIDTH  8
#define HEIGHT 6

static const char map[] =
    "......~~"
    "..~~~.~~"
    "..~~~~~."
    "...~~..."
    "~......."
    "~~......";

static pthread_barrier_t finish;
static int water[3];

static int count_row(int y)
{
    int n = 0;

    for (int x = 0; x < WIDTH; x++) {
#ifdef FIXED
        char c = map[y * WIDTH + x];
#else
        char c = map[y * HEIGHT + x];               /* bug */
#endif
        n += c == '~';
    }
    return n;
}

static void *surveyor(void *arg)
{
    int k = *(int *)arg;

    for (int y = k; y < HEIGHT; y += 3)
        water[k] += count_row(y);
    pthread_barrier_wait(&finish);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    int k[3] = { 0, 1, 2 }, total;

    pthread_barrier_init(&finish, NULL, 4);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, surveyor, &k[i]);
    pthread_barrier_wait(&finish);
    total = water[0] + water[1] + water[2];
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    pthread_barrier_destroy(&finish);
    printf("%d fields of water\n", total);
    return total == 17 ? 0 : 1;
}
