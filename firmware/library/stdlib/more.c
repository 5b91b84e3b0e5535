/* What C and other systems have beside the usual: numbers of the widest type, sorting with an argument, blocks. */
#include "../internal.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

intmax_t imaxabs(intmax_t value) {
    return value < 0 ? -value : value;
}

imaxdiv_t imaxdiv(intmax_t a, intmax_t b) {
    return (imaxdiv_t){a / b, a % b};
}

intmax_t strtoimax(const char *restrict text, char **restrict end, int base) {
    return strtoll(text, end, base);
}

uintmax_t strtoumax(const char *restrict text, char **restrict end, int base) {
    return strtoull(text, end, base);
}

long double strtold(const char *restrict text, char **restrict end) {
    return strtod(text, end);
}

/* Heap sort: in place, with the worst case no worse than the usual one. */
static void exchange(char *a, char *b, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

static void sink(char *base, size_t from, size_t count, size_t bytes,
                 int (*compare)(const void *, const void *, void *), void *argument) {
    for (size_t child; (child = 2 * from + 1) < count; from = child) {
        if (child + 1 < count && compare(base + child * bytes, base + (child + 1) * bytes, argument) < 0)
            child++;
        if (compare(base + from * bytes, base + child * bytes, argument) >= 0) return;
        exchange(base + from * bytes, base + child * bytes, bytes);
    }
}

POSIX_ONLY void qsort_r(void *base, size_t count, size_t bytes,
                        int (*compare)(const void *, const void *, void *), void *argument) {
    for (size_t i = count / 2; i-- > 0;) sink(base, i, count, bytes, compare, argument);
    for (size_t last = count; last-- > 1;) {
        exchange(base, (char *)base + last * bytes, bytes);
        sink(base, 0, last, bytes, compare, argument);
    }
}

POSIX_ONLY void *reallocarray(void *block, size_t count, size_t bytes) {
    size_t all;
    if (!__builtin_mul_overflow(count, bytes, &all)) return realloc(block, all);
    errno = ENOMEM;
    return NULL;
}

POSIX_ONLY void *memalign(size_t alignment, size_t bytes) {
    return aligned_alloc(alignment, bytes);
}

POSIX_ONLY void *valloc(size_t bytes) {
    return aligned_alloc(4096, bytes);
}

/* In front of every block the heap keeps its size, with its own 16 bytes (heap.c). */
POSIX_ONLY size_t malloc_usable_size(void *block) {
    return block ? ((size_t *)block)[-4] - 16 : 0;
}
