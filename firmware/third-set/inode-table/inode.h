#ifndef INODE_H
#define INODE_H

#include <pthread.h>

#define NINODES 12
#define NBUCKETS 4
#define NEXTENTS 4

struct disk_inode {
    unsigned short links;
    unsigned char extents[NEXTENTS];
};

struct inode {
    struct inode *next;
    unsigned number;
    unsigned links;
    unsigned blocks;
    int references;
};

/* The disk: read only. */
extern const struct disk_inode disk[NINODES];

struct inode *iget(unsigned number);
void iput(struct inode *ip);
int inodes_in_memory(void);

#endif
