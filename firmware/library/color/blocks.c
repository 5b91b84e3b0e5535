/* Malloc-coloring (ColorSafe §3.1): each block of the heap has a color of its own, which is given again when the block is
 * freed. Linked with programs that are compiled with --color-malloc; their calls of malloc and the like come here. Those
 * that malloc and the like make of each other may come here too, and are not what the program asked for. */
#include "../internal.h"

#include "uncolored.h"

#include <crosstalk/color.h>
#include <malloc.h>
#include <stdlib.h>

enum { MOST_COLORS = 65536, WORD_BITS = 32 };

/* Colors that blocks have, and not the program by itself. */
static uint32_t of_blocks[MOST_COLORS / WORD_BITS];

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *block);

static void *colored(void *block) {
    uint32_t color = block ? crosstalk_new_color() : 0;
    if (!color) return block;
    if (crosstalk_color(block, malloc_usable_size(block), color)) crosstalk_give_color(color);
    else __atomic_fetch_or(&of_blocks[color / WORD_BITS], 1u << color % WORD_BITS, __ATOMIC_SEQ_CST);
    return block;
}

/* The program may have colored a part of the block by itself, but hardly its last word. */
static void uncolor(void *block) {
    if (!block) return;
    size_t bytes = malloc_usable_size(block);
    uint32_t color = crosstalk_color_of((char *)block + bytes - 1), bit = 1u << color % WORD_BITS;
    crosstalk_uncolor(block, bytes);
    if (__atomic_fetch_and(&of_blocks[color / WORD_BITS], ~bit, __ATOMIC_SEQ_CST) & bit) crosstalk_give_color(color);
}

/* What a function gives when it is called for the program, and when another one calls it. */
#define COLORED(call)                       \
    ({                                      \
        bool inside = __crosstalk_uncolored; \
        __crosstalk_uncolored = true;       \
        void *block = (call);               \
        if (!inside) colored(block);        \
        __crosstalk_uncolored = inside;     \
        block;                              \
    })

void *__wrap_malloc(size_t bytes) {
    return COLORED(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes) {
    return COLORED(__real_calloc(count, bytes));
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return COLORED(__real_aligned_alloc(alignment, bytes));
}

/* A block that stays where it is keeps its color. */
void *__wrap_realloc(void *old, size_t bytes) {
    if (__crosstalk_uncolored) return __real_realloc(old, bytes);
    if (old && bytes && bytes <= malloc_usable_size(old)) return old;
    uncolor(old);
    void *moved = COLORED(__real_realloc(old, bytes));
    if (!moved && old && bytes) colored(old);
    return moved;
}

void __wrap_free(void *block) {
    if (!__crosstalk_uncolored) uncolor(block);
    __real_free(block);
}
