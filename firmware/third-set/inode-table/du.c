/* du: one thread a folder. */
#include "inode.h"

#include <stdio.h>

#define FOLDERS 3
#define ENTRIES 6

const struct disk_inode disk[NINODES] = {
    { 0, { 0 } }, { 3, { 8 } }, { 1, { 16, 2 } }, { 1, { 4 } }, { 2, { 32, 1, 7 } }, { 3, { 8 } },
    { 3, { 2 } }, { 1, { 1 } }, { 2, { 64, 64, 64, 13 } }, { 1, { 5 } }, { 1, { 9, 9 } }, { 3, { 3 } },
};

struct folder {
    unsigned entries[ENTRIES];
    unsigned blocks;    /* what du found */
};

static struct folder folders[FOLDERS] = {
    { { 1, 2, 6, 4, 11, 5 }, 0 },
    { { 1, 5, 6, 8, 3, 11 }, 0 },
    { { 8, 1, 5, 6, 11, 4 }, 0 },
};

static void *walk(void *arg)
{
    struct folder *f = arg;
    struct inode *open[ENTRIES];

    for (int i = 0; i < ENTRIES; i++) {
        open[i] = iget(f->entries[i]);
        f->blocks += open[i]->blocks;           /* bug: 3 */
    }
    for (int i = 0; i < ENTRIES; i++)
        iput(open[i]);
    return NULL;
}

int main(void)
{
    pthread_t threads[FOLDERS];
    int wrong = 0;

    for (int i = 0; i < FOLDERS; i++)
        pthread_create(&threads[i], NULL, walk, &folders[i]);
    for (int i = 0; i < FOLDERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < FOLDERS; i++) {
        unsigned blocks = 0;

        for (int k = 0; k < ENTRIES; k++)
            for (int e = 0; e < NEXTENTS; e++)
                blocks += disk[folders[i].entries[k]].extents[e];
        wrong += blocks != folders[i].blocks;
        printf("%u ", folders[i].blocks);
    }
    printf("blocks, %d inodes left\n", inodes_in_memory());
    return wrong || inodes_in_memory() ? 1 : 0;
}
