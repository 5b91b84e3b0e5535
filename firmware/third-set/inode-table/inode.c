/*
 * The inodes of a file system that are in memory. iget() finds one in the
 * hash table or reads it from the disk; iput() gives it back, and the last one
 * frees it. Three threads of a `du` go through folders that share some inodes
 * by hard links.
 *
 * Bug: iget() puts a new inode into the table and drops the lock before the
 * inode has been read from the disk. Another thread that looks for the same
 * number gets an inode of no blocks.
 *
 * validate:
 *   kind: publication
 *   variable: inode->blocks, inode->links
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include "inode.h"

#include <stdlib.h>

static struct {
    pthread_mutex_t lock;
    struct inode *chains[NBUCKETS];
    int count;
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void read_inode(struct inode *ip)
{
    const struct disk_inode *on_disk = &disk[ip->number];
    unsigned blocks = 0;

    for (int i = 0; i < NEXTENTS; i++)
        blocks += on_disk->extents[i];
    ip->links = on_disk->links;                 /* bug */
    ip->blocks = blocks;                        /* bug: 4 */
}

struct inode *iget(unsigned number)
{
    struct inode **chain = &table.chains[number % NBUCKETS];
    struct inode *ip;

    pthread_mutex_lock(&table.lock);
    for (ip = *chain; ip; ip = ip->next)        /* bug: 2 */
        if (ip->number == number) {
            ip->references++;
            pthread_mutex_unlock(&table.lock);
            return ip;
        }
    ip = calloc(1, sizeof *ip);
    if (!ip)
        abort();
    ip->number = number;
    ip->references = 1;
#ifdef FIXED
    read_inode(ip);
#endif
    ip->next = *chain;
    *chain = ip;                                /* bug: 1 */
    table.count++;
    pthread_mutex_unlock(&table.lock);
#ifndef FIXED
    read_inode(ip);                             /* bug */
#endif
    return ip;
}

void iput(struct inode *ip)
{
    struct inode **at = &table.chains[ip->number % NBUCKETS];

    pthread_mutex_lock(&table.lock);
    if (--ip->references == 0) {
        while (*at != ip)
            at = &(*at)->next;
        *at = ip->next;
        table.count--;
    } else {
        ip = NULL;
    }
    pthread_mutex_unlock(&table.lock);
    free(ip);
}

int inodes_in_memory(void)
{
    int count;

    pthread_mutex_lock(&table.lock);
    count = table.count;
    pthread_mutex_unlock(&table.lock);
    return count;
}
