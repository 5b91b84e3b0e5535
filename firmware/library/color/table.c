/* The table of colors in memory (docs/machine.md, Colors): three levels, made where something has a color. An entry of
 * the last level speaks for an aligned block of words, and all words of the block have the same entry. */
#include "../internal.h"

#include "uncolored.h"

#include <crosstalk/calls.h>
#include <crosstalk/color.h>
#include <crosstalk/color_calls.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    PAGE_BYTES = 4096,
    INDEX_BITS = 10,
    TOP = 22, /* the address bits below an entry of the first level */
    LEAF = 2, /* of the last one */
};

_Alignas(PAGE_BYTES) uint32_t __crosstalk_color_root[COLOR_TABLE_ENTRIES];
uint32_t __crosstalk_last_color;
_Thread_local bool __crosstalk_uncolored;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static uint32_t index_of(uint32_t address, unsigned shift) {
    return address >> shift & (COLOR_TABLE_ENTRIES - 1);
}

static bool is_table(uint32_t entry) {
    return (entry & COLOR_ENTRY_KIND) == COLOR_KIND_TABLE;
}

static uint32_t *table_of(uint32_t entry) {
    return (uint32_t *)(uintptr_t)(entry & COLOR_ENTRY_TABLE);
}

static uint32_t words_of(uint32_t entry) {
    return 1u << ((entry & COLOR_ENTRY_SIZE) >> COLOR_ENTRY_SIZE_AT);
}

/* Gives words of a leaf an entry, in as few blocks as can be. */
static void put(uint32_t *leaf, uint32_t from, uint32_t to, uint32_t entry) {
    while (from < to) {
        uint32_t size = from ? (uint32_t)__builtin_ctz(from) : COLOR_MOST_SIZE;
        while (from + (1u << size) > to) size--;
        for (uint32_t end = from + (1u << size); from < end; from++)
            leaf[from] = (entry & ~COLOR_ENTRY_SIZE) | size << COLOR_ENTRY_SIZE_AT;
    }
}

/* The same; what sticks out of the blocks at both ends keeps its color. */
static void put_between(uint32_t *leaf, uint32_t from, uint32_t to, uint32_t entry) {
    uint32_t first = leaf[from], last = leaf[to - 1];
    uint32_t begin = from & -words_of(first), end = ((to - 1) | (words_of(last) - 1)) + 1;
    put(leaf, begin, from, first);
    put(leaf, from, to, entry);
    put(leaf, to, end, last);
}

/* The table below an entry, made if there is none: then all of it says what the entry said. */
static uint32_t *below(uint32_t *entry, unsigned shift) {
    void *page;
    if (is_table(*entry)) return table_of(*entry);
    if (posix_memalign(&page, PAGE_BYTES, PAGE_BYTES)) return NULL;
    uint32_t *table = page;
    if (shift - INDEX_BITS == LEAF) put(table, 0, COLOR_TABLE_ENTRIES, *entry);
    else for (uint32_t i = 0; i < COLOR_TABLE_ENTRIES; i++) table[i] = *entry;
    __atomic_store_n(entry, (uint32_t)(uintptr_t)table | COLOR_KIND_TABLE, __ATOMIC_SEQ_CST);
    return table;
}

/* Gives an entry to the words from `from` to `last`, which are in the range of one table. */
static int paint(uint32_t *table, unsigned shift, uint32_t from, uint32_t last, uint32_t entry) {
    if (shift == LEAF) {
        put_between(table, index_of(from, LEAF), index_of(last, LEAF) + 1, entry);
        return 0;
    }
    uint32_t range = (1u << shift) - 1;
    for (;;) {
        uint32_t *here = &table[index_of(from, shift)];
        uint32_t stop = (from | range) < last ? (from | range) : last;
        bool all = !(from & range) && (stop & range) == range;
        if (all && !is_table(*here)) {
            *here = entry;
        } else {
            uint32_t *inner = below(here, shift);
            int error = inner ? paint(inner, shift - INDEX_BITS, from, stop, entry) : ENOMEM;
            if (error) return error;
        }
        if (stop == last) return 0;
        from = stop + 1;
    }
}

static int give(const volatile void *from, size_t bytes, uint32_t entry) {
    if (!bytes || !__crosstalk_last_color) return 0;
    uint32_t first = (uint32_t)(uintptr_t)from & ~3u, last = ((uint32_t)(uintptr_t)from + (bytes - 1)) | 3u;
    if (last < first) return EINVAL;
    bool was_uncolored = __crosstalk_uncolored;
    __crosstalk_uncolored = true;
    pthread_mutex_lock(&mutex);
    int error = paint(__crosstalk_color_root, TOP, first, last, entry);
    pthread_mutex_unlock(&mutex);
    __crosstalk_uncolored = was_uncolored;
    return error;
}

int crosstalk_color(const volatile void *from, size_t bytes, uint32_t color) {
    if (!color) return crosstalk_uncolor(from, bytes);
    if (__crosstalk_last_color && color > __crosstalk_last_color) return EINVAL;
    return give(from, bytes, color << COLOR_ENTRY_COLOR_AT | COLOR_KIND_COLORED);
}

int crosstalk_uncolor(const volatile void *from, size_t bytes) {
    return give(from, bytes, COLOR_KIND_UNCOLORED);
}

uint32_t crosstalk_color_of(const volatile void *address) {
    uint32_t at = (uint32_t)(uintptr_t)address, *table = __crosstalk_color_root, entry = 0;
    pthread_mutex_lock(&mutex);
    for (unsigned shift = TOP;; shift -= INDEX_BITS) {
        entry = table[index_of(at, shift)];
        if (!is_table(entry)) break;
        table = table_of(entry);
    }
    pthread_mutex_unlock(&mutex);
    return (entry & COLOR_ENTRY_KIND) == COLOR_KIND_COLORED ? entry >> COLOR_ENTRY_COLOR_AT : 0;
}
