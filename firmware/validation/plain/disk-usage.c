/*
 * disk-usage.c - adds up file sizes of several directories, one thread each.
 *
 * Totals are kept properly under a lock, but the per-directory sum is a 16-bit
 * number; the directory with the big files overflows it.
 *
 * validate:
 *   kind: plain
 *   variable: sum
 *   threads: 5
 *   fails-by: exit
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

struct dir_info {
    const char *name;
    uint32_t size[6];
};

static const struct dir_info dirs[] = {
    { "etc", { 812, 90, 1204, 333 } },
    { "lib", { 20480, 30720, 14336, 8192, 4096 } },
    { "bin", { 9000, 12000, 7000, 100 } },
    { "doc", { 44, 55, 66, 77, 88, 99 } },
};
#define NDIRS (sizeof dirs / sizeof dirs[0])

static pthread_mutex_t total_mu = PTHREAD_MUTEX_INITIALIZER;
static uint32_t total;

static void *scan_dir(void *arg)
{
    const struct dir_info *d = arg;
#ifdef FIXED
    uint32_t sum = 0;
#else
    uint16_t sum = 0; /* bug */
#endif
    for (int i = 0; i < 6; i++)
        sum += d->size[i];
    pthread_mutex_lock(&total_mu);
    total += sum;
    pthread_mutex_unlock(&total_mu);
    return NULL;
}

int main(void)
{
    pthread_t t[NDIRS];
    uint32_t check = 0;

    for (size_t i = 0; i < NDIRS; i++)
        pthread_create(&t[i], NULL, scan_dir, (void *)&dirs[i]);
    for (size_t i = 0; i < NDIRS; i++) {
        pthread_join(t[i], NULL);
        for (int k = 0; k < 6; k++)
            check += dirs[i].size[k];
    }
    printf("%lu bytes in %d directories\n", (unsigned long)total, (int)NDIRS);
    return total == check ? 0 : 1;
}
