/* The heap: free blocks in a list ordered by address, the first that fits is taken, neighbors are joined.
 * One mutex for all harts. */
#include "../internal.h"

#include "heap.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { GRAIN = 16 };

/* In front of every block. `next` only while it is free. */
struct block {
    size_t bytes; /* with this header, a multiple of GRAIN */
    struct block *next;
} __attribute__((aligned(GRAIN)));

static struct block *first_free;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void __crosstalk_heap_begin(char *from, char *to) {
    uintptr_t start = ((uintptr_t)from + GRAIN - 1) & ~(uintptr_t)(GRAIN - 1);
    first_free = (struct block *)start;
    first_free->bytes = ((uintptr_t)to - start) & ~(size_t)(GRAIN - 1);
    first_free->next = NULL;
}

static struct block *after(struct block *block) {
    return (struct block *)((char *)block + block->bytes);
}

static struct block *header_of(void *payload) {
    return (struct block *)payload - 1;
}

static struct block *take(size_t bytes) {
    for (struct block **link = &first_free; *link; link = &(*link)->next) {
        struct block *block = *link;
        if (block->bytes < bytes) continue;
        if (block->bytes - bytes > sizeof *block) {
            struct block *rest = (struct block *)((char *)block + bytes);
            rest->bytes = block->bytes - bytes;
            rest->next = block->next;
            block->bytes = bytes;
            *link = rest;
        } else {
            *link = block->next;
        }
        return block;
    }
    return NULL;
}

static void give(struct block *block) {
    struct block *before = NULL, *behind = first_free;
    while (behind && behind < block) {
        before = behind;
        behind = behind->next;
    }
    block->next = behind;
    if (before) before->next = block;
    else first_free = block;
    if (behind && after(block) == behind) {
        block->bytes += behind->bytes;
        block->next = behind->next;
    }
    if (before && after(before) == block) {
        before->bytes += block->bytes;
        before->next = block->next;
    }
}

void *malloc(size_t bytes) {
    struct block *block = NULL;
    if (bytes <= SIZE_MAX - 2 * GRAIN - sizeof *block) {
        size_t whole = (bytes + sizeof *block + GRAIN - 1) & ~(size_t)(GRAIN - 1);
        if (!bytes) whole += GRAIN;
        pthread_mutex_lock(&mutex);
        block = take(whole);
        pthread_mutex_unlock(&mutex);
    }
    if (!block) {
        errno = ENOMEM;
        return NULL;
    }
    return block + 1;
}

void free(void *payload) {
    if (!payload) return;
    pthread_mutex_lock(&mutex);
    give(header_of(payload));
    pthread_mutex_unlock(&mutex);
}

void *calloc(size_t count, size_t bytes) {
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    void *payload = malloc(all);
    if (payload) memset(payload, 0, all);
    return payload;
}

void *realloc(void *payload, size_t bytes) {
    if (!payload) return malloc(bytes);
    if (!bytes) {
        free(payload);
        return NULL;
    }
    size_t room = header_of(payload)->bytes - sizeof(struct block);
    if (bytes <= room) return payload;
    void *moved = malloc(bytes);
    if (!moved) return NULL;
    memcpy(moved, payload, room);
    free(payload);
    return moved;
}

/* A block that is too long, cut in front so that its payload is aligned. */
void *aligned_alloc(size_t alignment, size_t bytes) {
    if (!alignment || alignment & (alignment - 1)) {
        errno = EINVAL;
        return NULL;
    }
    if (alignment <= GRAIN) return malloc(bytes);
    if (bytes > SIZE_MAX - alignment - GRAIN) {
        errno = ENOMEM;
        return NULL;
    }
    char *payload = malloc(bytes + alignment + GRAIN);
    if (!payload) return NULL;
    if (!((uintptr_t)payload & (alignment - 1))) return payload;
    char *aligned = (char *)(((uintptr_t)payload + GRAIN + alignment - 1) & ~(uintptr_t)(alignment - 1));
    struct block *front = header_of(payload), *block = header_of(aligned);
    block->bytes = (size_t)((char *)after(front) - (char *)block);
    front->bytes -= block->bytes;
    free(payload);
    return aligned;
}

POSIX_ONLY int posix_memalign(void **payload, size_t alignment, size_t bytes) {
    if (alignment < sizeof(void *) || alignment & (alignment - 1)) return EINVAL;
    *payload = aligned_alloc(alignment, bytes);
    return *payload ? 0 : ENOMEM;
}
