/* malloc and its relatives: no two blocks overlap, what was written stays, and nothing is lost. */
#include "check.h"

void __crosstalk_heap_begin(char *from, char *to);
void *ct_malloc(size_t bytes);
void *ct_calloc(size_t count, size_t bytes);
void *ct_realloc(void *block, size_t bytes);
void *ct_aligned_alloc(size_t alignment, size_t bytes);
void ct_free(void *block);

enum { HEAP = 1 << 16, BLOCKS = 64 };

static _Alignas(64) char heap[HEAP + 8];

static struct {
    unsigned char *at;
    size_t bytes;
    unsigned char mark;
} blocks[BLOCKS];

static void fill(int i, unsigned char *at, size_t bytes) {
    CHECK((char *)at >= heap && (char *)at + bytes <= heap + HEAP + 8, "outside");
    CHECK(((uintptr_t)at & 15) == 0, "not aligned");
    blocks[i].at = at;
    blocks[i].bytes = bytes;
    blocks[i].mark = (unsigned char)any();
    memset(at, blocks[i].mark, bytes);
}

static void intact(int i, size_t bytes) {
    for (size_t j = 0; j < bytes; j++)
        CHECK(blocks[i].at[j] == blocks[i].mark, "block %d, byte %zu of %zu", i, j, blocks[i].bytes);
}

static void release(int i) {
    if (!blocks[i].at) return;
    intact(i, blocks[i].bytes);
    ct_free(blocks[i].at);
    blocks[i].at = NULL;
}

static void allocate(int i) {
    size_t bytes = below(8) ? below(200) : below(20000);
    unsigned char *at;
    if (!below(3)) {
        at = ct_calloc(bytes, 1);
        for (size_t j = 0; at && j < bytes; j++) CHECK(!at[j], "calloc left byte %zu", j);
    } else if (!below(3)) {
        size_t alignment = (size_t)1 << below(11);
        at = ct_aligned_alloc(alignment, bytes);
        CHECK(((uintptr_t)at & (alignment - 1)) == 0, "alignment %zu", alignment);
    } else {
        at = ct_malloc(bytes);
    }
    if (at) fill(i, at, bytes);
}

static void resize(int i) {
    size_t bytes = 1 + below(3000), kept = bytes < blocks[i].bytes ? bytes : blocks[i].bytes;
    unsigned char *at = ct_realloc(blocks[i].at, bytes);
    if (!at) return;
    blocks[i].at = at;
    intact(i, kept);
    fill(i, at, bytes);
}

void check(void) {
    __crosstalk_heap_begin(heap + 5, heap + sizeof heap);
    CHECK(!ct_malloc((size_t)-1) && !ct_malloc((size_t)-40) && !ct_calloc((size_t)-1 / 2, 3), "overflow");
    for (int round = 0; round < 20000; round++) {
        int i = (int)below(BLOCKS);
        if (!blocks[i].at) allocate(i);
        else if (below(3)) release(i);
        else resize(i);
    }
    for (int i = 0; i < BLOCKS; i++) release(i);
    void *whole = ct_malloc(HEAP - 64);
    CHECK(whole, "after all was freed, the heap is in pieces");
    ct_free(whole);
}
