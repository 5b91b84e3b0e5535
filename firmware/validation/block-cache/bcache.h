#ifndef BCACHE_H
#define BCACHE_H

#define BLKSIZE 8
#define NBUF 5

struct buf {
    int blkno;                  /* -1: not in use */
    int pins;
    unsigned char data[BLKSIZE];
};

unsigned char block_byte(int blkno, int off);   /* "disk" contents */
struct buf *bcache_get(int blkno);              /* pinned, or NULL */
void bcache_put(struct buf *b);
void bcache_reclaim_one(void);
int bcache_hits(void);
int bcache_misses(void);

#endif
