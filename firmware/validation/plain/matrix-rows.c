/*
 * matrix-rows.c: row sums of a matrix, rows dealt out to worker threads.
 *
 * rows / workers is rounded down and the remainder is given to nobody: the
 * last rows are never summed.
 *
 * validate:
 *   kind: plain
 *   variable: part[].end
 *   threads: 5
 *   fails-by: exit
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 10
#define COLS 7
#define WORKERS 4

static int m[ROWS][COLS];
static long row_sum[ROWS];

static struct part { int begin, end; pthread_t tid; } part[WORKERS];

static void *sum_rows(void *arg)
{
    const struct part *p = arg;
    for (int r = p->begin; r < p->end; r++) {
        long s = 0;
        for (int c = 0; c < COLS; c++)
            s += m[r][c];
        row_sum[r] = s;
    }
    return NULL;
}

int main(void)
{
    long total = 0, want = 0;
    int chunk = ROWS / WORKERS;

    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            want += m[r][c] = r * 10 + c;

    for (int w = 0; w < WORKERS; w++) {
        part[w].begin = w * chunk;
#ifdef FIXED
        part[w].end = w == WORKERS - 1 ? ROWS : (w + 1) * chunk;
#else
        part[w].end = (w + 1) * chunk; /* bug */
#endif
        if (pthread_create(&part[w].tid, NULL, sum_rows, &part[w]) != 0)
            abort();
    }
    for (int w = 0; w < WORKERS; w++)
        pthread_join(part[w].tid, NULL);
    for (int r = 0; r < ROWS; r++)
        total += row_sum[r];
    printf("sum %ld, want %ld\n", total, want);
    return total != want;
}
