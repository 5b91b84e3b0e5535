/* Life on a torus, in strips, with a barrier between generations. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 16
#define HEIGHT 12
#define THREADS 4
#define GENERATIONS 8

static char board[2][HEIGHT][WIDTH];
static pthread_barrier_t barrier;

static int neighbors(char b[HEIGHT][WIDTH], int y, int x)
{
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dy || dx)
                n += b[(y + dy + HEIGHT) % HEIGHT][(x + dx + WIDTH) % WIDTH];
    return n;
}

static void *strip(void *arg)
{
    int first = (int)(long)arg * HEIGHT / THREADS, last = first + HEIGHT / THREADS;
    for (int g = 0; g < GENERATIONS; g++) {
        char(*now)[WIDTH] = board[g % 2], (*next)[WIDTH] = board[1 - g % 2];
        for (int y = first; y < last; y++)
            for (int x = 0; x < WIDTH; x++) {
                int n = neighbors(now, y, x);
                next[y][x] = n == 3 || (n == 2 && now[y][x]);
            }
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    static const char *glider[] = {".#.", "..#", "###"};
    pthread_t t[THREADS];
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            board[0][y][x] = glider[y][x] == '#';
    for (int x = 7; x < 10; x++)
        board[0][8][x] = 1;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 1; i < THREADS; i++)
        pthread_create(&t[i], NULL, strip, (void *)i);
    strip((void *)0);
    for (int i = 1; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++)
            putchar(board[GENERATIONS % 2][y][x] ? '#' : '.');
        putchar('\n');
    }
    return 0;
}
