/* Blocks of all kinds: malloc.h, alignment, growing, zeroing; from several threads. */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *worker(void *arg)
{
    unsigned seed = (unsigned)(uintptr_t)arg;
    char *blocks[16] = {0};
    long checked = 0;
    for (int i = 0; i < 200; i++) {
        seed = seed * 1664525u + 1013904223u;
        int which = (seed >> 8) % 16;
        size_t size = 1 + (seed >> 16) % 300;
        if (blocks[which]) {
            checked += blocks[which][0] == which;
            free(blocks[which]);
            blocks[which] = NULL;
        } else {
            blocks[which] = malloc(size);
            memset(blocks[which], which, size);
        }
    }
    for (int i = 0; i < 16; i++)
        free(blocks[i]);
    return (void *)checked;
}

int main(void)
{
    int *grown = NULL;
    for (int n = 1; n <= 64; n *= 2) {
        grown = realloc(grown, (size_t)n * sizeof *grown);
        for (int i = n / 2; i < n; i++)
            grown[i] = i;
    }
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += grown[i];
    printf("sum %d\n", sum);
    free(grown);

    int *zeros = calloc(50, sizeof *zeros), any = 0;
    for (int i = 0; i < 50; i++)
        any |= zeros[i];
    printf("zeroed %s\n", any ? "no" : "yes");
    free(zeros);

    void *aligned;
    if (posix_memalign(&aligned, 256, 1000)) return 1;
    printf("aligned %d", (int)((uintptr_t)aligned % 256));
    free(aligned);
    aligned = memalign(64, 10);
    printf(" %d", (int)((uintptr_t)aligned % 64));
    printf(" usable %s\n", malloc_usable_size(aligned) >= 10 ? "yes" : "no");
    free(aligned);

    pthread_t t[3];
    for (uintptr_t i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < 3; i++) {
        void *checked;
        pthread_join(t[i], &checked);
        printf("worker %d checked %ld\n", i, (long)checked);
    }
    return 0;
}
